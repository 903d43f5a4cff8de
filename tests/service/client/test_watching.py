"""A stream across broken connections: nothing lost, nothing twice, nothing sent twice that could do harm."""

from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from service.client import AsyncRootproof, Rootproof, RootproofProblem, UnexpectedReply, Unreachable
from service.client.course import FIRST_PAUSE_S, LONGEST_PAUSE_S, Course
from service.client.requests import events
from tests.service.client.scripted_service import (
    ANSWER,
    DONE,
    HELLO,
    OPENED,
    RUN,
    STEP,
    WHOLE,
    ScriptedService,
    refusal,
    stream,
)

KINDS = ["metadata", "status", "content", "done"]


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.client.course.FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr("service.client.course.LONGEST_PAUSE_S", 0.002)


async def kinds_read(service: ScriptedService, act: Callable[[Any], Any], *, blocking: bool, **options: Any) -> Any:
    """Kinds of the events read, and how the run ended."""
    if blocking:
        with service.client(**options) as client, act(client) as watched:
            return [event.type for event in watched], watched.result
    async with service.async_client(**options) as client, act(client) as watched:
        return [event.type async for event in watched], watched.result


def ask(client: Rootproof | AsyncRootproof) -> Any:
    return client.ask("Why?")


def follow(client: Rootproof | AsyncRootproof) -> Any:
    return client.follow(RUN, after=1)


both = pytest.mark.parametrize("blocking", [True, False], ids=["blocking", "async"])


@both
async def test_a_question_is_answered_in_events(blocking: bool) -> None:
    service = ScriptedService([stream(WHOLE)])

    kinds, result = await kinds_read(service, ask, blocking=blocking)

    assert kinds == KINDS
    assert (result.run_id, result.session_id, result.outcome) == (RUN, "s-1", "SUCCESS")
    assert result.content.payload.text == "Hello."
    assert result.failure is None


@both
@pytest.mark.parametrize("lost", [True, False], ids=["lost", "ended"])
@pytest.mark.parametrize("read", [HELLO + OPENED + STEP, OPENED + STEP + 'event: content\ndata: {"content_ty'])
async def test_a_broken_stream_goes_on_behind_the_last_event(blocking: bool, lost: bool, read: str) -> None:
    service = ScriptedService([stream(read, lost=lost), stream(HELLO + ANSWER + DONE)])

    kinds, _ = await kinds_read(service, ask, blocking=blocking)

    first, second = service.asked
    assert kinds == KINDS
    assert (first.method, first.url.path) == ("POST", "/api/chat")
    assert (second.method, second.url.path) == ("GET", f"/api/runs/{RUN}/events")
    assert second.headers["last-event-id"] == "2"


@both
async def test_a_repeated_event_is_read_once(blocking: bool) -> None:
    service = ScriptedService([stream(OPENED + STEP, lost=True), stream(OPENED + STEP + ANSWER + DONE)])

    kinds, _ = await kinds_read(service, ask, blocking=blocking)

    assert kinds == KINDS


@both
async def test_a_question_that_got_no_reply_is_asked_again_under_the_same_key(blocking: bool) -> None:
    service = ScriptedService([httpx2.ConnectError("no"), httpx2.ReadTimeout("no"), stream(WHOLE)])

    await kinds_read(service, ask, blocking=blocking)

    assert len({request.headers["idempotency-key"] for request in service.asked}) == 1
    assert [request.url.path for request in service.asked] == ["/api/chat"] * 3


def test_each_question_has_a_key_of_its_own() -> None:
    service = ScriptedService([stream(WHOLE), stream(WHOLE)])
    with service.client() as client:
        for _ in range(2):
            client.ask("Why?").wait()

    first, second = (request.headers["idempotency-key"] for request in service.asked)
    assert first != second


@both
async def test_a_run_without_a_header_is_known_by_its_metadata(blocking: bool) -> None:
    service = ScriptedService([stream(OPENED, lost=True, run_id=None), stream(STEP + ANSWER + DONE, run_id=None)])

    kinds, _ = await kinds_read(service, ask, blocking=blocking)

    assert kinds == KINDS
    assert service.asked[1].url.path == f"/api/runs/{RUN}/events"


@both
async def test_following_begins_where_it_is_told(blocking: bool) -> None:
    service = ScriptedService([stream(STEP + ANSWER + DONE)])

    kinds, result = await kinds_read(service, follow, blocking=blocking)

    assert kinds == KINDS[1:]
    assert service.asked[0].headers["last-event-id"] == "1"
    assert result.session_id is None


