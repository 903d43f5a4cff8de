"""What evidence can carry: one reading per item, scope or derived value, and the check of a claim against them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from decimal import Decimal

from guards.claims.claim import Certainty, Claim, ClaimKind
from guards.claims.clock import Instants, gather, shows
from guards.claims.clock_words import Role
from guards.claims.equalities import demanded_instants, tables_read
from guards.claims.extract import extract_claims
from guards.claims.fields import readings_of_field
from guards.claims.folding import fold
from guards.claims.lookup import holds_measure, holds_name, holds_part
from guards.claims.moments import blank
from guards.claims.named_quantities import named_quantities
from guards.claims.quantities import Quantity, carries, measured
from guards.claims.units import ONE, Dimension, Reading
from guards.claims.vocabulary import Vocabulary, one_edit_apart
from state.model.evidence import Item, Projection, Scalar, Window

_NO_CATALOGUE = Vocabulary()
_EQUALITY_FILTERS = frozenset({"service", "level"})
_PATTERN = "pat:"
_SQL_TOOL = "query_sql"
_SECONDS = (Reading(Dimension.TIME, Decimal(1)),)


@dataclass(frozen=True)
class Evidence:
    """One piece of evidence as claims see it."""

    text: str = ""
    """Folded, in lower case, without points in time: where names are looked up."""
    quantities: tuple[Quantity, ...] = ()
    instants: Instants = field(default_factory=Instants)
    names: frozenset[str] = frozenset()
    """Hyphenated and dotted words, to notice one that is nearly the same."""


def read_text(text: str, zone: tzinfo) -> Evidence:
    """What a piece of text carries."""
    folded = fold(text)
    claims = extract_claims(text, _NO_CATALOGUE)
    quantities = tuple(one for claim in claims for group in claim.readings for one in group)
    moments = tuple(claim.moment for claim in claims if claim.moment)
    names = frozenset(claim.text.lower() for claim in claims if claim.kind is ClaimKind.NAME)
    words = blank(folded, ((claim.start, claim.end) for claim in claims if claim.moment)).casefold()
    return Evidence(words, (*quantities, *named_quantities(words)), gather(moments, zone), names)


def read_item(item: Item, zone: tzinfo, *, is_counted: bool = True) -> Evidence:
    """What one item carries: its text, its fields and their names; of a scope read in part not a pattern's count."""
    fields = {name: value for name, value in item.fields.items() if is_counted or not is_tally(item, name)}
    return _with_fields(item.text, fields, zone)


def is_tally(item: Item, name: str) -> bool:
    """True if that field counts records of the result which the item stands for."""
    return name in {"count", "count_before"} and item.item_id.startswith(_PATTERN)


def read_scope(projection: Projection, zone: tzinfo) -> Evidence:
    """What the whole scope of an empty result carries: source, tool, filters, query, its window's edges and length."""
    read = _read_searched(projection, projection.scope.query or "", projection.scope.filters, zone)
    return replace(read, instants=replace(read.instants, points=(*read.instants.points, *read.instants.edges)))


def read_found_scope(projection: Projection, zone: tzinfo) -> Evidence:
    """What the scope of a result with items carries: source, tool, window, and filters that its items bear out.

    Whoever asked wrote the rest of the request; that it was asked for shows nothing about what was found.
    """
    shown = {name: value for name, value in projection.scope.filters.items() if _is_borne_out(name, value, projection)}
    sql = projection.scope.query if projection.tool == _SQL_TOOL else None
    borne_out = f"{tables_read(sql)}\n{demanded_instants(sql)}" if sql else ""
    return _read_searched(projection, borne_out, shown, zone)


def _read_searched(projection: Projection, query: str, filters: Mapping[str, str], zone: tzinfo) -> Evidence:
    scope = projection.scope
    words = "\n".join(filter(None, (projection.tool, scope.source, query)))
    read = _with_fields(words, dict(filters), zone)
    return _joined(read, _window(scope.window)) if scope.window else read


def _is_borne_out(name: str, value: str, projection: Projection) -> bool:
    """True for an equality filter that every item with such a field confirms, and one at least has it."""
    fields = [item.fields[name] for item in projection.items if name in item.fields]
    return name in _EQUALITY_FILTERS and bool(fields) and all(str(one).lower() == value.lower() for one in fields)


def read_counts(projection: Projection) -> Evidence:
    """Total and pattern counts of a result; nothing where it is partial or cut."""
    counts = [item.fields.get("count") for item in projection.items if is_tally(item, "count")]
    return Evidence(quantities=tuple(_numbers([projection.total_matches, *counts], ONE)))


def read_window(projection: Projection) -> Evidence:
    """The whole searched window: an absence speaks about every time inside it."""
    window = projection.scope.window
    return Evidence(instants=Instants(spans=((window.start, window.end),) if window and _is_aware(window) else ()))


