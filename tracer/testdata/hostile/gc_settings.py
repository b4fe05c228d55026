# tests: the collector, at every allocation, on everything, with callbacks that raise
# output: 'collected'
import gc


def callback(phase, info):
    raise ValueError


def f():
    gc.unfreeze()
    gc.callbacks.append(callback)
    gc.set_debug(gc.DEBUG_SAVEALL)
    gc.set_threshold(1, 1, 1)
    gc.enable()
    for _ in range(5):
        gc.collect()
    gc.callbacks.clear()
    return 'collected'
