"""Everything one judgement knows about a run: its records, what they carry, and what was asked. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from functools import cached_property

from guards.citations import Verified, is_expired, verify, verify_all
from guards.claims.clock import zone_of
from guards.claims.equalities import tables_read
from guards.claims.folding import fold_case
from guards.claims.support import Evidence, Support, read_counts, read_found_scope, read_item, read_scope, read_text
from guards.claims.vocabulary import Vocabulary
from state.model.enums import AnalysisKind, ViolationCode
from state.model.evidence import CanonicalRecord, Item
from state.model.ids import RunId, ToolCallId

_NAMING_FIELDS = frozenset("service host instance container job table topic client target application node".split())
"""Fields whose values are names of things that run or are read."""


@dataclass(frozen=True)
class EvidenceContext:
    """What is fixed for a run when its drafts are judged."""

    run_id: RunId
    question: str
    """As the model saw it: words count only inside a span copied from it."""
    judged_at: datetime
    """Real time of the judgement, against which records expire (not the ``now`` of the question)."""
    time_zone: str = "UTC"
    """IANA zone in which a time without offset is read."""
    catalogue_terms: tuple[str, ...] = ()
    """Names the registered tools vouch for."""
    answered_ids: frozenset[ToolCallId] = frozenset()
    """Calls the transcript knows as executed: one without a record has expired, any other never was."""


@dataclass(frozen=True)
class RunEvidence:
    """The records of a run, each read at most once during a judgement."""

    records: Mapping[ToolCallId, CanonicalRecord]
    context: EvidenceContext
    _items: dict[tuple[str, str], Evidence] = field(default_factory=dict)

    @cached_property
    def zone(self) -> tzinfo:
        """Zone in which times without offset are read."""
        return zone_of(self.context.time_zone)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """Names of the catalogues, and which of them the records of this run use."""
        return Vocabulary.of(self.context.catalogue_terms, self._names_in_use())

    def _names_in_use(self) -> Iterator[str]:
        for result in self.verified.values():
            yield from tables_read(result.projection.scope.query or "").splitlines()
            for item in result.projection.items:
                yield from (str(value) for name, value in item.fields.items() if name in _NAMING_FIELDS)

    def look_up(self, call_id: str, kind: AnalysisKind | None) -> Verified | ViolationCode:
        """The verified result behind a reference, or why that kind of analysis has none (None: any kind)."""
        record = self.records.get(ToolCallId(call_id))
        if record is None:
            known = call_id in self.context.answered_ids
            return ViolationCode.EVIDENCE_EXPIRED if known else ViolationCode.INVOCATION_MISSING
        if is_expired(record, self.context.judged_at):
            return ViolationCode.EVIDENCE_EXPIRED
        return verify(record, call_id, self.context.run_id, kind=kind)

    @cached_property
    def verified(self) -> dict[str, Verified]:
        """Every result that may be cited now."""
        living = {
            call_id: record
            for call_id, record in self.records.items()
            if not is_expired(record, self.context.judged_at)
        }
        return verify_all(living, self.context.run_id)

    def read(self, result: Verified, item: Item) -> Evidence:
        """What one item carries."""
        key = (result.projection.tool_call_id, item.item_id)
        if key not in self._items:
            self._items[key] = read_item(item, self.zone, is_counted=result.is_counted)
        return self._items[key]

    def around(self, result: Verified) -> tuple[Evidence, ...]:
        """What a result carries besides its items: its scope and, if it is whole, its counts.

        An empty result carries all that was asked; one with items only what they confirm of it.
        """
        read = read_found_scope if result.projection.items else read_scope
        scope = read(result.projection, self.zone)
        return (scope, read_counts(result.projection)) if result.is_whole else (scope,)

    @cached_property
    def whole_run(self) -> Support:
        """All verified results of the run: where a claim could be cited from."""
        return self._support(self.verified.values())

    @cached_property
    def known_words(self) -> Support:
        """The question, the catalogue and the scopes searched: what a limitation usually names, cheap to read."""
        asked = read_text(self.context.question, self.zone)
        catalogue = Evidence(text=fold_case("\n".join(self.context.catalogue_terms)))
        results = self.verified.values()
        scopes = [read_scope(result.projection, self.zone) for result in results]
        scopes += [read_counts(result.projection) for result in results if result.is_whole]
        return Support(self.zone, self.vocabulary, (asked, catalogue, *scopes))

    def _support(self, results: Iterable[Verified]) -> Support:
        pieces = [
            (result.is_telemetry, piece)
            for result in results
            for piece in (*(self.read(result, item) for item in result.projection.items), *self.around(result))
        ]
        everything = tuple(piece for _, piece in pieces)
        return Support(self.zone, self.vocabulary, everything, tuple(piece for shown, piece in pieces if shown))
