"""Who may write to a knowledge base: one process at a time, by a lock that ends with the process."""

import fcntl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from state.model.errors import Misconfigured

_POLL_S = 0.05


class WriterLock:
    """The lock of one home folder, not yet held. Threads of one process exclude each other too; a thread may nest."""

    def __init__(self, home: Path, name: str = "writer") -> None:
        self._path = home / f".{name}.lock"
        self._thread = threading.RLock()
        self._depth = 0
        self._handle: IO[str] | None = None

    @contextmanager
    def held(self, *, within_s: float) -> Iterator[None]:
        """Holds the lock inside.

        Raises:
            Misconfigured: another process kept it for so long.
        """
        deadline = time.monotonic() + within_s
        while not self._acquire():
            if time.monotonic() >= deadline:
                raise Misconfigured("knowledge index", "another process is writing to it; try again when it is done")
            time.sleep(_POLL_S)
        try:
            yield
        finally:
            self._release()

    @contextmanager
    def held_if_free(self) -> Iterator[bool]:
        """True inside if nobody else holds the lock; it is held then."""
        is_held = self._acquire()
        try:
            yield is_held
        finally:
            if is_held:
                self._release()

    def _acquire(self) -> bool:
        if not self._thread.acquire(blocking=False):
            return False
        if self._depth == 0 and not self._lock_file():
            self._thread.release()
            return False
        self._depth += 1
        return True

    def _release(self) -> None:
        self._depth -= 1
        if self._depth == 0 and self._handle is not None:
            self._handle.close()
            self._handle = None
        self._thread.release()

    def _lock_file(self) -> bool:
        self._path.touch(mode=0o600)
        handle = self._path.open("a")
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            handle.close()
            return False
        self._handle = handle
        return True
