"""An MCP tool inside a whole run: through the boundary, and with the weight that the operator gave it."""

import dataclasses
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from models.turns import WrittenCall, WrittenTurn
from nodes.deps import Deps
from state.model.enums import EvidenceKind, InvocationStatus, ReleaseOutcome, ToolCode
from state.model.evidence import CanonicalRecord
from state.model.ids import ToolCallId
from state.model.release import SafeFallback
from tests.graph.stage import RUN_ID, Cast, Stage, null_draft, stage, submit
from tests.integration.mcp.mcp_stage import Asked, opened, raw_server

pytestmark = pytest.mark.xdist_group("mcp")
QUOTE = "Connection is not available, request timed out"


@asynccontextmanager
async def played(how: str, folder: Path, kind: EvidenceKind, *, concludes: bool) -> AsyncIterator[Stage]:
    """A run whose agent asks the server once, then hands in a draft."""
    source = raw_server(how, folder / "heard")
    source = source.model_copy(
        update={"tools": {"deploys": source.tools["deploys"].model_copy(update={"evidence_kind": kind})}}
    )
    async with opened(source) as server:
        draft = await _draft(server) if concludes else null_draft()
        arguments = {"previous_observation": None, "input": {"service": "pay"}}
        ask = WrittenTurn(calls=(WrittenCall(id="c1", name=server.tool.name, arguments=arguments),))

        def rig(deps: Deps) -> Deps:
            tools = {**deps.boundary.tools, server.tool.name: server.tool}  # type: ignore[attr-defined]
            return dataclasses.replace(deps, boundary=dataclasses.replace(deps.boundary, tools=tools))  # type: ignore[type-var]

        question = "Why does pay fail with a timeout since 14:05?"
        async with stage(folder / "home", Cast(agent=(ask, submit(draft)), question=question), rig=rig) as play:
            yield play


async def _draft(server: Asked) -> dict[str, object]:
    """A conclusion that rests on the first item alone."""
    (item, *_) = (await server.ask()).items
    text = f"pay says: {QUOTE}."
    quotes = [{"tool_call_id": "c1", "item_id": item.item_id, "text": QUOTE}]
    analysis = {"analysis_id": "a1", "kind": "NORMAL", "text": text, "tool_call_ids": ["c1"], "quotes": quotes}
    conclusion = {"kind": "ROOT_CAUSE", "text": text, "based_on_analysis_ids": ["a1"]}
    return {"conclusion": conclusion, "analysis": [analysis], "limitations": {"scope": "ops"}}


async def record(play: Stage) -> CanonicalRecord:
    found = await play.stores.canonical.get(RUN_ID, ToolCallId("c1"))
    assert found is not None
    return found


async def test_what_a_server_says_proves_nothing_by_default(tmp_path: Path) -> None:
    async with played("an error line", tmp_path, EvidenceKind.KNOWLEDGE, concludes=True) as play:
        result = await play.run()

    assert result.outcome is ReleaseOutcome.FALLBACK
    assert isinstance(result.content, SafeFallback)
    assert "TELEMETRY_MISSING" in result.content.validation_issues


async def test_it_does_where_the_operator_says_that_it_is_telemetry(tmp_path: Path) -> None:
    async with played("an error line", tmp_path, EvidenceKind.TELEMETRY, concludes=True) as play:
        result = await play.run()

    assert result.outcome is ReleaseOutcome.SUCCESS


async def test_secrets_are_gone_before_anything_is_kept(tmp_path: Path) -> None:
    async with played("a secret line", tmp_path, EvidenceKind.TELEMETRY, concludes=False) as play:
        await play.run()
        kept = f"{await record(play)} {await play.stores.canonical.raw(RUN_ID, ToolCallId('c1'))}"

    assert QUOTE in kept
    assert "hunter2" not in kept


async def test_a_result_over_the_raw_cap_is_an_error_and_never_cut(tmp_path: Path) -> None:
    async with played("over the raw cap", tmp_path, EvidenceKind.TELEMETRY, concludes=False) as play:
        await play.run()
        found = await record(play)

    assert (found.status, found.error_code) == (InvocationStatus.ERROR, ToolCode.RESULT_TOO_LARGE)
