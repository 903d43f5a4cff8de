"""Drafts that people made wrong in meaning only (``eval.reviewer``), tried beside a correct one of their incident."""

from functools import cache

from eval.adversary.correct_drafts import Source
from eval.adversary.operators.operator import Mutate, Mutation, MutationClass, Operator
from eval.adversary.operators.scene import Scene
from eval.reviewer.cases import CaseKind, ReviewCase, load_cases
from worlds.generate.dice import Dice

_SENTENCES = {
    CaseKind.SWAPPED: "By hand: cause and effect changed places.",
    CaseKind.WRONG_SERVICE: "By hand: another service of the evidence is blamed.",
    CaseKind.CAUSE_AFTER_EFFECT: "By hand: what is named as the cause began later than its effect.",
    CaseKind.SYMPTOM_AS_CAUSE: "By hand: a link in the middle of the chain is presented as its beginning.",
    CaseKind.NEGATION: "By hand: affirms what the evidence denies, or the reverse.",
    CaseKind.ALTERNATIVE: "By hand: another cause of the runbook that the telemetry excludes.",
    CaseKind.WRONG_NUMBER: "By hand: a number of the evidence attached to another subject.",
    CaseKind.OVER_GENERAL: "By hand: one place is made the whole system.",
}


@cache
def _cases() -> tuple[ReviewCase, ...]:
    return load_cases()


def _incident(name: str) -> str:
    return name.rpartition("-")[0]


def _planted(kind: CaseKind) -> Mutate:
    def mutate(scene: Scene, dice: Dice) -> Mutation | None:
        if scene.origin.source is not Source.REVIEW_SET:
            return None
        incident = _incident(scene.origin.name)
        found = [case for case in _cases() if case.kind is kind and _incident(case.name) == incident]
        return Mutation(dice.choice(found).draft) if found else None

    return mutate


PLANTED_OPERATORS = tuple(
    Operator(f"planted {kind.value.replace('_', ' ')}", MutationClass.SEMANTIC, sentence, _planted(kind))
    for kind, sentence in _SENTENCES.items()
)
