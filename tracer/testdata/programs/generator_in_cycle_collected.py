# tests: a suspended generator in a reference cycle is closed by gc.collect(), its finally runs inside that call
# watched: a tracer that holds the frame or its locals keeps the cycle alive
import gc


def looped(box, log):
    try:
        yield len(box)
    finally:
        log.append("closed")


def start(log):
    box = []
    g = looped(box, log)
    box.append(g)
    return next(g)


def main():
    log = []
    gc.disable()
    try:
        size = start(log)
        log.append("collecting")
        gc.collect()
        log.append("collected")
    finally:
        gc.enable()
    return size, log
