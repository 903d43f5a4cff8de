"""The mutation score of the guards: how many wrong drafts they stop, and how many correct ones."""

import asyncio
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

from eval.adversary.baseline import Baseline, drops, read_baseline
from eval.adversary.correct_drafts import CorrectDraft, Source, played_drafts, written_drafts
from eval.adversary.guard_tables import body
from eval.adversary.mutation_run import Tally, Untouched, judge_untouched, try_operators
from eval.adversary.operators.operator import MutationClass, Operator
from eval.adversary.operators.table import OPERATORS
from eval.adversary.rates import Rate
from eval.adversary.section import Gate, Section
from eval.adversary.trial import Fate
from worlds import DEFAULT_SEED

N_SEEDS, TRIES = 3, 60
"""Of a full run."""
SMALL, SMALL_TRIES = "small", 3
"""Label and tries of the run inside the tests."""
TITLE = "The guards against drafts made wrong"
BOUNDS: dict[MutationClass, float] = {
    MutationClass.NUMBER: 0.99,
    MutationClass.UNIT: 0.99,
    MutationClass.TIME: 0.99,
    MutationClass.IDENTIFIER: 0.99,
    MutationClass.CITATION: 0.99,
    MutationClass.POLARITY: 0.99,
    MutationClass.ABSENCE: 0.90,
    MutationClass.KIND: 0.90,
    MutationClass.SEMANTIC: 0.90,
}
"""Least share of wrong drafts that must be stopped: what words and records decide, and what takes judgement."""
MAX_FALSE_BLOCKS = 0.02
_DICE_SEED = 1


@dataclass(frozen=True)
class GuardScore:
    """What one run measured."""

    label: str
    """Size of the run, by which its baseline is found."""
    untouched: tuple[Untouched, ...]
    tallies: tuple[Tally, ...]
    dropped: tuple[str, ...] = ()
    """One sentence an operator that catches less than its baseline."""


def section(n_seeds: int = N_SEEDS, *, tries: int = TRIES, folder: Path | None = None) -> Section:
    """The measured part of the evaluation page.

    ``n_seeds``: worlds are built with as many seeds, from the default one on. ``folder`` keeps what was played from
    run to run; None: a folder that is removed afterwards.
    """
    return section_of(measure(n_seeds, tries=tries, folder=folder))


def measure(n_seeds: int = N_SEEDS, *, tries: int = TRIES, folder: Path | None = None) -> GuardScore:
    """The score. Equal arguments give equal figures."""
    label = f"{n_seeds} seeds, {tries} tries"
    with ExitStack() as opened:
        place = folder or Path(opened.enter_context(tempfile.TemporaryDirectory()))
        played = played_drafts(range(DEFAULT_SEED, DEFAULT_SEED + n_seeds), place)
    return score(label, (*played, *written_drafts()), OPERATORS, tries=tries, baseline=_baseline(label))


def measure_small(folder: Path) -> GuardScore:
    """A score of seconds, for every change of the code: one world and the review set, every operator."""
    played = played_drafts([DEFAULT_SEED], folder, worlds=[("payment-timeouts", None)])
    drafts = (*played, *(one for one in written_drafts() if one.source is Source.REVIEW_SET))
    return score(SMALL, drafts, OPERATORS, tries=SMALL_TRIES, baseline=_baseline(SMALL))


def score(
    label: str, drafts: Iterable[CorrectDraft], operators: Sequence[Operator], *, tries: int, baseline: Baseline
) -> GuardScore:
    """The score over these correct drafts, with what it lost against the baseline (empty: nothing to compare)."""
    return asyncio.run(_score(label, tuple(drafts), operators, tries, baseline))


async def _score(
    label: str, drafts: Sequence[CorrectDraft], operators: Sequence[Operator], tries: int, baseline: Baseline
) -> GuardScore:
    untouched = await judge_untouched(drafts)
    released = [one.origin for one in untouched if one.judged.fate is Fate.RELEASED]
    tallies = await try_operators(released, operators, tries=tries, seed=_DICE_SEED)
    return GuardScore(label, untouched, tallies, tuple(drops(tallies, baseline)))


def _baseline(label: str) -> Baseline:
    return read_baseline().get(label, {})


def section_of(measured: GuardScore) -> Section:
    """The tables and gates of a score."""
    return Section(TITLE, body(measured.untouched, measured.tallies, measured.dropped), tuple(gates(measured)))


def gates(measured: GuardScore) -> Iterable[Gate]:
    """One gate a class of mutations that was tried, one for correct drafts, and one for the baseline."""
    for of_class, bound in BOUNDS.items():
        caught = caught_of(measured.tallies, of_class)
        if any(tally.operator.of_class is of_class for tally in measured.tallies):
            yield Gate(f"{of_class.value}: wrong drafts stopped", caught.share or 0.0, bound, at_least=True)
    for who in (Fate.EVIDENCE, Fate.REVIEW):
        blocked = Rate(sum(one.judged.fate is who for one in measured.untouched), len(measured.untouched))
        share = 1.0 if blocked.share is None else blocked.share
        yield Gate(f"correct drafts stopped by the {who.value}", share, MAX_FALSE_BLOCKS, at_least=False)
    named = f": {'; '.join(measured.dropped)}" if measured.dropped else ""
    yield Gate(f"operators below their baseline{named}", len(measured.dropped), 0, at_least=False)


def caught_of(tallies: Iterable[Tally], of_class: MutationClass) -> Rate:
    """Mutations of that class that were stopped, of all that were judged."""
    parts = (Rate(one.caught, one.tries) for one in tallies if one.operator.of_class is of_class)
    return sum(parts, Rate(0, 0))


def as_json(measured: GuardScore) -> dict[str, object]:
    """The same figures for programs: ``label, drafts[], operators[], gates[], dropped[]``."""
    return {
        "label": measured.label,
        "drafts": [
            {"name": one.origin.name, "source": one.origin.source.value, "fate": one.judged.fate.value}
            for one in measured.untouched
        ],
        "operators": [_operator_json(one) for one in measured.tallies],
        "gates": [{**asdict(gate), "holds": gate.holds} for gate in gates(measured)],
        "dropped": list(measured.dropped),
    }


def _operator_json(tally: Tally) -> dict[str, object]:
    return {
        "name": tally.operator.name,
        "class": tally.operator.of_class.value,
        "sentence": tally.operator.sentence,
        "tried": tally.tries,
        "by_evidence": tally.by_evidence,
        "by_review": tally.by_review,
        "missed": tally.missed,
        "interval": Rate(tally.caught, tally.tries).interval,
        "misses": [asdict(one) for one in tally.misses],
    }
