"""A remote MCP server as a source of evidence: a real one, and ones that lie, stall and flood."""

import gzip
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from state.model.enums import EvidenceKind, ToolCode
from state.model.errors import Misconfigured, ToolFailed
from tests import servers
from tests.integration.mcp.mcp_stage import FOLDER, a_source, opened
from tests.integration.mcp.wire_mcp import event, mcp_server, said
from tests.wire_server import Reply, WireServer, answers

pytestmark = pytest.mark.xdist_group("mcp")
TOKEN = "t0ken-of-the-release-server"


@pytest.fixture(scope="module")
def release_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder, port = tmp_path_factory.mktemp("sdk"), servers.free_port()
    command = [sys.executable, str(FOLDER / "sdk_server.py"), "http", str(port), TOKEN]
    with servers.running(command, folder=folder, port=port):
        yield f"http://127.0.0.1:{port}/mcp"


@pytest.fixture
def token_file(tmp_path: Path) -> str:
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    return f"file:{tmp_path / 'token'}"


async def test_a_tool_of_a_real_server_answers(release_server: str, token_file: str) -> None:
    async with opened(a_source(url=release_server, token=token_file)) as server:
        found = await server.ask('{"service": "pay", "limit": 2}')
        again = await server.ask('{"service": "pay", "limit": 1}')

    assert [item.text for item in found.items] == [
        "service=pay, version=4.2.0, host=db-0.corp.internal",
        "service=pay, version=4.2.1, host=db-1.corp.internal",
    ]
    assert {item.kind for item in found.items} == {EvidenceKind.KNOWLEDGE}
    assert len(again.items) == 1


async def test_a_real_server_over_standard_output_answers_too() -> None:
    source = a_source(command=[sys.executable, str(FOLDER / "sdk_server.py"), "stdio"], tools={"runbook": {}})
    async with opened(source) as server:
        found = await server.ask('{"title": "Pool"}')

    assert [item.text for item in found.items] == ["# Pool", "Restart the pool.", "Then look at the logs."]


async def test_wrong_credentials_are_named_at_the_start(release_server: str) -> None:
    with pytest.raises(Misconfigured, match="credentials refused") as refused:
        async with opened(a_source(url=release_server)):
            pass

    assert "secret backend text" not in str(refused.value)


async def test_a_server_that_is_down_is_named_at_the_start() -> None:
    with pytest.raises(Misconfigured, match=r"sources\.ops: the MCP server cannot be used"):
        async with opened(a_source(url=f"http://127.0.0.1:{servers.free_port()}/mcp")):
            pass


async def test_the_token_goes_to_the_server_and_nowhere_else(token_file: str) -> None:
    with WireServer(respond=mcp_server(lambda _: Reply(b"no", status=403))) as wire:
        async with opened(a_source(url=f"{wire.url}/mcp", token=token_file)) as server:
            with pytest.raises(ToolFailed) as failed:
                await server.ask()

    assert {received.headers["authorization"] for received in wire.requests} == {f"Bearer {TOKEN}"}
    assert TOKEN not in str(failed.value)
    assert "credentials refused" in failed.value.log_detail


async def test_an_event_stream_is_read_with_all_that_comes_before_the_answer() -> None:
    def stream(ident: object) -> Reply:
        note = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}}
        return _events(event(note) + event(said(ident, "from a stream")))

    with WireServer(respond=mcp_server(stream)) as wire:
        async with opened(a_source(url=f"{wire.url}/mcp")) as server:
            assert await server.said() == "from a stream"

    assert all(received.method in {"POST", "DELETE"} for received in wire.requests)


async def test_no_redirect_is_followed() -> None:
    moved = Reply(b"", status=307, headers={"location": "/elsewhere"})
    with WireServer(respond=mcp_server(lambda _: moved)) as wire:
        async with opened(a_source(url=f"{wire.url}/mcp")) as server:
            with pytest.raises(ToolFailed):
                await server.ask()

    assert "/elsewhere" not in {received.path for received in wire.requests}


FLOODS: dict[str, tuple[Callable[[object], Reply], ToolCode]] = {
    "one huge event": (lambda _: _events(b"data: " + b"x" * 3_000_000), ToolCode.RESULT_TOO_LARGE),
    "many events": (lambda _: _events(event({"jsonrpc": "2.0", "method": "n"}) * 50_000), ToolCode.RESULT_TOO_LARGE),
    "a compressed bomb": (
        lambda _: Reply(gzip.compress(b" " * 50_000_000), headers={"content-encoding": "gzip"}),
        ToolCode.TOOL_EXECUTION_ERROR,
    ),
    "events without an answer": (lambda _: _events(b"data: {}\n\n: wait\n\n"), ToolCode.TOOL_EXECUTION_ERROR),
    "a stream to be resumed": (lambda _: _events(b"id: 1\nretry: 10\ndata: \n\n"), ToolCode.TOOL_EXECUTION_ERROR),
    "a stalled stream": (lambda _: _events(b": wait\n\n" * 2, pause_s=30), ToolCode.TOOL_TIMEOUT),
    "a page": (lambda _: Reply(b"<html>", content_type="text/html"), ToolCode.TOOL_EXECUTION_ERROR),
    "accepted": (lambda _: Reply(b"", status=202), ToolCode.TOOL_EXECUTION_ERROR),
    "another answer": (lambda _: answers(said("nobody", "x")), ToolCode.TOOL_TIMEOUT),
}


@pytest.mark.parametrize("name", list(FLOODS))
async def test_whatever_a_server_does_ends_in_time_and_alone(name: str) -> None:
    at_call, code = FLOODS[name]
    calls = iter([at_call])
    with WireServer(respond=mcp_server(lambda ident: next(calls, _well)(ident))) as wire:
        async with opened(a_source(url=f"{wire.url}/mcp", timeout_s=2.0)) as server:
            with pytest.raises(ToolFailed) as failed:
                await server.ask()
            after = await server.said()

    assert failed.value.code is code
    assert after == "well"


@pytest.mark.parametrize("status", [404, 400])
async def test_a_server_that_forgot_our_session_is_greeted_again(status: int) -> None:
    greeted = 0

    def forgetful(received: Any) -> Reply:
        nonlocal greeted
        greeted += '"initialize"' in received.text
        if greeted == 1 and '"tools/list"' in received.text and len(wire.requests) > 4:
            return Reply(b"", status=status)
        return mcp_server(_well)(received)

    with WireServer(respond=forgetful) as wire:
        async with opened(a_source(url=f"{wire.url}/mcp")) as server:
            assert [await server.said(), await server.said()] == ["well", "well"]

    assert greeted == 2


def _well(ident: object) -> Reply:
    return answers(said(ident, "well"))


def _events(body: bytes, **over: Any) -> Reply:
    return Reply(body, content_type="text/event-stream", **over)
