"""The process that children are forked from. It has what each of them needs, and sees no job and no answer: what a child
inherits is what every other inherits, and nothing of theirs.

For each order it forks a process that forks the children and ends. That makes them the server's, as orphans: only a parent
can wait for a process, and learn how it ended.
"""
import os
import select
from typing import Any, Callable, List, NamedTuple, NoReturn

import _socket

import child
from channel import monotonic, write_all
from ground import Failure

CHANNEL = 3  # the zygote's end of the channel that orders come by
PLAIN, DEBUGGER = b"p", b"d"  # orders: children, which have the debugger loaded or not. Their descriptors come with it.
DONE = b"."  # the end of what is answered, after the process numbers
NUMBER = 4  # bytes of one
ENDS = 4  # descriptors of a child: to read its job from, and to write done, stdout and stderr to
PATIENCE = 10.0  # seconds for what is ordered


class Kind(NamedTuple):
    """What children are."""
    ground: Any
    be: Callable[[], NoReturn]  # run in each, when its descriptors are in place
    load_debugger: Callable[[], None]  # before children are forked that need it


class Zygote:
    """The server's side. The process is forked here: of a server that has seen no job."""

    def __init__(self, kind: Kind) -> None:
        self._channel, theirs = _socket.socketpair()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                serve(theirs, kind)
            finally:
                os._exit(70)
        theirs.close()
        self._poll = select.poll()
        self._poll.register(self._channel.fileno(), select.POLLIN)

    def fork(self, ends: List[int], debugger: bool) -> List[int]:
        """Children with these descriptors, ENDS each; their numbers."""
        passed = b"".join(fd.to_bytes(NUMBER, "little") for fd in ends)
        size = len(ends) // ENDS * NUMBER
        try:
            self._channel.sendmsg([DEBUGGER if debugger else PLAIN], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, passed)])
            answer = self._read(size + len(DONE))
        except OSError as error:
            raise Failure("the process that forks the children is lost: %s" % error)
        return numbers(answer[:size])

    def _read(self, size: int) -> bytes:
        data = b""
        deadline = monotonic() + PATIENCE
        while len(data) < size:
            if not self._poll.poll(max(0, deadline - monotonic()) * 1000):
                raise TimeoutError("no answer")
            piece = self._channel.recv(size - len(data))
            if not piece:
                raise ConnectionResetError("it has ended")
            data += piece
        return data


def numbers(data: bytes) -> List[int]:
    return [int.from_bytes(data[at : at + NUMBER], "little") for at in range(0, len(data), NUMBER)]


def serve(channel: Any, kind: Kind) -> NoReturn:
    """Fork what is ordered, until the server ends. channel is a socket."""
    child.leave_server()
    os.dup2(channel.fileno(), CHANNEL, False)
    os.closerange(CHANNEL + 1, child.DESCRIPTORS)
    channel.detach()
    channel = _socket.socket(fileno=CHANNEL)
    while True:
        order, passed, _, _ = channel.recvmsg(1, 1024)
        if not order:
            os._exit(0)
        if order == DEBUGGER:
            kind.load_debugger()
        pid = os.fork()
        if pid == 0:
            try:
                brood(numbers(passed[0][2]), kind)
            finally:
                os._exit(70)
        if os.waitpid(pid, 0)[1] != 0:
            os._exit(70)
        os.closerange(CHANNEL + 1, child.DESCRIPTORS)
        write_all(CHANNEL, DONE)


def brood(ends: List[int], kind: Kind) -> NoReturn:
    child.prepare_brood(kind.ground)
    pids = [fork(ends[at : at + ENDS], kind) for at in range(0, len(ends), ENDS)]
    write_all(CHANNEL, b"".join(pid.to_bytes(NUMBER, "little") for pid in pids))
    os._exit(0)


def fork(ends: List[int], kind: Kind) -> int:
    """A child of this process; its number."""
    pid = os.fork()
    if pid == 0:
        try:
            child.confine(*ends)
            kind.be()
        except BaseException as error:
            os.write(2, ("%s: %s" % (type(error).__name__, error)).encode("utf-8", "replace"))
        finally:
            os._exit(70)
    return pid
