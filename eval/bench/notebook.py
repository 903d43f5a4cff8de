"""An evidence tool over the written pages, and a gate at which concurrent runs wait for each other."""

import asyncio
from dataclasses import dataclass, field

from eval.bench.played import ORDER, PAGES, TOOL
from state.model.enums import Coverage, EvidenceKind, EvidenceStatus
from state.model.evidence import Item, Projection, Scope, scope_key
from state.model.ids import ToolCallId
from tools.contract import CallContext, Prepared, RawResult, ToolInput


class Gate:
    """Holds every run at its last page until ``n`` are there and ``open`` is called; open from the start for n = 0."""

    def __init__(self, n: int = 0) -> None:
        self._missing = n
        self._full = asyncio.Event()
        self._open = asyncio.Event()
        if not n:
            self._open.set()

    async def full(self) -> None:
        """Return when every run waits at the gate."""
        await self._full.wait()

    def open(self) -> None:
        """Let all of them go on."""
        self._open.set()

    async def pass_through(self, page: str) -> None:
        """Wait here if this is the last page."""
        if page != ORDER[-1] or self._open.is_set():
            return
        self._missing -= 1
        if not self._missing:
            self._full.set()
        await self._open.wait()


class PageInput(ToolInput):
    """What the model may ask."""

    page: str
    """Page to read."""


@dataclass
class Notebook:
    """An ``EvidenceTool`` over ``PAGES``."""

    name: str = TOOL
    input_model: type[ToolInput] = PageInput
    timeout_s: float = 60.0
    raw_cap_bytes: int = 64 * 1024
    projection_cap_bytes: int = 16 * 1024
    description: str = "Reads one page of the notebook: errors or deploys."
    catalogue_terms: tuple[str, ...] = ("notebook", "payments")
    gate: Gate = field(default_factory=Gate)
    n_executed: int = 0

    def prepare(self, arguments: ToolInput, context: CallContext) -> Prepared:
        """The request as it is."""
        assert isinstance(arguments, PageInput)
        return Prepared(normalised={"page": arguments.page}, scope_key=scope_key(self.name, {"page": arguments.page}))

    async def execute(self, prepared: Prepared, context: CallContext) -> RawResult:
        """The lines of the page."""
        return RawResult(payload=await self.read(str(prepared.normalised["page"])), coverage=Coverage.COMPLETE)

    async def read(self, page: str) -> dict[str, object]:
        """The page as its source gives it; every contender reads through here."""
        await self.gate.pass_through(page)
        self.n_executed += 1
        return {"page": page, "lines": list(PAGES[page])}

    def project(self, tool_call_id: ToolCallId, prepared: Prepared, raw: RawResult) -> Projection:
        """One item a line."""
        page, lines = str(raw.payload["page"]), raw.payload["lines"]
        assert isinstance(lines, list)
        items = tuple(
            Item(item_id=f"{page}:{n}", kind=EvidenceKind.TELEMETRY, text=str(line), fields={"n": n}, identified=True)
            for n, line in enumerate(lines)
        )
        return Projection(
            tool_call_id=tool_call_id,
            tool=self.name,
            scope=Scope(source="notebook", filters={"page": page}),
            coverage=raw.coverage,
            evidence_status=EvidenceStatus.EVIDENCE_FOUND,
            truncated=False,
            total_matches=len(items),
            items=items,
        )
