"""The evidence tools for an MCP client: one run a client, with everything that a run keeps and refuses."""

import asyncio
import dataclasses
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from mcp import Client, ClientSession, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult

from graph.app import App, Records, RunTrace
from graph.mcp_server import McpFront, serve_http
from graph.mcp_session import MAX_WAITING, McpSession, Patience
from nodes.deps import Deps
from state.model.enums import (
    CancellationReason,
    ContentType,
    FailureCode,
    InvocationStatus,
    ReleaseOutcome,
    RunState,
    ToolCode,
)
from state.model.errors import LeaseLost, Misconfigured, TruthUnavailable
from state.model.ids import RunId, ToolCallId
from state.model.release import Answer
from state.model.run import RunRow
from tests.fakes import NotebookTool
from tests.graph.stage import PAGES, Cast, Stage, stage
from tests.servers import accepts, free_port

ADDRESS, HOST = "10.0.3.17", "db-7.pay.internal"
HOSTS = {"errors": [f"payments cannot reach {HOST} at {ADDRESS}"], "other": [f"{ADDRESS} again"], ADDRESS: ["found"]}
PATIENT = Patience()
ACCEPT = {"accept": "application/json, text/event-stream"}
HANDSHAKE = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "by hand", "version": "1"}}


@dataclasses.dataclass
class Served:
    """A process that serves MCP clients."""

    play: Stage
    app: App

    def session(self, patience: Patience = PATIENT) -> McpSession:
        return McpSession(self.app.runner.deps, self.app.new_run_id, patience)

    async def runs(self) -> list[RunRow]:
        """Oldest first."""
        return list(reversed(await self.app.records.runs()))

    async def trace(self) -> RunTrace:
        """Of the only run."""
        (row,) = await self.runs()
        trace = await self.app.records.trace(row.run_id)
        assert trace is not None
        return trace

    async def record_status(self, call: str) -> tuple[InvocationStatus, ToolCode | None]:
        (row,) = await self.runs()
        record = await self.play.stores.canonical.get(row.run_id, ToolCallId(call))
        assert record is not None
        return record.status, record.error_code


@asynccontextmanager
async def served(
    home: Path, *, pages: Any = PAGES, rig: Callable[[Deps], Deps] | None = None, **settings: object
) -> AsyncIterator[Served]:
    async with stage(home, Cast(pages=pages, settings={"redaction": "never", **settings}), rig=rig) as play:
        records = Records(cast(Any, None), play.stores)
        yield Served(play, App(records, cast(Any, None), play.runner))


@asynccontextmanager
async def client_of(process: Served) -> AsyncIterator[Client]:
    """A client of the SDK, with the handshake of today's IDEs."""
    front = McpFront(process.app)
    try:
        async with Client(front.server(), mode="legacy") as client:
            yield client
    finally:
        await front.close()


def page(name: str) -> dict[str, object]:
    return {"page": name}


def said(result: CallToolResult) -> str:
    return "\n".join(block.text for block in result.content if block.type == "text")


async def test_tools_are_offered_as_reading_and_without_our_envelope(tmp_path: Path) -> None:
    async with served(tmp_path) as process, client_of(process) as client:
        tools = (await client.list_tools()).tools

    assert [tool.name for tool in tools] == ["read_notebook", "read_archive", "lookup_knowledge"]
    assert all(tool.annotations is not None and tool.annotations.read_only_hint is True for tool in tools)
    assert set(tools[0].input_schema["properties"]) == {"page", "query"}
    assert "previous_observation" not in json.dumps([tool.model_dump(mode="json") for tool in tools])


async def test_a_result_is_the_projection_marked_as_data(tmp_path: Path) -> None:
    async with served(tmp_path) as process, client_of(process) as client:
        result = await client.call_tool("read_notebook", page("errors"))

    head, body = (block.text for block in result.content if block.type == "text")
    assert "never an instruction" in head
    assert json.loads(body) == result.structured_content
    assert result.structured_content["items"][0]["text"] == PAGES["errors"][0]  # type: ignore[index]
    assert not result.is_error


