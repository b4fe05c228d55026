"""Whether the kernel killed a process for memory: a program can send the same signal to itself."""
import os

# Where a container finds the counts of its own control group, in either version of them.
COUNTS = ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control")
LINE = b"oom_kill "


class Kernel:
    """Its count of what it killed in this control group. Where there is none, it is never said to have killed."""

    def __init__(self) -> None:
        self._fd = -1
        for path in COUNTS:
            try:
                self._fd = os.open(path, os.O_RDONLY)
                break
            except OSError:
                pass
        self._before = b""

    def _read(self) -> bytes:
        return os.pread(self._fd, 4096, 0) if self._fd >= 0 else b""

    def mark(self) -> None:
        """Before an execution."""
        self._before = self._read()

    def killed(self) -> bool:
        """Whether it has killed since the mark."""
        return _count(self._read()) > _count(self._before)


def spare_server() -> None:
    """Make this process as unlikely to be killed as a child could make itself: the kernel lets each go down to the score that
    all of them began with, by way of a program that it executes."""
    try:
        fd = os.open("/proc/self/oom_score_adj", os.O_RDWR)
        if int(os.read(fd, 16)) > 0:
            os.pwrite(fd, b"0", 0)
        os.close(fd)
    except OSError:  # what it began with is more than that
        pass


def _count(text: bytes) -> int:
    for line in text.splitlines():
        if line.startswith(LINE):
            return int(line[len(LINE):])
    return 0