@both
@pytest.mark.parametrize("status", [429, 502, 503, 504])
async def test_a_service_that_restarts_is_waited_for(blocking: bool, status: int) -> None:
    service = ScriptedService([stream(OPENED, lost=True), refusal(status, "X"), stream(STEP + ANSWER + DONE)])

    kinds, _ = await kinds_read(service, ask, blocking=blocking)

    assert kinds == KINDS


@both
@pytest.mark.parametrize(("status", "code"), [(429, "TOO_MANY_RUNS"), (503, "UNAVAILABLE"), (422, "INVALID_QUERY")])
async def test_a_refused_question_is_not_asked_again(blocking: bool, status: int, code: str) -> None:
    service = ScriptedService([refusal(status, code, **{"Retry-After": "3"})])

    with pytest.raises(RootproofProblem) as refused:
        await kinds_read(service, ask, blocking=blocking)

    problem = refused.value
    assert (problem.code, problem.status, problem.detail) == (code, status, "A sentence.")
    assert (problem.run_id, problem.request_id, problem.retry_after_s) == (RUN, "q-1", 3.0)
    assert len(service.asked) == 1


@both
async def test_a_run_that_is_gone_ends_the_stream(blocking: bool) -> None:
    service = ScriptedService([stream(OPENED, lost=True), refusal(404, "NOT_FOUND")])

    with pytest.raises(RootproofProblem, match="NOT_FOUND"):
        await kinds_read(service, ask, blocking=blocking)


@both
async def test_attempts_in_a_row_are_counted(blocking: bool) -> None:
    lost = httpx2.ConnectError("http://user:secret@proxy refuses")
    service = ScriptedService([stream(OPENED, lost=True), lost, stream(STEP, lost=True), lost, lost])

    with pytest.raises(Unreachable) as refused:
        await kinds_read(service, ask, blocking=blocking, reconnects=2)

    assert "secret" not in str(refused.value)
    assert service.replies == []


@both
async def test_no_reconnects_means_none(blocking: bool) -> None:
    service = ScriptedService([stream(OPENED)])

    with pytest.raises(UnexpectedReply, match="ended before the run did"):
        await kinds_read(service, ask, blocking=blocking, reconnects=0)


@both
@pytest.mark.parametrize(
    "body", ['event: done\ndata: {"x":1}\n\n', "event: done\ndata: nonsense\n\n", "event: content\ndata: []\n\n"]
)
async def test_an_event_of_another_form_is_named(blocking: bool, body: str) -> None:
    with pytest.raises(UnexpectedReply, match="documented form"):
        await kinds_read(ScriptedService([stream(OPENED + body)]), ask, blocking=blocking)


@both
async def test_a_reply_that_is_no_stream_is_named(blocking: bool) -> None:
    service = ScriptedService([httpx2.Response(200, html="<p>Sign in</p>")])

    with pytest.raises(UnexpectedReply, match="no stream of events"):
        await kinds_read(service, ask, blocking=blocking)


@both
async def test_an_event_of_an_unknown_kind_is_passed_over(blocking: bool) -> None:
    service = ScriptedService([stream("event: applause\ndata: loud\nid: 1\n\n" + WHOLE)])

    kinds, _ = await kinds_read(service, ask, blocking=blocking)

    assert kinds == KINDS


def test_a_failure_is_a_result() -> None:
    failed = 'event: failure\ndata: {"code":"MODEL_UNAVAILABLE","message":"No model."}\n\n'
    done = 'event: done\ndata: {"outcome":"FAILED"}\n\n'
    with ScriptedService([stream(OPENED + failed + done)]).client() as client:
        result = client.ask("Why?").wait()

    assert (result.outcome, result.content) == ("FAILED", None)
    assert result.failure is not None
    assert result.failure.code == "MODEL_UNAVAILABLE"


def test_a_run_that_goes_on_has_no_result_yet() -> None:
    with ScriptedService([stream(WHOLE)]).client() as client:
        watched = client.ask("Why?")
        with pytest.raises(ValueError, match="has not ended"):
            _ = watched.result
        assert watched.run_id is None
        next(iter(watched))
        assert watched.run_id == RUN
        watched.close()
        assert list(watched) == []


def test_pauses_grow_to_their_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    course = Course(events(RUN, 0), run_id=RUN, after=0, reconnects=10)
    pauses = []
    for _ in range(10):
        with course.mended():
            raise httpx2.ConnectError("no")
        pauses.append(course.pause_s)

    assert pauses[0] == FIRST_PAUSE_S
    assert pauses == sorted(pauses)
    assert pauses[-1] == LONGEST_PAUSE_S