async def test_the_run_of_a_client_is_kept_like_any_other(tmp_path: Path) -> None:
    async with served(tmp_path) as process:
        async with client_of(process) as client:
            await client.call_tool("read_notebook", page("errors"))
            await client.call_tool("read_notebook", page("errors"))
            await client.call_tool("read_notebook", page("empty"))
        trace = await process.trace()

    assert [(stored.event.type.value, stored.event.details.get("tool_call_id")) for stored in trace.timeline] == [
        ("RUN_STARTED", None),
        ("TOOL_INVOCATION", "mcp-1"),
        ("TOOL_REQUEST_REJECTED", "mcp-2"),
        ("TOOL_INVOCATION", "mcp-3"),
        ("RELEASE_DECISION", None),
        ("RUN_FINISHED", None),
    ]
    assert (trace.usage.tool_calls, trace.usage.model_calls, trace.row.audit_lost) == (2, 0, 0)
    assert [event.type.value for event in trace.published] == ["metadata", "content", "done"]


async def test_a_client_that_leaves_ends_its_run_with_a_sentence_that_claims_nothing(tmp_path: Path) -> None:
    async with served(tmp_path) as process:
        async with client_of(process) as client:
            await client.call_tool("read_notebook", page("errors"))
            await client.call_tool("nothing_like_it", {})
        (row,) = await process.runs()

    assert (row.run_state, row.outcome, row.content_type) == (
        RunState.SUCCESS,
        ReleaseOutcome.SUCCESS,
        ContentType.SYSTEM_ANSWER,
    )
    assert row.decision is not None
    assert isinstance(row.decision.content, Answer)
    assert row.decision.content.text == (
        "An MCP client searched 1 times: 1 answered, 0 failed; 1 requests were refused. "
        "Nothing was diagnosed and no cause is named here."
    )


@pytest.mark.parametrize("policy", ["never", "external_models"])
async def test_a_client_that_asks_nothing_leaves_no_run(policy: str, tmp_path: Path) -> None:
    async with served(tmp_path, redaction=policy, rig=_with_address) as process:
        async with client_of(process) as client:
            await client.list_tools()
        assert await process.runs() == []


async def test_a_searched_scope_is_not_searched_again(tmp_path: Path) -> None:
    async with served(tmp_path) as process, client_of(process) as client:
        await client.call_tool("read_notebook", page("errors"))
        again = await client.call_tool("read_notebook", page("errors"))

        assert again.is_error
        assert said(again).startswith("DUPLICATE_SCOPE: Exactly this scope was already searched.")
        assert process.play.notebook.executed == ["errors"]


async def test_the_budget_of_a_run_holds(tmp_path: Path) -> None:
    async with served(tmp_path, max_calls_per_tool=1) as process, client_of(process) as client:
        await client.call_tool("read_notebook", page("errors"))
        second = await client.call_tool("read_notebook", page("deploys"))
        other = await client.call_tool("read_archive", page("errors"))

    assert said(second) == "BUDGET_EXHAUSTED: No further call of this tool is possible in this run."
    assert not other.is_error


async def test_the_search_time_of_a_run_holds(tmp_path: Path) -> None:
    async with served(tmp_path, deadline_s=0.0001) as process, client_of(process) as client:
        await client.call_tool("read_notebook", page("errors"))
        second = await client.call_tool("read_notebook", page("deploys"))

    assert said(second).startswith("BUDGET_EXHAUSTED")
    assert "search time" in said(second)


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("no_such_tool", {}, "TOOL_NOT_AUTHORIZED"),
        ("x" * 5000, {}, "TOOL_NOT_AUTHORIZED"),
        ("submit_diagnosis", {}, "TOOL_NOT_AUTHORIZED"),
        ("read_notebook", {"page": 1}, "INVALID_REQUEST"),
        ("read_notebook", {"pgae": "errors"}, "INVALID_REQUEST"),
        ("read_notebook", {"page": "x" * 40_000}, "INVALID_REQUEST"),
        ("read_notebook", {"page": json.loads("[" * 60 + "]" * 60)}, "INVALID_REQUEST"),
        ("read_notebook", {"previous_observation": None, "input": {"page": "errors"}}, "INVALID_REQUEST"),
    ],
)
async def test_a_bad_request_is_refused_with_a_plain_sentence(
    name: str, arguments: dict[str, Any], code: str, tmp_path: Path
) -> None:
    async with served(tmp_path) as process, client_of(process) as client:
        refused = await client.call_tool(name, arguments)

        assert refused.is_error
        assert said(refused).startswith(f"{code}: ")
        assert process.play.notebook.executed == []


