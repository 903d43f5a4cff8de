"""What evidence can carry: one reading per item, scope or derived value, and the check of a claim against them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import tzinfo
from decimal import Decimal

from guards.claims.claim import Certainty, Claim, ClaimKind
from guards.claims.clock import Instants, gather, shows
from guards.claims.extract import extract_claims
from guards.claims.folding import fold
from guards.claims.lookup import holds_measure, holds_name
from guards.claims.moments import blank
from guards.claims.quantities import Quantity, carries, measured
from guards.claims.units import ONE, Dimension, Reading, readings_of_name
from guards.claims.vocabulary import Vocabulary, one_edit_apart
from state.model.evidence import Item, Projection, Scalar, Window

_NO_CATALOGUE = Vocabulary()
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
    words = blank(folded, ((claim.start, claim.end) for claim in claims if claim.moment))
    return Evidence(words.casefold(), quantities, gather(moments, zone), names)


def read_item(item: Item, zone: tzinfo) -> Evidence:
    """What one item carries: its text, its fields and their names."""
    return _with_fields(item.text, item.fields, zone)


def read_scope(projection: Projection, zone: tzinfo) -> Evidence:
    """What a result's scope carries: source, tool, filters, query, the edges and the length of its window."""
    scope = projection.scope
    words = "\n".join(filter(None, (projection.tool, scope.source, scope.query)))
    read = _with_fields(words, dict(scope.filters), zone)
    return _joined(read, _window(scope.window)) if scope.window else read


def read_counts(projection: Projection) -> Evidence:
    """Total and pattern counts of a result; nothing where it is partial or cut."""
    counts = [item.fields.get("count") for item in projection.items if item.item_id.startswith("pat:")]
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
    typed = [one for name, value in fields.items() for one in _numbers([value], readings_of_name(name))]
    return _joined(read, Evidence(quantities=tuple(typed)))


def _numbers(values: Iterable[Scalar], readings: tuple[Reading, ...]) -> Iterable[Quantity]:
    numbers = (value for value in values if isinstance(value, int | float) and not isinstance(value, bool))
    return [one for value in numbers if (one := measured(value, readings))]


def _window(window: Window) -> Evidence:
    if not _is_aware(window):
        return Evidence()
    length = measured((window.end - window.start).total_seconds(), _SECONDS)
    return Evidence(quantities=(length,) if length else (), instants=Instants((window.start, window.end)))


def _is_aware(window: Window) -> bool:
    """A window without offset proves no instant; only a malformed projection has one."""
    return window.start.tzinfo is not None and window.end.tzinfo is not None


def _joined(one: Evidence, other: Evidence) -> Evidence:
    instants = Instants(
        one.instants.points + other.instants.points,
        one.instants.partial + other.instants.partial,
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
    tallies: Mapping[str, int] = field(default_factory=dict)
    """How many different values a field has among the cited items: "two services" may be counted by reading them."""

    def carries(self, claim: Claim, *, documents_count: bool = True) -> bool:
        """True if one of the readings of the claim is in evidence, or it is no claim here after all."""
        pieces = self.everything if documents_count or not claim.happened else self.telemetry
        if claim.kind is ClaimKind.TIME and claim.moment:
            moment, about = claim.moment, claim.about
            return any(shows(piece.instants, moment, self.zone, about=about) for piece in pieces)
        if claim.kind is ClaimKind.NUMBER:
            held = any(all(_holds_number(pieces, one) for one in group) for group in claim.readings if group)
            return held or self._is_tally(claim)
        if not claim.happened and any(holds_measure(piece.text, claim.text) for piece in pieces):
            return True
        if any(holds_name(piece.text, claim.text) or _is_status_class(piece, claim) for piece in pieces):
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


def _is_status_class(piece: Evidence, claim: Claim) -> bool:
    """``5xx`` is carried by any status of that class."""
    if claim.rule != "status class":
        return False
    return any(one.value // 100 == int(claim.text[0]) for one in piece.quantities if one.value < 1000)
