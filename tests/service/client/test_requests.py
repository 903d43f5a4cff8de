"""What the client sends, and how it reads what comes back."""

import inspect
from pathlib import Path
from typing import Any

import httpx2
import pytest

from service.client import (
    AskOptions,
    AsyncRootproof,
    ForkOptions,
    Rootproof,
    RootproofProblem,
    UnexpectedReply,
    Unreachable,
)
from service.client.requests import part
from tests.service.client.scripted_service import RUN, WHOLE, ScriptedService, refusal, stream

KEY = "key-of-more-than-twenty-characters"


def test_a_question_carries_what_was_said_and_nothing_else() -> None:
    service = ScriptedService([stream(WHOLE), stream(WHOLE)])
    options = AskOptions(language="zh", since="2h", max_tool_calls=0)
    with service.client(key=KEY, language="zh") as client:
        client.ask("Why?").wait()
        client.ask("Why?", session_id="s-1", follow_up_of="Before?", detach=True, options=options).wait()

    plain, full = service.asked
    assert plain.content == b'{"query":"Why?"}'
    assert full.read() == (
        b'{"query":"Why?","session_id":"s-1","follow_up_of":"Before?","detach":true,'
        b'"options":{"language":"zh","since":"2h","max_tool_calls":0}}'
    )
    assert full.headers["authorization"] == f"Bearer {KEY}"
    assert full.headers["accept-language"] == "zh"


def test_a_fork_carries_where_and_what_it_may_spend() -> None:
    service = ScriptedService([stream(WHOLE), stream(WHOLE)])
    with service.client(key=KEY) as client:
        client.fork("run-1", 7).wait()
        client.fork("run-1", "agent:2", detach=True, options=ForkOptions(max_tool_calls=0), idempotency_key="k").wait()

    plain, full = service.asked
    assert (plain.url.path, plain.read()) == ("/api/runs/run-1/fork", b'{"at":7}')
    assert full.read() == b'{"at":"agent:2","detach":true,"options":{"max_tool_calls":0}}'
    assert (len(plain.headers["idempotency-key"]), full.headers["idempotency-key"]) == (32, "k")


def test_every_method_of_one_client_is_one_of_the_other() -> None:
    def names(kind: type) -> dict[str, list[str]]:
        methods = inspect.getmembers(kind, inspect.isfunction)
        return {name: list(inspect.signature(one).parameters) for name, one in methods if not name.startswith("_")}

    assert names(Rootproof) == names(AsyncRootproof)
    assert len(names(Rootproof)) >= 19


@pytest.mark.parametrize("identifier", ["a/b", "../x", "a?b", "a#b", "a b", "%2e%2e", "日"])
def test_an_identifier_stays_one_part_of_the_path(identifier: str) -> None:
    service = ScriptedService([refusal(404, "NOT_FOUND")])
    with service.client() as client, pytest.raises(RootproofProblem):
        client.run(identifier)

    assert service.asked[0].url.raw_path.count(b"/") == 3
    assert service.asked[0].url.raw_path.startswith(b"/api/runs/")
    assert b"?" not in service.asked[0].url.raw_path


@pytest.mark.parametrize("identifier", ["", ".", ".."])
def test_an_identifier_that_is_another_path_is_refused(identifier: str) -> None:
    with pytest.raises(ValueError, match="identifier"):
        part(identifier)


@pytest.mark.parametrize("key", ["", "two\nlines", "schlüssel", " padded "])
def test_a_key_that_no_header_can_carry_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(ValueError, match="the key is empty") as refused:
        Rootproof(key=key)

    assert not key or key.strip() not in str(refused.value)