def read_nothing() -> Evidence:
    """What every empty result carries: that it found 0."""
    return Evidence(quantities=tuple(_numbers([0], ONE)))


def read_value(value: float, readings: tuple[Reading, ...]) -> Evidence:
    """A derived value that was recomputed."""
    return Evidence(quantities=tuple(_numbers([value], readings)))


def _with_fields(text: str, fields: dict[str, Scalar], zone: tzinfo) -> Evidence:
    words = "\n".join([text, *(f"{name}: {value}" for name, value in fields.items())])
    read = read_text(words, zone)
    read_as = {name: readings_of_field(name, fields, text) for name in fields}
    typed = [one for name, value in fields.items() for one in _numbers([value], read_as[name])]
    return _joined(read, Evidence(quantities=tuple(typed)))


def _numbers(values: Iterable[Scalar], readings: tuple[Reading, ...]) -> Iterable[Quantity]:
    numbers = (value for value in values if isinstance(value, int | float) and not isinstance(value, bool))
    return [one for value in numbers if (one := measured(value, readings))]


def _window(window: Window) -> Evidence:
    if not _is_aware(window):
        return Evidence()
    length = measured((window.end - window.start).total_seconds(), _SECONDS)
    return Evidence(quantities=(length,) if length else (), instants=Instants(edges=(window.start, window.end)))


def _is_aware(window: Window) -> bool:
    """A window without offset proves no instant; only a malformed projection has one."""
    return window.start.tzinfo is not None and window.end.tzinfo is not None


def _joined(one: Evidence, other: Evidence) -> Evidence:
    instants = Instants(
        one.instants.points + other.instants.points,
        one.instants.partial + other.instants.partial,
        one.instants.edges + other.instants.edges,
        one.instants.spans + other.instants.spans,
    )
    text = f"{one.text}\n{other.text}"
    return Evidence(text, one.quantities + other.quantities, instants, one.names | other.names)


@dataclass(frozen=True)
class Support:
    """Evidence that a text may draw on."""

    zone: tzinfo
    vocabulary: Vocabulary
    everything: tuple[Evidence, ...] = ()
    telemetry: tuple[Evidence, ...] = ()
    """The part of it that shows what happened here; documents are left out."""
    told: tuple[Evidence, ...] = ()
    """What a sentence that names its document may draw on: telemetry, and documents that were looked up."""
    tallies: Mapping[str, int] = field(default_factory=dict)
    """How many different values a field has among the cited items: "two services" may be counted by reading them."""

    def carries(self, claim: Claim, *, documents_count: bool = True) -> bool:
        """True if one of the readings of the claim is in evidence, or it is no claim here after all."""
        pieces = self.everything if documents_count else self.telemetry
        if claim.kind is ClaimKind.TIME and claim.moment:
            moments = (claim.moment, *claim.other_moments)
            of_span = claim.role is not Role.ALONE
            return any(
                shows(one.instants, at, self.zone, about=claim.about, of_span=of_span)
                for one in pieces
                for at in moments
            )
        if claim.kind is ClaimKind.NUMBER:
            held = any(all(_holds_number(pieces, one) for one in group) for group in claim.readings if group)
            return held or self._is_tally(claim)
        if not claim.happened and any(holds_measure(piece.text, claim.text) for piece in pieces):
            return True
        if any(_holds(piece, claim) for piece in pieces):
            return True
        return claim.certainty is Certainty.IF_NEAR and not self._is_near_known(claim)

    def _is_tally(self, claim: Claim) -> bool:
        shown = self.tallies.get(claim.counted)
        return shown is not None and any(shown == one.value for group in claim.readings for one in group)

    def holds_value(self, value: float) -> bool:
        """True if the evidence holds that very number, whatever its unit."""
        stated = measured(value)
        return stated is not None and _holds_number(self.everything, stated)

    def _is_near_known(self, claim: Claim) -> bool:
        word = claim.text.lower()
        known = set().union(self.vocabulary.separated, *(piece.names for piece in self.everything))
        return any(one_edit_apart(word, name) for name in known)


def _holds_number(pieces: tuple[Evidence, ...], stated: Quantity) -> bool:
    return any(carries(found, stated) for piece in pieces for found in piece.quantities)


def _holds(piece: Evidence, claim: Claim) -> bool:
    named = holds_name(piece.text, claim.text) or holds_part(piece.text, claim.text)
    return named or _is_status_class(piece, claim)


def _is_status_class(piece: Evidence, claim: Claim) -> bool:
    """``5xx`` is carried by any status of that class."""
    if claim.rule != "status class":
        return False
    return any(one.value // 100 == int(claim.text[0]) for one in piece.quantities if one.value < 1000)
