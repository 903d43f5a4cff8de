"""What one claim is."""

from dataclasses import dataclass
from enum import StrEnum

from guards.claims.clock_words import Moment, Role
from guards.claims.quantities import Quantity


class ClaimKind(StrEnum):
    """What has to be found in evidence."""

    NUMBER = "NUMBER"
    TIME = "TIME"
    NAME = "NAME"


class Certainty(StrEnum):
    """How surely the words are a claim at all."""

    SURE = "SURE"
    IF_NEAR = "IF_NEAR"
    """Only where a name known from evidence or catalogue is one edit away: a misspelt or altered name."""


@dataclass(frozen=True)
class Claim:
    """Words of a text that must come from evidence."""

    kind: ClaimKind
    rule: str
    """Name of the rule in ``guards.claims.rules`` that found it."""
    text: str
    """As folded, for comparison and for the report of a violation."""
    start: int
    end: int
    readings: tuple[tuple[Quantity, ...], ...] = ()
    """NUMBER: each reading is a group of numbers that evidence must carry together; one group suffices."""
    moment: Moment | None = None
    other_moments: tuple[Moment, ...] = ()
    """TIME: what it may mean as well."""
    counted: str = ""
    """NUMBER in words: the thing counted, singular and in English ("two services" → service); empty for a unit."""
    role: Role = Role.ALONE
    """TIME: its place in a span."""
    about: bool = False
    """TIME: the text itself says that it is approximate."""
    happened: bool = True
    """It says that something occurred or exists here; False for a concept such as a setting's name."""
    certainty: Certainty = Certainty.SURE
