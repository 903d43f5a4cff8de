"""What one analysis verifiably rests on: its references, quotes and derived values, each checked. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from guards.citations import Verified
from guards.claims.claim import Claim, ClaimKind
from guards.claims.derive import derived_quantities, durations, is_value, recompute, unit_of
from guards.claims.fields import readings_of_item
from guards.claims.support import Evidence, Support, is_tally, read_nothing, read_scope, read_value, read_window
from guards.draft_structure import fault
from guards.quotes import holds_quote
from guards.run_evidence import RunEvidence
from state.model.draft import Analysis, Derived, FieldRef
from state.model.enums import AnalysisKind, DerivedOp, EvidenceKind, EvidenceStatus, ViolationCode
from state.model.evidence import Item
from state.model.verdict import Violation

Cited = tuple[Verified, Item]
_DOCUMENT_TOOL = "lookup_knowledge"
_RECORDS = ("record", "event", "entry", "line", "row", "message", "sample")
"""What people call cited items when they count them."""


@dataclass(frozen=True)
class Ground:
    """Verified evidence of one analysis, or of several taken together."""

    cited: tuple[Cited, ...] = ()
    """Items named in quotes and derived values."""
    empty: tuple[Verified, ...] = ()
    """Results that found nothing, cited for their scope."""
    derived: tuple[tuple[Evidence, bool], ...] = ()
    """Recomputed values; true where every input is telemetry."""
    is_broken: bool = False
    """A reference did not resolve: what is missing here may yet be found, so nothing final is said about it."""

    def __add__(self, other: "Ground") -> "Ground":
        """Both grounds together."""
        cited, empty, derived = self.cited + other.cited, self.empty + other.empty, self.derived + other.derived
        return Ground(cited, empty, derived, self.is_broken or other.is_broken)

    @property
    def has_telemetry(self) -> bool:
        """True if an item of it shows the system itself."""
        return any(item.kind is EvidenceKind.TELEMETRY for _, item in self.cited)

    @property
    def is_documents_only(self) -> bool:
        """True if everything cited comes from documents."""
        return bool(self.cited) and not (self.has_telemetry or self.empty or self.is_broken)

    @property
    def is_cut(self) -> bool:
        """True if some telemetry it rests on is no whole result: a whole one beside it says nothing about that one."""
        shown = (result for result, item in self.cited if item.kind is EvidenceKind.TELEMETRY)
        return not self.is_broken and any(not result.is_whole for result in shown)


def ground_of(analysis: Analysis, place: str, run: RunEvidence) -> tuple[Ground, tuple[Violation, ...]]:
    """What of the analysis could be verified, and every fault of its references."""
    results, faults = _results(analysis, place, run)
    cited, quote_faults = _quoted(analysis, place, results)
    derived, inputs, derived_faults = _derived(analysis, place, results, run)
    empty = tuple(one for one in results.values() if one.projection.evidence_status is EvidenceStatus.NO_EVIDENCE)
    all_faults = (*faults, *quote_faults, *derived_faults)
    is_broken = bool(all_faults) or not analysis.tool_call_ids
    return Ground(_once((*cited, *inputs)), empty, derived, is_broken), all_faults


def support_of(ground: Ground, run: RunEvidence) -> Support:
    """What that ground carries."""
    pieces: list[tuple[Evidence, bool]] = list(ground.derived)
    for result, item in ground.cited:
        pieces.append((run.read(result, item), item.kind is EvidenceKind.TELEMETRY))
    for result in {id(one): one for one, _ in ground.cited}.values():
        pieces += [(piece, result.is_telemetry) for piece in run.around(result)]
    for result in ground.empty:
        pieces += [(piece, result.is_telemetry) for piece in (read_scope(result.projection, run.zone), read_nothing())]
    everything = tuple(piece for piece, _ in pieces)
    telemetry = tuple(piece for piece, shown in pieces if shown)
    documents = tuple(run.read(result, item) for result, item in ground.cited if _is_document(result, item))
    tallies = tallies_of(ground.cited)
    return Support(run.zone, run.vocabulary, everything, telemetry, (*telemetry, *documents), tallies)


def _is_document(result: Verified, item: Item) -> bool:
    """True for a passage that was looked up; a note beside an alert is no document that a text may name."""
    return item.kind is EvidenceKind.KNOWLEDGE and result.projection.tool == _DOCUMENT_TOOL


def tallies_of(cited: Iterable[Cited]) -> dict[str, int]:
    """How many different values each text field has among the telemetry items, and how many such items there are.

    A pattern or an aggregate stands for many records, so beside one of them records are not counted. A partial or cut
    result may have more than was cited, so beside one of them nothing is counted.
    """
    telemetry = [(result, item) for result, item in cited if item.kind is EvidenceKind.TELEMETRY]
    shown = [item for _, item in telemetry] if all(result.is_whole for result, _ in telemetry) else []
    values: dict[str, set[str]] = {}
    for item in shown:
        for name, value in item.fields.items():
            if isinstance(value, str):
                values.setdefault(name.lower(), set()).add(value)
    single = {item.item_id for item in shown if item.identified}
    records = dict.fromkeys(_RECORDS, len(single)) if len(single) == len(shown) else {}
    return {name: len(found) for name, found in values.items()} | records


def could_be_derived(claim: Claim, ground: Ground, run: RunEvidence) -> bool:
    """True if the claim is the time between two cited fields: a repair may add the ``derived`` value that proves it."""
    if claim.kind is not ClaimKind.NUMBER:
        return False
    spans = durations(value for _, item in ground.cited for value in item.fields.values())
    pieces = tuple(read_value(float(span), unit_of(DerivedOp.DURATION)) for span in spans)
    return Support(run.zone, run.vocabulary, pieces).carries(claim)


def absence_support(ground: Ground, run: RunEvidence) -> Support:
    """What an absence may speak about: the scopes searched and every time inside their windows."""
    scopes = (piece for result in ground.empty for piece in (read_scope(result.projection, run.zone), read_nothing()))
    windows = (read_window(result.projection) for result in ground.empty)
    return Support(run.zone, run.vocabulary, (*scopes, *windows))


def is_carried_elsewhere(claim: Claim, run: RunEvidence, *, documents_count: bool) -> bool:
    """True if some READY result of the run carries the claim, so that a better reference could."""
    return run.whole_run.carries(claim, documents_count=documents_count)


def _results(analysis: Analysis, place: str, run: RunEvidence) -> tuple[dict[str, Verified], tuple[Violation, ...]]:
    results: dict[str, Verified] = {}
    faults: list[Violation] = []
    for index, call_id in enumerate(analysis.tool_call_ids):
        found = run.look_up(call_id, analysis.kind)
        if isinstance(found, Verified):
            results[call_id] = found
        else:
            faults.append(fault(found, f"{place}.tool_call_ids.{index}", call_id))
    return results, tuple(faults)


def _quoted(
    analysis: Analysis, place: str, results: dict[str, Verified]
) -> tuple[tuple[Cited, ...], tuple[Violation, ...]]:
    cited: list[Cited] = []
    faults: list[Violation] = []
    if analysis.kind is AnalysisKind.NORMAL and not analysis.quotes:
        faults.append(fault(ViolationCode.QUOTE_MISSING, place))
    for index, quote in enumerate(analysis.quotes):
        found = _resolve(quote.tool_call_id, quote.item_id, analysis, results)
        if isinstance(found, ViolationCode):
            faults.append(fault(found, f"{place}.quotes.{index}", quote.item_id))
        elif not holds_quote(found[1].text, quote.text):
            faults.append(fault(ViolationCode.QUOTE_NOT_FOUND, f"{place}.quotes.{index}", quote.text))
        else:
            cited.append(found)
    return tuple(cited), tuple(faults)


def _resolve(call_id: str, item_id: str, analysis: Analysis, results: dict[str, Verified]) -> Cited | ViolationCode:
    """The item a quote or input names. A call that the analysis does not list is not its evidence."""
    if call_id not in analysis.tool_call_ids:
        return ViolationCode.TOOL_REFERENCE_MISSING
    result = results.get(call_id)
    item = result.item(item_id) if result else None
    return (result, item) if result and item else ViolationCode.QUOTE_NOT_FOUND


def _derived(
    analysis: Analysis, place: str, results: dict[str, Verified], run: RunEvidence
) -> tuple[tuple[tuple[Evidence, bool], ...], tuple[Cited, ...], tuple[Violation, ...]]:
    values: list[tuple[Evidence, bool]] = []
    inputs: list[Cited] = []
    faults: list[Violation] = []
    for index, derived in enumerate(analysis.derived):
        where = f"{place}.derived.{index}"
        found, input_faults = _inputs(derived, where, analysis, results)
        inputs += found
        faults += input_faults
        if not input_faults and _is_right(derived, found):
            values.append(_value(derived, found))
        elif not input_faults:
            carried = run.whole_run.holds_value(derived.value)
            faults.append(fault(ViolationCode.CLAIM_NOT_IN_EVIDENCE, where, str(derived.value), carried=carried))
    return tuple(values), tuple(inputs), tuple(faults)


def _value(derived: Derived, inputs: list[Cited]) -> tuple[Evidence, bool]:
    named = [(item, ref.field) for ref, (_, item) in zip(derived.inputs, inputs, strict=True)]
    values = [item.fields.get(name) for item, name in named]
    carried = derived_quantities(derived, values, [readings_of_item(item, name) for item, name in named])
    return Evidence(quantities=carried), all(item.kind is EvidenceKind.TELEMETRY for item, _ in named)


def _inputs(
    derived: Derived, where: str, analysis: Analysis, results: dict[str, Verified]
) -> tuple[list[Cited], list[Violation]]:
    found: list[Cited] = []
    faults: list[Violation] = []
    for index, ref in enumerate(derived.inputs):
        place = f"{where}.inputs.{index}"
        one = _resolve(ref.tool_call_id, ref.item_id, analysis, results)
        if isinstance(one, ViolationCode):
            faults.append(fault(one, place, ref.item_id))
        elif not _has_field(ref, one[1]):
            faults.append(fault(ViolationCode.QUOTE_NOT_FOUND, place, ref.field))
        else:
            found.append(one)
    return found, faults


def _has_field(ref: FieldRef, item: Item) -> bool:
    return not ref.field or ref.field in item.fields


def _is_right(derived: Derived, found: list[Cited]) -> bool:
    fields = [ref.field for ref in derived.inputs]
    values = [item.fields.get(name) for name, (_, item) in zip(fields, found, strict=True)]
    if any(not result.is_counted and is_tally(item, name) for name, (result, item) in zip(fields, found, strict=True)):
        return False
    exact = recompute(
        derived.op, values, [_name_of(ref, cited) for ref, cited in zip(derived.inputs, found, strict=True)]
    )
    return exact is not None and is_value(derived, exact)


def _name_of(ref: FieldRef, cited: Cited) -> tuple[str, str, str]:
    """What makes an input the same as another: an identified item is one, whichever call returned it."""
    return ("" if cited[1].identified else ref.tool_call_id, ref.item_id, ref.field)


def _once(cited: tuple[Cited, ...]) -> tuple[Cited, ...]:
    """Each item once, in order of first citation."""
    first: dict[tuple[str, str], Cited] = {}
    for result, item in cited:
        first.setdefault((result.projection.tool_call_id, item.item_id), (result, item))
    return tuple(first.values())
