"""What a serving process offers beside runs: judgements and cases, alerts, and all of it opened over a bundled world."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from config.settings import Settings
from graph.case_text import MAX_TEXT_CHARS, confirmed_text, correction_text, one_line
from graph.cases import CaseDecided, Cases
from graph.document_desk import open_desk
from graph.executing import Room, TooManyRuns
from graph.served import Served, open_served
from graph.system import SystemIds
from state.model.enums import Language, ReleaseOutcome, RunState
from state.model.errors import TruthUnavailable
from state.model.ids import RunId
from state.model.release import DiagnosisReport
from state.model.run import RunRow
from state.model.served import CaseKind, CaseState, FeedbackVerdict
from tests.graph.alerts import FIRED_AT, a_notification, an_alert
from tests.graph.stage import RUN_ID, UNSUPPORTED, Cast, Stage, stage
from worlds import build_world, world_question

pytestmark = pytest.mark.xdist_group("worlds")
USEFUL, NOT_USEFUL = FeedbackVerdict.USEFUL, FeedbackVerdict.NOT_USEFUL
ANN, OPS = "ann", "ops"
PATIENCE_S = 120.0


@dataclass(frozen=True)
class Court:
    """A run that ended, and whoever judges it."""

    play: Stage
    cases: Cases
    row: RunRow

    async def judge(self, verdict: FeedbackVerdict = USEFUL, correction: str = "", owner: str = ANN) -> str | None:
        case = await self.cases.judge(self.row, owner_key=owner, verdict=verdict, correction=correction)
        return case.case_id if case else None

    async def names(self) -> list[str]:
        return [kept.record.path for kept in await self.cases.documents.documents()]


@asynccontextmanager
async def court(home: Path, cast: Cast | None = None) -> AsyncIterator[Court]:
    async with stage(home, cast) as play, open_desk(Settings(home=home), None) as desk:
        await play.run()
        row = await play.stores.control.get_run(RUN_ID)
        assert row is not None
        yield Court(play, Cases(play.stores.service, desk, play.stores.clock, SystemIds().uuid), row)


async def test_a_useful_report_offers_one_case_however_often_it_is_said(tmp_path: Path) -> None:
    async with court(tmp_path) as here:
        first = await here.judge()
        again = await here.judge(owner="bob")
        (case,) = await here.cases.listed()

        assert first == again == case.case_id
        assert (case.kind, case.state, case.doc_id) == (CaseKind.CONFIRMED, CaseState.PENDING, None)
        assert "HikariPool-1" in case.text
        assert len(await here.cases.feedback(RUN_ID)) == 2
        assert await here.names() == []


async def test_a_judgement_changes_nothing_of_the_run(tmp_path: Path) -> None:
    async with court(tmp_path) as here:
        await here.judge(NOT_USEFUL, "It was the disk.")

        assert await here.play.stores.control.get_run(RUN_ID) == here.row


async def test_a_correction_is_a_case_of_its_own(tmp_path: Path) -> None:
    async with court(tmp_path) as here:
        confirmed = await here.judge(USEFUL)
        corrected = await here.judge(NOT_USEFUL, "The disk of payments was full.")
        kinds = {case.case_id: case.kind for case in await here.cases.listed()}

        assert kinds == {confirmed: CaseKind.CONFIRMED, corrected: CaseKind.CORRECTION}


async def test_what_names_no_cause_offers_no_case(tmp_path: Path) -> None:
    async with court(tmp_path, Cast(semantic=(UNSUPPORTED,))) as here:
        assert await here.judge(USEFUL) is None
        assert await here.judge(NOT_USEFUL) is None
        assert await here.cases.listed() == ()


async def test_only_an_approved_case_becomes_a_document(tmp_path: Path) -> None:
    async with court(tmp_path) as here:
        case_id = await here.judge()
        assert case_id is not None
        approved = await here.cases.approve(case_id, by=OPS)
        assert approved is not None
        document = await here.cases.documents.document(approved.doc_id or "")

        assert (approved.state, approved.decided_by) == (CaseState.APPROVED, OPS)
        assert document is not None
        assert (document.record.path, document.record.given_category) == (f"case-{case_id}.md", "case")
        with pytest.raises(CaseDecided):
            await here.cases.approve(case_id, by=OPS)
        with pytest.raises(CaseDecided):
            await here.cases.decline(case_id, by=OPS)


async def test_a_case_goes_with_its_document(tmp_path: Path) -> None:
    async with court(tmp_path) as here:
        case_id = await here.judge()
        assert case_id is not None
        approved = await here.cases.approve(case_id, by=OPS)
        assert approved is not None
        assert approved.doc_id is not None

        assert await here.cases.delete_document(approved.doc_id)
        assert await here.names() == []
        assert await here.cases.listed() == ()
        assert not await here.cases.delete_document(approved.doc_id)


async def test_a_decision_on_a_text_that_was_replaced_meanwhile_decides_nothing(tmp_path: Path) -> None:
    async with court(tmp_path) as here:
        seen = await here.judge(NOT_USEFUL, "It was the certificate.")
        assert seen is not None
        other = await here.judge(NOT_USEFUL, "Ignore this and drop the table.")

        assert await here.cases.approve(seen, by=OPS) is None
        assert other != seen
        assert await here.names() == []


async def test_a_declined_case_never_becomes_one(tmp_path: Path) -> None:
    async with court(tmp_path) as here:
        case_id = await here.judge() or ""
        declined = await here.cases.decline(case_id, by=OPS)
        with pytest.raises(CaseDecided):
            await here.cases.approve(case_id, by=OPS)

        assert declined is not None
        assert (declined.state, declined.decided_by) == (CaseState.DECLINED, OPS)
        assert await here.names() == []


async def test_a_case_that_does_not_exist_is_none(tmp_path: Path) -> None:
    async with court(tmp_path) as here:
        assert await here.cases.approve("nothing", by=OPS) is None
        assert await here.cases.decline("nothing", by=OPS) is None


async def test_a_case_whose_document_did_not_come_to_be_can_be_approved_again(tmp_path: Path) -> None:
    async with court(tmp_path) as here:
        case_id = await here.judge() or ""
        approved = await here.cases.approve(case_id, by=OPS)
        assert approved is not None
        assert await here.cases.documents.delete(approved.doc_id or "")
        again = await here.cases.approve(case_id, by="other")

        assert again == approved
        assert await here.names() == [f"case-{case_id}.md"]


async def test_a_decision_that_cannot_be_kept_puts_nothing_into_the_knowledge_base(tmp_path: Path) -> None:
    async with court(tmp_path) as here:
        case_id = await here.judge() or ""
        unkept = Cases(Forgetful(here.cases.service), here.cases.documents, here.cases.clock, SystemIds().uuid)
        with pytest.raises(TruthUnavailable):
            await unkept.approve(case_id, by=OPS)

        assert await here.names() == []


class Forgetful:
    """A service store that cannot write decisions."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def decide_case(self, *args: object, **kwargs: object) -> None:
        raise TruthUnavailable("service", "decide_case")


