"""Reads Loki's replies. Pure; another shape than the documented one is an error, never half a result."""

from dataclasses import dataclass
from typing import Any

from state.model.enums import ToolCode
from state.model.errors import ToolFailed


@dataclass(frozen=True)
class Entry:
    """One record as Loki keeps it."""

    labels: dict[str, str]
    """Of its stream, and structured metadata of other names: what selected the stream is not for a record to say."""
    at_ns: int
    line: str


@dataclass(frozen=True)
class Streams:
    """The records of a reply."""

    entries: list[Entry]
    has_warnings: bool
    """The server says that it left something out."""


def parse_streams(reply: object) -> Streams:
    """The records of the reply to a log query.

    Raises:
        ToolFailed: TOOL_EXECUTION_ERROR, it has another shape.
    """
    try:
        data, has_warnings = _data(reply, "streams")
        return Streams([entry for stream in data["result"] for entry in _entries(stream)], has_warnings)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail=_changed(error)) from None


def parse_vector(reply: object) -> tuple[list[tuple[dict[str, str], int]], bool]:
    """Labels and value of each series of the reply to an instant metric query, and whether it warns.

    Raises:
        ToolFailed: TOOL_EXECUTION_ERROR, it has another shape.
    """
    try:
        data, has_warnings = _data(reply, "vector")
        return [(_labels(one["metric"]), int(float(one["value"][1]))) for one in data["result"]], has_warnings
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail=_changed(error)) from None


def _data(reply: Any, kind: str) -> tuple[dict[str, Any], bool]:  # noqa: ANN401 - a foreign reply
    if reply["status"] != "success" or reply["data"]["resultType"] != kind:
        raise ValueError("no successful reply of the expected kind")
    return reply["data"], bool(reply.get("warnings"))


def _entries(stream: dict[str, Any]) -> list[Entry]:
    labels = _labels(stream["stream"])
    return [_entry(labels, value) for value in stream["values"]]


def _entry(labels: dict[str, str], value: list[Any]) -> Entry:
    at, line, *rest = value
    if not isinstance(at, str) or not isinstance(line, str):
        raise TypeError("a record is a time and a line, both as text")
    extra = rest[0] if rest else {}
    own = _labels(extra.get("structuredMetadata") or {}) if isinstance(extra, dict) else {}
    return Entry(own | labels, int(at), line)


def _labels(labels: dict[str, Any]) -> dict[str, str]:
    if not all(isinstance(part, str) for pair in labels.items() for part in pair):
        raise TypeError("labels are text")
    return labels


def _changed(error: Exception) -> str:
    return f"Loki's reply has another shape: {error!r}"[:500]
