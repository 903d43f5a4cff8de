"""The documents of a folder as bytes and text. Reading never fails as a whole because of one file.

Only regular files inside the folder are read: links that lead out of it, pipes, sockets and devices are named and left
alone.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from state.model.base import Value
from state.model.errors import Misconfigured
from state.model.ids import digest
from state.model.redaction import redact_text
from tools.knowledge.formats.kinds import MAX_FILE_BYTES
from tools.regular_file import is_regular, leads_out, read_regular
from tools.valid_text import valid_text

MAX_DOCUMENT_BYTES = MAX_FILE_BYTES
MAX_DOCUMENTS = 20_000
MARKDOWN = frozenset({".md"})
"""Suffixes of Markdown alone, for callers that want nothing else."""

_LEADS_OUT = "leads out of the folder"


class Problem(Value):
    """Something a person should know about one document."""

    path: str
    why: str


class SourceFile(Value):
    """One file as it was read."""

    path: str
    """As ``shown_path`` gives it."""
    sha256: str
    """Of its bytes; empty if it was not read."""
    content: bytes | None
    """None: could not be read or is too large."""
    why: str = ""
    """Why it was not read."""
    location: Path
    """Relative path in the folder."""


class Documents(Value):
    """What a folder holds for a knowledge base."""

    paths: tuple[Path, ...]
    """Of documents, relative to the folder, in order; nothing hidden."""
    ignored: tuple[Problem, ...]
    """Entries that are never opened."""


def documents_of(folder: Path, suffixes: frozenset[str]) -> Documents:
    """The documents, and what was left alone.

    Raises:
        Misconfigured: there is no such folder, or it holds more than 20 000 documents.
    """
    if not folder.is_dir():
        raise Misconfigured("knowledge folder", f"{folder} is not a folder")
    root = folder.resolve()
    found = (path for path in folder.rglob("*") if not _is_hidden(path.relative_to(folder)))
    wanted = sorted(path for path in found if path.is_symlink() or path.suffix.lower() in suffixes)
    reasons = {path.relative_to(folder): _why_ignored(path, root, suffixes) for path in wanted}
    paths = tuple(path for path, why in reasons.items() if why is None)
    if len(paths) > MAX_DOCUMENTS:
        raise Misconfigured("knowledge folder", f"{folder} holds more than {MAX_DOCUMENTS} documents")
    ignored = tuple(Problem(path=shown_path(path), why=why) for path, why in reasons.items() if why)
    return Documents(paths=paths, ignored=ignored)


def shown_path(path: Path) -> str:
    """The relative path with ``/`` as it is stored and shown: without secrets, and different for different files."""
    whole = path.as_posix()
    clean = valid_text(redact_text(whole))
    return clean if clean == whole else f"{clean}~{digest(os.fsencode(whole))[:8]}"


def read_file(folder: Path, path: Path) -> SourceFile:
    """The file at the relative ``path``, at most 20 MiB; never an error."""
    name = shown_path(path)
    try:
        if leads_out(folder / path, folder.resolve()):
            return SourceFile(path=name, location=path, sha256="", content=None, why=_LEADS_OUT)
        content = read_regular(folder / path, max_bytes=MAX_DOCUMENT_BYTES)
    except (OSError, ValueError):
        return SourceFile(path=name, location=path, sha256="", content=None, why="cannot be read")
    if len(content) > MAX_DOCUMENT_BYTES:
        why = f"is larger than {MAX_DOCUMENT_BYTES // 1024**2} MiB"
        return SourceFile(path=name, location=path, sha256="", content=None, why=why)
    return SourceFile(path=name, location=path, sha256=digest(content), content=content)


def fingerprint(folder: Path, path: Path) -> SourceFile:
    """The same without the content: a folder may hold more than fits into memory."""
    return read_file(folder, path).model_copy(update={"content": None})


def without_duplicates(files: Sequence[SourceFile]) -> tuple[list[SourceFile], tuple[Problem, ...]]:
    """The first file of each content, and the others with the name of the first."""
    first_of: dict[str, SourceFile] = {}
    for file in files:
        first_of.setdefault(file.sha256 or f"unread {file.path}", file)
    firsts = list(first_of.values())
    kept = {file.path for file in firsts}
    duplicates = (file for file in files if file.path not in kept)
    return firsts, tuple(Problem(path=file.path, why=f"same as {first_of[file.sha256].path}") for file in duplicates)


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _why_ignored(path: Path, root: Path, suffixes: frozenset[str]) -> str | None:
    """Why an entry is never opened; None for a document, empty for what is nothing to a knowledge base."""
    if leads_out(path, root):
        return _LEADS_OUT
    if path.suffix.lower() not in suffixes or path.is_dir():
        return ""
    return None if is_regular(path) else "is not a regular file"
