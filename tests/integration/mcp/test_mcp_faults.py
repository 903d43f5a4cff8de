"""Every fault of a source at the moment of the call, over both links, becomes its documented code."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from state.model.enums import ToolCode
from state.model.errors import ToolFailed
from tests.integration.mcp.mcp_stage import a_source, opened, raw_server
from tests.integration.mcp.wire_mcp import mcp_server, result, said
from tests.source_faults import EXPECTED, HUGE_BYTES, SLOW_S, Fault
from tests.wire_server import Reply, WireServer, answers

pytestmark = pytest.mark.xdist_group("mcp")

OVER_STDIO = {
    Fault.DOWN: "dies",
    Fault.SLOW: "slow",
    Fault.HALF_ANSWER: "half answer",
    Fault.WRONG_CREDENTIALS: "refuses",
    Fault.SCHEMA_CHANGE: "another shape",
    Fault.HUGE_ANSWER: "huge",
    Fault.MALFORMED_ANSWER: "malformed",
}
OVER_HTTP: dict[Fault, Callable[[object], Reply]] = {
    Fault.DOWN: lambda _: Reply(b"", drop=True),
    Fault.SLOW: lambda ident: answers(said(ident, "late"), delay_s=SLOW_S),
    Fault.HALF_ANSWER: lambda ident: answers(said(ident, "half"), cut_after=20),
    Fault.WRONG_CREDENTIALS: lambda _: Reply(b"secret backend text", status=401),
    Fault.SCHEMA_CHANGE: lambda ident: answers(result(ident, {"renamed": [1]})),
    Fault.HUGE_ANSWER: lambda _: Reply(b'["' + b"x" * HUGE_BYTES + b'"]'),
    Fault.MALFORMED_ANSWER: lambda _: Reply(b'{"jsonrpc": "2.0", "result": <html>'),
}


@pytest.mark.parametrize("fault", list(Fault))
async def test_a_fault_of_a_local_server(fault: Fault, tmp_path: Path) -> None:
    async with opened(raw_server(OVER_STDIO[fault], tmp_path / "heard", timeout_s=1.5)) as server:
        with pytest.raises(ToolFailed) as failed:
            await server.ask()

    assert failed.value.code is EXPECTED[fault]
    assert "secret backend text" not in str(failed.value)


@pytest.mark.parametrize("fault", list(Fault))
async def test_a_fault_of_a_remote_server(fault: Fault) -> None:
    with WireServer(respond=mcp_server(OVER_HTTP[fault])) as wire:
        async with opened(a_source(url=f"{wire.url}/mcp", timeout_s=1.5)) as server:
            with pytest.raises(ToolFailed) as failed:
                await server.ask()

    assert failed.value.code is EXPECTED[fault]
    assert "secret backend text" not in str(failed.value)


async def test_a_message_over_the_cap_costs_only_its_own_call(tmp_path: Path) -> None:
    async with opened(raw_server("large", tmp_path / "heard")) as server:
        both = await asyncio.gather(server.ask(), server.ask('{"service": "b"}'), return_exceptions=True)
        alone = await asyncio.gather(server.ask(), return_exceptions=True)

    codes = [error.code for error in (*both, *alone) if isinstance(error, ToolFailed)]
    assert codes == [ToolCode.RESULT_TOO_LARGE] * 3


async def test_what_the_server_says_of_its_error_stays_in_the_log(tmp_path: Path) -> None:
    async with opened(raw_server("says error", tmp_path / "heard")) as server:
        with pytest.raises(ToolFailed) as failed:
            await server.ask()

    assert failed.value.code is ToolCode.TOOL_EXECUTION_ERROR
    assert failed.value.log_detail == "the server says: disk on fire"


async def test_a_silent_server_is_given_up_at_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.mcp.connection.START_S", 0.5)

    with pytest.raises(Exception, match=r"sources\.ops: the MCP server cannot be used"):
        async with opened(raw_server("silent", tmp_path / "heard")):
            pass
