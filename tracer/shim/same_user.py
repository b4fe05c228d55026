"""For a server whose children are its own user, as in a sandbox that has only one: what closes it to them.

The runtime does most of it: an interpreter that can be executed but not read makes a process that only the kernel's
powers look into, and a filter refuses the calls that change another process's limits or priority.
"""
import os
import signal


def shield() -> bool:
    """Of the server: whether its children cannot look into it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # process 1 gets no signal that it has no handler for
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.close(os.open("/proc/%d/mem" % os.getppid(), os.O_RDONLY))
        except PermissionError:
            code = 0
        finally:
            os._exit(code)
    return os.waitpid(pid, 0)[1] == 0


def unshield() -> None:
    """Of a child: as an interpreter begins."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