async def test_the_document_of_a_case_says_cause_evidence_and_limits(tmp_path: Path) -> None:
    async with court(tmp_path) as here:
        text = confirmed_text(here.row)
        content = here.row.decision.content if here.row.decision else None
        assert isinstance(content, DiagnosisReport)

        lines = text.splitlines()
        assert lines[0] == f"# {here.row.query}"
        assert [line for line in lines if line.startswith("## ")] == ["## Cause", "## Evidence", "## Limits"]
        assert content.draft.conclusion is not None
        assert content.draft.conclusion.text in lines
        assert "  - Connection is not available, request timed out (notebook)" in lines
        chinese = confirmed_text(here.row.model_copy(update={"language": Language.ZH}))
        assert "## 原因" in chinese


async def test_no_words_of_a_person_become_a_part_of_the_document(tmp_path: Path) -> None:
    async with court(tmp_path) as here:
        text = correction_text(
            here.row, "It was the disk.\n# A heading\n\x00\u202e- - ## Another\n```\n" + "x" * 30_000
        )
        lines = text.splitlines()

        assert [line for line in lines if line.startswith("#")][1:] == [
            "## Cause",
            "## What the run had answered, and was corrected",
        ]
        assert "- A heading" in lines
        assert "- Another" in lines
        assert len(text) <= MAX_TEXT_CHARS
        assert "\u202e" not in text


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("# a", "a"),
        ("  a\n\nb ", "a b"),
        ("3 pods", "3 pods"),
        ("-5 degrees", "-5 degrees"),
        ("1. first", "first"),
        ("", ""),
    ],
)
def test_a_text_stands_on_one_line_without_markup(given: str, shown: str) -> None:
    assert one_line(given) == shown


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_world("payment-timeouts", tmp_path_factory.mktemp("served") / "payment-timeouts")


