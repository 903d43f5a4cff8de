"""Times of a text that are the ends of a span, and whether it runs forwards: between A and B, A 至 B. Pure."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, tzinfo

from guards.claims.claim import Claim, ClaimKind
from guards.claims.clock import Instants, instant_of, shown_at
from guards.claims.clock_words import Moment, Role
from guards.claims.moments import Found

_JOINT = re.compile(r"\)? ?(?:-|~|to|until|till|through|直至|直到|至|到) ?\(?")
_JOINT_IF_OPENED = re.compile(
    r"\)?,? ?(?:and|to|until|till|和|与|及)(?: (?:at|about))? ?\(?|[^.;。;]{0,24}?(?:持续到|直到|直至|到|至) ?"
)
_OPENING = re.compile(
    r"(?:\b(?:between|from)|从|自|介于|在)(?: about| roughly)? ?\(?(?:[^\W\d]{1,12} ?)?$", re.IGNORECASE
)
_OPEN_BEFORE = re.compile(
    r"(?:\b(?:since|until|till|from|up to)|自|从|截至|截止|直到|直至)(?: about)? ?$", re.IGNORECASE
)
_OPEN_AFTER = re.compile(r" ?(?:on(?:wards?)?\b|起|开始|以来|为止)")


def with_roles(found: tuple[Found, ...], text: str) -> tuple[Found, ...]:
    """Each time of the folded text with its place in a span, if it has one."""
    roles = [Role.OPEN_END if _is_open_end(one, text) else Role.ALONE for one in found]
    for at, (one, other) in enumerate(zip(found, found[1:], strict=False)):
        if roles[at] is not Role.END and _is_span(one, other, text):
            roles[at], roles[at + 1] = Role.START, Role.END
    return tuple(replace(one, role=role) for one, role in zip(found, roles, strict=True))


def _is_span(one: Found, other: Found, text: str) -> bool:
    joint = text[one.end : other.start]
    if _JOINT.fullmatch(joint[:24]):
        return True
    opened = _OPENING.search(text[max(0, one.start - 24) : one.start])
    return bool(opened and _JOINT_IF_OPENED.fullmatch(joint[:40]))


def _is_open_end(found: Found, text: str) -> bool:
    before = text[max(0, found.start - 16) : found.start]
    return bool(_OPEN_BEFORE.search(before) or _OPEN_AFTER.match(text, found.end))


def reversed_spans(claims: Iterable[Claim], evidence: tuple[Instants, ...], zone: tzinfo) -> Iterator[Claim]:
    """The spans among the claims of a text that end before they start, each as one claim that nothing carries."""
    start: Claim | None = None
    for claim in claims:
        if start and claim.role is Role.END and _runs_back(start, claim, evidence, zone):
            words = f"{start.text} … {claim.text}"
            yield Claim(ClaimKind.NAME, "reversed span", words, start.start, claim.end)
        start = claim if claim.role is Role.START else None


def _runs_back(start: Claim, end: Claim, evidence: tuple[Instants, ...], zone: tzinfo) -> bool:
    """True if no reading of the two times is in order; a clock without date is read as evidence shows it."""
    written = [tuple(at for one in _moments(claim) if (at := instant_of(one, zone))) for claim in (start, end)]
    shown = [written[0] or _shown(start, evidence, zone), written[1] or _shown(end, evidence, zone)]
    if all(shown):
        return min(shown[0]) > max(shown[1])
    return _in_one_day(evidence, zone) and _clock(start) > _clock(end) and _names_clocks_alike(start, end)


def _moments(claim: Claim) -> tuple[Moment, ...]:
    return (claim.moment, *claim.other_moments) if claim.moment else ()


def _shown(claim: Claim, evidence: tuple[Instants, ...], zone: tzinfo) -> tuple[datetime, ...]:
    return tuple(
        at
        for piece in evidence
        for moment in _moments(claim)
        for at in shown_at(piece, moment, zone, about=claim.about, of_span=True)
    )


def _in_one_day(evidence: tuple[Instants, ...], zone: tzinfo) -> bool:
    """True if no searched window crosses midnight, so that a later clock is a later time."""
    spans = [span for piece in evidence for span in piece.spans]
    return all(start.astimezone(zone).date() == end.astimezone(zone).date() for start, end in spans)


def _clock(claim: Claim) -> tuple[int, int, int]:
    moment = claim.moment or Moment()
    return moment.hour or 0, moment.minute or 0, moment.second or 0


def _names_clocks_alike(start: Claim, end: Claim) -> bool:
    """Both are bare clocks of one zone, each with one reading."""
    one, other = start.moment, end.moment
    if one is None or other is None or start.other_moments or end.other_moments:
        return False
    dated = {moment.day for moment in (one, other)} != {None}
    return not dated and (one.offset_s, one.zone) == (other.offset_s, other.zone) and None not in {one.hour, other.hour}