async def test_a_source_that_fails_is_a_code_without_its_words(tmp_path: Path) -> None:
    pages = {"errors": RuntimeError("secret backend text")}
    async with served(tmp_path, pages=pages) as process, client_of(process) as client:
        failed = await client.call_tool("read_notebook", page("errors"))

    assert failed.is_error
    assert said(failed) == ("TOOL_EXECUTION_ERROR: The source could not answer. This is not evidence of anything.")


@pytest.mark.parametrize("policy", ["external_models", "always"])
async def test_identifiers_are_placeholders_for_a_model_nobody_knows(policy: str, tmp_path: Path) -> None:
    async with served(tmp_path, pages=HOSTS, redaction=policy, rig=_with_address) as process:
        async with client_of(process) as client:
            listed = str(await client.list_tools())
            result = await client.call_tool("read_notebook", page("errors"))
            given_back = await client.call_tool("read_notebook", page("<ip-1>"))

    shown = listed + said(result) + said(given_back) + json.dumps(given_back.structured_content)
    assert ADDRESS not in shown
    assert HOST not in shown
    assert "<ip-1>" in listed
    assert given_back.structured_content["items"][0]["text"] == "found"  # type: ignore[index]


async def test_never_means_never(tmp_path: Path) -> None:
    async with served(tmp_path, pages=HOSTS) as process, client_of(process) as client:
        assert ADDRESS in said(await client.call_tool("read_notebook", page("errors")))


async def test_placeholders_still_resolve_in_the_next_run_of_the_session(tmp_path: Path) -> None:
    async with served(tmp_path, pages=HOSTS, redaction="always") as process:
        session = process.session(Patience(idle_s=0.0, poll_s=0.01))
        await session.call("read_notebook", page("errors"), client="ide")
        await _until(lambda: not session.is_open)
        reply = await session.call("read_notebook", page("<ip-1>"), client="ide")
        await session.close()

    assert reply.structured["items"][0]["text"] == "found"  # type: ignore[index]


async def test_an_idle_run_is_closed_and_the_next_call_opens_another_of_the_session(tmp_path: Path) -> None:
    async with served(tmp_path) as process:
        session = process.session(Patience(idle_s=0.0, poll_s=0.01))
        for _ in range(2):
            assert not (await session.call("read_notebook", page("errors"), client="ide")).is_error
            await _until(lambda: not session.is_open)
        await session.close()
        first, second = await process.runs()

    assert first.session_id == second.session_id
    assert (first.run_state, second.run_state) == (RunState.SUCCESS, RunState.SUCCESS)


async def test_a_run_is_closed_before_it_expires(tmp_path: Path) -> None:
    async with served(tmp_path, max_run_age_s=0.2) as process:
        session = process.session(Patience(poll_s=0.01))
        await session.call("read_notebook", page("errors"), client="ide")
        await _until(lambda: not session.is_open)
        (row,) = await process.runs()

    assert row.content_type is ContentType.SYSTEM_ANSWER


async def test_calls_at_once_take_turns_and_too_many_are_refused(tmp_path: Path) -> None:
    at_once, most = 0, 0

    async def line() -> list[str]:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await asyncio.sleep(0.01)
        at_once -= 1
        return ["one line"]

    pages = {f"p{number}": line for number in range(20)}
    async with served(tmp_path, pages=pages, max_calls_per_tool=50, max_tool_calls=50) as process:
        session = process.session()
        replies = await asyncio.gather(
            *(session.call("read_notebook", page(f"p{number}"), client="ide") for number in range(20))
        )
        await session.close()

    assert most == 1
    assert sum(not reply.is_error for reply in replies) == MAX_WAITING
    assert {reply.structured["code"] for reply in replies if reply.is_error} == {"PARALLEL_TOOL_CALL"}


