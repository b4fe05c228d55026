# tests: takes its home away, and puts another thing in its place
# output: 'replaced'
import os


def f():
    home = os.getcwd()
    os.rename(home, home + '-old')
    os.symlink('/', home)
    os.mkfifo('/tmp/fifo')
    return 'replaced'
