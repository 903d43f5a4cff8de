"""The bundled worlds, end to end: real sources, real index, the offline reasoner. Another world, another answer."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

import pytest

from config.settings import Settings
from graph.app import open_app
from graph.documents import ingest
from state.model.diagnosis import RunOptions
from state.model.enums import AnalysisKind, EvidenceKind, Language, ReleaseOutcome
from state.model.release import DiagnosisReport, RunResult, SafeFallback
from worlds import build_world
from worlds.answers import ExpectedAnswer, expected_answer

pytestmark = pytest.mark.xdist_group("worlds")
"""One worker: they share one knowledge index, and one process may hold it."""


@dataclass(frozen=True)
class Diagnosed:
    """One world's run and what was expected of it."""

    result: RunResult
    expected: ExpectedAnswer

    @property
    def cause(self) -> str:
        """Text of the published conclusion; empty if none was published."""
        content = self.result.content
        conclusion = content.draft.conclusion if isinstance(content, DiagnosisReport) else None
        return conclusion.text if conclusion else ""

    @property
    def names_the_cause(self) -> bool:
        told = self.cause.lower()
        return all(any(term.lower() in told for term in group) for group in self.expected.cause_terms)

    @property
    def names_a_wrong_one(self) -> bool:
        told = self.cause.lower()
        return any(term.lower() in told for term in self.expected.wrong_terms)


class Bench:
    """Diagnoses each world once, in one home folder."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._done: dict[tuple[str, str | None, int], Diagnosed] = {}

    def diagnose(self, name: str, variant: str | None = None, seed: int = 104) -> Diagnosed:
        key = (name, variant, seed)
        if key not in self._done:
            question = expected_answer(name, seed=seed, variant=variant).question
            self._done[key] = self.ask(question, name, variant, seed)
        return self._done[key]

    def ask(self, question: str, name: str, variant: str | None = None, seed: int = 104) -> Diagnosed:
        return asyncio.run(self._ask(question, name, variant, seed))

    async def _ask(self, question: str, name: str, variant: str | None, seed: int) -> Diagnosed:
        world = self._home / f"{name}-{variant}-{seed}"
        if not world.exists():
            build_world(name, world, seed=seed, variant=variant)
        expected = expected_answer(name, seed=seed, variant=variant)
        async with open_app(Settings(home=self._home / "home"), world) as app:
            request = {"query": question, "run_id": app.new_run_id()}
            result = await app.diagnose(request, RunOptions(), lambda _: None)  # type: ignore[arg-type]
        return Diagnosed(result, expected)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("worlds"))


def test_the_exhausted_pool_is_named_with_its_cause(bench: Bench) -> None:
    done = bench.diagnose("payment-timeouts")

    assert done.result.outcome is ReleaseOutcome.SUCCESS
    assert done.names_the_cause
    assert "Pool" in done.cause


def test_its_normal_analyses_cite_telemetry_of_this_run(bench: Bench) -> None:
    content = bench.diagnose("payment-timeouts").result.content

    assert isinstance(content, DiagnosisReport)
    kinds = {(view.tool_call_id, item.item_id): item.kind for view in content.evidence for item in view.items}
    cited = [
        kinds[quote.tool_call_id, quote.item_id]
        for analysis in content.draft.analysis
        if analysis.kind is AnalysisKind.NORMAL
        for quote in analysis.quotes
    ]
    assert EvidenceKind.TELEMETRY in cited


@pytest.mark.parametrize(
    ("name", "variant"), [("payment-healthy", None), ("no-evidence", None), ("no-evidence", "unknown-service")]
)
def test_where_nothing_proves_a_cause_none_is_named(bench: Bench, name: str, variant: str | None) -> None:
    done = bench.diagnose(name, variant)

    assert done.result.outcome is ReleaseOutcome.FALLBACK
    assert isinstance(done.result.content, SafeFallback)
    assert done.cause == ""


def test_a_chinese_question_finds_the_dependency_two_hops_away_in_chinese(bench: Bench) -> None:
    done = bench.diagnose("downstream-dependency")

    assert done.result.language is Language.ZH
    assert done.names_the_cause
    assert any("\u4e00" <= char <= "\u9fff" for char in done.cause)


@pytest.mark.parametrize("variant", [None, "other-cause"])
def test_no_world_gets_a_wrong_cause(bench: Bench, variant: str | None) -> None:
    for name in ("payment-timeouts", "slow-query-after-deploy"):
        done = bench.diagnose(name, variant)
        assert not done.names_a_wrong_one
        assert done.names_the_cause or not done.cause


def test_another_service_in_the_data_is_another_service_in_the_answer(bench: Bench) -> None:
    usual, other = bench.diagnose("payment-timeouts"), bench.diagnose("payment-timeouts", "other-service")

    assert other.names_the_cause
    assert other.expected.affected != usual.expected.affected
    assert other.cause != usual.cause


def test_another_cause_behind_the_same_symptom_changes_the_answer(bench: Bench) -> None:
    usual, other = bench.diagnose("payment-timeouts"), bench.diagnose("payment-timeouts", "other-cause")

    assert usual.expected.question == other.expected.question
    assert "leak" in usual.cause
    assert "leak" not in other.cause


def test_other_names_and_numbers_are_other_names_and_numbers_in_the_answer(bench: Bench) -> None:
    one, other = bench.diagnose("payment-timeouts"), bench.diagnose("payment-timeouts", seed=7)

    assert other.names_the_cause
    assert one.cause != other.cause


def test_the_same_question_in_chinese_is_answered_in_chinese(bench: Bench) -> None:
    done = bench.ask("为什么从 14:05 开始支付超时？", "payment-timeouts")

    assert done.result.language is Language.ZH
    content = done.result.content
    told = done.cause if isinstance(content, DiagnosisReport) else getattr(content, "summary", "")
    assert any("\u4e00" <= char <= "\u9fff" for char in told)
    assert not done.names_a_wrong_one


def test_documents_people_added_do_not_reach_a_world_that_declares_the_bundled_runbooks(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    alarm = tmp_path / "alarm.md"
    alarm.write_text(f"# Payments time out\n\n## Cause\n\n{'payment-service times out, connection leak. ' * 20}\n")
    ingest(Settings(home=tmp_path / "home"), [alarm], category="runbook", progress=lambda _: None)

    assert bench.diagnose("payment-timeouts").names_the_cause