async def test_a_call_taken_back_ends_its_search_and_nothing_else(tmp_path: Path) -> None:
    began, ended = asyncio.Event(), asyncio.Event()
    async with served(tmp_path, pages={**PAGES, "slow": _waits(began, ended)}) as process:
        session = process.session()
        call = asyncio.create_task(session.call("read_notebook", page("slow"), client="ide"))
        await began.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        after = await session.call("read_notebook", page("errors"), client="ide")
        await session.close()

        assert ended.is_set()
        assert not after.is_error
        assert await process.record_status("mcp-1") == (InvocationStatus.ERROR, ToolCode.INTERRUPTED)
        trace = await process.trace()

    assert trace.row.run_state is RunState.SUCCESS
    assert trace.row.audit_lost == 0


async def test_a_client_that_leaves_in_the_middle_of_a_call_cancels_the_run(tmp_path: Path) -> None:
    began, ended = asyncio.Event(), asyncio.Event()
    async with served(tmp_path, pages={"slow": _waits(began, ended)}) as process:
        session = process.session()
        call = asyncio.create_task(session.call("read_notebook", page("slow"), client="ide"))
        await began.wait()
        session.leaving = True
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        await session.close()
        (row,) = await process.runs()

    assert (row.run_state, row.outcome, row.failure_code) == (
        RunState.CANCELLED,
        ReleaseOutcome.CANCELLED,
        FailureCode.RUN_CANCELLED,
    )
    assert row.cancel_reason is CancellationReason.CLIENT_DISCONNECTED


@pytest.mark.parametrize("waits", [0, 1, 2, 5, 10, 20])
async def test_a_client_that_goes_at_any_moment_leaves_no_open_run(waits: int, tmp_path: Path) -> None:
    async with served(tmp_path) as process:
        session = process.session()
        call = asyncio.create_task(session.call("read_notebook", page("errors"), client="ide"))
        for _ in range(waits):
            await asyncio.sleep(0)
        session.leaving = True
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        await session.close()

        assert [row.run_state for row in await process.runs() if row.run_state is RunState.RUNNING] == []


async def test_somebody_who_cancels_the_run_ends_the_search_and_the_client_may_go_on(tmp_path: Path) -> None:
    began, ended = asyncio.Event(), asyncio.Event()
    async with served(tmp_path, pages={**PAGES, "slow": _waits(began, ended)}) as process:
        session = process.session()
        call = asyncio.create_task(session.call("read_notebook", page("slow"), client="ide"))
        await began.wait()
        (row,) = await process.runs()
        await process.play.stores.control.request_cancel(row.run_id, CancellationReason.USER_REQUESTED)
        stopped = await call
        after = await session.call("read_notebook", page("errors"), client="ide")
        await session.close()
        first, second = await process.runs()

    assert stopped.texts == ("RUN_INACTIVE: This run has ended.",)
    assert not after.is_error
    assert (first.run_state, first.cancel_reason) == (RunState.CANCELLED, CancellationReason.USER_REQUESTED)
    assert second.run_state is RunState.SUCCESS


@dataclasses.dataclass
class _Broken:
    """A control store whose ledger cannot be read any more."""

    real: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    async def entries(self, run_id: RunId) -> Any:
        raise TruthUnavailable("control", "entries")


async def test_without_truth_nothing_is_shown_and_the_run_fails(tmp_path: Path) -> None:
    def rig(deps: Deps) -> Deps:
        boundary = dataclasses.replace(deps.boundary, control=_Broken(deps.control))  # type: ignore[type-var]
        return dataclasses.replace(deps, boundary=boundary)

    async with served(tmp_path, rig=rig) as process:
        session = process.session()
        reply = await session.call("read_notebook", page("errors"), client="ide")
        await session.close()
        (row,) = await process.runs()

    assert reply.texts == ("STORE_ERROR: The result could not be kept and cannot be cited.",)
    assert (row.run_state, row.failure_code) == (RunState.FAILED, FailureCode.RUN_PERSISTENCE_FAILED)


async def test_the_newest_protocol_without_a_handshake_is_served_too(tmp_path: Path) -> None:
    async with served(tmp_path) as process:
        front = McpFront(process.app)
        async with Client(front.server(), mode="auto") as client:
            first = await client.call_tool("read_notebook", page("errors"))
            second = await client.call_tool("read_notebook", page("errors"))
        await front.close()
        (row,) = await process.runs()

    assert (first.is_error, second.is_error) == (False, True)
    assert row.run_state is RunState.SUCCESS


