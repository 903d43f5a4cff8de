"""What an evidence tool is. The boundary (``tools.boundary``) is the only caller.

A tool never raises past this contract: a refused request is ``InvalidToolInput``, a begun call that
fails is ``ToolFailed``; nothing of a backend's own text is in either's public part.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pydantic import BaseModel, ConfigDict

from state.model.base import Value
from state.model.enums import Coverage
from state.model.evidence import Projection, Scalar, Window
from state.model.ids import ToolCallId

NormalValue = Scalar | list[Scalar] | dict[str, Scalar]


class ToolInput(BaseModel):
    """Base of every tool's argument model: unknown fields refused, field docstrings become the schema's."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


@dataclass(frozen=True)
class CallContext:
    """What the run fixes for its calls; never from the model."""

    now: datetime
    """UTC instant fixed at ``open_run``."""
    time_zone: str
    """IANA zone in which a time without offset is read."""
    default_window: Window
    """Asked-for window of the question, else two hours before ``now``."""
    kb_scope: str
    """Tenant or corpus of the caller's key."""


class Prepared(Value):
    """A valid request, normalised: equal requests have equal ``scope_key``."""

    normalised: dict[str, NormalValue]
    """Defaults filled, times as UTC ISO instants, label sets sorted; what ``execute`` works from."""
    scope_key: str
    """``state.model.evidence.scope_key(tool, normalised)``, without paging or size parameters."""


class ToolCard(Value):
    """What model and guards are told of a tool; recorded with a run so that a replay shows the same."""

    name: str
    description: str
    input_schema: dict[str, object]
    catalogue_terms: tuple[str, ...]


class RawResult(Value):
    """What the source port returned within its own server-side limits."""

    payload: dict[str, object]
    """JSON values only; the boundary measures, stores and cleans it, then hands it to ``project``."""
    coverage: Coverage


class EvidenceTool(Protocol):
    """One read-only source of evidence."""

    name: str
    """Matches ``[a-zA-Z0-9_-]{1,64}``."""
    input_model: type[ToolInput]
    timeout_s: float
    raw_cap_bytes: int
    """A larger raw result is an error, never cut."""
    projection_cap_bytes: int
    """``project`` stays below it and says ``truncated``."""
    description: str
    """For the model, with a bounded catalogue of what the source holds (at most 4 KiB)."""
    catalogue_terms: tuple[str, ...]
    """Names the catalogue vouches for: sources, services, tables, columns, metrics."""

    def prepare(self, arguments: ToolInput, context: CallContext) -> Prepared:
        """The normalised request. Pure. Raises InvalidToolInput (INVALID_REQUEST or NOT_READ_ONLY)."""
        ...

    async def execute(self, prepared: Prepared, context: CallContext) -> RawResult:
        """Search the source. Raises ToolFailed. On CancelledError the work at the source ends before it propagates."""
        ...

    def project(self, tool_call_id: ToolCallId, prepared: Prepared, raw: RawResult) -> Projection:
        """The bounded result. Pure and deterministic; item order is stable. Raises ToolFailed(PROJECTION_ERROR)."""
        ...
