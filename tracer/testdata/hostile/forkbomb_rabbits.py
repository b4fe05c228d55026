# tests: processes that each fork the next and end, so that no process that is seen is there when it is killed
# output: 'gone'
import os


def f():
    exec('''
for _ in range(4):
    try:
        if os.fork() == 0:
            while True:
                try:
                    if os.fork():
                        os._exit(0)
                except OSError:
                    pass
    except OSError:
        pass
''', {'os': os})
    return 'gone'
