"""Names of keys, and what the replies of the scripts mean. Pure; whatever is not what we wrote is a ValueError.

No message holds what was read: it may be evidence.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from pydantic import ValidationError

from state.model.enums import InvocationStatus
from state.model.evidence import CanonicalRecord
from state.model.ids import RunId, ToolCallId, digest

Reply = Sequence[object]
"""Elements of an array as the client returns them: bytes, int, None or list."""

PREFIX = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
_ENTRY = re.compile(r"([0-9]{1,18}) ([0-9]{1,18})")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CALL = "call:"


@dataclass(frozen=True)
class RunKeys:
    """Keys of one run: the run id in braces puts all of them into one slot of a cluster."""

    prefix: str
    run_id: RunId

    @property
    def run(self) -> str:
        """Hash with the fence and the names of the records."""
        return f"{self.prefix}:{{{self.run_id}}}:run"

    @property
    def placeholders(self) -> str:
        """Hash placeholder → value."""
        return f"{self.prefix}:{{{self.run_id}}}:placeholders"

    def record(self, tool_call_id: ToolCallId) -> str:
        """Hash with ``record`` and, once READY, ``raw``."""
        return f"{self.prefix}:{{{self.run_id}}}:call:{tool_call_id}"


def call_field(tool_call_id: ToolCallId) -> str:
    """Field of the run's hash that names one record."""
    return f"{_CALL}{tool_call_id}"


def expiry_ms(expires_at: datetime) -> int:
    """Last millisecond since 1970 of the key's life: Redis deletes after it, a record is gone at ``expires_at``."""
    return (expires_at - _EPOCH) // timedelta(milliseconds=1) - 1


@dataclass(frozen=True)
class Found:
    """One record as read."""

    record: CanonicalRecord
    text: str
    """The stored text of the record: what a replacement must find unchanged."""
    raw: str | None


@dataclass(frozen=True)
class Seen:
    """A run at one instant."""

    named: tuple[ToolCallId, ...]
    """Ids of all records not expired, in the order they were begun."""
    found: dict[ToolCallId, Found]
    """Those of them that were asked for and are there."""


def read_seen(reply: Reply, run_id: RunId, ids: Sequence[ToolCallId]) -> Seen:
    """What READ replied about the records ``ids``.

    Raises:
        ValueError: a value is not what we wrote, or a record is gone before its time.
    """
    _, now, fields, values = reply
    instant, expiries = read_int(now), _expiries(read_map(fields))
    named = tuple(call for call, expiry in expiries.items() if expiry >= instant)
    found = {}
    for tool_call_id, value in zip(ids, _list(values), strict=True):
        exists, text, raw = _list(value)
        if exists and tool_call_id not in expiries:
            raise ValueError("a record is there that its run does not name")
        if not exists and tool_call_id in named:
            raise ValueError("a record is gone before its time")
        if exists:
            found[tool_call_id] = _found(text, run_id, tool_call_id, raw)
    return Seen(named, found)


def read_map(flat: object) -> dict[str, str]:
    """A hash as the client returns it: field, value, field, value.

    Raises:
        ValueError: it is none, or not UTF-8.
    """
    texts = [read_text(value) for value in _list(flat)]
    return dict(zip(texts[::2], texts[1::2], strict=True))


def read_text(value: object) -> str:
    """The text of a value.

    Raises:
        ValueError: it is none, or not UTF-8.
    """
    if not isinstance(value, bytes):
        raise ValueError("a text is missing")
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise ValueError("a text is not UTF-8") from None


def read_int(value: object) -> int:
    """The number.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(value, int):
        raise ValueError("a number is missing")
    return value


def read_record(value: object, run_id: RunId, tool_call_id: ToolCallId) -> CanonicalRecord:
    """The record, which must be this one and in one piece.

    Raises:
        ValueError: it is not.
    """
    try:
        record = CanonicalRecord.model_validate_json(read_text(value), strict=True)
    except ValidationError:
        raise ValueError("not a record") from None
    if (record.run_id, record.tool_call_id) != (run_id, tool_call_id):
        raise ValueError("a record stands under another's key")
    if record.status is InvocationStatus.READY and record.projection_sha256 != digest(record.projection_json or ""):
        raise ValueError("a projection is not the one that was kept")
    return record


def _found(text: object, run_id: RunId, tool_call_id: ToolCallId, raw: object) -> Found:
    record = read_record(text, run_id, tool_call_id)
    return Found(record, read_text(text), None if raw is None else read_text(raw))


def _expiries(fields: Mapping[str, str]) -> dict[ToolCallId, int]:
    """Record → expiry, in the order they were begun."""
    entries = [(name.removeprefix(_CALL), _entry(value)) for name, value in fields.items() if name.startswith(_CALL)]
    entries.sort(key=lambda entry: entry[1])
    return {ToolCallId(name): expiry for name, (_, expiry) in entries}


def _entry(text: str) -> tuple[int, int]:
    parts = _ENTRY.fullmatch(text)
    if parts is None:
        raise ValueError("not an entry of a run")
    return int(parts[1]), int(parts[2])


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise ValueError("an array is missing")
    return value
