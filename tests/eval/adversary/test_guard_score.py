"""The mutation score: figures worked by hand, a small real run against its baseline, and guards switched off."""

import math
from pathlib import Path

import pytest

from eval.adversary.baseline import drops, read_baseline, write_baseline
from eval.adversary.correct_drafts import Source, written_drafts
from eval.adversary.guard_score import BOUNDS, SMALL, GuardScore, as_json, gates, measure_small, score, section_of
from eval.adversary.mutation_run import Tally
from eval.adversary.operators.operator import MutationClass, Operator
from eval.adversary.operators.table import OPERATORS
from eval.adversary.rates import Rate, percent
from eval.adversary.section import Gate, failed
from service.eval_command import run_evaluation

DRAFTS = tuple(one for one in written_drafts() if one.source is Source.REVIEW_SET)[2:12]


def operator(name: str) -> Operator:
    return next(one for one in OPERATORS if one.name == name)


def tally(caught: int, missed: int, name: str = "number off by one") -> Tally:
    return Tally(operator(name), by_evidence=caught, missed=missed)


def small_score(*names: str, baseline: dict[str, Rate] | None = None) -> GuardScore:
    return score("test", DRAFTS, [operator(name) for name in names], tries=4, baseline=baseline or {})


def gate(measured: GuardScore, start: str) -> Gate:
    return next(one for one in gates(measured) if one.name.startswith(start))


# figures


def test_wilson_intervals_are_those_of_the_textbook() -> None:
    low, high = Rate(8, 10).interval

    assert math.isclose(low, 0.4902, abs_tol=1e-4)
    assert math.isclose(high, 0.9433, abs_tol=1e-4)
    assert Rate(0, 10).interval[0] == 0
    assert math.isclose(Rate(10, 10).interval[0], 0.7225, abs_tol=1e-4)


def test_nothing_counted_is_no_rate() -> None:
    assert Rate(0, 0).share is None
    assert percent(Rate(0, 0)) == "–"
    assert percent(Rate(8, 10)) == "80 % (49–94.3)"


# baseline


def test_a_rate_that_fell_beyond_chance_is_named() -> None:
    assert list(drops([tally(20, 40)], {"number off by one": Rate(60, 60)})) == [
        "number off by one fell from 100.0% to 33.3%"
    ]


def test_one_miss_where_there_was_none_is_a_drop() -> None:
    assert list(drops([tally(59, 1)], {"number off by one": Rate(60, 60)}))


def test_what_chance_explains_is_no_drop() -> None:
    assert list(drops([tally(26, 34)], {"number off by one": Rate(30, 60)})) == []


def test_an_operator_that_applies_to_nothing_any_more_is_named() -> None:
    assert list(drops([tally(0, 0)], {"number off by one": Rate(60, 60)})) == [
        "number off by one applies to no draft any more"
    ]


def test_a_baseline_is_kept_beside_those_of_other_sizes(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"

    write_baseline("one", [tally(3, 1)], path)
    write_baseline("other", [tally(4, 0)], path)

    assert read_baseline(path) == {"one": {"number off by one": Rate(3, 4)}, "other": {"number off by one": Rate(4, 4)}}


# gates


def test_every_class_has_a_bound_and_a_gate() -> None:
    assert set(BOUNDS) == set(MutationClass)

    measured = GuardScore("test", (), tuple(Tally(one, by_evidence=1) for one in OPERATORS))

    assert {one.name.split(":")[0] for one in gates(measured) if "wrong drafts" in one.name} == set(MutationClass)


def test_a_class_without_a_single_try_does_not_hold() -> None:
    assert not gate(GuardScore("test", (), (tally(0, 0),)), "number").holds


def test_no_correct_draft_at_all_does_not_hold() -> None:
    assert not gate(GuardScore("test", (), ()), "correct drafts stopped by the evidence guard").holds


# a real run


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> GuardScore:
    return measure_small(tmp_path_factory.mktemp("small"))


@pytest.mark.xdist_group("worlds")
def test_no_operator_catches_less_than_its_baseline(measured: GuardScore) -> None:
    assert read_baseline()[SMALL]
    assert measured.dropped == ()


@pytest.mark.xdist_group("worlds")
def test_forged_citations_are_all_stopped(measured: GuardScore) -> None:
    caught = gate(measured, "citation")

    assert caught.value == 1


@pytest.mark.xdist_group("worlds")
def test_the_page_names_every_operator_and_every_class(measured: GuardScore) -> None:
    body = section_of(measured).body

    assert all(f"| {one.name} |" in body for one in OPERATORS)
    assert all(f"| {one.value} |" in body for one in MutationClass)
    assert as_json(measured)["label"] == SMALL


@pytest.mark.xdist_group("worlds")
def test_played_drafts_are_among_the_correct_ones(measured: GuardScore) -> None:
    played = [one for one in measured.untouched if one.origin.source is Source.WORLDS]

    assert {one.origin.language for one in played} == {"en", "zh"}
    assert len(played) == 6


# a rule switched off


def test_quotes_that_nobody_checks_turn_the_gate_red_and_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    before = small_score("citation quote altered")
    baseline = {one.operator.name: Rate(one.caught, one.tries) for one in before.tallies}
    monkeypatch.setattr("guards.grounds.holds_quote", lambda text, quote: True)

    after = small_score("citation quote altered", baseline=baseline)

    assert gate(before, "citation").holds
    assert {one.name for one in failed([section_of(after)])} >= {
        "citation: wrong drafts stopped",
        f"operators below their baseline: {after.dropped[0]}",
    }
    assert after.dropped[0].startswith("citation quote altered fell from 100.0% to ")


def test_numbers_that_nobody_checks_turn_the_gate_red_and_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    baseline = {"number digit changed": Rate(4, 4)}
    monkeypatch.setattr("guards.claims.check.extract_claims", lambda *_: ())

    after = small_score("number digit changed", baseline=baseline)

    assert not gate(after, "number").holds
    assert "number digit changed" in gate(after, "operators below their baseline").name


def test_equal_arguments_give_equal_figures() -> None:
    names = ("number digit changed", "polarity negation added", "meaning blame")

    assert as_json(small_score(*names)) == as_json(small_score(*names))


# the command


def test_the_evaluation_answers_behind_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    code = run_evaluation(["--help"])
    said = capsys.readouterr().out

    assert code == 0
    assert all(name in said for name in ("guard", "page", "adversary", "injection"))


def test_a_part_that_is_unknown_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_evaluation(["gard"]) == 2
    assert "gard" in capsys.readouterr().err
