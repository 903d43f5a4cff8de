"""What a finished diagnosis was worth: right, wrong, silent; what it proved and what it cost. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from eval.scenarios.model import Answer, Cause, Expected, Scenario, Variant


class Released(StrEnum):
    """What people got to read."""

    CAUSE = "cause"
    OBSERVATION = "observation"
    NONE = "none"
    """No conclusion: a fallback or a failure."""


@dataclass(frozen=True)
class Ended:
    """How one diagnosis ended."""

    released: Released
    conclusion: str
    """Empty without one."""
    cited: tuple[str, ...]
    """Texts of the cited items with their fields."""
    outcome: str
    stop_reason: str
    tools: tuple[str, ...]
    """Name and arguments of each tool call that was executed, in order."""
    model_calls: int
    tokens: int
    seconds: float


@dataclass(frozen=True)
class Score:
    """One scenario, scored; None: not scored, since nothing of that kind was expected."""

    scenario: str
    family: str
    variant: str
    language: str
    expected: str
    released: str
    is_right: bool
    """What was expected was released, with the right entity and mechanism; or rightly nothing was."""
    is_wrong: bool
    """A cause or a claim was released that the answer does not hold."""
    closure: float | None
    """Share of the milestones that a cited item meets; None unless a cause was expected and released."""
    outcome: str
    stop_reason: str
    tool_calls: int
    redundant_calls: int
    """Executed calls that repeat an earlier one of the run word for word."""
    model_calls: int
    tokens: int
    seconds: float
    conclusion: str

    @property
    def is_silent(self) -> bool:
        """Nothing was released where something could have been."""
        return self.released == Released.NONE and self.expected != Expected.NO_CAUSE


def score(scenario: Scenario, ended: Ended) -> Score:
    """The score of one finished diagnosis."""
    answer = scenario.answer
    is_right = _is_right(answer, ended)
    has_claim = ended.released is not Released.NONE
    return Score(
        scenario=scenario.name,
        family=scenario.family,
        variant=scenario.variant,
        language=scenario.language,
        expected=answer.expected,
        released=ended.released,
        is_right=is_right,
        is_wrong=has_claim and not is_right and _claims_a_cause(scenario, ended),
        closure=_closure(answer, ended),
        outcome=ended.outcome,
        stop_reason=ended.stop_reason,
        tool_calls=len(ended.tools),
        redundant_calls=len(ended.tools) - len(set(ended.tools)),
        model_calls=ended.model_calls,
        tokens=ended.tokens,
        seconds=ended.seconds,
        conclusion=ended.conclusion,
    )


def names_cause(text: str, cause: Cause) -> bool:
    """True if the text names one of the entities and every group of the mechanism."""
    groups = (cause.entities, *cause.mechanism)
    return all(holds_any(text, group) for group in groups)


def holds_any(text: str, terms: Iterable[str]) -> bool:
    """True if one of the terms stands in the text, in any letter case."""
    told = text.lower()
    return any(term.lower() in told for term in terms)


def _is_right(answer: Answer, ended: Ended) -> bool:
    if holds_any(ended.conclusion, answer.forbidden):
        return False
    if answer.expected is Expected.NO_CAUSE:
        return ended.released is not Released.CAUSE
    if answer.expected is Expected.OBSERVATION:
        return ended.released is Released.OBSERVATION
    assert answer.cause is not None
    return ended.released is Released.CAUSE and names_cause(ended.conclusion, answer.cause)


def _claims_a_cause(scenario: Scenario, ended: Ended) -> bool:
    """An observation is wrong only where it holds what must not be said."""
    return ended.released is Released.CAUSE or holds_any(ended.conclusion, scenario.answer.forbidden)


def _closure(answer: Answer, ended: Ended) -> float | None:
    if answer.expected is not Expected.CAUSE or ended.released is not Released.CAUSE:
        return None
    met = [any(holds_any(text, milestone.markers) for text in ended.cited) for milestone in answer.milestones]
    return sum(met) / len(met) if met else None


FAULTLESS = frozenset({Variant.NO_FAULT, Variant.MISSING_SOURCE})
"""Variants in which any cause is a wrong one."""
