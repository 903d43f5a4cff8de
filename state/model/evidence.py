"""One tool result in its separate forms: what was searched, what was found, what is on record. Pure."""

import json
from datetime import datetime

from pydantic import Field, ValidationError

from state.model.base import Value
from state.model.enums import Coverage, EvidenceKind, EvidenceStatus, InvocationStatus, ToolCode
from state.model.ids import RunId, ToolCallId, digest, digest8
from state.model.strict_json import JsonProblem, parse_json_object

Scalar = str | int | float | bool | None


class Window(Value):
    """A half-open span of time, both ends UTC instants."""

    start: datetime
    end: datetime


class Scope(Value):
    """What was really searched. Part of the evidence: an absence holds only inside it."""

    source: str
    """Configured name of the source, datasource or knowledge base."""
    window: Window | None = None
    """Effective window: asked ∩ [oldest record, now]. None where time plays no part."""
    filters: dict[str, str] = {}
    """Server-side filters by name, as applied (service, level, contains, category, params …)."""
    query: str | None = None
    """Search text, SQL or expression, normalised."""


class Item(Value):
    """One citable piece of a result."""

    item_id: str = Field(min_length=1, max_length=300)
    kind: EvidenceKind
    text: str
    """What the model sees and a quote must match, character for character."""
    fields: dict[str, Scalar] = {}
    """Typed parts: times as ISO 8601 with offset; a unit only where source or name declares it."""
    identified: bool = False
    """True if the id names the thing itself (an event, a keyed row, a chunk), not its place in a result."""


class Projection(Value):
    """What model and guards may see of one result: bounded, without secrets."""

    tool_call_id: ToolCallId
    tool: str
    scope: Scope
    coverage: Coverage
    evidence_status: EvidenceStatus
    truncated: bool
    """True if items were left out or cut; then no total, "all", "only" or "none" may be claimed."""
    total_matches: int | None = None
    """How many things matched at the source; None where the source cannot say."""
    items: tuple[Item, ...] = ()


class CanonicalRecord(Value):
    """What really happened in one call. The only source of truth for a citation."""

    run_id: RunId
    tool_call_id: ToolCallId
    tool: str
    request_hash: str
    """SHA-256 of tool name and canonical arguments: the same id with another hash is refused."""
    scope_key: str
    """Canonical text of the normalised scope; equal keys are the same search."""
    lease_epoch: int
    """Epoch of the holder that began the call."""
    status: InvocationStatus
    evidence_status: EvidenceStatus | None = None
    error_code: ToolCode | None = None
    projection_json: str | None = None
    projection_sha256: str | None = None
    request_bytes: int = 0
    raw_bytes: int = 0
    projection_bytes: int = 0
    begun_at: datetime
    expires_at: datetime
    """Fixed when the call begins; neither reads nor updates extend it."""


def scope_key(tool: str, normalised: dict[str, Scalar | list[Scalar] | dict[str, Scalar]]) -> str:
    """Canonical text of a normalised scope: sorted keys, no spaces, NULs impossible."""
    return json.dumps([tool, normalised], sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def scope8(key: str) -> str:
    """Eight hex digits that name a normalised scope inside item ids."""
    return digest8(key)


def render_projection(projection: Projection) -> str:
    """The stored text of a projection; its SHA-256 is what release and closing compare."""
    return projection.model_dump_json()


def parse_projection(text: str | None) -> Projection | None:
    """The projection, or None if the text is absent or not strictly one (duplicate keys included)."""
    if text is None or isinstance(parse_json_object(text), JsonProblem):
        return None
    try:
        return Projection.model_validate_json(text)
    except ValidationError:
        return None


def item_digest(item: Item) -> str:
    """SHA-256 of one item as stored: fixed at release, compared again at closing."""
    return digest(item.model_dump_json())
