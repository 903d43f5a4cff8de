"""The embedded Milvus Lite engine as a child process that we own from start to end.

The package's own launcher is not used: it needs a module that current setuptools no longer has, waits a fixed
half second, and leaves log files in the shared temporary folder. The child ends by itself when our lock is gone,
so it outlives neither a close nor a kill.
"""

import fcntl
import importlib.util
import re
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import time
import weakref
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import IO

from state.model.errors import Misconfigured

_FILE_NAME = re.compile(r"[a-zA-Z0-9.\-_]{1,35}")
_POLL_S = 0.01
_STOP_S = 2.0
_COMPACT_S = 10.0


class IndexFileTaken(Exception):
    """Another opener, in this process or another one, holds the index file."""


class MilvusLite:
    """A running engine; ``address`` is where a client connects."""

    def __init__(self, file: Path, *, timeout_s: float) -> None:
        """Starts the engine on the file, which it creates if absent. Blocking.

        Effects: one child process, a private temporary folder (socket, engine log), two lock files beside the file.

        Raises:
            IndexFileTaken: another opener holds the file.
            Misconfigured: the name is not allowed, the engine is not installed, or it did not start.
        """
        if not _FILE_NAME.fullmatch(file.name):
            raise Misconfigured("knowledge index file", f"{file.name!r} must match [a-zA-Z0-9.-_]{{1,35}}")
        with ExitStack() as opened:
            self._file = file.absolute()
            self._child, folder = _start(self._file, opened)
            self.address = f"unix:{folder}/s"
            if not _answers(self._child, folder / "s", timeout_s):
                raise Misconfigured("knowledge index file", f"{file} cannot be opened; delete it to have it rebuilt")
            self._close = weakref.finalize(self, opened.pop_all().close)

    @property
    def pid(self) -> int:
        """Process id of the engine."""
        return self._child.pid

    def compact(self) -> bool:
        """True if the file was rewritten without the rows deleted from it, which it otherwise keeps in free pages.

        The file is a SQLite database, and the engine locks it only while it reads or writes. Takes about a second for
        100 MB, and as much free space; the engine goes on serving.
        """
        try:
            with closing(sqlite3.connect(self._file, timeout=_COMPACT_S, isolation_level=None)) as connection:
                connection.execute("VACUUM")
        except sqlite3.Error:
            return False
        return True

    def close(self) -> None:
        """Ends the engine, at most 4 s; idempotent. Also runs when the interpreter exits."""
        self._close()


def _start(file: Path, opened: ExitStack) -> tuple[subprocess.Popen[bytes], Path]:
    """The child and its folder; ``opened`` ends them in reverse order: watched lock, child, folder, owner's lock.

    Raises:
        IndexFileTaken: another opener holds the file.
    """
    engine = _engine_folder()
    owner = opened.enter_context(_private(file, "owner"))
    if not _is_locked(owner, fcntl.flock):
        raise IndexFileTaken(str(file))
    folder = Path(tempfile.mkdtemp(prefix="rootproof-"))
    opened.callback(shutil.rmtree, folder, ignore_errors=True)
    # The engine watches this file and exits when it can lock it. It stays when the lock goes: two openers of
    # one deleted and one new file of the same name would both hold a lock.
    watched = opened.enter_context(_private(file, "lock"))
    if not _is_locked(watched, fcntl.lockf):
        raise IndexFileTaken(str(file))
    file.touch(mode=0o600)
    child = subprocess.Popen(
        [str(engine / "milvus"), str(file), f"unix:{folder}/s", "ERROR", watched.name],
        env={"LD_LIBRARY_PATH": str(engine), "GOOGLE_LOG_DIR": str(folder), "HOME": str(folder)},
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    opened.callback(_reap, child)
    opened.callback(watched.close)
    return child, folder


def _private(file: Path, purpose: str) -> IO[str]:
    path = file.with_name(f".{file.name}.{purpose}")
    path.touch(mode=0o600)
    return path.open("a")


def _is_locked(handle: IO[str], lock: Callable[[IO[str], int], None]) -> bool:
    try:
        lock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _reap(child: subprocess.Popen[bytes]) -> None:
    """Waits for the engine, which ends once its lock is gone; kills it if it does not."""
    try:
        child.wait(_STOP_S)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait(_STOP_S)


def _engine_folder() -> Path:
    spec = importlib.util.find_spec("milvus_lite")
    folder = Path(spec.origin).parent / "lib" if spec and spec.origin else None
    if folder is None or not (folder / "milvus").is_file():
        raise Misconfigured("knowledge index", "the embedded engine is missing; install milvus-lite==2.5.1")
    return folder


def _answers(child: subprocess.Popen[bytes], path: Path, timeout_s: float) -> bool:
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline and child.poll() is None:
        with socket.socket(socket.AF_UNIX) as probe:
            if probe.connect_ex(str(path)) == 0:
                return True
        time.sleep(_POLL_S)
    return False
