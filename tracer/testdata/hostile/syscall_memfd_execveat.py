# tests: executes a file that is in no file system, past noexec
# output: []
import ctypes, os, sys


def f():
    try:
        fd = os.memfd_create('x', 0)
    except OSError:
        return []
    with open(sys.executable, 'rb') as file:
        try:
            while os.sendfile(fd, file.fileno(), None, 1 << 20):
                pass
        except OSError:
            return []
    pid = os.fork()
    if pid == 0:
        try:
            os.execve(fd, ['x', '-S', '-c', ''], {})
        finally:
            os._exit(1)
    return ['executed'] if os.waitpid(pid, 0)[1] == 0 else []
