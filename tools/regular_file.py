"""Reads files that may be anything: only regular ones, never waiting for the other end of a pipe or for a device."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

_BLOCK_BYTES = 8 * 1024 * 1024
_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY


class NotRegular(OSError):
    """A pipe, socket, device or folder where a file was expected."""


def is_regular(path: Path) -> bool:
    """True if the path leads to a regular file; False for anything else, absent ones included."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def leads_out(path: Path, root: Path, *, unresolved: bool = True) -> bool:
    """True if the path lies outside the resolved ``root`` once links are followed; ``unresolved`` if they cannot be."""
    try:
        return not path.resolve().is_relative_to(root)
    except (OSError, RuntimeError, ValueError):
        return unresolved


def read_regular(path: Path, *, max_bytes: int, check: Callable[[], object] = lambda: None) -> bytes:
    """The content, at most ``max_bytes`` + 1 bytes, so that a longer file shows. Never blocks on a pipe.

    ``check`` is called once a block and may raise to stop.

    Raises:
        NotRegular: it is no regular file.
        OSError: it cannot be read.
    """
    with open(open_regular(path), "rb", buffering=0) as file:
        blocks: list[bytes] = []
        wanted = max_bytes + 1
        while wanted and (block := file.read(min(wanted, _BLOCK_BYTES))):
            check()
            blocks.append(block)
            wanted -= len(block)
    return b"".join(blocks)


def open_regular(path: Path) -> int:
    """A descriptor of the file, open for reading; the caller closes it. Never blocks on a pipe.

    Raises:
        NotRegular: it is no regular file.
        OSError: it cannot be opened.
    """
    _refuse_unless_regular(path, path.stat())
    # It may have been exchanged since: without waiting, and looked at again once open.
    descriptor = os.open(path, _FLAGS)
    try:
        _refuse_unless_regular(path, os.fstat(descriptor))
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _refuse_unless_regular(path: Path, info: os.stat_result) -> None:
    if not stat.S_ISREG(info.st_mode):
        raise NotRegular(f"{path.name} is not a regular file")
