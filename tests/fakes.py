"""In-memory stand-ins of ports: small classes that implement the protocol and do nothing beyond it."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from state.model.enums import Coverage, EvidenceKind, EvidenceStatus
from state.model.evidence import Item, Projection, Scope, scope_key
from state.model.ids import ToolCallId
from tools.contract import CallContext, Prepared, RawResult, ToolInput

NOW = datetime(2026, 3, 2, 14, 30, tzinfo=UTC)


class ManualClock:
    """A clock that moves only when told."""

    def __init__(self, now: datetime = NOW) -> None:
        self._now = now
        self._elapsed_s = 0.0

    def now(self) -> datetime:
        return self._now + timedelta(seconds=self._elapsed_s)

    def monotonic(self) -> float:
        return self._elapsed_s

    def advance(self, seconds: float) -> None:
        self._elapsed_s += seconds


class NotebookInput(ToolInput):
    page: str = ""
    """Page to read."""
    query: str = ""
    """Read by the tool that plays the knowledge base: always its page ``errors``."""


Page = Sequence[str] | Exception | Callable[[], object]


@dataclass
class NotebookTool:
    """An evidence tool over written pages: a page is lines, an exception to raise, or a hook to run first."""

    pages: Mapping[str, Page]
    name: str = "read_notebook"
    kind: EvidenceKind = EvidenceKind.TELEMETRY
    input_model: type[ToolInput] = NotebookInput
    timeout_s: float = 5.0
    raw_cap_bytes: int = 64 * 1024
    projection_cap_bytes: int = 16 * 1024
    description: str = "Reads one page of the notebook."
    catalogue_terms: tuple[str, ...] = ("notebook", "payments")
    executed: list[str] = field(default_factory=list)

    def prepare(self, arguments: ToolInput, context: CallContext) -> Prepared:
        assert isinstance(arguments, NotebookInput)
        normalised = {"page": "errors" if arguments.query else arguments.page}
        return Prepared(normalised=dict(normalised), scope_key=scope_key(self.name, dict(normalised)))

    async def execute(self, prepared: Prepared, context: CallContext) -> RawResult:
        page = str(prepared.normalised["page"])
        self.executed.append(page)
        content = self.pages.get(page, ())
        if callable(content) and not isinstance(content, Exception):
            outcome = content()
            content = await outcome if asyncio.iscoroutine(outcome) else outcome  # type: ignore[assignment]
        if isinstance(content, Exception):
            raise content
        assert isinstance(content, Sequence)
        return RawResult(payload={"page": page, "lines": list(content)}, coverage=Coverage.COMPLETE)

    def project(self, tool_call_id: ToolCallId, prepared: Prepared, raw: RawResult) -> Projection:
        lines = raw.payload["lines"]
        page = str(raw.payload["page"])
        assert isinstance(lines, list)
        items = tuple(
            Item(item_id=f"{page}:{number}", kind=self.kind, text=str(line), fields={"n": number}, identified=True)
            for number, line in enumerate(lines)
        )
        return Projection(
            tool_call_id=tool_call_id,
            tool=self.name,
            scope=Scope(source="notebook", filters={"page": page}),
            coverage=raw.coverage,
            evidence_status=EvidenceStatus.EVIDENCE_FOUND if items else EvidenceStatus.NO_EVIDENCE,
            truncated=False,
            total_matches=len(items),
            items=items,
        )
