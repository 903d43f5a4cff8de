"""Judges correct drafts, makes them wrong in every way that applies, and counts who stopped which."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from eval.adversary.correct_drafts import CorrectDraft
from eval.adversary.operators.decoys import with_decoys
from eval.adversary.operators.operator import Mutation, Operator
from eval.adversary.operators.scene import Scene
from eval.adversary.telling import difference
from eval.adversary.trial import Fate, Judged, judge_fully, shows_as_verified
from state.model.draft import Draft, shown_texts
from worlds.generate.dice import Dice, dice_for

MAX_MISSES_KEPT = 5


@dataclass(frozen=True)
class Miss:
    """A wrong draft that would be published."""

    draft: str
    """Name of the correct draft it was made of."""
    difference: str


@dataclass(frozen=True)
class Tally:
    """What became of one operator's mutations."""

    operator: Operator
    by_evidence: int = 0
    """Stopped by the evidence guard, or shown as "proposed, not verified" where that is what must happen."""
    by_review: int = 0
    missed: int = 0
    blocked_twins: int = 0
    """Mutations that were not counted, because the correct draft beside them is stopped too."""
    misses: tuple[Miss, ...] = ()
    """The first few."""

    @property
    def tries(self) -> int:
        """Mutations that were judged."""
        return self.by_evidence + self.by_review + self.missed

    @property
    def caught(self) -> int:
        """Mutations of which nothing wrong would be published."""
        return self.by_evidence + self.by_review


@dataclass(frozen=True)
class Untouched:
    """A correct draft and what became of it."""

    origin: CorrectDraft
    judged: Judged


async def judge_untouched(drafts: Iterable[CorrectDraft]) -> tuple[Untouched, ...]:
    """The fate of each correct draft, in order. Each that is stopped is a false block."""
    return tuple([Untouched(one, await judge_fully(one.draft, one)) for one in drafts])


async def try_operators(
    released: Sequence[CorrectDraft], operators: Iterable[Operator], *, tries: int, seed: int
) -> tuple[Tally, ...]:
    """One tally an operator, in order. Equal arguments give equal tallies.

    ``released``: correct drafts that both guards let pass, or a mutation would be caught by what was wrong before.
    ``tries``: mutations judged for each operator at most; they come from different drafts in an order of dice.
    """
    stage = [(Scene(one), with_decoys(one)) for one in released if one.draft.conclusion]
    return tuple([await _try_operator(one, stage, tries, seed) for one in operators])


async def _try_operator(
    operator: Operator, stage: Sequence[tuple[Scene, CorrectDraft]], tries: int, seed: int
) -> Tally:
    tally, seen = Tally(operator), set[str]()
    order = dice_for(seed, operator.name).sample(range(len(stage)), len(stage))
    for at in order:
        if tally.tries >= tries:
            break
        scene, staged = stage[at]
        mutation = operator.mutate(scene, _dice(seed, scene, operator))
        if mutation is not None and not _is_known(mutation, seen):
            tally = await _counted(tally, mutation, scene, staged)
    return tally


def _is_known(mutation: Mutation, seen: set[str]) -> bool:
    """True if the same wrong draft was tried before; remembers it."""
    text = mutation.draft.model_dump_json()
    known = text in seen
    seen.add(text)
    return known


def _dice(seed: int, scene: Scene, operator: Operator) -> Dice:
    return dice_for(seed, scene.origin.name, operator.name)


async def _counted(tally: Tally, mutation: Mutation, scene: Scene, staged: CorrectDraft) -> Tally:
    right = mutation.twin or scene.draft
    if mutation.twin is not None and (await judge_fully(right, staged)).fate is not Fate.RELEASED:
        return replace(tally, blocked_twins=tally.blocked_twins + 1)
    match await _fate(mutation, right, staged):
        case Fate.EVIDENCE:
            return replace(tally, by_evidence=tally.by_evidence + 1)
        case Fate.REVIEW:
            return replace(tally, by_review=tally.by_review + 1)
        case Fate.RELEASED:
            miss = Miss(scene.origin.name, difference(right, mutation.draft))
            kept = (*tally.misses, miss)[:MAX_MISSES_KEPT]
            return replace(tally, missed=tally.missed + 1, misses=kept)


async def _fate(mutation: Mutation, right: Draft, staged: CorrectDraft) -> Fate:
    """Who kept what is wrong from being published. A repaired reference is no longer wrong; a text stays as it is."""
    judged = await judge_fully(mutation.draft, staged)
    if judged.fate is not Fate.RELEASED:
        return judged.fate
    is_mended = judged.draft != mutation.draft and _texts(judged.draft) == _texts(right)
    at = mutation.wrong_action
    is_marked = at is not None and not shows_as_verified(judged.draft, at, staged)
    return Fate.EVIDENCE if is_mended or is_marked else Fate.RELEASED


def _texts(draft: Draft) -> dict[str, str]:
    return dict(shown_texts(draft))
