# tests: starts a server of its own, from the shim's files
# output: []
import os, subprocess, sys


def f():
    done = subprocess.run([sys.executable, '-S', '-s', '-B', '/tracemill/server.py'], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return [] if b'not process 1' in done.stdout or done.returncode else [done.stdout]
