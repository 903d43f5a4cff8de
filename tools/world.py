"""Reads a world folder: what it declares in ``world.yaml`` and what its entries imply.

Only names and the declaration are read here; the sources read their own content. Nothing outside the folder is
ever reached: links that lead out of it are named and left alone.
"""

import os
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, ValidationError

from state.model.base import Value
from state.model.errors import Misconfigured
from state.model.world import SourceKind, World, WorldSource
from tools.bounded_yaml import UnreadableYaml, load_yaml
from tools.regular_file import NotRegular, leads_out, read_regular
from tools.valid_text import valid_text

DECLARATION = "world.yaml"
MAX_DECLARATION_BYTES = 256 * 1024
_FOLDERS = {"knowledge": SourceKind.KNOWLEDGE, "logs": SourceKind.LOGS, "metrics": SourceKind.METRICS}
_ALERTS = "alerts.json"
_DATABASES = (".sqlite", ".sql")
_ENTRIES = (DECLARATION, *_FOLDERS, "db", _ALERTS)
_KIND_ORDER = tuple(SourceKind)
_KEY_CHARS = 100
"""Of a key shown in an error."""
_FIRST, _LAST = datetime(2, 1, 1, tzinfo=UTC), datetime(9998, 12, 31, tzinfo=UTC)
"""Between them an instant can be shown in any zone, and a day be added."""
_NOT_NAME = re.compile(r"[^A-Za-z0-9._-]+")


class _DeclaredSource(Value):
    kind: SourceKind
    path: str = Field(min_length=1, max_length=1000)


class _Declaration(Value):
    name: str | None = Field(None, min_length=1, max_length=200)
    description: str = Field("", max_length=2000)
    now: datetime | None = None
    time_zone: str = "UTC"
    runbooks: Literal["bundled"] | None = None
    sources: dict[str, _DeclaredSource] = {}
    allowlists: dict[str, dict[str, tuple[str, ...]]] = {}


def is_world(path: Path) -> bool:
    """True if the folder has at least one of the entries that make a world."""
    return any((path / entry).exists() for entry in _ENTRIES)


def read_world(path: Path) -> World:
    """The world of a folder. A folder with nothing in it is a world without sources.

    Raises:
        Misconfigured: no such folder, or ``world.yaml`` is not complete YAML, has an unknown key or a wrong value,
            or names a source that does not exist; the key says file and key.
    """
    if not path.is_dir():
        why = "is a file; a world is a folder" if path.exists() else "there is no such folder"
        raise Misconfigured(str(path), why)
    root = path.resolve()
    declared = _declaration(root)
    named = list(_declared(root, declared))
    taken = {source.path for source in named}
    sources = [*named, *(source for source in _implied(root) if source.path not in taken)]
    return World(
        path=root,
        name=declared.name or valid_text(root.name)[:200],
        description=declared.description,
        now=_instant(root, declared.now) if declared.now else None,
        time_zone=declared.time_zone,
        sources=_ordered(root, sources),
        has_bundled_runbooks=declared.runbooks == "bundled",
        allowlists=_known_allowlists(root, declared.allowlists, sources),
        ignored=tuple(_leaving_links(root)),
    )


def _declaration(root: Path) -> _Declaration:
    """What the declaration says; defaults if there is none.

    Raises:
        Misconfigured: it cannot be read or says something wrong.
    """
    file = root / DECLARATION
    if not file.exists() or leads_out(file, root):
        return _Declaration()
    given = _yaml(file)
    try:
        declared = _Declaration.model_validate(given)
        ZoneInfo(declared.time_zone)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        key = ".".join(str(part)[:_KEY_CHARS] for part in first["loc"])[: 2 * _KEY_CHARS]
        why = "unknown key" if first["type"] == "extra_forbidden" else str(first["msg"])[:200]
        # Without its cause: that one holds the whole value, and whoever prints it prints all of it.
        raise Misconfigured(f"{file}: {key}", why) from None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Misconfigured(f"{file}: time_zone", "is not an IANA time zone such as Asia/Shanghai") from None
    return declared


def _yaml(file: Path) -> Mapping[str, object]:
    """The declaration as a mapping; an empty file is an empty one.

    Raises:
        Misconfigured: it cannot be read, is too large or no YAML mapping.
    """
    try:
        data = read_regular(file, max_bytes=MAX_DECLARATION_BYTES)
        if len(data) > MAX_DECLARATION_BYTES:
            raise Misconfigured(str(file), f"is larger than {MAX_DECLARATION_BYTES} bytes")
        given = load_yaml(data.decode("utf-8-sig"))
    except UnreadableYaml as error:
        raise Misconfigured(str(file), str(error)) from None
    except NotRegular:
        raise Misconfigured(str(file), "is not a regular file") from None
    except (OSError, UnicodeDecodeError):
        raise Misconfigured(str(file), "cannot be read as UTF-8 YAML") from None
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise Misconfigured(str(file), "is not a YAML mapping of keys to values")
    return {str(key): value for key, value in given.items()}


