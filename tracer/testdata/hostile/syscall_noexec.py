# tests: executes, and maps for execution, a file that it has written
# output: []
import mmap, os, sys


def f():
    got = []
    with open('script', 'w') as file:
        file.write('#!%s -S\n' % sys.executable)
    os.chmod('script', 0o755)
    pid = os.fork()
    if pid == 0:
        try:
            os.execv('./script', ['script'])
        except PermissionError:
            os._exit(1)
        finally:
            os._exit(2)
    if os.waitpid(pid, 0)[1] == 0:
        got.append('executed')
    with open('script', 'r+b') as file:
        try:
            mmap.mmap(file.fileno(), 1, prot=mmap.PROT_READ | mmap.PROT_EXEC, flags=mmap.MAP_PRIVATE)
            got.append('mapped')
        except OSError:
            pass
    return got