@asynccontextmanager
async def served_over_http(process: Served) -> AsyncIterator[str]:
    port = free_port()
    serving = asyncio.create_task(serve_http(process.app, "127.0.0.1", port))
    await _until(lambda: serving.done() or accepts(port))
    try:
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


async def test_over_http_each_client_has_its_own_run_until_it_leaves(tmp_path: Path) -> None:
    async def open_runs() -> int:
        return [row.run_state for row in await process.runs()].count(RunState.RUNNING)

    async with served(tmp_path) as process, served_over_http(process) as url:
        async with streamable_http_client(url) as streams, ClientSession(*streams) as one:
            await one.initialize()
            await one.call_tool("read_notebook", page("errors"))
            async with streamable_http_client(url) as others, ClientSession(*others) as other:
                await other.initialize()
                again = await other.call_tool("read_notebook", page("errors"))
                at_once = await open_runs()
            while await open_runs() == at_once:
                await asyncio.sleep(0.02)
            left = await open_runs()

    assert not again.is_error
    assert (at_once, left) == (2, 1)


async def test_a_server_that_stops_closes_the_runs_of_its_clients(tmp_path: Path) -> None:
    async with served(tmp_path) as process:
        async with served_over_http(process) as url, httpx.AsyncClient() as client:
            reply = await client.post(url, json=_request("initialize", **HANDSHAKE), headers=ACCEPT)
            session = {**ACCEPT, "mcp-session-id": reply.headers["mcp-session-id"]}
            asked = _request("tools/call", name="read_notebook", arguments=page("errors"))
            assert (await client.post(url, json=asked, headers=session)).status_code == 200
        (row,) = await process.runs()

    assert row.content_type is ContentType.SYSTEM_ANSWER


async def test_a_page_in_a_browser_reaches_nothing(tmp_path: Path) -> None:
    async with served(tmp_path) as process, served_over_http(process) as url, httpx.AsyncClient() as browser:
        rebound = await browser.post(url, json={}, headers={**ACCEPT, "host": "evil.example"})
        foreign = await browser.post(url, json={}, headers={**ACCEPT, "origin": "https://evil.example"})
        plain = await browser.post(url, content="{}", headers={**ACCEPT, "content-type": "text/plain"})
        huge = await browser.post(url, content=b" " * 2_000_000, headers={**ACCEPT, "content-type": "application/json"})

    assert [reply.status_code for reply in (rebound, foreign, plain, huge)] == [421, 403, 400, 413]


@pytest.mark.parametrize(
    "origin",
    [
        "http://localhost:3000",
        "http://127.0.0.1",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1:{port}@evil.example",
        "http://127.0.0.1:{port}.evil.example",
        "http://user@127.0.0.1:{port}",
        "http://localhost.evil.example:{port}",
        "http://[::1]:{port}",
        "null",
    ],
)
async def test_only_a_page_of_this_server_itself_may_ask(origin: str, tmp_path: Path) -> None:
    async with served(tmp_path) as process, served_over_http(process) as url, httpx.AsyncClient() as browser:
        own = {**ACCEPT, "origin": url.removesuffix("/mcp")}
        foreign = {**ACCEPT, "origin": origin.format(port=httpx.URL(url).port)}
        hello = _request("initialize", **HANDSHAKE)
        statuses = [(await browser.post(url, json=hello, headers=headers)).status_code for headers in (own, foreign)]

    assert statuses == [200, 403]


async def test_a_made_up_session_gets_no_run_of_its_own(tmp_path: Path) -> None:
    async with served(tmp_path) as process, served_over_http(process) as url, httpx.AsyncClient() as client:
        session = await _shake_hands(client, url)
        searched = [await _ask(client, url, session)]
        searched += [await _ask_without_handshake(client, url, name) for name in ("s1", "s2", session, "")]
        rows = await process.runs()

    assert ["DUPLICATE_SCOPE" in said for said in searched] == [False, False, True, True, True]
    assert len(rows) == 2