def _instant(root: Path, now: datetime) -> datetime:
    """The instant in UTC.

    Raises:
        Misconfigured: it is too near the ends of the calendar to be shown in other zones.
    """
    try:
        at = now.replace(tzinfo=now.tzinfo or UTC).astimezone(UTC)
    except OverflowError:
        at = _LAST
    if not _FIRST <= at < _LAST:
        raise Misconfigured(f"{root / DECLARATION}: now", "is not between the years 2 and 9998")
    return at


def _implied(root: Path) -> Iterator[WorldSource]:
    """Sources that exist by folder or file name."""
    for entry, kind in _FOLDERS.items():
        if (root / entry).is_dir() and not leads_out(root / entry, root):
            yield WorldSource(name=entry, kind=kind, path=root / entry)
    alerts = root / _ALERTS
    if alerts.is_file() and not leads_out(alerts, root):
        yield WorldSource(name="alerts", kind=SourceKind.ALERTS, path=alerts)
    for file in sorted((root / "db").glob("*")) if (root / "db").is_dir() else ():
        if file.suffix.lower() in _DATABASES and file.is_file() and not leads_out(file, root):
            yield WorldSource(name=_name_of(file), kind=SourceKind.SQL, path=file)


def _name_of(file: Path) -> str:
    """A legal source name from the file name."""
    return _NOT_NAME.sub("-", file.stem).strip("-._")[:64] or "db"


def _declared(root: Path, declared: _Declaration) -> Iterator[WorldSource]:
    """Sources of the declaration.

    Raises:
        Misconfigured: a name is not legal, or a path does not exist or leaves the folder.
    """
    for name, source in declared.sources.items():
        key = f"{root / DECLARATION}: sources.{name[:_KEY_CHARS]}"
        path = root / source.path
        if leads_out(path, root):
            raise Misconfigured(f"{key}.path", "leads out of the folder")
        if not path.exists():
            raise Misconfigured(f"{key}.path", f"there is no {source.path[:_KEY_CHARS]!r} in the folder")
        if not (path.is_dir() or path.is_file()):
            raise Misconfigured(f"{key}.path", "is neither a file nor a folder")
        try:
            yield WorldSource(name=name, kind=source.kind, path=path.resolve())
        except ValidationError:
            raise Misconfigured(key, "a name has 1 to 64 letters, digits, dots, dashes or underscores") from None


def _ordered(root: Path, sources: list[WorldSource]) -> tuple[WorldSource, ...]:
    """By kind, then name.

    Raises:
        Misconfigured: two sources of a kind have one name.
    """
    ordered = sorted(sources, key=lambda source: (_KIND_ORDER.index(source.kind), source.name))
    for one, other in zip(ordered, ordered[1:], strict=False):
        if (one.kind, one.name) == (other.kind, other.name):
            names = f"{one.path.relative_to(root)} and {other.path.relative_to(root)}"
            raise Misconfigured(str(root), f"two {one.kind} sources are called {one.name!r}: {names}")
    return tuple(ordered)


def _known_allowlists(
    root: Path, allowlists: dict[str, dict[str, tuple[str, ...]]], sources: list[WorldSource]
) -> dict[str, dict[str, tuple[str, ...]]]:
    """The allowlists.

    Raises:
        Misconfigured: one is for a datasource that does not exist: a typing error must not open another.
    """
    datasources = {source.name for source in sources if source.kind is SourceKind.SQL}
    for name in allowlists:
        if name not in datasources:
            known = (", ".join(sorted(datasources)) or "none")[:500]
            raise Misconfigured(
                f"{root / DECLARATION}: allowlists.{name[:_KEY_CHARS]}", f"no such datasource; there are: {known}"
            )
    return allowlists


def _leaving_links(root: Path) -> Iterator[str]:
    """Links anywhere in the folder that lead out of it."""
    for folder, folders, files in os.walk(root):
        for name in sorted((*folders, *files)):
            entry = Path(folder) / name
            if entry.is_symlink() and leads_out(entry, root):
                yield valid_text(entry.relative_to(root).as_posix())
