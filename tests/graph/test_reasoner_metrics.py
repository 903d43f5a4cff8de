"""Made worlds with metrics, alerts or nothing but a database, end to end: the offline reasoner reads them all."""

import asyncio
from pathlib import Path

import pytest

from config.settings import Settings
from graph.app import open_app
from state.model.diagnosis import RunOptions
from state.model.draft import Conclusion
from state.model.enums import ConclusionKind, DerivedOp, Language, ReleaseOutcome
from state.model.errors import Misconfigured
from state.model.release import DiagnosisReport, RunResult
from tests.models.offline.db_worlds import MadeDb, write_db_world
from tests.models.offline.metric_worlds import Made, write_world

pytestmark = pytest.mark.xdist_group("reasoner-metrics")
"""One worker: the worlds share one knowledge index, and one process may hold it."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


def ask(home: Path, world: Path, question: str) -> RunResult:
    async def run() -> RunResult:
        async with open_app(Settings(home=home), world) as app:
            request = {"query": question, "run_id": app.new_run_id()}
            return await app.diagnose(request, RunOptions(), lambda _: None)  # type: ignore[arg-type]

    return asyncio.run(run())


def report(result: RunResult) -> DiagnosisReport:
    assert isinstance(result.content, DiagnosisReport), result.content
    return result.content


def conclusion(result: RunResult) -> Conclusion:
    found = report(result).draft.conclusion
    assert found is not None
    return found


def cited(result: RunResult) -> set[str]:
    """First part of the ids of all quoted items."""
    quotes = (quote for analysis in report(result).draft.analysis for quote in analysis.quotes)
    return {quote.item_id.split(":")[0] for quote in quotes}


def test_a_cause_is_named_from_a_log_telltale_and_a_metric_that_moved_before(home: Path, tmp_path: Path) -> None:
    made = Made(3)

    result = ask(home, write_world(made, tmp_path / "world"), made.question)

    assert made.cause.phrase in conclusion(result).text
    assert f"{made.metric(made.cause)} of {made.service} shifted from" in conclusion(result).text
    assert "ser" in cited(result)
    derived = [one for analysis in report(result).draft.analysis for one in analysis.derived]
    assert [one.op for one in derived] == [DerivedOp.DURATION]


def test_without_a_fault_metrics_and_an_unrelated_alert_give_no_cause(home: Path, tmp_path: Path) -> None:
    made = Made(1, has_fault=False)

    result = ask(home, write_world(made, tmp_path / "world", alerts="unrelated"), made.question)

    assert result.outcome is ReleaseOutcome.FALLBACK


@pytest.mark.parametrize("decoy", ["others", "late"])
def test_symptoms_and_a_metric_that_moved_elsewhere_or_too_late_give_no_cause(
    home: Path, tmp_path: Path, decoy: str
) -> None:
    made = Made(2, is_symptom_only=True, decoy=decoy)

    result = ask(home, write_world(made, tmp_path / "world", alerts="both"), made.question)

    assert result.outcome is ReleaseOutcome.FALLBACK


def test_an_unrelated_firing_alert_does_not_change_the_cause(home: Path, tmp_path: Path) -> None:
    made = Made(4)

    result = ask(home, write_world(made, tmp_path / "world", alerts="unrelated"), made.question)

    assert made.cause.phrase in conclusion(result).text
    assert made.other not in conclusion(result).text


@pytest.mark.parametrize("question", ["Is alert {alert} firing?", "告警 {alert} 正在触发吗？"])
def test_whether_an_alert_fires_is_answered_and_nothing_more(home: Path, tmp_path: Path, question: str) -> None:
    made = Made(3)
    world = write_world(made, tmp_path / "world", logs=False, metrics=False, alerts="both")

    result = ask(home, world, question.format(alert=made.family.alert))

    found = conclusion(result)
    assert found.kind is ConclusionKind.OBSERVATION
    assert made.family.alert in found.text
    assert "PrinterTrayLow" not in found.text
    assert cited(result) == {"alert"}


def test_an_alert_that_does_not_fire_is_an_absence_in_its_own_scope(home: Path, tmp_path: Path) -> None:
    made = Made(3)
    world = write_world(made, tmp_path / "world", logs=False, metrics=False, alerts="unrelated")

    result = ask(home, world, f"Is alert {made.family.alert} firing?")

    assert conclusion(result).kind is ConclusionKind.OBSERVATION
    assert "Nothing was found in alerts" in conclusion(result).text


def test_the_value_of_a_metric_is_answered_with_its_numbers(home: Path, tmp_path: Path) -> None:
    made = Made(2)
    metric = made.metric(made.cause)
    question = f"What is {metric} of {made.service} since {made.asked_at:%H:%M}?"

    result = ask(home, write_world(made, tmp_path / "world"), question)

    assert conclusion(result).kind is ConclusionKind.OBSERVATION
    assert f"{metric} of {made.service}: “mean " in conclusion(result).text


def test_a_database_alone_names_a_cause_from_a_change_and_the_rows_that_fail_after_it(
    home: Path, tmp_path: Path
) -> None:
    made = MadeDb(1)

    result = ask(home, write_db_world(made, tmp_path / "world"), made.question)

    assert made.phrase in conclusion(result).text
    assert "config_changes" in conclusion(result).text


@pytest.mark.parametrize("change", ["unrelated", "others"])
def test_failing_rows_without_their_change_give_no_cause(home: Path, tmp_path: Path, change: str) -> None:
    made = MadeDb(0, change=change)

    result = ask(home, write_db_world(made, tmp_path / "world"), made.question)

    assert result.outcome is ReleaseOutcome.FALLBACK


def test_a_chinese_question_is_answered_in_chinese_from_metrics_and_logs(home: Path, tmp_path: Path) -> None:
    made = Made(1)

    result = ask(home, write_world(made, tmp_path / "world", zh_runbook=True), made.question_zh)

    assert result.language is Language.ZH
    assert made.cause.zh_phrase in conclusion(result).text


@pytest.mark.parametrize(("file", "named"), [("alerts.json", "alerts.json"), ("metrics/bad.csv", "metrics/bad.csv")])
def test_a_broken_source_of_the_world_stops_the_start_and_is_named(
    home: Path, tmp_path: Path, file: str, named: str
) -> None:
    made = Made(1)
    world = write_world(made, tmp_path / "world", alerts="own")
    (world / file).write_text("{bad")

    with pytest.raises(Misconfigured, match=named):
        ask(home, world, made.question)
