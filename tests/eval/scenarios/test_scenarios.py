"""The scenarios: the same for the same seed, right by construction, and scored by what was released."""

import json
from collections.abc import Iterator
from dataclasses import asdict

import pytest

from eval.scenarios.figures import figures, floors
from eval.scenarios.model import Answer, Cause, Expected, Milestone, Scenario, Variant
from eval.scenarios.registry import FAMILIES, scenarios
from eval.scenarios.scoring import Ended, Released, score
from worlds.generate.model import World

SEEDS = (3, 8)


@pytest.fixture(scope="module")
def every() -> list[Scenario]:
    return list(scenarios(SEEDS))


def told(world: World) -> str:
    """Everything that a tool could find in the world."""
    lines = [line.text for own in world.text_logs.values() for line in own]
    rows = [
        json.dumps([table.name, *(name for name, _ in table.columns), *row])
        for table in world.tables
        for row in table.rows
    ]
    return "\n".join([*(event.message for event in world.events), *lines, *rows])


def of(every: list[Scenario], *variants: Variant) -> Iterator[Scenario]:
    return (one for one in every if one.variant in variants)


def test_each_family_has_every_variant_and_both_languages(every: list[Scenario]) -> None:
    assert len(every) == len(FAMILIES) * len(Variant) * len(SEEDS) == len({one.name for one in every})
    for family in FAMILIES:
        own = [one for one in every if one.family == family.name]
        assert {one.variant for one in own} == set(Variant)
        assert {one.language.value for one in own} == {"en", "zh"}


def test_the_same_seed_gives_the_same_scenarios_and_another_seed_others(every: list[Scenario]) -> None:
    assert list(scenarios(SEEDS)) == every
    one, other = (next(scenarios([seed])) for seed in SEEDS)
    assert one.world.times.onset_at != other.world.times.onset_at


def test_the_proof_is_there_exactly_where_a_cause_is_expected(every: list[Scenario]) -> None:
    for one in of(every, Variant.FAULT, Variant.HERRING, Variant.DUAL, Variant.ALERT):
        found = told(one.world)
        assert one.answer.milestones
        assert all(any(marker in found for marker in step.markers) for step in one.answer.milestones), one.name
    by_name = {family.name: family for family in FAMILIES}
    for one in of(every, Variant.NO_FAULT, Variant.MISSING_SOURCE):
        family = by_name[one.family]
        found = told(one.world)
        proof = [step for step in family.milestones(family.cast(one.seed)) if step.name == "telltale"]
        assert proof and not any(marker in found for step in proof for marker in step.markers), one.name


def test_no_question_names_the_cause(every: list[Scenario]) -> None:
    for family in FAMILIES:
        for seed in SEEDS:
            groups = family.cause(family.cast(seed)).mechanism
            for one in (one for one in every if (one.family, one.seed) == (family.name, seed)):
                assert not all(any(term.lower() in one.question.lower() for term in group) for group in groups)


def test_each_cause_is_a_section_of_the_library() -> None:
    from worlds import library_path

    for family in FAMILIES:
        cause = family.cause(family.cast(1))
        assert f"### {cause.section}\n" in (library_path() / cause.runbook).read_text(encoding="utf-8")


CAUSE = Cause(("checkout",), (("leak", "泄漏"), ("connection",)), "page.md", "section")
ANSWER = Answer(
    Expected.CAUSE, CAUSE, ("deadlock",), (Milestone("symptom", ("timed out",)), Milestone("change", ("5.35",)))
)


def ended(released: Released, text: str, cited: tuple[str, ...] = ()) -> Ended:
    return Ended(released, text, cited, "SUCCESS", "", ("query_logs a", "query_logs a", "query_sql b"), 4, 900, 1.5)


@pytest.mark.parametrize(
    ("expected", "released", "text", "right", "wrong"),
    [
        (Expected.CAUSE, Released.CAUSE, "A connection leak in checkout", True, False),
        (Expected.CAUSE, Released.CAUSE, "A connection leak in payments", False, True),
        (Expected.CAUSE, Released.CAUSE, "A deadlock and a connection leak in checkout", False, True),
        (Expected.CAUSE, Released.NONE, "", False, False),
        (Expected.CAUSE, Released.OBSERVATION, "12 errors in checkout", False, False),
        (Expected.NO_CAUSE, Released.NONE, "", True, False),
        (Expected.NO_CAUSE, Released.CAUSE, "A connection leak in checkout", False, True),
        (Expected.OBSERVATION, Released.OBSERVATION, "12 errors in checkout", True, False),
        (Expected.OBSERVATION, Released.OBSERVATION, "12 errors by a deadlock", False, True),
        (Expected.OBSERVATION, Released.CAUSE, "A leak", False, True),
    ],
)
def test_a_release_is_right_wrong_or_neither(
    every: list[Scenario], expected: Expected, released: Released, text: str, right: bool, wrong: bool
) -> None:
    answer = Answer(expected, CAUSE if expected is Expected.CAUSE else None, ANSWER.forbidden, ANSWER.milestones)
    scored = score(Scenario(**{**vars(every[0]), "answer": answer}), ended(released, text))

    assert (scored.is_right, scored.is_wrong) == (right, wrong)
    assert (scored.tool_calls, scored.redundant_calls) == (3, 1)


def test_closure_is_the_share_of_steps_that_something_cited_meets(every: list[Scenario]) -> None:
    scenario = Scenario(**{**vars(every[0]), "answer": ANSWER})

    assert score(scenario, ended(Released.CAUSE, "x", ("request timed out",))).closure == 0.5
    assert score(scenario, ended(Released.NONE, "")).closure is None


def test_figures_are_the_same_for_the_same_scores_and_floors_know_no_evidence(every: list[Scenario]) -> None:
    low = floors(every)
    silent, usual = figures(low["always silent"]), figures(low["most frequent cause"])

    assert asdict(figures(low["always silent"])) == asdict(silent)
    assert (silent.accuracy.value, silent.wrong.value, silent.silent.value) == (0, 0, 1)
    assert 0 < usual.accuracy.value < 1 and usual.wrong_when_faultless.value == 1
    assert silent.closure.shown().startswith("unscored")
