"""A correct draft with everything an operator may ask about it. Read once; pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import tzinfo
from functools import cached_property
from zoneinfo import ZoneInfo

from eval.adversary.correct_drafts import CorrectDraft
from eval.adversary.operators.stock import Stock, stock_of
from state.model.draft import Analysis, Draft, shown_texts
from state.model.enums import AnalysisKind, EvidenceKind, EvidenceStatus, HypothesisStatus, InvocationStatus, Language
from state.model.evidence import Item, Projection, parse_projection

Cited = tuple[Projection, Item]


@dataclass(frozen=True)
class Place:
    """One visible text of the draft."""

    path: str
    """As ``shown_texts`` gives it."""
    text: str


@dataclass(frozen=True)
class Scene:
    """The draft, the results of its run, and what they hold."""

    origin: CorrectDraft

    @property
    def draft(self) -> Draft:
        """The correct one."""
        return self.origin.draft

    @property
    def is_zh(self) -> bool:
        """True if the draft is written in Chinese."""
        return self.origin.language is Language.ZH

    @cached_property
    def zone(self) -> tzinfo:
        """The zone in which the run reads a time without offset."""
        return ZoneInfo(self.origin.context.time_zone)

    @cached_property
    def results(self) -> tuple[Projection, ...]:
        """Every READY result of the run, in order of the records."""
        context = self.origin.context
        ready = (
            record
            for record in self.origin.records.values()
            if record.status is InvocationStatus.READY
            and record.run_id == context.run_id
            and record.expires_at > context.judged_at
        )
        return tuple(read for record in ready if (read := parse_projection(record.projection_json)))

    @cached_property
    def stock(self) -> Stock:
        """What the whole run, its question and its catalogue hold."""
        derived = [one.value for analysis in self.draft.analysis for one in analysis.derived]
        context = self.origin.context
        return stock_of(self.results, self.zone, words=(context.question, *context.catalogue_terms), numbers=derived)

    def cited(self, path: str) -> tuple[Cited, ...]:
        """Items that the text at that path rests on, each once; none for limitations."""
        found: dict[tuple[str, str], Cited] = {}
        for analysis in self.analyses(path):
            refs = [(one.tool_call_id, one.item_id) for one in analysis.quotes]
            refs += [(ref.tool_call_id, ref.item_id) for one in analysis.derived for ref in one.inputs]
            found |= {ref: cited for ref in refs if (cited := self.find(*ref))}
        return tuple(found.values())

    def stock_at(self, path: str) -> Stock:
        """What the evidence of that text holds, scopes of empty results included."""
        pairs = self.cited(path)
        shown = [
            result.model_copy(update={"items": tuple(item for one, item in pairs if one is result)})
            for result in self.results
            if any(one is result for one, _ in pairs) or self._is_absence(result, path)
        ]
        derived = [one.value for analysis in self.analyses(path) for one in analysis.derived]
        return stock_of(shown, self.zone, numbers=derived)

    def analyses(self, path: str) -> tuple[Analysis, ...]:
        """The analyses that the text at that path is, or is based on."""
        part, _, rest = path.partition(".")
        if part == "analysis":
            return (self.draft.analysis[int(rest.split(".")[0])],)
        wanted = set(self._basis(part, rest))
        return tuple(one for one in self.draft.analysis if one.analysis_id in wanted)

    def find(self, call_id: str, item_id: str) -> Cited | None:
        """The item of that id, with its result; None if there is none."""
        pairs = ((result, item) for result in self.results for item in result.items)
        return next(((r, item) for r, item in pairs if (r.tool_call_id, item.item_id) == (call_id, item_id)), None)

    def places(self, *, with_limitations: bool = False) -> Iterator[Place]:
        """Texts that state something: no open hypothesis, and limitations only where asked for."""
        for path, text in shown_texts(self.draft):
            part, _, rest = path.partition(".")
            is_open = part == "hypotheses" and self.draft.hypotheses[int(rest[0])].status is HypothesisStatus.OPEN
            if text.strip() and not is_open and (part != "limitations" or with_limitations):
                yield Place(path, text)

    def is_told(self, path: str) -> bool:
        """True if the text rests on documents alone."""
        pairs = self.cited(path)
        return bool(pairs) and all(item.kind is EvidenceKind.KNOWLEDGE for _, item in pairs)

    def _is_absence(self, result: Projection, path: str) -> bool:
        if result.evidence_status is not EvidenceStatus.NO_EVIDENCE:
            return False
        return any(result.tool_call_id in one.tool_call_ids for one in self.analyses(path))

    def is_negative(self, path: str) -> bool:
        """True if the text rests on an empty result."""
        return any(one.kind is AnalysisKind.NEGATIVE_OBSERVATION for one in self.analyses(path))

    def _basis(self, part: str, rest: str) -> tuple[str, ...]:
        if part == "conclusion":
            return self.draft.conclusion.based_on_analysis_ids if self.draft.conclusion else ()
        if part == "limitations":
            return ()
        bases = {
            "action_plan": [one.based_on_analysis_ids for one in self.draft.action_plan],
            "recommendations": [one.based_on_analysis_ids for one in self.draft.recommendations],
            "hypotheses": [one.based_on_analysis_ids for one in self.draft.hypotheses],
        }[part]
        return bases[int(rest.split(".")[0])]


def with_text(draft: Draft, path: str, text: str) -> Draft:
    """The draft with another text at that path."""
    part, *rest = path.split(".")
    if len(rest) == 1:
        owner = getattr(draft, part)
        return draft.model_copy(update={part: owner.model_copy(update={rest[0]: text})})
    if part == "limitations":
        missing = list(draft.limitations.missing_info)
        missing[int(rest[1])] = text
        return draft.model_copy(update={part: draft.limitations.model_copy(update={"missing_info": tuple(missing)})})
    parts = list(getattr(draft, part))
    parts[int(rest[0])] = parts[int(rest[0])].model_copy(update={rest[1]: text})
    return draft.model_copy(update={part: tuple(parts)})
