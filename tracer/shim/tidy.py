"""The places that a child can write to, and making them as they were.

Shared memory, semaphores and message queues outlive processes too. A sandbox has an IPC namespace whose limits of them are
zero, and no /dev/mqueue, so there are none to remove.
"""
import os
import stat
import time
from typing import Any, Callable, Dict, Iterable, List, Tuple

from pins import HOME

PLACES = ("/tmp", "/dev/shm")
MODES: Dict[str, int] = {}  # of the places that there are, which are a child's to change where it is the server's user
# The server looks into the home of its children, and has no power of root that lets it when they close it.
OPEN = 0o755

now, sleep = time.clock_gettime, time.sleep  # before they are pinned
CLOCK_REALTIME_COARSE = 5  # the clock of file systems, which Python has no name for


def remember() -> None:
    """How the places are, before any program has run."""
    MODES.update((top, stat.S_IMODE(os.stat(top).st_mode)) for top in PLACES if os.path.isdir(top))


class Tidiness:
    """Whether the places are as they were: every change of a directory, of its mode, times or attributes moves its ctime, which
    nobody can set, and a look into it its atime."""

    def __init__(self) -> None:
        """The places must be tidy now: OSError where they are not. It waits until the kernel's clock has moved on, so that a
        later change shows."""
        found = [os.path.join(top, name) for top in MODES for name in os.listdir(top)] + os.listdir(HOME)
        if found != [HOME]:
            raise OSError("not removed: %s" % found)
        self._before = changes(os.lstat, places())
        last = max(self._before[::2])
        while now(CLOCK_REALTIME_COARSE) * 10**9 <= last + 10**6:
            sleep(0.001)

    def lasts(self) -> bool:
        try:
            return changes(os.lstat, places()) == self._before
        except OSError:
            return False


def places() -> Tuple[str, ...]:
    """The directories that a change of what a child can write to shows in."""
    return (HOME, *MODES)


def changes(look: Callable[[Any], os.stat_result], places: Iterable[Any]) -> Tuple[int, ...]:
    """When the places were last changed, and looked into. They are paths, or open descriptors of them, as look takes."""
    found = []
    for place in places:
        status = look(place)
        found += (status.st_ctime_ns, status.st_atime_ns)
    return tuple(found)


def tidy() -> None:
    """Called as the user that the children were."""
    for top, mode in MODES.items():
        if stat.S_IMODE(os.stat(top).st_mode) != mode:
            os.chmod(top, mode)
        _empty(top)
    os.mkdir(HOME)
    os.chmod(HOME, OPEN)


def _empty(top: str) -> None:
    """Without recursion and without paths: a program may make a tree that is deeper than either allows."""
    os.chdir(top)
    names: List[str] = []
    levels = [_unlink_files()]
    while True:
        if levels[-1]:
            name = levels[-1].pop()
            os.chmod(name, 0o700)
            os.chdir(name)
            names.append(name)
            levels.append(_unlink_files())
            continue
        levels.pop()
        if not names:
            return
        os.chdir("..")
        os.rmdir(names.pop())


def _unlink_files() -> List[str]:
    """Of the working directory; the names of its directories."""
    directories = []
    with os.scandir() as entries:
        found = list(entries)
    for entry in found:
        if entry.is_dir(follow_symlinks=False):
            directories.append(entry.name)
        else:
            os.unlink(entry.name)
    return directories
