"""What an operator is: a named way of making a correct draft wrong."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from eval.adversary.operators.scene import Scene
from state.model.draft import Draft
from worlds.generate.dice import Dice


class MutationClass(StrEnum):
    """What kind of wrong an operator makes."""

    NUMBER = "number"
    UNIT = "unit"
    TIME = "time"
    IDENTIFIER = "identifier"
    CITATION = "citation"
    POLARITY = "polarity"
    ABSENCE = "absence"
    KIND = "kind"
    SEMANTIC = "semantic"


@dataclass(frozen=True)
class Mutation:
    """A draft known to be wrong."""

    draft: Draft
    twin: Draft | None = None
    """The correct draft it differs from by what is wrong alone; None: the draft the operator was given."""
    wrong_action: int | None = None
    """Index of an action that is wrong only if it is shown as verified; None: it must not be shown at all."""


Mutate = Callable[[Scene, Dice], Mutation | None]
"""Pure: equal scenes and dice give equal mutations. None: the operator does not apply."""


@dataclass(frozen=True)
class Operator:
    """One way of being wrong."""

    name: str
    """Unique; a stable key of the baseline."""
    of_class: MutationClass
    sentence: str
    """What it does, for people."""
    mutate: Mutate