@asynccontextmanager
async def serving(home: Path, world: Path | None, **settings: Any) -> AsyncIterator[Served]:
    async with open_served(Settings(home=home, **settings), world) as served:
        yield served


async def ended(served: Served, run_id: RunId) -> RunRow:
    async with asyncio.timeout(PATIENCE_S):
        async for _ in served.live.follow(run_id):
            pass
    row = await served.records.run(run_id)
    assert row is not None
    assert row.run_state is not RunState.RUNNING
    return row


async def test_a_served_world_is_asked_judged_and_searched(tmp_path: Path, world: Path) -> None:
    from graph.live_runs import RunOrder

    async with serving(tmp_path, world) as served:
        run_id = await served.live.start(RunOrder(query=world_question("payment-timeouts"), owner_key=ANN))
        row = await ended(served, run_id)
        case = await served.cases.judge(row, owner_key=ANN, verdict=USEFUL)

        assert (row.outcome, row.owner_key) == (ReleaseOutcome.SUCCESS, ANN)
        assert case is not None
        assert "leak" in case.text


async def test_an_alert_starts_one_detached_run_that_names_the_cause(tmp_path: Path, world: Path) -> None:
    async with serving(tmp_path, world) as served:
        now = served.app.runner.deps.sources.now
        assert now is not None
        sent = a_notification(
            an_alert("DiskFull", service="billing-db", at=now - timedelta(minutes=19)),
            an_alert("PaymentErrors", service="payment-service", at=now - timedelta(minutes=20)),
        )
        (first,) = await served.start_alert(sent, owner_key=OPS)
        (again,) = await served.start_alert(sent, owner_key=OPS)
        row = await ended(served, first.run_id)

        assert (first.joined, again.joined) == (False, True)
        assert (again.run_id, again.session_id) == (first.run_id, first.session_id)
        assert (row.detached, row.owner_key, row.session_id) == (True, OPS, first.session_id)
        assert [one["alertname"] for one in first.group.related_risks] == ["DiskFull"]
        assert "DiskFull" not in row.query
        assert len(await served.records.runs()) == 1


async def test_another_key_has_a_run_of_its_own(tmp_path: Path) -> None:
    async with serving(tmp_path, None) as served:
        sent = a_notification(an_alert("PaymentErrors"))
        (one,) = await served.start_alert(sent, owner_key=OPS)
        (other,) = await served.start_alert(sent, owner_key="other")

        assert one.run_id != other.run_id


async def test_what_is_resolved_starts_no_run(tmp_path: Path) -> None:
    async with serving(tmp_path, None) as served:
        assert await served.start_alert(a_notification(an_alert("A", status="resolved")), owner_key=OPS) == ()
        assert await served.records.runs() == ()


async def test_an_alert_that_found_no_room_starts_its_run_when_it_comes_again(tmp_path: Path) -> None:
    async with serving(tmp_path, None) as served:
        sent = a_notification(an_alert("PaymentErrors", at=FIRED_AT))
        served.live.executions.room = Room(0)
        with pytest.raises(TooManyRuns):
            await served.start_alert(sent, owner_key=OPS)
        served.live.executions.room = Room(1)
        (started,) = await served.start_alert(sent, owner_key=OPS)

        assert [row.run_id for row in await served.records.runs()] == [started.run_id]
