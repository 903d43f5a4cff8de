"""How a citation reads: tool, source, window, filters, item, and the words quoted. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from service.page import Block, Source, Verbatim
from service.run_view import RunView
from service.speech import Speech
from service.texts import report as texts
from service.times import span
from state.model.draft import Analysis, Derived
from state.model.enums import AnalysisKind, EvidenceKind
from state.model.evidence import Item
from state.model.release import EvidenceView

MAX_QUERY_CHARS = 160
"""A longer query is cut on a page; ``--json`` and ``trace --json`` have it whole."""


@dataclass(frozen=True)
class Citations:
    """The published evidence of one run, looked up by what a draft cites."""

    view: RunView
    say: Speech

    def rests_on_documents(self, analysis: Analysis) -> bool:
        """True if it quotes documents and nothing else."""
        kinds = {item.kind for _, item in self._quoted(analysis)}
        return kinds == {EvidenceKind.KNOWLEDGE}

    def blocks(self, analysis: Analysis) -> Iterator[Block]:
        """One source line and the quoted words per quote, then computed values, then empty searches.

        Words that the statement itself says, or that were quoted under it already, are not said again.
        """
        shown: tuple[str, str] | None = None
        said: set[str] = set()
        for quote in analysis.quotes:
            found = self._find(quote.tool_call_id, quote.item_id)
            if found and (quote.tool_call_id, quote.item_id) != shown:
                yield Source(self.source_line(found[0], quote.item_id))
            shown = (quote.tool_call_id, quote.item_id)
            if quote.text not in said and quote.text not in analysis.text:
                yield Verbatim(quote.text)
            said.add(quote.text)
        for derived in analysis.derived:
            yield Source(self._computed(derived))
        if analysis.kind is AnalysisKind.NEGATIVE_OBSERVATION:
            for view in self.view.evidence:
                if view.tool_call_id in analysis.tool_call_ids:
                    yield Source(self.source_line(view, self.say(texts.NOTHING_FOUND)))

    def source_line(self, view: EvidenceView, what: str) -> str:
        """Tool, source, window and filters of a result, what of it is meant, and the beginning of its query."""
        scope = view.scope
        parts = [view.tool, scope.source]
        parts += [span(scope.window, self.view.zone)] if scope.window else []
        parts += [f"{name}={value}" for name, value in scope.filters.items()]
        parts += [what]
        parts += [_clipped(scope.query)] if scope.query else []
        return self.say(texts.SEPARATOR).join(parts)

    def _quoted(self, analysis: Analysis) -> Iterator[tuple[EvidenceView, Item]]:
        for quote in analysis.quotes:
            found = self._find(quote.tool_call_id, quote.item_id)
            if found:
                yield found

    def _find(self, call_id: str, item_id: str) -> tuple[EvidenceView, Item] | None:
        views = (view for view in self.view.evidence if view.tool_call_id == call_id)
        return next(((view, item) for view in views for item in view.items if item.item_id == item_id), None)

    def _computed(self, derived: Derived) -> str:
        inputs = ", ".join(f"{ref.item_id}.{ref.field}" if ref.field else ref.item_id for ref in derived.inputs)
        value = f"{derived.value:g}" if derived.rounding is None else f"{derived.value:.{max(0, derived.rounding)}f}"
        return self.say(texts.COMPUTED, op=self.say(texts.DERIVED_OP[derived.op]), inputs=inputs, value=value)


def _clipped(query: str) -> str:
    line = " ".join(query.split())
    return line if len(line) <= MAX_QUERY_CHARS else f"{line[: MAX_QUERY_CHARS - 1]}…"
