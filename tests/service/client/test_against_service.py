"""Every method of the client against the real service: what it types is what is sent."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.client import AskOptions, Content, Done, Event, Metadata, RootproofProblem, RunOutcome, Status, replies
from state.model.release import DiagnosisReport
from tests.service.client.running_service import RunningService, running_service
from worlds import build_world, world_question

WORLD = "payment-timeouts"
QUESTION = world_question(WORLD)
RUNBOOK = (
    b"# Blue lantern\n\n## Symptom\n\nThe blue lantern of the harbour goes dark.\n\n## Cause\n\nThe fuse is gone.\n"
)
PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    folder = tmp_path_factory.mktemp("served")
    world = build_world(WORLD, folder / WORLD)
    with running_service(folder / "home", world) as found:
        yield found


@pytest.fixture(scope="module")
def answered(service: RunningService) -> tuple[list[Event], RunOutcome]:
    with service.client() as client, client.ask(QUESTION) as answer:
        return list(answer), answer.result


def test_a_diagnosis_arrives_in_typed_events(answered: tuple[list[Event], RunOutcome]) -> None:
    events, result = answered

    first, *between, content, last = events
    assert isinstance(first, Metadata)
    assert between
    assert all(isinstance(event, Status) for event in between)
    assert not any("SELECT" in str(event) for event in between)
    assert isinstance(content, Content)
    assert isinstance(content.payload, DiagnosisReport)
    assert isinstance(last, Done)
    assert [event.event_id for event in events] == list(range(1, len(events) + 1))
    assert (result.outcome, result.content, result.failure) == ("SUCCESS", content, None)


def test_the_run_is_there_afterwards(service: RunningService, answered: tuple[list[Event], RunOutcome]) -> None:
    _, result = answered
    with service.client() as client:
        run = client.run(result.run_id)
        listed = client.runs(session_id=result.session_id)
        sessions = client.sessions(limit=200)

    assert (run.outcome, run.query, run.run_state) == ("SUCCESS", QUESTION, "SUCCESS")
    assert result.content is not None
    assert isinstance(result.content.payload, DiagnosisReport)
    assert run.report == result.content.payload.draft
    assert [(one.run_id, one.outcome) for one in listed] == [(result.run_id, "SUCCESS")]
    assert result.session_id in [session.session_id for session in sessions]


@pytest.mark.parametrize("beyond", [0, 1000])
def test_whoever_follows_from_behind_the_end_is_told_how_it_ended(
    service: RunningService, answered: tuple[list[Event], RunOutcome], beyond: int
) -> None:
    events, result = answered
    with service.client() as client, client.follow(result.run_id, after=len(events) + beyond) as answer:
        told = list(answer)

    assert [type(event) for event in told] == [Done]
    assert answer.result.outcome == "SUCCESS"


def test_filters_of_runs(service: RunningService, answered: tuple[list[Event], RunOutcome]) -> None:
    _, result = answered
    with service.client() as client:
        assert result.run_id in [run.run_id for run in client.runs(outcome="SUCCESS", text=QUESTION.split()[0])]
        assert client.runs(text="no-such-word") == ()
        assert result.run_id not in [run.run_id for run in client.runs(before=result.run_id)]
        with pytest.raises(RootproofProblem, match="INVALID_REQUEST"):
            client.runs(limit=0)


def test_the_trace_says_what_proves_each_sentence(
    service: RunningService, answered: tuple[list[Event], RunOutcome]
) -> None:
    _, result = answered
    assert result.session_id
    with service.client() as client:
        trace = client.trace(result.session_id)
        cited = {cite.tool_call_id for sentence in trace.sentences for cite in sentence.cites}
        shown = [client.evidence(result.run_id, call) for call in sorted(cited)]

    assert trace.run["run_id"] == result.run_id
    assert cited
    assert cited <= {call.tool_call_id for call in trace.tool_calls}
    assert [step.step for step in trace.steps]
    assert [node.name for node in trace.path][:2] == ["open_run", "route"]
    assert trace.ledger
    assert trace.summary["tokens"]["reconciled"] in {True, False, None}
    assert all(one.items or one.evidence_status == "NO_EVIDENCE" for one in shown)
    assert not any(one.expired for one in shown)


@pytest.mark.parametrize("after", [0, 1, 3])
def test_following_gives_the_same_events_from_there(
    service: RunningService, answered: tuple[list[Event], RunOutcome], after: int
) -> None:
    events, result = answered
    with service.client() as client:
        assert list(client.follow(result.run_id, after=after)) == events[after:]


def test_a_fork_goes_on_from_a_step(service: RunningService, answered: tuple[list[Event], RunOutcome]) -> None:
    _, result = answered
    with service.client() as client:
        steps = client.steps(result.run_id)
        guard = next(step for step in steps if step.node == "guard_evidence")
        forked = client.fork(result.run_id, guard.number).wait()
        run, trace = client.run(forked.run_id), client.trace(result.session_id or "", forked.run_id)

    assert (forked.outcome, forked.session_id) == ("SUCCESS", result.session_id)
    assert (run.parent_run_id, run.fork_checkpoint) == (result.run_id, guard.checkpoint_id)
    assert {call.copied_from for call in trace.tool_calls} == {result.run_id}


async def test_the_async_client_forks_too(service: RunningService, answered: tuple[list[Event], RunOutcome]) -> None:
    _, result = answered
    async with service.async_client() as client:
        assert [step.number for step in await client.steps(result.run_id)][:2] == [1, 2]
        assert (await client.fork(result.run_id, "release").wait()).outcome == "SUCCESS"


def test_the_same_key_and_question_watch_the_same_run(service: RunningService) -> None:
    with service.client() as client:
        first = client.ask("hello", idempotency_key="one-key").wait()
        again = client.ask("hello", idempotency_key="one-key").wait()
        with pytest.raises(RootproofProblem) as refused:
            client.ask("goodbye", idempotency_key="one-key").wait()

    assert first.run_id == again.run_id
    assert (refused.value.code, refused.value.status) == ("IDEMPOTENCY_MISMATCH", 409)


async def test_the_async_client_does_the_same(service: RunningService) -> None:
    async with service.async_client() as client:
        async with client.ask("你好", options=AskOptions(max_tool_calls=0), detach=True) as answer:
            events = [event async for event in answer]
        run = await client.run(answer.result.run_id)
        about = await client.about()

    assert isinstance(events[-1], Done)
    assert (run.language, run.answer is not None) == ("zh", True)
    assert (about.caller.name, about.caller.roles) == ("user", ("user",))
    assert about.sources


async def test_many_questions_at_once_do_not_mix(service: RunningService) -> None:
    async with service.async_client() as client:
        results = await asyncio.gather(*(client.ask("hello", session_id=f"s-{n}").wait() for n in range(8)))

    assert [result.session_id for result in results] == [f"s-{n}" for n in range(8)]
    assert len({result.run_id for result in results}) == 8


def test_a_run_that_has_ended_is_neither_cancelled_nor_detached(
    service: RunningService, answered: tuple[list[Event], RunOutcome]
) -> None:
    _, result = answered
    with service.client() as client:
        for act in (client.cancel, client.detach):
            with pytest.raises(RootproofProblem) as refused:
                act(result.run_id)
            assert (refused.value.code, refused.value.status) == ("RUN_ENDED", 409)


def test_a_running_question_is_cancelled(service: RunningService) -> None:
    with service.client() as client:
        watched = client.ask(QUESTION)
        next(iter(watched))
        assert watched.run_id
        cancelled = client.cancel(watched.run_id)
        result = watched.wait()

    assert cancelled.run_id == watched.run_id
    assert result.outcome == "CANCELLED"
    assert result.failure is not None


def test_a_judgement_is_kept(service: RunningService, answered: tuple[list[Event], RunOutcome]) -> None:
    _, result = answered
    assert result.session_id
    with service.client() as client:
        judged = client.feedback(result.session_id, result.run_id, "not_useful", correction="The certificate.")
        trace = client.trace(result.session_id, result.run_id)

    assert (judged.verdict, judged.run_id) == ("not_useful", result.run_id)
    assert [said["correction"] for said in trace.feedback] == ["The certificate."]


def test_a_document_is_added_found_and_removed(service: RunningService, tmp_path: Path) -> None:
    file = tmp_path / "blue-lantern.md"
    file.write_bytes(RUNBOOK)
    with service.client("operator") as client:
        sent = client.upload_document(file, category="harbour")
        assert sent.task_id
        task = client.wait_for_task(sent.task_id, timeout_s=PATIENCE_S)
        again = client.upload_document(RUNBOOK, name=file.name, category="harbour")
        known = client.document(sent.doc_id)
        found = client.search("why is the blue lantern of the harbour dark")
        client.delete_document(sent.doc_id)
        left = client.documents()

    assert (task.state, again.state, known.state) == ("READY", "READY", "READY")
    assert sent.doc_id in [hit.doc_id for hit in found.hits]
    assert sent.doc_id not in [document.doc_id for document in left]


def test_a_notification_starts_one_run_a_group(service: RunningService) -> None:
    with service.client("operator") as client:
        first = client.alerts(notification("firing"))
        second = client.alerts(notification("firing"))
        resolved = client.alerts(notification("resolved"))
        client.follow(first[0].run_id).wait()
        alert = client.run(first[0].run_id).alert

    assert alert is not None
    assert (alert.subject.name, alert.subject.diagnosed, alert.related_risks) == ("PaymentTimeouts", True, ())
    assert ([run.joined for run in first], [run.joined for run in second]) == ([False], [True])
    assert first[0].run_id == second[0].run_id
    assert resolved == ()


def notification(status: str) -> dict[str, Any]:
    labels = {"alertname": "PaymentTimeouts", "service": "payment-service"}
    alert = {
        "status": status,
        "labels": labels,
        "annotations": {},
        "startsAt": "2026-02-04T06:05:00Z",
        "endsAt": "0001-01-01T00:00:00Z",
        "generatorURL": "",
        "fingerprint": "1",
    }
    group = {"groupKey": "{}:{service}", "groupLabels": labels, "commonLabels": labels, "commonAnnotations": {}}
    return {
        "version": "4",
        "status": status,
        "receiver": "rootproof",
        "alerts": [alert],
        "truncatedAlerts": 0,
        "externalURL": "http://alertmanager.example",
        **group,
    }


@pytest.mark.parametrize(
    ("key", "act", "status", "code"),
    [
        ("other", lambda client, run, session: client.run(run), 404, "NOT_FOUND"),
        ("other", lambda client, run, session: client.trace(session), 404, "NOT_FOUND"),
        ("other", lambda client, run, session: client.follow(run).wait(), 404, "NOT_FOUND"),
        ("other", lambda client, run, session: client.ask("hi", session_id=session).wait(), 409, "RUN_REFUSED"),
        ("user", lambda client, run, session: client.delete_document("x"), 403, "FORBIDDEN"),
        ("user", lambda client, run, session: client.ask(" ").wait(), 422, "INVALID_QUERY"),
        ("user", lambda client, run, session: client.evidence(run, "no-such-call"), 404, "NOT_FOUND"),
        ("user", lambda client, run, session: client.task("no-such-task"), 404, "NOT_FOUND"),
    ],
)
def test_a_refusal_has_its_code(
    service: RunningService,
    answered: tuple[list[Event], RunOutcome],
    key: str,
    act: Any,
    status: int,
    code: str,
) -> None:
    _, result = answered
    with service.client(key, language="zh") as client, pytest.raises(RootproofProblem) as refused:
        act(client, result.run_id, result.session_id)

    problem = refused.value
    assert (problem.status, problem.code) == (status, code)
    assert any("\u4e00" <= char <= "\u9fff" for char in problem.detail)
    assert problem.request_id


def test_every_reply_is_read_without_dropping_a_field(
    service: RunningService, answered: tuple[list[Event], RunOutcome]
) -> None:
    """What the service sends and the client does not type is a gap of the client."""
    _, result = answered
    with service.client() as client:
        call = client.trace(str(result.session_id)).tool_calls[0].tool_call_id
        for path, model in {
            f"/api/runs/{result.run_id}/evidence/{call}": replies.Evidence,
            "/api/runs": replies.Runs,
            f"/api/runs/{result.run_id}": replies.Run,
            f"/api/runs/{result.run_id}/steps": replies.ForkSteps,
            "/api/sessions": replies.Sessions,
            f"/api/diagnosis/{result.session_id}/trace": replies.Trace,
            "/api/documents": replies.Documents,
            "/api/knowledge/search?q=payment+timeouts": replies.Found,
            "/api/about": replies.About,
        }.items():
            body = client._http.get(path).content
            model.model_validate_json(body, extra="forbid")
