"""The bytes of added documents, kept for a rebuild: one private file a content, named by its SHA-256."""

import fcntl
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from state.model.ids import digest
from state.private_folder import make_private_folder
from tools.knowledge.formats.kinds import MAX_FILE_BYTES
from tools.regular_file import read_regular

_NAME = re.compile(r"[0-9a-f]{64}")


class StoredFiles:
    """A folder of them, readable by its owner only. Several processes may use it."""

    def __init__(self, folder: Path) -> None:
        make_private_folder(folder)
        self._folder = folder
        self._lock = folder.with_name(f".{folder.name}.lock")

    @contextmanager
    def adding(self) -> Iterator[None]:
        """Inside, no process deletes unused bytes: what is stored may not be recorded as used yet."""
        with self._locked(fcntl.LOCK_SH):
            yield

    def put(self, content: bytes) -> str:
        """SHA-256 of the bytes, which are on disk when this returns; call it while ``adding``."""
        sha256 = digest(content)
        path = self._path(sha256)
        if not path.exists():
            # Whole or not at all, whoever is killed here or writes the same.
            whole = self._folder / f".{sha256}.{os.getpid()}"
            descriptor = os.open(whole, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            whole.replace(path)
        return sha256

    def get(self, sha256: str) -> bytes | None:
        """The bytes; None if they are not there or no longer what they were."""
        try:
            content = read_regular(self._path(sha256), max_bytes=MAX_FILE_BYTES)
        except OSError:
            return None
        return content if digest(content) == sha256 else None

    def has(self, sha256: str) -> bool:
        """True if something is stored under this digest."""
        return bool(_NAME.fullmatch(sha256)) and self._path(sha256).is_file()

    def delete(self, sha256: str) -> None:
        """The bytes are gone; absent ones are no error."""
        if _NAME.fullmatch(sha256):
            self._path(sha256).unlink(missing_ok=True)

    def keep_only(self, used: Callable[[], frozenset[str]]) -> None:
        """Delete everything else, half-written files included. ``used`` is asked while nobody is ``adding``."""
        with self._locked(fcntl.LOCK_EX):
            kept = used()
            for path in self._folder.iterdir():
                if path.name not in kept:
                    path.unlink(missing_ok=True)

    @contextmanager
    def _locked(self, how: int) -> Iterator[None]:
        descriptor = os.open(self._lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, how)
            yield
        finally:
            os.close(descriptor)

    def _path(self, sha256: str) -> Path:
        return self._folder / sha256
