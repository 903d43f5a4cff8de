"""Mutation operators: each makes a legal draft that is wrong for sure, in both languages, the same every time."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from eval.adversary.correct_drafts import CorrectDraft, written_drafts
from eval.adversary.operators.citations import with_analysis
from eval.adversary.operators.decoys import Decoy, decoy_id, with_decoys
from eval.adversary.operators.operator import Mutation, MutationClass, Operator
from eval.adversary.operators.scene import Scene, with_text
from eval.adversary.operators.stock import stock_of
from eval.adversary.operators.table import OPERATORS
from eval.adversary.telling import difference
from guards.evidence import judge
from state.model.draft import Draft, parse_draft, shown_texts
from state.model.enums import Coverage, EvidenceKind, EvidenceOutcome, EvidenceStatus, Language, ViolationCode
from state.model.evidence import Item, Projection, Scope
from state.model.ids import ToolCallId
from worlds.generate.dice import dice_for

DRAFTS = tuple(one for one in written_drafts() if one.draft.conclusion)
SCENES = tuple(Scene(one) for one in DRAFTS[::4])
DECOY_CODES = {
    Decoy.FOREIGN: ViolationCode.INVOCATION_NOT_REFERENCABLE,
    Decoy.FAILED: ViolationCode.INVOCATION_NOT_REFERENCABLE,
    Decoy.PROJECTING: ViolationCode.INVOCATION_NOT_REFERENCABLE,
    Decoy.EXPIRED: ViolationCode.EVIDENCE_EXPIRED,
    Decoy.TAMPERED: ViolationCode.PROJECTION_INVALID,
}
ONLY_WORLDS = {
    "meaning quotes swapped",
    "meaning rival cause",
    "meaning symptom as cause",
    "kind runbook name as cause",
    "kind hypothesis supported by nothing",
    "kind hypothesis excluded by nothing",
}
"""They need what only the offline reasoner writes, or headings of the bundled runbooks."""


def named(name: str) -> Operator:
    return next(one for one in OPERATORS if one.name == name)


def mutations(operator: Operator, scenes: tuple[Scene, ...] = SCENES) -> Iterator[tuple[Scene, Mutation]]:
    for scene in scenes:
        mutation = operator.mutate(scene, dice_for(7, scene.origin.name, operator.name))
        if mutation is not None:
            yield scene, mutation


def evidence(text: str, **fields: str | int) -> Projection:
    item = Item(item_id="i", kind=EvidenceKind.TELEMETRY, text=text, fields=dict(fields))
    return Projection(
        tool_call_id=ToolCallId("c"),
        tool="query_logs",
        scope=Scope(source="logs"),
        coverage=Coverage.COMPLETE,
        evidence_status=EvidenceStatus.EVIDENCE_FOUND,
        truncated=False,
        items=(item,),
    )


# the table


def test_names_are_unique_and_every_class_has_operators() -> None:
    assert len({one.name for one in OPERATORS}) == len(OPERATORS)
    assert {one.of_class for one in OPERATORS} == set(MutationClass)
    assert all(one.sentence.endswith(".") for one in OPERATORS)


@pytest.mark.parametrize(
    "operator", [one for one in OPERATORS if one.name not in ONLY_WORLDS], ids=lambda one: one.name
)
def test_what_an_operator_makes_is_a_legal_other_draft_and_the_same_every_time(operator: Operator) -> None:
    made = list(mutations(operator)) or list(mutations(operator, tuple(map(Scene, DRAFTS))))

    assert made
    assert all(mutation.draft != (mutation.twin or scene.draft) for scene, mutation in made)
    assert all(isinstance(parse_draft(mutation.draft.model_dump_json()), Draft) for _, mutation in made)
    assert [m for s, m in made[:3]] == [
        operator.mutate(s, dice_for(7, s.origin.name, operator.name)) for s, _ in made[:3]
    ]


@pytest.mark.parametrize("of_class", MutationClass)
def test_every_class_applies_in_both_languages(of_class: MutationClass) -> None:
    operators = [one for one in OPERATORS if one.of_class is of_class]

    spoken = {scene.origin.language for one in operators for scene, _ in mutations(one)}

    assert spoken == {Language.EN, Language.ZH}


# wrong by construction


@pytest.mark.parametrize("name", ["number digit changed", "number off by one", "number badly rounded"])
def test_a_changed_number_stands_nowhere_in_the_run(name: str) -> None:
    for scene, mutation in mutations(named(name)):
        new = set(re.findall(r"\d+(?:\.\d+)?", changed_text(scene, mutation)))
        old = {number for _, text in shown_texts(scene.draft) for number in re.findall(r"\d+(?:\.\d+)?", text)}

        assert new - old
        assert not any(scene.stock.holds_exactly(number) for number in new - old)


def changed_text(scene: Scene, mutation: Mutation) -> str:
    before = dict(shown_texts(scene.draft))
    return next(text for path, text in shown_texts(mutation.draft) if before.get(path) != text)


@pytest.mark.parametrize(
    ("written", "held"),
    [
        ("4213", True),
        ("4.213", True),
        ("4,213", True),
        ("4200", True),
        ("4300", True),
        ("4218", False),
        ("70.2", True),
        ("42130", False),
        ("5213", False),
    ],
)
def test_the_stock_is_generous_with_conversions_and_roundings(written: str, held: bool) -> None:
    stock = stock_of([evidence("took 4213 ms", total=4213)], UTC)

    assert stock.holds_number(written) is held


def test_an_interval_between_two_instants_is_held_as_a_time_only() -> None:
    stock = stock_of([evidence("x", first="2026-05-12T09:14:03Z", last="2026-05-12T09:14:50Z")], UTC)

    assert stock.holds_number("47", is_time=True)
    assert not stock.holds_number("47")


def test_a_clock_is_held_in_every_zone_that_is_written() -> None:
    stock = stock_of([evidence("at 2026-05-12T09:14:03+08:00")], UTC)

    assert stock.holds_clock(9, 14)
    assert stock.holds_clock(1, 14, 3)
    assert not stock.holds_clock(9, 16)
    assert stock.holds_instant(datetime(2026, 5, 12, 1, 14, 3, tzinfo=UTC))


# records that may not be cited


def test_decoys_do_not_change_what_becomes_of_a_correct_draft() -> None:
    for one in DRAFTS[::8]:
        staged = with_decoys(one)

        assert len(staged.records) > len(one.records)
        assert outcome(one, one.draft) is outcome(staged, one.draft)


@pytest.mark.parametrize(("decoy", "code"), DECOY_CODES.items())
def test_a_decoy_is_refused_for_its_own_reason(decoy: Decoy, code: ViolationCode) -> None:
    origin = with_decoys(DRAFTS[0])
    analysis = origin.draft.analysis[0]
    call_id = decoy_id(decoy, analysis.tool_call_ids[0])
    quotes = tuple(quote.model_copy(update={"tool_call_id": call_id}) for quote in analysis.quotes)
    moved = analysis.model_copy(update={"tool_call_ids": (call_id,), "quotes": quotes})

    verdict = judge(with_analysis(origin.draft, 0, moved), origin.records, origin.context)

    assert code in {violation.code for violation in verdict.violations}


def outcome(origin: CorrectDraft, draft: Draft) -> EvidenceOutcome:
    return judge(draft, origin.records, origin.context).outcome


# telling


def test_a_difference_is_told_with_what_stands_around_it() -> None:
    right = DRAFTS[0].draft
    wrong = with_text(right, "limitations.scope", f"{right.limitations.scope} Nothing else.")

    assert difference(right, wrong).endswith("[ → Nothing else.]…")
    assert difference(right, wrong).startswith("limitations.scope: …")
