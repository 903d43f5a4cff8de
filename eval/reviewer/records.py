"""Canonical records of an incident as the tools would have left them, built from a few lines of YAML. Pure."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from pydantic import Field

from state.model.base import Value
from state.model.enums import Coverage, EvidenceKind, EvidenceStatus, InvocationStatus
from state.model.evidence import CanonicalRecord, Item, Projection, Scalar, Scope, Window, render_projection, scope_key
from state.model.ids import RunId, ToolCallId, digest, digest8

RUN_ID = RunId("7d3c1f60-52a1-4e0b-9a55-0c4f6b6e2d11")
_KNOWLEDGE_TOOL = "lookup_knowledge"
_LIFE = timedelta(hours=2, minutes=10)


class ItemSpec(Value):
    """One item in one of five forms: log event, log pattern, table row, runbook passage, or text with fields."""

    key: str
    """How drafts of the incident name it."""
    text: str = ""
    """Pattern or passage as shown; an event and a row build theirs."""
    at: str = ""
    """Event: instant with offset, as shown."""
    level: str = ""
    service: str = ""
    msg: str = ""
    count: int | None = None
    count_before: int | None = None
    first_ts: str = ""
    last_ts: str = ""
    row: dict[str, Scalar] = {}
    """Table row: column to cell, in order of output."""
    title: str = ""
    breadcrumb: str = ""
    fields: dict[str, Scalar] = {}
    """Series of a metric or alert: its text stands in ``text``, its typed parts here."""


class CallSpec(Value):
    """One answered call; without items it found nothing."""

    call: str
    tool: str
    source: str
    filters: dict[str, str] = {}
    query: str | None = None
    items: tuple[ItemSpec, ...] = ()
    truncated: bool = False
    coverage: Coverage = Coverage.COMPLETE
    total: int | None = None
    """Records that matched, where patterns stand for many; None: as many as there are items."""
    window: Window | None = Field(None)
    """None: the window of the incident, or none for a runbook search."""


def record_of(spec: CallSpec, window: Window, ended_at: datetime) -> CanonicalRecord:
    """The READY record of the call, living long after ``ended_at``."""
    projection = _projection(spec, window)
    text = render_projection(projection)
    return CanonicalRecord(
        run_id=RUN_ID,
        tool_call_id=projection.tool_call_id,
        tool=spec.tool,
        request_hash=digest(spec.call),
        scope_key=scope_key(spec.tool, {"source": spec.source, "filters": dict(spec.filters), "query": spec.query}),
        lease_epoch=1,
        status=InvocationStatus.READY,
        evidence_status=projection.evidence_status,
        projection_json=text,
        projection_sha256=digest(text),
        projection_bytes=len(text.encode()),
        begun_at=ended_at,
        expires_at=ended_at + _LIFE,
    )


def call_id(name: str) -> ToolCallId:
    """The id under which the call of that name is on record."""
    return ToolCallId(f"call_{name}")


def item_id(spec: CallSpec, item: ItemSpec) -> str:
    """The id of the item, formed like the tools form theirs."""
    mark = digest8(item.text + item.msg + str(item.row))
    if spec.tool == _KNOWLEDGE_TOOL:
        return f"{digest8(item.title)}#chunk-{mark}"
    if item.row:
        return f"row:{digest8(spec.query or '')}:{mark}"
    if item.fields:
        return f"{'alert' if spec.tool == 'list_alerts' else 'ser'}:{digest8(spec.call)}:{mark}"
    return f"log:{spec.source}:{item.at}:{mark}" if item.at else f"pat:{digest8(spec.call)}:{mark}"


def _projection(spec: CallSpec, window: Window) -> Projection:
    is_knowledge = spec.tool == _KNOWLEDGE_TOOL
    shown = spec.window or (None if is_knowledge else window)
    return Projection(
        tool_call_id=call_id(spec.call),
        tool=spec.tool,
        scope=Scope(source=spec.source, window=shown, filters=spec.filters, query=spec.query),
        coverage=spec.coverage,
        evidence_status=EvidenceStatus.EVIDENCE_FOUND if spec.items else EvidenceStatus.NO_EVIDENCE,
        truncated=spec.truncated,
        total_matches=None if is_knowledge or spec.truncated else _total(spec),
        items=tuple(_item(spec, item) for item in spec.items),
    )


def _total(spec: CallSpec) -> int:
    return len(spec.items) if spec.total is None else spec.total


def _item(spec: CallSpec, item: ItemSpec) -> Item:
    return Item(
        item_id=item_id(spec, item),
        kind=EvidenceKind.KNOWLEDGE if spec.tool == _KNOWLEDGE_TOOL else EvidenceKind.TELEMETRY,
        text=_text(item),
        fields=_fields(item),
        identified=bool(item.at or item.title),
    )


def _text(item: ItemSpec) -> str:
    if item.at:
        return " ".join(part for part in (item.at, item.level, item.service, item.msg) if part)
    return ", ".join(f"{name}={_cell(cell)}" for name, cell in item.row.items()) if item.row else item.text.strip()


def _cell(cell: Scalar) -> str:
    if isinstance(cell, bool):
        return str(cell).lower()
    return "NULL" if cell is None else str(cell)


def _fields(item: ItemSpec) -> dict[str, Scalar]:
    if item.row or item.fields:
        return dict(item.row or item.fields)
    if item.title:
        return _present({"title": item.title, "breadcrumb": item.breadcrumb})
    if item.at:
        return _present({"ts": item.at, "service": item.service, "level": item.level})
    names = ("count", "count_before", "first_ts", "last_ts", "service", "level")
    return _present({name: getattr(item, name) for name in names})


def _present(fields: Mapping[str, Scalar]) -> dict[str, Scalar]:
    return {name: value for name, value in fields.items() if value not in {"", None}}
