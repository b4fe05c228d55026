"""The places that a child can write to, and making them as they were.

Shared memory, semaphores and message queues outlive processes too. A sandbox has an IPC namespace whose limits of them are
zero, and no /dev/mqueue, so there are none to remove.
"""
import os
import stat
from typing import Dict, List

from pins import HOME

PLACES = ("/tmp", "/dev/shm")
MODES: Dict[str, int] = {}  # of the places that there are, which are a child's to change where it is the server's user
# The server looks into the home of its children, and has no power of root that lets it when they close it.
OPEN = 0o755


def remember() -> None:
    """How the places are, before any program has run."""
    MODES.update((top, stat.S_IMODE(os.stat(top).st_mode)) for top in PLACES if os.path.isdir(top))


def is_tidy() -> bool:
    try:
        return (stat.S_IMODE(os.lstat(HOME).st_mode) == OPEN and not os.listdir(HOME)
                and all(stat.S_IMODE(os.stat(top).st_mode) == mode for top, mode in MODES.items())
                and [HOME] == [os.path.join(top, name) for top in MODES for name in os.listdir(top)])
    except OSError:
        return False


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
