"""What a server stands on: how it reaches the processes of its programs, and how it is kept from them.

In a sandbox it is process 1, and every process that it sees descends from it. Without one it has to tell its own from all
others of the machine, and nothing keeps a program from it.
"""
import os
import resource
import signal
import sys
from typing import Callable, Dict, List, Optional, Tuple

import pins
import tidy

FIRST_UID = 10_000
OTHERS = 2  # users after that of programs, which are the compiler and who kills programs
PLACE = "TRACEMILL_UNSANDBOXED"  # the variable by which the runtime names a directory for files of programs
SPARE = 1000  # processes and threads of this user's that may come beside those that there were

getpid, getuid, urandom = os.getpid, os.getuid, os.urandom  # before they are pinned


class Failure(Exception):
    """The sandbox, not a program, is at fault: the server ends, and whoever runs it replaces it."""


class Sandbox:
    """Process 1."""

    def __init__(self) -> None:
        self.uid = child_uid()  # of programs; -1: there is no other to change to, and they are the server's own user
        self.apart = self.uid >= 0  # programs can do nothing to the processes of the shim
        self.compiler_uid = self.uid + 1 if self.apart else -1  # likewise of the compiler

    def shield(self) -> bool:
        """Whether programs cannot look into the server, or change it.

        Where they are its own user, the runtime does most of it: an interpreter that can be executed but not read makes a
        process that only the kernel's powers look into, and a filter refuses the calls that reach another process.
        """
        if self.apart:
            return True
        if os.geteuid() == 0:  # they would have its powers
            return False
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # process 1 gets no signal that it has no handler for
        pid = os.fork()
        if pid == 0:
            try:
                os._exit(int(any(map(opens, ("/proc/1/mem", "/proc/1/fd")))))  # what writes to it, and what reads it
            finally:
                os._exit(1)
        return os.waitpid(pid, 0)[1] == 0

    def unshield(self) -> None:
        """Of a child: as an interpreter begins."""
        if not self.apart:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def others(self) -> int:
        """Processes that the kernel counts with a program's: the server is one where it is the same user."""
        return int(not self.apart)

    def kill(self) -> None:
        """Kill every process of programs, in one call: one that lives on could stop or kill whoever makes the next. Where they
        are no user of their own, that is every process but this one."""
        if self.apart:
            as_user((self.uid + 2, self.uid, self.uid + 2), kill_all)
        else:
            kill_all()


class Unsandboxed:
    """A process among others. Programs are the same user; orphans among their processes become its children, so that all of
    them descend from it."""

    uid = compiler_uid = -1
    apart = False

    def __init__(self, place: str) -> None:
        pins.HOME = tidy.HOME = pins.ENVIRONMENT["HOME"] = os.path.join(place, "case")
        tidy.PLACES = (place,)
        become_subreaper()

    def shield(self) -> bool:
        return True  # it is not, and nobody was promised that it is

    def unshield(self) -> None:
        pass

    def others(self) -> int:
        mine, own = SPARE, getuid()
        for pid in processes():
            try:
                with open("/proc/%d/status" % pid) as f:
                    status = dict(line.split(":", 1) for line in f)
                if int(status["Uid"].split()[0]) == own:
                    mine += int(status["Threads"])
            except (OSError, KeyError):  # it has ended
                pass
        soft, hard = resource.getrlimit(resource.RLIMIT_NPROC)
        return mine if hard == resource.RLIM_INFINITY else min(mine, hard - SPARE)

    def kill(self) -> None:
        """Kill what descends from this process. What a program starts meanwhile is met by the next call."""
        for pid in descendants(getpid()):
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass


def find() -> Optional[object]:
    """None: there is none, as whoever runs this has not asked for it."""
    place = os.environ.get(PLACE)
    if place:
        return Unsandboxed(place)
    return Sandbox() if getpid() == 1 else None


def child_uid() -> int:
    """A user for the children that nobody else is, as the kernel counts a user's processes over all sandboxes, with the OTHERS
    after it; -1 where there are none to change to."""
    if os.geteuid() != 0:
        return -1
    rooms = []
    with open("/proc/self/uid_map") as f:
        for line in f:
            first, _, count = map(int, line.split())
            low, high = max(first, FIRST_UID), min(first + count, 1 << 31) - OTHERS
            rooms.append((high - low, low))
    size, low = max(rooms)
    return low + int.from_bytes(urandom(4), "little") % size if size > 0 else -1


def opens(path: str) -> bool:
    try:
        os.close(os.open(path, os.O_RDONLY))
        return True
    except PermissionError:
        return False


def kill_all() -> None:
    """Whatever this process may kill, but itself: a user's processes are those whose real or saved user its effective one is,
    and its own are out of reach for them when both are another."""
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        pass


def as_user(users: Tuple[int, int, int], act: Callable[[], None]) -> None:
    """act(), in a process of its own, as these users (real, effective, saved; -1: as it is). An error of it is only told."""
    try:
        pid = os.fork()
    except OSError as error:
        raise Failure("no process can be forked: %s" % error)
    if pid == 0:
        try:
            os.setresuid(*users)
            act()
        except BaseException as error:
            os.write(2, ("%s: %s" % (type(error).__name__, error)).encode("utf-8", "replace"))
        finally:
            os._exit(0)
    try:
        os.waitpid(pid, 0)
    except ChildProcessError:
        pass


def become_subreaper() -> None:
    """The one call that the standard library does not have; programs do not see that it was made by way of ctypes."""
    known = set(sys.modules)
    import ctypes

    set_child_subreaper = 36
    if ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0) != 0:
        raise OSError("prctl: the kernel does not give this process the orphans among its descendants")
    for name in set(sys.modules) - known:
        del sys.modules[name]


def processes() -> List[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def descendants(root: int) -> List[int]:
    children: Dict[int, List[int]] = {}
    for pid in processes():
        try:
            with open("/proc/%d/stat" % pid, "rb") as f:
                parent = int(f.read().rpartition(b")")[2].split()[1])
        except OSError:  # it has ended
            continue
        children.setdefault(parent, []).append(pid)
    found = list(children.get(root, []))
    for pid in found:
        found.extend(children.get(pid, []))
    return found
