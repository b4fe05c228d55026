"""What is pinned in a program's world, so that two runs of it are the same, and notes of what it made use of.

install() is called once in the server. What is pinned in modules that the server has not loaded is pinned when a program
imports them: most never do. Pinned functions are Python functions of this file, which is out of the recorder's scope; the
types that programs see stay the interpreter's own.
"""
import _thread
import gc
import os
import sys
import time
from typing import Any, Callable, Dict, Optional

CLOCK = 1_700_000_000 * 10**9  # ns: 2023-11-14 22:13:20 UTC
CLOCK_MOVED = 90_061 * 10**9  # in a check: another day, hour, minute and second
STEP = 1_000_000  # ns by which each reading of a clock is later than the one before
PID, PID_MOVED = 4242, 31337
USER = 65534
HOST = "tracemill"
PROCESSORS = 1
HOME = "/tmp/case"  # of a program, and its working directory
ENVIRONMENT = {"HOME": HOME, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "LOGNAME": "user", "PATH": "/usr/local/bin:/usr/bin:/bin",
               "TZ": "UTC", "USER": "user"}

CLOCK_NOTE, ENTROPY_NOTE, THREADS_NOTE, TRACER_NOTE = "clock", "entropy", "threads", "tracer"


def install(seed: int, check: bool) -> set:
    """Pin what can be pinned before programs are loaded; the set of notes that pins add to."""
    notes: set = set()
    os.environ.clear()
    os.environ.update(ENVIRONMENT)
    time.tzset()
    clock = _Clock(CLOCK + (CLOCK_MOVED if check else 0), notes)
    _pin_time(clock)
    _pin_os(_stream(seed, notes), PID_MOVED if check else PID)
    _note_threads(notes)
    _note_tracers(notes)
    fixes = {
        "random": lambda module: _pin_random(module, seed, notes),
        "datetime": lambda module: _pin_datetime(module, clock),
        "uuid": _pin_uuid,
        "socket": _pin_socket,
        "selectors": lambda module: _pin_selectors(module, clock),
        "numpy.random": lambda module: _pin_numpy(module.seed, seed % 2**32),
    }
    for name in [name for name in fixes if name in sys.modules]:
        fixes.pop(name)(sys.modules[name])
    sys.meta_path.insert(0, _Hook(fixes))
    sys.argv[:] = ["program.py"]
    return notes


_moved: list = []  # functions that put back what moves while a program runs


def restart() -> None:
    """Put all pins back to where they were before a program ran, for the next one in the same process."""
    for put_back in _moved:
        put_back()


class _Clock:
    """A clock that only its own readings, and sleeping, move."""

    def __init__(self, base: int, notes: set) -> None:
        self.base = base
        self.notes = notes
        _moved.append(self.restart)
        self.restart()

    def restart(self) -> None:
        self.now = self.base

    def read(self) -> int:
        self.notes.add(CLOCK_NOTE)
        self.now += STEP
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += int(seconds * 10**9)


def _disguise(function: Callable, original: Any) -> Callable:
    """Names as the original has them, for tracebacks and renderings."""
    function.__name__ = original.__name__
    function.__qualname__ = original.__qualname__
    function.__module__ = getattr(original, "__module__", None) or "builtins"
    function.__doc__ = original.__doc__
    return function


def _pin_time(clock: _Clock) -> None:
    def replace(name: str, function: Callable) -> None:
        original = getattr(time, name, None)
        if original is not None:
            setattr(time, name, _disguise(function, original))

    read, base = clock.read, clock.base
    for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
        since = 0 if name == "time" else base - 10**9
        replace(name, lambda since=since: (read() - since) / 10**9)
        replace(name + "_ns", lambda since=since: read() - since)
    replace("clock_gettime", lambda clk_id: (read() - (0 if clk_id == 0 else base - 10**9)) / 10**9)
    replace("clock_gettime_ns", lambda clk_id: read() - (0 if clk_id == 0 else base - 10**9))
    for name in ("localtime", "gmtime", "ctime"):
        _default_to_now(replace, name, getattr(time, name), read)
    asctime, strftime, localtime, sleep = time.asctime, time.strftime, time.localtime, time.sleep
    replace("asctime", lambda t=None: asctime(localtime() if t is None else t))
    replace("strftime", lambda format, t=None: strftime(format, localtime() if t is None else t))

    def pinned_sleep(seconds: float) -> None:
        sleep(0 if seconds >= 0 else seconds)  # others may run; the original says what is wrong with the argument
        clock.wait(seconds)

    replace("sleep", pinned_sleep)


def _default_to_now(replace: Callable, name: str, original: Callable, read: Callable[[], int]) -> None:
    replace(name, lambda seconds=None: original(read() / 10**9 if seconds is None else seconds))


def _stream(seed: int, notes: set) -> Callable[[int], bytes]:
    """os.urandom from a seeded stream."""
    counter = 0

    def urandom(size: int) -> bytes:
        nonlocal counter
        from hashlib import sha256
        notes.add(ENTROPY_NOTE)
        if size < 0:
            raise ValueError("negative argument not allowed")
        out = b""
        while len(out) < size:
            out += sha256(b"%d %d" % (seed, counter)).digest()
            counter += 1
        return out[:size]

    def restart() -> None:
        nonlocal counter
        counter = 0

    _moved.append(restart)
    return urandom


