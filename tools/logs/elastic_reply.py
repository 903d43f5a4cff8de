"""Reads the replies of Elasticsearch and OpenSearch. Pure; another shape than the documented one is an error."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from state.model.enums import ToolCode
from state.model.errors import ToolFailed
from state.model.redaction import redact_text
from tools.logs.port import Unread
from tools.logs.remote_line import storable
from tools.logs.remote_reading import nanoseconds

MAX_NAMED_SHARDS = 20


@dataclass(frozen=True)
class Hit:
    """One document."""

    index: str
    id: str
    source: dict[str, Any]
    times_ns: tuple[int, ...]
    """Every value of the time field as the index holds it."""
    sort: tuple[object, ...]
    indexed: dict[str, list[object]]
    """Values that the index gave beside the source, by name of the field."""

    def value(self, name: str) -> object:
        """The value under the name as written, else, for aliases and constants, as indexed; None if absent."""
        written = value_at(self.source, name)
        return written if written is not None else self.indexed.get(name) or self.indexed.get(f"{name}.keyword")


@dataclass(frozen=True)
class Hits:
    """The reply to a search."""

    hits: list[Hit]
    total: int | None
    """Exact number of matches; None if the server gives a lower bound or none."""
    unread: tuple[Unread, ...]
    pit: str | None
    aggregations: dict[str, Any]


def parse_hits(reply: Any, time_field: str) -> Hits:  # noqa: ANN401 - a foreign reply
    """The documents of the reply and what could not be searched.

    Raises:
        ToolFailed: TOOL_EXECUTION_ERROR, it has another shape.
    """
    try:
        return Hits(
            [_hit(one, time_field) for one in reply["hits"]["hits"]],
            _total(reply["hits"].get("total")),
            tuple(_unread(reply)),
            reply.get("pit_id"),
            reply.get("aggregations") or {},
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail=changed(error)) from None


def changed(error: Exception) -> str:
    """What the operator's log says of a reply that has another shape."""
    return f"the reply has another shape: {error!r}"[:500]


def value_at(node: object, path: str) -> object:
    """The value under a dotted name, whether its parts are nested, written with dots or both; None if absent."""
    if isinstance(node, list):
        found = [value for value in (value_at(one, path) for one in node) if value is not None]
        return found[0] if len(found) == 1 else found or None
    if not isinstance(node, dict):
        return None
    if path in node:
        return node[path]
    for place in (at for at, char in enumerate(path) if char == "."):
        if path[:place] in node:
            value = value_at(node[path[:place]], path[place + 1 :])
            if value is not None:
                return value
    return None


def _hit(one: dict[str, Any], time_field: str) -> Hit:
    index, id_, source = one["_index"], one["_id"], one["_source"]
    if not isinstance(index, str) or not isinstance(id_, str) or not isinstance(source, dict):
        raise TypeError("a document has an index, an id and a source")
    indexed = {name: list(values) for name, values in (one.get("fields") or {}).items()}
    times = tuple(map(_time, indexed.get(time_field, ())))
    return Hit(index, id_, source, times, tuple(one.get("sort") or ()), indexed)


def _time(text: str) -> int:
    """Nanoseconds of an ISO time in UTC with up to nine digits of a second."""
    whole, _, fraction = text.removesuffix("Z").partition(".")
    seconds = datetime.fromisoformat(whole).replace(tzinfo=UTC)
    return nanoseconds(seconds) + int(fraction.ljust(9, "0")[:9] or 0)


def _total(total: object) -> int | None:
    if isinstance(total, dict):
        return int(total["value"]) if total.get("relation", "eq") == "eq" else None
    return total if isinstance(total, int) else None


def _unread(reply: dict[str, Any]) -> Iterator[Unread]:
    if reply["timed_out"] is not False:
        yield Unread(name="search", why="timed_out")
    shards = reply["_shards"]
    failures = shards.get("failures") or []
    for one in failures[:MAX_NAMED_SHARDS]:
        name = redact_text(storable(f"{one.get('index')} shard {one.get('shard')}"))[:200]
        kind = str((one.get("reason") or {}).get("type", ""))
        yield Unread(name=name, why="timed_out" if "timeout" in kind or "cancel" in kind else "unreadable")
    if shards["failed"] and not failures:
        yield Unread(name=f"{int(shards['failed'])} shards", why="unreadable")
