"""A unit written once for two numbers: "from 0.12 to 1.32 s", "2 cores to 0.6", 由 48 升到 98%. Pure."""

import re
from dataclasses import replace

from guards.claims.claim import Claim, ClaimKind
from guards.claims.quantities import Quantity
from guards.claims.units import ONE

_JOINT = re.compile(r" ?(?:to|and|or|against|versus|vs\.?|-|->|~|[升降涨跌变增减提调改]?[到至为成]|对比?|和) ?")


def with_shared_units(claims: tuple[Claim, ...], text: str) -> tuple[Claim, ...]:
    """The same claims; a bare number joined to one with a unit may also be read in that unit."""
    read = list(claims)
    for at, (one, other) in enumerate(zip(claims, claims[1:], strict=False)):
        if _JOINT.fullmatch(text[one.end : other.start][:12]):
            read[at], read[at + 1] = _lent(read[at], other), _lent(read[at + 1], one)
    return tuple(read)


def _lent(bare: Claim, measured: Claim) -> Claim:
    """The bare claim with a further reading in the unit of the other; as it is if it has one, or the other has none."""
    one, other = _single(bare), _single(measured)
    if one is None or other is None or one.readings or not other.readings or other.readings == ONE:
        return bare
    return replace(bare, readings=(*bare.readings, (replace(one, readings=other.readings),)))


def _single(claim: Claim) -> Quantity | None:
    if claim.kind is not ClaimKind.NUMBER or not claim.readings or len(claim.readings[0]) != 1:
        return None
    return claim.readings[0][0]
