# tests: thousands of the kernel's timers, for signals to others
# output: 'counted'
import ctypes


def f():
    libc = ctypes.CDLL(None)
    timer = ctypes.c_void_p()
    exec("for _ in range(5000):\n  if libc.timer_create(0, None, ctypes.byref(timer)): break", {'libc': libc, 'timer': timer, 'ctypes': ctypes})
    return 'counted'
