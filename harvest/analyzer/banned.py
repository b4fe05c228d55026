"""Calls that reach out of the program, found by the names that they resolve to through imports and plain assignments."""

import ast
from typing import Dict, Iterable, List, Optional, Set

from analyzer.scopes import dotted, imported
from analyzer.walking import walk

# By kind: modules and functions as they are imported; what ends in a dot is all of a module. Names without a dot are builtins.
KINDS = {
    "network": (
        "socket. ssl. socketserver. http.client. http.server. urllib.request. ftplib. smtplib. poplib. imaplib. nntplib. telnetlib."
        " xmlrpc. wsgiref.simple_server. asyncio.open_connection asyncio.start_server requests. httpx. aiohttp. urllib3. websockets."
        " websocket. paramiko. boto3. botocore. grpc. redis. pymongo. psycopg2. webbrowser."
    ),
    "files": (
        "open io.open codecs.open os.open os.fdopen os.remove os.unlink os.rename os.replace os.renames os.mkdir os.makedirs os.rmdir"
        " os.removedirs os.listdir os.scandir os.walk os.fwalk os.stat os.lstat os.access os.chmod os.chown os.link os.symlink"
        " os.readlink os.truncate os.utime os.chdir os.getcwd os.path.exists os.path.isfile os.path.isdir os.path.getsize"
        " os.path.getmtime os.path.realpath os.path.islink os.path.lexists os.path.samefile shutil. tempfile. glob. fileinput."
        " linecache. sqlite3. dbm. shelve. zipfile.ZipFile tarfile.open gzip.open bz2.open lzma.open mmap. filecmp. pathlib.Path.cwd"
        " pathlib.Path.home"
    ),
    "subprocess": (
        "subprocess. multiprocessing. os.system os.popen os.fork os.forkpty os.kill os.killpg os.posix_spawn os.posix_spawnp os.execl"
        " os.execle os.execlp os.execlpe os.execv os.execve os.execvp os.execvpe os.spawnl os.spawnle os.spawnlp os.spawnlpe"
        " os.spawnv os.spawnve os.spawnvp os.spawnvpe os._exit pty. asyncio.create_subprocess_exec asyncio.create_subprocess_shell"
        " concurrent.futures.ProcessPoolExecutor"
    ),
    "input": "input raw_input sys.stdin. fileinput. getpass. readline. curses. msvcrt. termios. tty.",
    "sleep": "time.sleep asyncio.sleep signal.pause signal.alarm sched. select.",
    "threads": "threading. _thread. concurrent.futures. multiprocessing.pool. multiprocessing.dummy. asyncio.to_thread",
}

# Methods of paths that touch the disk, where the program imports pathlib.
_PATH_METHODS = frozenset(
    "read_text read_bytes write_text write_bytes unlink mkdir rmdir touch rename replace exists is_file is_dir iterdir glob rglob"
    " stat lstat resolve symlink_to hardlink_to samefile open chmod".split()
)


# What gives files by name, or a script its standard streams by their numbers.
_OPENING = ("open", "io.open", "os.fdopen")


def banned(nodes: Iterable[ast.stmt], kinds: Iterable[str], script: bool = False) -> List[str]:
    """The calls of these kinds that statements have, each as `kind: full.name`. A script is there to read its standard input."""
    kinds = [kind for kind in kinds if kind != "input"] if script else list(kinds)
    tree = ast.Module(body=list(nodes), type_ignores=[])
    every = walk(tree)
    names = imported(every)
    stored = _stored(every)
    _aliases(every, names)
    found = set()  # type: Set[str]
    for node in every:
        if isinstance(node, ast.Call):
            if script and _of_stream(node, dotted(node.func, names)):
                continue
            full = dotted(node.func, names)
            if full is None:
                method = getattr(node.func, "attr", "")
                full = "pathlib.Path." + method if method in _PATH_METHODS and "pathlib" in {n.split(".")[0] for n in names.values()} else None
            if full is not None and not (full in stored and full not in names):
                found.update("%s: %s" % (kind, full) for kind in kinds if _is(kind, full))
        elif isinstance(node, (ast.For, ast.comprehension)):
            full = dotted(node.iter, names)
            if full is not None and _is("input", full + ".") and "input" in kinds:
                found.add("input: " + full)
    return sorted(found)


def _of_stream(call: ast.Call, full: Optional[str]) -> bool:
    """Whether a call opens, or is of, a script's standard stream."""
    first = call.args[0] if call.args else None
    numbered = isinstance(first, ast.Constant) and type(first.value) is int and first.value in (0, 1, 2)
    return full in _OPENING and numbered or full is not None and full.startswith("fileinput.")


def _is(kind: str, full: str) -> bool:
    if kind == "files" and full.startswith("pathlib.Path.") and full.split(".")[-1] in _PATH_METHODS:
        return True
    return any(full == name or name.endswith(".") and full.startswith(name) for name in KINDS[kind].split())


def _stored(every: List[ast.AST]) -> Set[str]:
    """Names that the program itself defines: its own open is not the builtin."""
    found = set()  # type: Set[str]
    for node in every:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
    return found


def _aliases(every: List[ast.AST], names: Dict[str, str]) -> None:
    """Adds what `run = os.system` makes of a name, through up to a few steps."""
    for _ in range(3):
        for node in every:
            if isinstance(node, ast.Assign) and isinstance(node.value, (ast.Name, ast.Attribute)):
                full = dotted(node.value, names)
                for target in node.targets:
                    if isinstance(target, ast.Name) and full is not None and target.id not in names and full != target.id:
                        if full.split(".")[0] in {n.split(".")[0] for n in names.values()} or full in ("open", "input"):
                            names[target.id] = full
