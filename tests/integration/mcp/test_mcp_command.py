"""``rootproof mcp`` as a process: a real client, a client that sends rubbish, and the end of both."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from config.settings import Settings
from graph.app import RunTrace, open_records
from service.mcp_command import parse_address
from service.problems import UnusableCommand
from state.model.enums import CancellationReason, ContentType, RunState

pytestmark = pytest.mark.xdist_group("mcp")

PROGRAM = (
    "from service import cli\n"
    "from service.mcp_command import register\n"
    "if all(command.name != 'mcp' for command in cli.app.registered_commands): register(cli.app, cli.SAY, cli._desk)\n"
    "cli.main()"
)
ADDRESS = "10.0.3.17"
ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a world and a home."""
    place = tmp_path_factory.mktemp("served")
    (place / "world" / "logs").mkdir(parents=True)
    (place / "world" / "knowledge").mkdir()
    line = {"ts": "2026-03-02T14:06:10Z", "service": "pay", "level": "error", "message": f"no route to {ADDRESS}"}
    (place / "world" / "logs" / "app.jsonl").write_text(json.dumps(line) + "\n")
    (place / "world" / "knowledge" / "pool.md").write_text("# Pool\n\nRestart the pool when it is empty.\n")
    return place


def command(place: Path, *words: str) -> list[str]:
    return [sys.executable, "-c", PROGRAM, "mcp", "--world", str(place / "world"), *words]


def environment(place: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ROOTPROOF_", "LC_", "LANG"))}
    return {**kept, "ROOTPROOF_HOME": str(place / "home"), "PYTHONPATH": str(ROOT)}


async def traces(place: Path) -> list[RunTrace]:
    """Of all runs, newest first."""
    async with open_records(Settings(home=place / "home")) as records:
        found = [await records.trace(row.run_id) for row in await records.runs()]
    return [trace for trace in found if trace is not None]


@asynccontextmanager
async def client(place: Path) -> AsyncIterator[ClientSession]:
    first, *rest = command(place)
    how = StdioServerParameters(command=first, args=rest, env=environment(place), cwd=place)
    with (place / "stderr").open("w") as errors:
        async with stdio_client(how, errlog=errors) as streams, ClientSession(*streams) as session:
            await session.initialize()
            yield session


async def test_a_client_searches_and_the_audit_shows_it(place: Path) -> None:
    async with client(place) as session:
        tools = [tool.name for tool in (await session.list_tools()).tools]
        logs = await session.call_tool("query_logs", {"source": "logs", "service": "pay"})
        again = await session.call_tool("query_logs", {"source": "logs", "service": "pay"})
    (trace,) = await traces(place)

    assert tools == ["lookup_knowledge", "query_logs"]
    assert not logs.is_error
    assert "no route to <ip-1>" in str(logs.structured_content)
    assert ADDRESS not in str(logs)
    assert str(again.content[0]).count("DUPLICATE_SCOPE") == 1
    assert [stored.event.type.value for stored in trace.timeline] == [
        "RUN_STARTED",
        "TOOL_INVOCATION",
        "TOOL_REQUEST_REJECTED",
        "RELEASE_DECISION",
        "RUN_FINISHED",
    ]
    assert (trace.row.run_state, trace.row.content_type) == (RunState.SUCCESS, ContentType.SYSTEM_ANSWER)
    assert "Serving 2 evidence tools over MCP" in (place / "stderr").read_text()


@pytest.fixture
def process(place: Path) -> Iterator[subprocess.Popen[str]]:
    """The same server over a notebook instead of a world, which starts faster."""
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "tests" / "integration" / "mcp" / "served_notebook.py"), str(place / "home")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment(place),
    )
    yield process
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        pipe.close()


def tell(process: subprocess.Popen[str], *lines: str) -> None:
    assert process.stdin is not None
    process.stdin.write("".join(f"{line}\n" for line in lines))
    process.stdin.flush()


def hear(process: subprocess.Popen[str]) -> Any:
    assert process.stdout is not None
    return json.loads(process.stdout.readline())


def request(ident: int, method: str, **params: object) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": ident, "method": method, "params": params})


def greet(process: subprocess.Popen[str]) -> None:
    info = {"name": "by hand\u202e", "version": "1"}
    tell(process, request(1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=info))
    assert hear(process)["result"]["serverInfo"]["name"] == "rootproof"
    tell(process, json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))


async def test_rubbish_gets_clean_errors_and_sigterm_a_clean_end(place: Path, process: subprocess.Popen[str]) -> None:
    greet(process)
    tell(process, "not json", "[1, 2]", '{"jsonrpc": "2.0"}', "[" * 100_000, "\x00", "")
    rubbish = [hear(process)["error"]["code"] for _ in range(5)]
    tell(process, '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"' + "x" * 2_000_000 + '"}}')
    huge = hear(process)
    tell(process, request(8, "tools/call", name=7), request(9, "no/such/method"), request(10, "prompts/list"))
    wrong = {(reply := hear(process))["id"]: reply["error"]["code"] for _ in range(3)}
    calls = [request(20 + n, "tools/call", name="read_notebook", arguments={"page": f"p{n}"}) for n in range(12)]
    tell(process, *calls)
    replies = {(reply := hear(process))["id"]: reply["result"]["structuredContent"] for _ in range(12)}
    process.send_signal(signal.SIGTERM)
    rest, _ = await asyncio.to_thread(process.communicate)
    trace = (await traces(place))[0]

    assert rubbish == [-32700] * 5
    assert (huge["id"], huge["error"]["code"]) == (7, -32600)
    assert wrong == {8: -32602, 9: -32601, 10: -32601}
    codes = [body.get("code") for body in replies.values()]
    assert codes.count("PARALLEL_TOOL_CALL") == 4
    assert codes.count("BUDGET_EXHAUSTED") == 2
    assert (rest, process.returncode) == ("", 0)
    assert trace.row.content_type is ContentType.SYSTEM_ANSWER
    assert trace.row.query == "Evidence tools for the MCP client by hand"


async def test_a_client_that_goes_in_the_middle_of_a_call(place: Path, process: subprocess.Popen[str]) -> None:
    before = {trace.row.run_id for trace in await traces(place)}
    greet(process)
    tell(process, request(2, "tools/call", name="read_notebook", arguments={"page": "slow"}))
    async with asyncio.timeout(20):
        while not any(trace.usage.tool_calls for trace in await traces(place) if trace.row.run_id not in before):
            await asyncio.sleep(0.05)
    assert process.stdin is not None
    process.stdin.close()
    code = await asyncio.to_thread(process.wait, 20)
    row = (await traces(place))[0].row

    assert code == 0
    assert (row.run_state, row.cancel_reason) == (RunState.CANCELLED, CancellationReason.CLIENT_DISCONNECTED)


@pytest.mark.parametrize(
    "address", ["0.0.0.0:8765", "example.org:8765", "127.0.0.1", "127.0.0.1:99999999", ":1", "::1"]
)
def test_only_this_machine_is_served(address: str) -> None:
    with pytest.raises(UnusableCommand):
        parse_address(address)


def test_addresses_of_this_machine() -> None:
    assert parse_address("127.0.0.1:8765") == ("127.0.0.1", 8765)
    assert parse_address("[::1]:1") == ("::1", 1)
    assert parse_address("localhost:65535") == ("localhost", 65535)
