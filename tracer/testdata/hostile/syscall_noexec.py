# tests: executes and maps for execution what it has written
# output: []
import mmap, os, shutil, sys


def f():
    got = []
    shutil.copyfile('/bin/true' if os.path.exists('/bin/true') else '/usr/local/bin/python3', 'copy') if os.path.exists('/bin/true') else open('copy', 'wb').write(b'#!/x\n')
    os.chmod('copy', 0o755)
    pid = os.fork()
    if pid == 0:
        try:
            os.execv('./copy', ['copy'])
        except PermissionError:
            os._exit(1)
        finally:
            os._exit(2)
    if os.waitpid(pid, 0)[1] == 0:
        got.append('executed')
    with open('copy', 'r+b') as file:
        try:
            mmap.mmap(file.fileno(), 1, prot=mmap.PROT_READ | mmap.PROT_EXEC, flags=mmap.MAP_PRIVATE)
            got.append('mapped')
        except OSError:
            pass
    return got
