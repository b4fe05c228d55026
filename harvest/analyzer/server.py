"""One long-lived parent that answers frames, and one worker that does the parsing.

A parser can be crashed, blown up or held up by its input. So the parent never parses: a forked worker does, under
limits of memory and CPU time, and when it dies the file it had dies with it and the next one gets a new worker.
"""

import json
import os
import resource
import select
import signal
import struct
import sys
import time
from io import BufferedIOBase
from typing import BinaryIO, Callable, NamedTuple, Optional, Tuple, Union

Answer = Callable[[bytes], bytes]
Lesser = Callable[[bytes], Optional[bytes]]
Stream = Union[BinaryIO, BufferedIOBase]

_LENGTH = struct.Struct("<I")

HELD_BYTES = 64 << 10  # of answers, before they are written: what a pipe takes at once
LATE_SECONDS = 0.02  # a file that takes longer does not hold up the answers before it


class Limits(NamedTuple):
    """What one file may cost."""

    cpu_seconds: int = 10  # a legal 64 KiB file takes far less than one
    wall_seconds: int = 60  # for a worker that hangs without using the CPU, on a machine that is busy
    memory_bytes: int = 700 << 20  # address space of the worker; below the sandbox's own limit of 1 GiB
    files: int = 2000  # a worker is replaced after so many, so that what leaks stays small


def read_frame(stream: BinaryIO) -> Optional[bytes]:
    """The next frame, or None at the end of the stream."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    body = stream.read(length)
    return body if len(body) == length else None


def write_frame(stream: BinaryIO, body: bytes) -> None:
    stream.write(_LENGTH.pack(len(body)) + body)
    stream.flush()


def failure(reason: str, detail: str) -> bytes:
    """The answer for an item that is dropped as a whole."""
    return json.dumps({"reason": reason, "detail": detail}).encode()


class Requests:
    """Frames of a stream, read with whatever has arrived behind them."""

    def __init__(self, stream: BufferedIOBase) -> None:
        self._stream = stream
        self._arrived = bytearray()

    def end(self) -> Optional[int]:
        """Where the next frame ends, or None while not all of it is there."""
        if len(self._arrived) < _LENGTH.size:
            return None
        end = _LENGTH.size + _LENGTH.unpack_from(self._arrived)[0]
        return end if end <= len(self._arrived) else None

    def next(self) -> Optional[bytes]:
        """The next frame, or None at the end of the stream."""
        end = self.end()
        while end is None:
            chunk = self._stream.read1(1 << 20)
            if not chunk:
                return None
            self._arrived += chunk
            end = self.end()
        frame = bytes(self._arrived[_LENGTH.size:end])
        del self._arrived[:end]
        return frame


class Answers:
    """Frames that are written together: each write wakes whoever reads, which for a small file costs more than the file."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._held = bytearray()

    def put(self, body: bytes) -> None:
        self._held += _LENGTH.pack(len(body)) + body
        if len(self._held) >= HELD_BYTES:
            self.flush()

    def flush(self) -> None:
        if self._held:
            self._stream.write(self._held)
            self._stream.flush()
            self._held = bytearray()


def serve(requests: BufferedIOBase, answers: BinaryIO, answer: Answer, limits: Limits, lesser: Lesser = lambda request: None) -> None:
    """Answers every request, in order, until the stream ends. No answer waits for a request that has not arrived yet, nor
    for one that takes long. A request that a worker dies of is asked again as what lesser makes of it, if that is anything."""
    worker = None  # type: Optional[Worker]
    source, sink = Requests(requests), Answers(answers)
    while True:
        if source.end() is None:
            sink.flush()
        request = source.next()
        if request is None:
            break
        if worker is None:
            worker = Worker(answer, limits, (requests, answers))
        reply, alive = worker.ask(request, sink.flush)
        less = None if alive else lesser(request)
        if less is not None:
            worker.close()
            worker = Worker(answer, limits, (requests, answers))
            reply, alive = worker.ask(less, sink.flush)
        if not alive or worker.served >= limits.files:
            worker.close()
            worker = None
        sink.put(reply)
    if worker is not None:
        worker.close()


class Worker:
    """A forked child that answers one request at a time."""

    def __init__(self, answer: Answer, limits: Limits, inherited: Tuple[Stream, ...] = ()) -> None:
        self.limits = limits
        self.served = 0
        request_read, request_write = os.pipe()
        answer_read, answer_write = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.close(request_write)
                os.close(answer_read)
                _quiet(inherited)
                _work(os.fdopen(request_read, "rb"), os.fdopen(answer_write, "wb"), answer, limits)
            finally:
                os._exit(0)
        os.close(request_read)
        os.close(answer_write)
        self._requests = os.fdopen(request_write, "wb", buffering=0)
        self._answers = answer_read

    def ask(self, request: bytes, late: Callable[[], None]) -> Tuple[bytes, bool]:
        """The answer, and whether the worker can go on. What else is to be done is done by late while the answer is."""
        self.served += 1
        deadline = time.monotonic() + self.limits.wall_seconds
        try:
            data = memoryview(_LENGTH.pack(len(request)) + request)
            while data:
                data = data[self._requests.write(data):]
        except BrokenPipeError:
            return self._died(), False
        reply = bytearray()
        wanted = _LENGTH.size
        while len(reply) < wanted:
            if not select.select([self._answers], [], [], LATE_SECONDS)[0]:
                late()
                left = deadline - time.monotonic()
                if left <= 0 or not select.select([self._answers], [], [], left)[0]:
                    return failure("parse_timeout", "no answer in %d seconds" % self.limits.wall_seconds), False
            chunk = os.read(self._answers, 1 << 20)
            if not chunk:
                return self._died(), False
            reply += chunk
            if wanted == _LENGTH.size and len(reply) >= wanted:
                wanted += _LENGTH.unpack_from(reply)[0]
        return bytes(reply[_LENGTH.size:]), True

    def close(self) -> None:
        self._requests.close()
        os.close(self._answers)
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)

    def _died(self) -> bytes:
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        if not os.WIFSIGNALED(status):
            return failure("parse_crash", "the parser exited with code %d" % os.WEXITSTATUS(status))
        number = os.WTERMSIG(status)
        if number == signal.SIGPROF:
            return failure("parse_timeout", "more than %d seconds of CPU time" % self.limits.cpu_seconds)
        return failure("parse_crash", "the parser died of " + signal.Signals(number).name)


def _quiet(inherited: Tuple[Stream, ...]) -> None:
    """Takes the protocol's descriptors away: parsers of 3.8 write to stderr, and nothing may write to stdout."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in inherited:
        try:
            os.dup2(null, stream.fileno())
        except (OSError, ValueError):
            continue
    os.dup2(null, 2)
    if null > 2:
        os.close(null)


def _work(requests: BinaryIO, answers: BinaryIO, answer: Answer, limits: Limits) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    while True:
        request = read_frame(requests)
        if request is None:
            return
        # A timer counts from here. RLIMIT_CPU counts the process's whole life, and by ticks: what of it a file may use cannot be told
        # by time.process_time(), which is exact, and after some thousand files the two are seconds apart.
        signal.setitimer(signal.ITIMER_PROF, limits.cpu_seconds + 1)
        try:
            reply = answer(request)
        except (RecursionError, MemoryError) as error:
            reply = failure("parse_crash", "%s: %s" % (type(error).__name__, error))
        write_frame(answers, reply)
