# tests: writes to the local variables of every frame below it
# output: 'written'
import ctypes, sys


def f():
    frame = sys._getframe().f_back
    flush = getattr(ctypes.pythonapi, 'PyFrame_LocalsToFast', None)
    while frame is not None:
        if frame.f_code.co_filename != __file__ and frame.f_code.co_name != 'main':
            for name in ('nonce', 'case', 'mode', 'job', 'message', 'out', 'err'):
                if name in frame.f_locals:
                    try:
                        frame.f_locals[name] = None
                    except ValueError:
                        pass
            if flush is not None:
                flush(ctypes.py_object(frame), ctypes.c_int(0))
        frame = frame.f_back
    return 'written'
