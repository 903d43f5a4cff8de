"""Rates of many scores with their intervals, and the floors beside them. Pure: equal scores give equal figures."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random  # noqa: TID251 - seeded: the same scores give the same interval

from eval.scenarios.model import Expected, Scenario
from eval.scenarios.scoring import FAULTLESS, Ended, Released, Score, score

_RESAMPLES = 2000
_SEED = 20260302


@dataclass(frozen=True)
class Rate:
    """A mean with its 95 % bootstrap interval."""

    n: int
    """Scenarios it was taken over; with 0 the other values mean nothing."""
    value: float
    low: float
    high: float

    def shown(self) -> str:
        """``0.63 (0.51–0.74)``, or why there is none."""
        return f"{self.value:.2f} ({self.low:.2f}–{self.high:.2f})" if self.n else "unscored: nothing of the kind"


@dataclass(frozen=True)
class Figures:
    """Everything that is published of one set of scores."""

    accuracy: Rate
    """Right causes among scenarios with a cause."""
    closure: Rate
    """Milestones met, over released causes."""
    wrong: Rate
    """Wrong claims among all scenarios."""
    wrong_when_faultless: Rate
    """Causes among scenarios in which every cause is wrong."""
    silent: Rate
    """Nothing released, among scenarios with something to release."""
    narrow: Rate
    """Narrow questions answered without a cause."""
    tool_calls: Rate
    redundant: Rate
    """Repeated calls among all calls of a run."""
    tokens: Rate
    seconds: Rate


def figures(scores: Sequence[Score]) -> Figures:
    """The figures of these scores."""
    with_cause = [one for one in scores if one.expected == Expected.CAUSE]
    return Figures(
        accuracy=_share(with_cause, lambda one: one.is_right),
        closure=rate([one.closure for one in scores if one.closure is not None]),
        wrong=_share(scores, lambda one: one.is_wrong),
        wrong_when_faultless=_share([one for one in scores if one.variant in FAULTLESS], lambda one: one.is_wrong),
        silent=_share([one for one in scores if one.expected != Expected.NO_CAUSE], lambda one: one.is_silent),
        narrow=_share([one for one in scores if one.expected == Expected.OBSERVATION], lambda one: one.is_right),
        tool_calls=rate([float(one.tool_calls) for one in scores]),
        redundant=rate([one.redundant_calls / one.tool_calls for one in scores if one.tool_calls]),
        tokens=rate([float(one.tokens) for one in scores]),
        seconds=rate([one.seconds for one in scores]),
    )


def rate(values: Sequence[float]) -> Rate:
    """Their mean; the interval from resampling them with a fixed seed."""
    if not values:
        return Rate(0, 0.0, 0.0, 0.0)
    rng = Random(f"{_SEED} {len(values)}")
    means = sorted(sum(rng.choices(values, k=len(values))) / len(values) for _ in range(_RESAMPLES))
    return Rate(
        len(values), sum(values) / len(values), means[round(0.025 * _RESAMPLES)], means[round(0.975 * _RESAMPLES) - 1]
    )


def floors(given: Iterable[Scenario]) -> dict[str, list[Score]]:
    """What needs no diagnosis: always silent, and always the most frequent cause of the set."""
    known = list(given)
    causes = [one.answer.cause for one in known if one.answer.cause is not None]
    usual = max(causes, key=lambda cause: sum(cause.section == other.section for other in causes), default=None)
    said = "" if usual is None else f"{usual.entities[0]}: {' '.join(group[0] for group in usual.mechanism)}"
    return {
        "always silent": [score(one, _constant(Released.NONE, "")) for one in known],
        "most frequent cause": [score(one, _constant(Released.CAUSE, said)) for one in known],
    }


def _constant(released: Released, text: str) -> Ended:
    return Ended(released, text, (), "FALLBACK", "", (), 0, 0, 0.0)


def _share(scores: Sequence[Score], holds: Callable[[Score], bool]) -> Rate:
    return rate([float(holds(one)) for one in scores])
