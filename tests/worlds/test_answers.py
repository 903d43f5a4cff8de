"""The right cause can be told from the wrong ones by telemetry, and only where there is one."""

from datetime import datetime

import pytest

from tests.worlds.conftest import OTHER_SEED, Built, BuiltWorlds
from tests.worlds.runbooks import Page
from tests.worlds.separation import Finding, rank_causes
from worlds import DEFAULT_SEED, bundled_worlds, library_path
from worlds.answers import ExpectedAnswer, expected_answer

KEYS = [
    (info.name, seed, variant)
    for info in bundled_worlds()
    for seed, variants in ((DEFAULT_SEED, (None, *info.variants)), (OTHER_SEED, (None,)))
    for variant in variants
]
WITH_CAUSE = [key for key in KEYS if expected_answer(key[0], seed=key[1], variant=key[2]).outcome == "SUCCESS"]
WITHOUT_CAUSE = [key for key in KEYS if key not in WITH_CAUSE]
FAILURE_MARKERS = (
    "leak detection triggered", "apparent connection leak", "is not available", "still waiting for", "idle=0,",
    "idle in transaction", "deadlock", "fatal", "panic", "probe failed", "seq scan on", "slowquery",
)  # fmt: skip


def answer_of(one: Built) -> ExpectedAnswer:
    return expected_answer(one.name, seed=one.seed, variant=one.variant)


def ranking(one: Built, library: tuple[Page, ...]) -> list[Finding]:
    times = one.times
    causes = [cause for page in library for cause in page.causes]
    return rank_causes(one.folder, one.records, causes, begin=times.begin_at, onset=times.onset_at, now=times.now_at)


@pytest.mark.parametrize("key", WITH_CAUSE, ids=str)
def test_right_cause_leads_by_a_margin(
    key: tuple[str, int, str | None], built: BuiltWorlds, library: tuple[Page, ...]
) -> None:
    first, second, *_ = ranking(built[key], library)

    assert first.cause.heading == answer_of(built[key]).section
    assert len(first.emerged) >= 3
    assert first.score >= 1.5 * second.score


@pytest.mark.parametrize("key", WITHOUT_CAUSE, ids=str)
def test_nothing_is_supported_where_there_is_no_cause(
    key: tuple[str, int, str | None], built: BuiltWorlds, library: tuple[Page, ...]
) -> None:
    assert all(len(finding.emerged) <= 1 for finding in ranking(built[key], library))


@pytest.mark.parametrize("key", WITHOUT_CAUSE, ids=str)
def test_worlds_without_a_cause_hold_no_failure_marker(key: tuple[str, int, str | None], built: BuiltWorlds) -> None:
    text = built[key].text

    assert [marker for marker in FAILURE_MARKERS if marker in text] == []


@pytest.mark.parametrize("key", WITH_CAUSE, ids=str)
def test_markers_and_component_occur_in_the_telemetry(key: tuple[str, int, str | None], built: BuiltWorlds) -> None:
    answer, text = answer_of(built[key]), built[key].text

    assert [term for term in (*answer.markers, *answer.affected) if term.casefold() not in text] == []


def test_every_answer_points_to_an_existing_section(library: tuple[Page, ...]) -> None:
    sections = {(page.name, cause.heading) for page in library for cause in page.causes}

    assert {
        (str(answer.runbook), answer.section)
        for answer in (expected_answer(key[0], seed=key[1], variant=key[2]) for key in WITH_CAUSE)
    } <= sections


def test_answers_are_in_no_generated_folder(built: BuiltWorlds) -> None:
    for one in built.values():
        names = {path.name for path in one.folder.rglob("*")}
        assert not names & {"answer.yml", "answers.py", "expected.json"}
        assert "cause_terms" not in one.text
    assert not list(library_path().rglob("*answer*"))


def test_warnings_and_errors_go_on_at_a_steady_rate_everywhere(built: BuiltWorlds) -> None:
    for one in built.values():
        assert n_alarms(one, one.times.begin_at, one.times.onset_at) > 60
        assert n_alarms(one, one.times.onset_at, one.times.now_at) > 15


def n_alarms(one: Built, start: datetime, end: datetime) -> int:
    within = (record.text for record in one.records if record.at and start <= record.at < end)
    return sum(1 for text in within if "\nWARN\n" in text or "\nERROR\n" in text)


def test_variant_changes_the_answer() -> None:
    plain, service, cause = (
        expected_answer("payment-timeouts", variant=variant) for variant in (None, "other-service", "other-cause")
    )

    assert plain.question == service.question == cause.question
    assert plain.affected != service.affected
    assert plain.section != cause.section


def test_asked_about_service_is_in_no_source(built: BuiltWorlds) -> None:
    one = built["no-evidence", DEFAULT_SEED, "unknown-service"]
    asked = answer_of(one).question.split(" does ")[1].split(" ")[0]

    assert asked not in one.text


def test_product_code_does_not_know_the_answers() -> None:
    root = library_path().parent.parent
    folders = ("graph", "nodes", "tools", "guards", "state", "models", "service", "config", "worlds")
    sources = [path for folder in folders for path in (root / folder).rglob("*.py")]

    assert len(sources) > 40
    assert [path.name for path in sources if "worlds.answers import" in path.read_text("utf-8")] == []
