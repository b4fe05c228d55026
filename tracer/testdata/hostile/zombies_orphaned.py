# tests: hundreds of orphans that end as children of the server, which has to wait for each
# output: 'orphaned'
import os


def f():
    exec('''
for _ in range(100):
    try:
        pid = os.fork()
        if pid == 0:
            for _ in range(4):
                try:
                    if os.fork() == 0:
                        os._exit(0)
                except OSError:
                    pass
            os._exit(0)
        os.waitpid(pid, 0)
    except OSError:
        pass
''', {'os': os})
    return 'orphaned'
