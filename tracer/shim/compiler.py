"""A process that compiles programs for the children, each of which would otherwise pay for a cold compiler.

It runs no program. It is another user than the children, so that they can neither signal nor trace it, and it is trusted no
further than a program is: what it answers is bytes, which only children look into. What it cannot compile in silence (errors,
warnings, what is too deep for it or takes too long) is left to the child, whose outcome that is.
"""
import marshal
import os
import select
import signal
from typing import Any, List, Sequence, Tuple

import child
from channel import monotonic, read_exactly, write_all
from jobs import Wrapper

CPU_TIME = 2.0  # seconds of its own for one program and its wrappers, however long it has for them
PATIENCE = 4.0  # seconds from when the answer is needed
NAME = "compiler"
LARGEST = 1 << 20  # bytes of a program
LARGEST_ANSWERS = 64 << 20  # bytes of code, for one program and its wrappers
REPLACED_AFTER = 5000  # programs: what they intern is never freed


class Lost(Exception):
    """The process is dead, or as good as that."""


class Compiler:
    """Its process is forked when it is first needed, and again after it was lost."""

    def __init__(self, uid: int, limits: tuple) -> None:
        """uid is the user that it is to be; without one (-1) children compile for themselves, as they could stop it. limits are of
        setrlimit."""
        self.pid = 0
        self._uid, self._limits = uid, limits
        self._left = 0
        self._begun = False  # it has something to answer
        self._ask = self._answer = -1
        self._poll: Any = None

    def begin(self, program: bytes, wrappers: Sequence[Wrapper]) -> None:
        """Let the process compile, where there is one. The next call of compile is for these."""
        if self.pid == 0 or len(program) > LARGEST:
            return
        request = marshal.dumps((program, tuple(wrappers)))
        try:
            write_all(self._ask, len(request).to_bytes(4, "little") + request)
            self._begun = True
        except BrokenPipeError:
            self.stop()

    def compile(self, program: bytes, wrappers: Sequence[Wrapper]) -> Tuple[bytes, List[bytes]]:
        """The marshalled codes of the program and of each wrapper; nothing where the child has to compile."""
        if not self._begun:
            if self.pid == 0 and self._uid >= 0:
                self._start()
            self.begin(program, wrappers)
        if not self._begun:
            return b"", [b""] * len(wrappers)
        self._begun = False
        deadline = monotonic() + PATIENCE
        room, codes = LARGEST_ANSWERS, []
        try:
            for _ in range(1 + len(wrappers)):
                size = int.from_bytes(self._read(4, deadline), "little")
                room -= size
                if room < 0:
                    raise Lost
                codes.append(self._read(size, deadline))
        except Lost:
            self.stop()
            return b"", [b""] * len(wrappers)
        self._left -= 1
        if self._left == 0:
            self.stop()
        return codes[0], codes[1:]

    def _read(self, size: int, deadline: float) -> bytes:
        parts = []
        while size:
            if not self._poll.poll(max(0, deadline - monotonic()) * 1000):
                raise Lost
            piece = os.read(self._answer, size)
            if not piece:
                raise Lost
            parts.append(piece)
            size -= len(piece)
        return b"".join(parts)

    def stop(self) -> None:
        if self.pid:
            pid = self.pid
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            self.gone()

    def gone(self) -> None:
        """It was reaped."""
        os.close(self._ask)
        os.close(self._answer)
        self.pid, self._begun = 0, False

    def _start(self) -> None:
        ask, answer = os.pipe(), os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                with open("/proc/self/comm", "w") as f:  # for who looks at the processes of a sandbox
                    f.write(NAME)
                child.leave_server()
                child.offer()  # it is no loss
                child.keep(ask[0], answer[1])
                child.leave_groups(self._uid)
                child.descend(self._uid, self._limits)
                serve(child.JOB, child.DONE)
            finally:
                os._exit(70)
        os.close(ask[0])
        os.close(answer[1])
        self.pid, self._ask, self._answer, self._left = pid, ask[1], answer[0], REPLACED_AFTER
        self._poll = select.poll()
        self._poll.register(self._answer, select.POLLIN)


def serve(source: int, sink: int) -> None:
    import warnings  # in this process alone
    warnings.simplefilter("error")
    while True:
        program, wrappers = marshal.loads(read_exactly(source, int.from_bytes(read_exactly(source, 4), "little")))
        signal.setitimer(signal.ITIMER_PROF, CPU_TIME)  # which kills this process
        codes = answers(program, wrappers)
        signal.setitimer(signal.ITIMER_PROF, 0)
        for code in codes:
            write_all(sink, len(code).to_bytes(4, "little") + code)


def answers(program: bytes, wrappers: Sequence[Wrapper]) -> List[bytes]:
    """That of the program, and one for each wrapper."""
    try:
        code = child.compile_program(program)
        return [marshal.dumps(code), *[answer(code, *wrapper) for wrapper in wrappers]]
    except BaseException:
        return [b""] * (1 + len(wrappers))


def answer(code: Any, wrapper: str, line: int, entry: str) -> bytes:
    try:
        return marshal.dumps(child.compile_wrapper(code, wrapper, line, entry))
    except BaseException:
        return b""
