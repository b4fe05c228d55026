# tests: becomes itself again and again
# status: timeout
import os, sys
LOOP = 'import os, sys; os.execve(sys.executable, [sys.executable, "-S", "-c", os.environ["L"]], os.environ)'


def f():
    os.execve(sys.executable, [sys.executable, '-S', '-c', LOOP], {'L': LOOP})