@pytest.mark.parametrize("url", ["", "127.0.0.1:8460", "ftp://x", "http://u:p@x", "http://x?a=b"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="address"):
        Rootproof(url)


def test_a_request_that_fails_is_not_sent_again() -> None:
    service = ScriptedService([httpx2.ReadTimeout("no")])
    with service.client() as client, pytest.raises(Unreachable) as refused:
        client.cancel(RUN)

    assert (refused.value.code, refused.value.status) == ("UNREACHABLE", None)
    assert len(service.asked) == 1


@pytest.mark.parametrize(
    "reply",
    [
        httpx2.Response(502, html="<h1>Bad gateway of 10.0.0.7</h1>"),
        httpx2.Response(500, json={"error": "secret"}),
        httpx2.Response(302, headers={"Location": "https://elsewhere.example"}),
    ],
)
def test_what_is_no_problem_document_is_not_repeated(reply: httpx2.Response) -> None:
    with ScriptedService([reply]).client() as client, pytest.raises(UnexpectedReply) as refused:
        client.about()

    assert refused.value.status == reply.status_code
    assert refused.value.detail == f"the reply has status {reply.status_code} and is no problem document of Rootproof"


@pytest.mark.parametrize("body", ["{}", "[]", "nonsense", '{"runs": [{"run_id": 1}]}'])
def test_a_reply_of_another_form_is_named(body: str) -> None:
    with ScriptedService([httpx2.Response(200, content=body)]).client() as client:
        with pytest.raises(UnexpectedReply, match="documented form"):
            client.runs()


def test_a_field_that_a_newer_service_adds_is_no_error() -> None:
    reply = httpx2.Response(200, json={"run_id": RUN, "run_state": "RUNNING", "added": {"later": 1}})
    with ScriptedService([reply]).client() as client:
        assert client.cancel(RUN).run_state == "RUNNING"


def test_only_given_filters_are_sent() -> None:
    service = ScriptedService([httpx2.Response(200, json={"runs": []})] * 2)
    with service.client() as client:
        assert client.runs() == ()
        client.runs(limit=5, session_id="s-1", outcome="SUCCESS", text="pay & <b>")

    assert service.asked[0].url.query == b""
    assert dict(service.asked[1].url.params) == {
        "limit": "5",
        "session_id": "s-1",
        "outcome": "SUCCESS",
        "q": "pay & <b>",
    }


async def test_a_document_goes_as_a_file(tmp_path: Path) -> None:
    file = tmp_path / "checkout.md"
    file.write_text("# Checkout\n")
    accepted: dict[str, Any] = {"task_id": "t-1", "doc_id": "d-1", "state": "PENDING"}
    service = ScriptedService([httpx2.Response(202, json=accepted), httpx2.Response(202, json=accepted)])
    with service.client() as client:
        assert client.upload_document(file, category="runbook").task_id == "t-1"
    async with service.async_client() as other:
        await other.upload_document(b"# Checkout\n", name="checkout.md")

    first, second = (request.content for request in service.asked)
    assert b'filename="checkout.md"' in first
    assert b"# Checkout\n" in first
    assert b"runbook" in first
    assert b'filename="checkout.md"' in second


def test_bytes_need_a_name() -> None:
    with ScriptedService([]).client() as client, pytest.raises(ValueError, match="name"):
        client.upload_document(b"text")


async def test_an_ingest_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.client.blocking.POLL_S", 0.0)
    monkeypatch.setattr("service.client.asynchronous.POLL_S", 0.0)
    states = ["PENDING", "PROCESSING", "READY"]
    with ScriptedService([a_task(state) for state in states]).client() as client:
        assert client.wait_for_task("t-1").state == "READY"
    async with ScriptedService([a_task(state) for state in ["PENDING", "FAILED"]]).async_client() as other:
        assert (await other.wait_for_task("t-1")).state == "FAILED"
    with ScriptedService([a_task("PENDING")] * 3).client() as client, pytest.raises(TimeoutError, match="PENDING"):
        client.wait_for_task("t-1", timeout_s=-1)


def a_task(state: str) -> httpx2.Response:
    at = "2026-03-01T14:05:00Z"
    task = {"task_id": "t-1", "doc_id": "d-1", "name": "a.md", "state": state, "attempts": 1, "problem": None}
    return httpx2.Response(200, json={**task, "embedded": 0, "reused": 0, "created_at": at, "updated_at": at})