def _pin_os(urandom: Callable[[int], bytes], pid: int) -> None:
    originals = {"urandom": urandom, "getpid": lambda: pid, "getppid": lambda: pid - 1, "cpu_count": lambda: PROCESSORS}
    for name in ("getuid", "geteuid", "getgid", "getegid"):
        originals[name] = lambda: USER
    if hasattr(os, "getrandom"):
        originals["getrandom"] = lambda size, flags=0: urandom(size)
    if hasattr(os, "process_cpu_count"):
        originals["process_cpu_count"] = originals["cpu_count"]
    uname = os.uname_result(("Linux", HOST, "6.0.0", "#1", os.uname().machine))
    originals["uname"] = lambda: uname
    for name, function in originals.items():
        setattr(os, name, _disguise(function, getattr(os, name)))


def _note_threads(notes: set) -> None:
    for name in ("start_new_thread", "start_new", "start_joinable_thread"):
        start = getattr(_thread, name, None)
        if start is not None:
            setattr(_thread, name, _noting(start, lambda: notes.add(THREADS_NOTE)))


def _note_tracers(notes: set) -> None:
    """Tracers that a program sets, even when it puts the former one back. An audit hook would see them too, but it is called
    for every id() as well, which the recorder and the renderer use for each value. Other threads have tracers of their own."""
    main = _thread.get_ident()
    own = sys.settrace
    sys.settrace = _noting(own, lambda: _thread.get_ident() == main and notes.add(TRACER_NOTE))
    of_all = getattr(sys, "_settraceallthreads", None)
    if of_all is not None:
        setattr(sys, "_settraceallthreads", _noting(of_all, lambda: notes.add(TRACER_NOTE)))


def _noting(function: Callable, note: Callable[[], Any]) -> Callable:
    def noted(*args: Any, **kwargs: Any) -> Any:
        note()
        return function(*args, **kwargs)

    return _disguise(noted, function)


def _pin_random(module: Any, seed: int, notes: set) -> None:
    """The module's own generator is seeded; others that are not given a seed get one of a series."""
    original = module.Random.seed
    unseeded = 0

    def pinned(self: Any, a: Any = None, version: int = 2) -> None:
        nonlocal unseeded
        if a is None:
            notes.add(ENTROPY_NOTE)
            unseeded += 1
            a = seed + unseeded
        original(self, a, version)

    def restart() -> None:
        nonlocal unseeded
        unseeded = 0
        generate(seed)

    module.Random.seed = _disguise(pinned, original)
    module._urandom = os.urandom  # SystemRandom's; another when the module was loaded before
    generate = module.seed
    _moved.append(restart)
    restart()


def _pin_numpy(generate: Callable, seed: int) -> None:
    _moved.append(lambda: generate(seed))
    generate(seed)


def _pin_datetime(module: Any, clock: _Clock) -> None:
    """now and utcnow, in the type's own dict, which a mappingproxy refers to: a subclass would show in every repr and
    fail at every isinstance. The other constructors ask time.time, which is pinned."""
    kind = module.datetime
    utc = module.timezone.utc

    def now(cls: type, tz: Any = None) -> Any:
        return cls.fromtimestamp(clock.read() / 10**9, tz)

    def utcnow(cls: type) -> Any:
        return cls.fromtimestamp(clock.read() / 10**9, utc).replace(tzinfo=None)

    for referent in gc.get_referents(kind.__dict__):
        if type(referent) is dict and "utcnow" in referent:
            for name, function in (("now", now), ("utcnow", utcnow)):
                # Taken from the dict and kept: the interpreter's method cache borrows what is looked up through the type.
                _kept.append(referent[name])
                referent[name] = classmethod(_disguise(function, referent[name]))


def _pin_uuid(module: Any) -> None:
    module._node = 0x0242AC110002
    module._load_system_functions = lambda: None  # 3.8 would set the others again
    for name in ("_generate_time_safe", "_UuidCreate"):
        if hasattr(module, name):
            setattr(module, name, None)


def _pin_socket(module: Any) -> None:
    module.gethostname = _disguise(lambda: HOST, module.gethostname)


def _pin_selectors(module: Any, clock: _Clock) -> None:
    """An event loop that waits for its clock: the clock moves on, as the loop would find it."""
    for kind in {getattr(module, name) for name in ("SelectSelector", "PollSelector", "EpollSelector") if hasattr(module, name)}:
        kind.select = _waiting(kind.select, clock)


def _waiting(select: Callable, clock: _Clock) -> Callable:
    def pinned(self: Any, timeout: Optional[float] = None) -> Any:
        if timeout is None or timeout <= 0:
            return select(self, timeout)
        ready = select(self, min(timeout, 0.001))
        if not ready:
            clock.wait(timeout)
        return ready

    return _disguise(pinned, select)


_kept: list = []


class _Hook:
    """A finder that lets the others find, and has some modules changed once they are loaded."""

    def __init__(self, fixes: Dict[str, Callable[[Any], None]]) -> None:
        self._fixes = fixes

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        fix = self._fixes.get(name)
        if fix is None:
            return None
        for finder in sys.meta_path:
            if finder is not self:
                spec = finder.find_spec(name, path, target)
                if spec is not None:
                    _after_load(spec.loader, fix)
                    return spec
        return None


def _after_load(loader: Any, fix: Callable[[Any], None]) -> None:
    load = loader.exec_module

    def exec_module(module: Any) -> None:
        del loader.exec_module
        load(module)
        fix(module)

    loader.exec_module = exec_module
