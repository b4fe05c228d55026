"""Cases of one process as the server sees them: what belongs to which, and whose time is over."""
import os
import signal
import time
import unittest
from typing import Callable, List, Sequence

import fixture  # noqa: F401: finds the shim
import child
from nursery import Waiting
from watch import OUTPUT, TIME, Seen, Watch

OUTPUT_LIMIT = 1000
HANG = 20.0  # seconds: a busy machine is not what this tells


class Process:
    """The child's end."""

    def __init__(self, done: int, nonces: Sequence[bytes]) -> None:
        self._done, self._nonces = done, nonces

    def case(self, number: int, began: float = 0.0) -> None:
        """Begin it, at that time if not now."""
        if number:
            for fd in (1, 2):
                os.write(fd, self._nonces[number])
        self.say(began or time.monotonic())

    def say(self, began: float) -> None:
        os.write(self._done, int(began * 1000).to_bytes(child.BEGUN, "little"))


class Cases(unittest.TestCase):
    def watch(self, cases: int, run: Callable[[Process], None], wall: float = HANG,
              between: Callable[[List[Seen]], None] = lambda seen: None) -> List[Seen]:
        """What is seen of a process that runs this. between is called after each case."""
        nonces = [b"nonce %10d" % number for number in range(cases)]
        handler = signal.getsignal(signal.SIGCHLD)
        self.addCleanup(signal.signal, signal.SIGCHLD, handler)
        self.addCleanup(signal.set_wakeup_fd, -1)
        watch = Watch(wall, OUTPUT_LIMIT, lambda pid: os.kill(pid, signal.SIGKILL))
        (job, give), (done, say), (out, write), (err, complain) = (os.pipe() for _ in range(4))
        pid = os.fork()
        if pid == 0:
            try:
                signal.set_wakeup_fd(-1)
                os.dup2(write, 1)
                os.dup2(complain, 2)
                run(Process(say, nonces))
            finally:
                os._exit(0)
        for fd in (job, say, write, complain):
            os.close(fd)
        watch.begin(Waiting(pid, give, done, out, err), nonces)
        seen: List[Seen] = []
        while not seen or not seen[-1].ended:
            self.assertLess(len(seen), cases)
            seen.append(watch.case())
            between(seen)
        watch.end()
        return seen

    def test_each_has_what_it_wrote(self) -> None:
        def run(process: Process) -> None:
            for number, (out, err) in enumerate(written):
                process.case(number)
                os.write(1, out)
                os.write(2, err)

        written = [(b"a", b""), (b"", b""), (b"b" * 900, b"c" * 100), (b"", b"d"), (b"", b"")]
        seen = self.watch(len(written), run)
        self.assertEqual([tuple(case.kept) for case in seen], written)
        self.assertEqual([case.totals for case in seen], [[len(out), len(err)] for out, err in written])
        self.assertEqual([(case.killed, case.begun, case.ended) for case in seen], [(-1, True, False)] * 4 + [(-1, True, True)])

    def test_too_much_is_charged_to_who_wrote_it(self) -> None:
        def run(process: Process) -> None:
            process.case(0)
            os.write(2, b"first")
            process.case(1)
            while True:
                os.write(1, b"x" * 5000)

        first, second = self.watch(3, run)
        self.assertEqual((first.kept, first.killed, first.ended), ([b"", b"first"], -1, False))
        self.assertEqual((second.kept, second.killed, second.ended), ([b"x" * OUTPUT_LIMIT, b""], OUTPUT, True))
        self.assertGreater(second.totals[0], OUTPUT_LIMIT)

    def test_too_much_is_seen_when_the_next_has_begun(self) -> None:
        def run(process: Process) -> None:
            process.case(0)
            os.write(1, b"x" * (OUTPUT_LIMIT + 1))
            process.case(1)
            os.write(1, b"second")
            process.case(2)

        only, = self.watch(3, run)
        self.assertEqual((only.kept, only.killed, only.ended), ([b"x" * OUTPUT_LIMIT, b""], OUTPUT, True))

    def test_what_is_left_in_a_pipe_when_it_has_ended(self) -> None:
        """A stream is not read on while more is kept than one case may write, which is the next cases' here."""
        wait, release = os.pipe()

        def run(process: Process) -> None:
            os.close(release)
            for number in range(7):
                if number < 3:
                    process.case(number)
                else:  # it is not heard yet that these have begun
                    for fd in (1, 2):
                        os.write(fd, b"nonce %10d" % number)
                os.write(1, b"%d" % number * 900)
            os.read(wait, 1)
            for number in range(3, 7):
                process.say(time.monotonic())
            for number in range(7, 9):
                process.case(number)
                os.write(1, b"%d" % number * 900)

        def between(seen: List[Seen]) -> None:
            if len(seen) == 2:
                os.close(release)
                time.sleep(0.3)  # it ends

        seen = self.watch(9, run, between=between)
        os.close(wait)
        self.assertEqual([case.kept[0] for case in seen], [b"%d" % number * 900 for number in range(9)])

    def test_too_much_is_seen_when_it_has_ended(self) -> None:
        def run(process: Process) -> None:
            process.case(0)
            os.write(1, b"x" * 600)
            os.write(2, b"y" * 600)

        only, = self.watch(1, run)
        self.assertEqual((only.kept, only.killed, only.ended), ([b"x" * 600, b"y" * 400], OUTPUT, True))

    def test_an_end_between_two_is_that_of_the_first(self) -> None:
        def run(process: Process) -> None:
            process.case(0)
            os.write(1, b"one" + b"nonce %10d" % 1)
            os._exit(7)

        only, = self.watch(2, run)
        self.assertEqual((only.kept, os.WEXITSTATUS(only.status), only.ended), ([b"one", b""], 7, True))

    def test_none_begun(self) -> None:
        only, = self.watch(2, lambda process: None)
        self.assertEqual((only.begun, only.ended), (False, True))

    def test_each_has_its_time(self) -> None:
        def run(process: Process) -> None:
            for number in range(5):
                process.case(number)
                time.sleep(0.5)

        self.assertEqual([case.killed for case in self.watch(5, run, wall=2.0)], [-1] * 5)

    def test_time_is_from_the_begin_whatever_is_said_of_it(self) -> None:
        for began in (0.001, 1e9):

            def run(process: Process) -> None:
                process.case(0)
                process.case(1, began)
                time.sleep(HANG)

            start = time.monotonic()
            seen = self.watch(3, run, wall=0.5)
            self.assertEqual([case.killed for case in seen], [-1, TIME])
            self.assertLess(time.monotonic() - start, HANG)

    def test_what_is_said_of_no_case_gains_nothing(self) -> None:
        def run(process: Process) -> None:
            os.write(1, b"all")
            while True:
                process.say(1e9)

        seen = self.watch(3, run, wall=0.5)
        self.assertEqual([case.kept[0] for case in seen], [b"all", b"", b""])
        self.assertEqual([case.killed for case in seen], [-1, -1, TIME])


if __name__ == "__main__":
    unittest.main()
