"""The documents of a folder as bytes and text. Reading never fails as a whole because of one file."""

from collections.abc import Sequence
from pathlib import Path

from state.model.base import Value
from state.model.errors import Misconfigured
from state.model.ids import digest

MAX_DOCUMENT_BYTES = 4 * 1024 * 1024
MAX_DOCUMENTS = 20_000
MARKDOWN = frozenset({".md"})
"""Suffixes of a world's documents; ``.txt`` may be added for folders of plain text."""


class Problem(Value):
    """Something a person should know about one document."""

    path: str
    why: str


class SourceFile(Value):
    """One file as it was read."""

    path: str
    """Relative to its folder, with ``/``."""
    sha256: str
    """Of its bytes; empty if it was not read."""
    content: bytes | None
    """None: could not be read or is too large."""
    why: str = ""
    """Why it was not read."""


def documents_of(folder: Path, suffixes: frozenset[str]) -> Sequence[str]:
    """Relative paths in order; nothing hidden.

    Raises:
        Misconfigured: there is no such folder, or it holds more than 20 000 documents.
    """
    if not folder.is_dir():
        raise Misconfigured("knowledge folder", f"{folder} is not a folder")
    found = (path for path in folder.rglob("*") if path.suffix.lower() in suffixes and path.is_file())
    paths = (path.relative_to(folder) for path in found)
    visible = sorted(path.as_posix() for path in paths if not any(part.startswith(".") for part in path.parts))
    if len(visible) > MAX_DOCUMENTS:
        raise Misconfigured("knowledge folder", f"{folder} holds more than {MAX_DOCUMENTS} documents")
    return visible


def read_file(folder: Path, path: str) -> SourceFile:
    """The file, at most 4 MiB; never an error."""
    try:
        if (folder / path).stat().st_size > MAX_DOCUMENT_BYTES:
            return SourceFile(path=path, sha256="", content=None, why=f"larger than {MAX_DOCUMENT_BYTES} bytes")
        content = (folder / path).read_bytes()
    except OSError:
        return SourceFile(path=path, sha256="", content=None, why="cannot be read")
    return SourceFile(path=path, sha256=digest(content), content=content)


def without_duplicates(files: Sequence[SourceFile]) -> tuple[list[SourceFile], tuple[Problem, ...]]:
    """The first file of each content, and the others with the name of the first."""
    first_of: dict[str, SourceFile] = {}
    for file in files:
        first_of.setdefault(file.sha256 or f"unread {file.path}", file)
    firsts = list(first_of.values())
    kept = {file.path for file in firsts}
    duplicates = (file for file in files if file.path not in kept)
    return firsts, tuple(Problem(path=file.path, why=f"same as {first_of[file.sha256].path}") for file in duplicates)


def decode(file: SourceFile) -> str | Problem:
    """The text (UTF-8, else GB18030), or why there is none."""
    if file.content is None:
        return Problem(path=file.path, why=file.why)
    if b"\0" in file.content:
        return Problem(path=file.path, why="is not text")
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return file.content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return Problem(path=file.path, why="is neither UTF-8 nor GB18030 text")
