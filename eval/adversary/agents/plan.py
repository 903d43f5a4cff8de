"""The grammar: a seed and a world become the plan of one hostile run. Pure; equal arguments give equal plans."""

from dataclasses import dataclass
from enum import StrEnum

from eval.adversary.agents import moves
from eval.adversary.agents.amounts import AMOUNTS
from eval.adversary.agents.case import Case
from eval.adversary.agents.causes import CAUSES
from eval.adversary.agents.elsewhere import ELSEWHERE
from eval.adversary.agents.kinds import LYING, Kind
from eval.adversary.agents.lying import Teller
from eval.adversary.agents.moves import Search
from eval.adversary.agents.odd import BROKEN_HTTP, ODD_REPLIES, Odd, odd_usage
from eval.adversary.agents.references import REFERENCES
from eval.adversary.agents.repairing import REPAIRS, Repair
from eval.adversary.agents.tricks import TRICKS, Trick
from eval.adversary.agents.wording import WORDING
from worlds.generate.dice import Dice, dice_for

TELLERS: dict[Kind, Teller] = {**REFERENCES, **AMOUNTS, **WORDING, **CAUSES, **ELSEWHERE}
"""Every lie by its kind."""
FORMS: tuple[Kind, ...] = (
    Kind.JSON_TRICK,
    Kind.ENDLESS,
    Kind.REPHRASING,
    Kind.ALTERNATING,
    Kind.PROTOCOL,
    Kind.AFTER_STOP,
    Kind.EMPTY_REPLY,
    Kind.USAGE,
    Kind.WIRE,
)
"""Attacks on form; the draft at their end lies as well."""
NEEDS_FAILURE = frozenset({Kind.FAILED_ID, Kind.ERROR_AS_EVIDENCE})
NEEDS_CONCLUSION = frozenset({Kind.SWAPPED, Kind.TO_REVIEWER})
_SEARCHES: dict[Kind, Search] = {
    Kind.ENDLESS: moves.endless,
    Kind.REPHRASING: moves.rephrasing,
    Kind.ALTERNATING: moves.alternating,
    Kind.PROTOCOL: moves.breaking,
    Kind.EMPTY_AS_HEALTH: moves.with_nothing,
    Kind.RECYCLED_ID: moves.recycling,
}
_HONEST_SHARE = 0.03
_MIXED_SHARE = 0.05


class HandIn(StrEnum):
    """How a draft is sent."""

    TOOL = "tool"
    MESSAGE = "message"
    """Bare JSON in a plain message."""
    WITH_SEARCH = "with_search"
    """An evidence call behind it in the same message."""
    BEHIND_SEARCH = "behind_search"
    """An evidence call before it in the same message."""


@dataclass(frozen=True)
class Plan:
    """What one agent will do."""

    seed: int
    kind: Kind
    search: Search
    lies: tuple[Kind, ...]
    """In order; the first that finds a handle is told, all of them if the kind is MIXED. Empty: honest."""
    narrow: bool
    """Ask for an observation and hand one in, instead of the cause."""
    repair: Repair
    hand_in: HandIn = HandIn.TOOL
    trick: Trick | None = None
    odd: Odd | None = None
    odd_at: frozenset[int] = frozenset()
    """Requests, counted from 1, that are answered oddly."""
    insists: bool = False
    """Goes on asking for evidence after STOP_REQUIRED."""
    gains: tuple[str, ...] = ("GAINED",)
    """What it says of results, in turn."""
    second: str = "same"
    """After an invalid hand-in: ``same``, ``honest`` or ``false``."""
    service: str = ""
    """What a narrow question asks about."""


def plan_of(case: Case, seed: int) -> Plan:
    """The plan of this seed in this world."""
    dice = dice_for(seed, "plan", case.name)
    kind = _kind(dice)
    lies = _lies(kind, dice)
    narrow = _is_narrow(case, lies, dice)
    return Plan(
        seed=seed,
        kind=kind,
        search=_search(kind, lies, dice),
        lies=lies,
        narrow=narrow,
        repair=dice.choice(REPAIRS),
        hand_in=_hand_in(kind, dice),
        trick=dice.choice(TRICKS) if kind is Kind.JSON_TRICK else None,
        odd=_odd(kind, dice),
        odd_at=_odd_at(kind, dice),
        insists=kind is Kind.AFTER_STOP or (kind in _SEARCHES and dice.random() < 0.3),
        gains=_gains(kind, dice),
        second=dice.choice(("same", "honest", "false", "false")),
        service=_service(case, dice),
    )


def _kind(dice: Dice) -> Kind:
    drawn = dice.random()
    if drawn < _HONEST_SHARE:
        return Kind.HONEST
    if drawn < _HONEST_SHARE + _MIXED_SHARE:
        return Kind.MIXED
    return dice.choice((*LYING, *FORMS))


def _lies(kind: Kind, dice: Dice) -> tuple[Kind, ...]:
    if kind is Kind.HONEST:
        return ()
    others = list(LYING)
    dice.shuffle(others)
    if kind is Kind.MIXED:
        return tuple(others[: dice.randint(2, 3)])
    return (kind, *others) if kind in LYING else tuple(others)


def _is_narrow(case: Case, lies: tuple[Kind, ...], dice: Dice) -> bool:
    """Where the world has no cause to start from, the agent hands in an observation; elsewhere sometimes."""
    if lies and lies[0] in NEEDS_CONCLUSION and case.has_cause:
        return False
    return dice.random() < (0.35 if case.has_cause else 0.9)


def _search(kind: Kind, lies: tuple[Kind, ...], dice: Dice) -> Search:
    named = _SEARCHES.get(kind) or _SEARCHES.get(lies[0] if lies else kind)
    if named is not None:
        return named
    if kind is Kind.AFTER_STOP:
        return dice.choice((moves.endless, moves.alternating))
    if lies and lies[0] in NEEDS_FAILURE:
        return moves.with_failure
    if kind is Kind.HONEST:
        return moves.walk
    return dice.choice((*(moves.walk,) * 7, moves.with_nothing, moves.with_failure, moves.short_walk))


def _service(case: Case, dice: Dice) -> str:
    """Mostly one that the walk looks at, so that there is something to say of it."""
    walked = [str(case.walk[position][1].get("service") or "") for position in case.cited]
    known = [name for name in walked if name]
    return dice.choice(known) if known and dice.random() < 0.8 else dice.choice(case.services)


def _hand_in(kind: Kind, dice: Dice) -> HandIn:
    if kind is Kind.HONEST:
        return HandIn.TOOL
    return dice.choices(tuple(HandIn), weights=(85, 8, 4, 3))[0]


def _odd(kind: Kind, dice: Dice) -> Odd | None:
    match kind:
        case Kind.EMPTY_REPLY:
            return dice.choice(ODD_REPLIES)
        case Kind.USAGE:
            return odd_usage
        case Kind.WIRE:
            return dice.choice(BROKEN_HTTP)
        case _:
            return None


def _odd_at(kind: Kind, dice: Dice) -> frozenset[int]:
    """Once, twice or always."""
    if kind is Kind.USAGE:
        return frozenset(range(1, 60))
    first = dice.randint(1, 5)
    return frozenset(dice.choice(((first,), (first, first + 1), tuple(range(first, 60)))))


def _gains(kind: Kind, dice: Dice) -> tuple[str, ...]:
    if kind in {Kind.ENDLESS, Kind.ALTERNATING, Kind.REPHRASING, Kind.AFTER_STOP}:
        return dice.choice((("GAINED",), ("GAINED", "NO_GAIN"), ("NO_GAIN",)))
    return ("GAINED",)
