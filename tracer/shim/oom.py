"""Whether the kernel killed a process for memory: a program can send the same signal to itself."""
from typing import Optional, Tuple

# Where a container finds the counts of its own control group, by version, and the line that has them.
COUNTS = (("/sys/fs/cgroup/memory.events", "oom_kill"), ("/sys/fs/cgroup/memory/memory.oom_control", "oom_kill"))


class Kernel:
    """Its counts of what it killed in this control group. Where there are none, it is never said to have killed."""

    def __init__(self) -> None:
        self._source: Optional[Tuple[str, str]] = None
        for source in COUNTS:
            if _count(source) is not None:
                self._source = source
                break
        self._before = self._now()

    def _now(self) -> int:
        return self._source and _count(self._source) or 0

    def killed(self) -> bool:
        """Whether it has killed since it was last asked."""
        before, self._before = self._before, self._now()
        return self._before > before


def _count(source: Tuple[str, str]) -> Optional[int]:
    path, key = source
    try:
        with open(path) as f:
            for line in f:
                name, _, value = line.partition(" ")
                if name == key:
                    return int(value)
    except (OSError, ValueError):
        pass
    return None