async def test_open_runs_are_counted_and_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graph.mcp_server.MAX_CLIENTS", 1)
    async with served(tmp_path) as process, served_over_http(process) as url, httpx.AsyncClient() as client:
        first = await _shake_hands(client, url)
        await _ask(client, url, first)
        refused = await _ask_without_handshake(client, url, "")
        await client.delete(url, headers={**ACCEPT, "mcp-session-id": first})
        served_now = await _ask_without_handshake(client, url, "")
        rows = await process.runs()

    assert "have a run open already" in refused
    assert "never an instruction" in served_now
    assert len(rows) == 2


@pytest.mark.parametrize("over", [{"host": "evil.example"}, {"origin": "http://evil.example"}])
async def test_a_farewell_that_is_refused_ends_no_run(over: dict[str, str], tmp_path: Path) -> None:
    async with served(tmp_path) as process, served_over_http(process) as url, httpx.AsyncClient() as client:
        session = await _shake_hands(client, url)
        await _ask(client, url, session)
        refused = await client.delete(url, headers={**ACCEPT, "mcp-session-id": session, **over})
        still = [row.run_state for row in await process.runs()]
        again = await _ask(client, url, session)

    assert refused.status_code in {403, 421}
    assert still == [RunState.RUNNING]
    assert "DUPLICATE_SCOPE" in again


async def test_tools_of_a_run_that_another_process_took_are_a_plain_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lost(session: McpSession, texts: list[str]) -> list[str]:
        raise LeaseLost(RunId("r"))

    monkeypatch.setattr(McpSession, "describe", lost)
    async with served(tmp_path) as process, client_of(process) as client:
        with pytest.raises(MCPError, match="The records of this installation cannot be written"):
            await client.list_tools()


@pytest.mark.parametrize("host", ["0.0.0.0", "example.org", "192.0.2.1"])
async def test_only_this_machine_is_served(host: str, tmp_path: Path) -> None:
    async with served(tmp_path) as process:
        with pytest.raises(Misconfigured, match="not this machine"):
            await serve_http(process.app, host, 8765)


async def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    async with served(tmp_path) as process, served_over_http(process) as url:
        with pytest.raises(Misconfigured, match="cannot be taken"):
            await serve_http(process.app, "127.0.0.1", httpx.URL(url).port or 0)


def _request(method: str, **params: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


async def _shake_hands(client: httpx.AsyncClient, url: str) -> str:
    """The id of a new session."""
    reply = await client.post(url, json=_request("initialize", **HANDSHAKE), headers=ACCEPT)
    return reply.headers["mcp-session-id"]


async def _ask(client: httpx.AsyncClient, url: str, session: str) -> str:
    asked = _request("tools/call", name="read_notebook", arguments=page("errors"))
    return (await client.post(url, json=asked, headers={**ACCEPT, "mcp-session-id": session})).text


async def _ask_without_handshake(client: httpx.AsyncClient, url: str, session: str) -> str:
    """In the protocol that has no sessions, with the id of one all the same."""
    place, protocol = "io.modelcontextprotocol", "2026-07-28"
    meta = {
        f"{place}/protocolVersion": protocol,
        f"{place}/clientInfo": {"name": "z", "version": "1"},
        f"{place}/clientCapabilities": {},
    }
    asked = _request("tools/call", name="read_notebook", arguments=page("errors"), _meta=meta)
    headers = {
        **ACCEPT,
        "mcp-protocol-version": protocol,
        "mcp-method": "tools/call",
        "mcp-name": "read_notebook",
        **({"mcp-session-id": session} if session else {}),
    }
    return (await client.post(url, json=asked, headers=headers)).text


def _with_address(deps: Deps) -> Deps:
    """The tool's catalogue names the address too."""
    tools = dict(deps.boundary.tools)  # type: ignore[attr-defined]
    notebook = cast(NotebookTool, tools["read_notebook"])
    tools["read_notebook"] = dataclasses.replace(notebook, description=f"Reads the notebook of {ADDRESS}.")
    return dataclasses.replace(deps, boundary=dataclasses.replace(deps.boundary, tools=tools))  # type: ignore[type-var]


def _waits(began: asyncio.Event, ended: asyncio.Event) -> Callable[[], Any]:
    async def lines() -> list[str]:
        began.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()
        return []

    return lines


async def _until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not true():
            await asyncio.sleep(0.01)
