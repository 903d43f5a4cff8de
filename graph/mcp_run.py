"""One run of an MCP client: the same row, lease, ledger, records and audit as a diagnosis, with no model of ours.

What a client asks goes through the boundary like any tool call. There is no progress protocol and nothing is
concluded, so the run ends with a sentence written by code, or as CANCELLED where the client left in the middle of a
call (docs/mcp.md).
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import assert_never

import anyio
import structlog

from guards.release import SYSTEM_ANSWER
from guards.tool_request import MAX_ARGUMENT_BYTES
from nodes.ask_model import remaining_s
from nodes.close_run import close
from nodes.deps import Deps, Step
from nodes.masking import masked
from nodes.reading import call_context
from nodes.telling import offer, trace, trace_answer, trace_invocation, trace_rejection
from state.model.diagnosis import RunOptions
from state.model.enums import (
    CancellationReason,
    FailureCode,
    InvocationStatus,
    Language,
    RedactionPolicy,
    ToolCode,
    TraceEventType,
)
from state.model.errors import LeaseLost, RunRefused, RunStopped, TruthUnavailable
from state.model.evidence import CanonicalRecord, parse_projection
from state.model.ids import RunId, SessionId, ToolCallId
from state.model.language import Bilingual
from state.model.release import Answer, ReleaseDecision, RunFailure
from state.model.run import Lease, NewRun, PublicEventType, RunFacts, RunRow
from state.model.strict_json import JsonProblem, parse_json_object
from state.model.tool_call import ModelCall, Refused
from tools.boundary import ToolRequest

NODE = "mcp"
MODEL = "mcp-client"
CLEANUP_S = 5.0
QUERY = Bilingual(en="Evidence tools for the MCP client {client}", zh="为 MCP 客户端 {client} 提供取证工具")
ENDED = Bilingual(
    en="An MCP client searched {n} times: {ready} answered, {failed} failed; {refused} requests were refused. "
    "Nothing was diagnosed and no cause is named here.",
    zh="MCP 客户端检索了 {n} 次：{ready} 次有答复，{failed} 次失败；另有 {refused} 个请求被拒绝。"
    "此处没有进行诊断，也没有给出原因。",
)
TIME_IS_UP = "The search time of this run is used up."

log = structlog.get_logger("graph.mcp")


class End(StrEnum):
    """How a run comes to its end, each a row of the release table."""

    ORDERLY = "ORDERLY"
    """The client left, paused or is asked to by age, or this process stops: SYSTEM_ANSWER, written by code."""
    CUT_OFF = "CUT_OFF"
    """The client left in the middle of a call: CANCELLED, CLIENT_DISCONNECTED."""
    STORE_FAILED = "STORE_FAILED"
    """Truth could not be read or kept: RUN_PERSISTENCE_FAILED."""


@dataclass(frozen=True)
class Opening:
    """What a new run is opened with."""

    run_id: RunId
    session_id: SessionId
    client: str
    """The client's own name, as plain words."""
    placeholders: Mapping[str, str] = field(default_factory=dict)
    """Of the session's run before: what the client was shown must still resolve."""


@dataclass
class McpRun:
    """An open run of one client. One call at a time."""

    deps: Deps
    facts: RunFacts
    n_ready: int = 0
    n_failed: int = 0
    n_refused: int = 0
    n_asked: int = 0

    async def call(self, name: str, arguments: Mapping[str, object]) -> CanonicalRecord | Refused:
        """What became of the request: the record, READY or ERROR, or why nothing was executed.

        Raises:
            RunStopped: somebody asked the run to stop.
            LeaseLost: another process closed or took it.
            RunRefused: it has ended.
            TruthUnavailable: nothing can be kept, so nothing is shown.
            CancelledError: the client took its request back; the search has ended, and the record says so.
        """
        lease = await self.deps.keeper.hold(self.facts.run_id)
        step = self._step(lease)
        self.n_asked += 1
        call_id = ToolCallId(f"mcp-{self.n_asked}")
        refused = self._refuse(step, name, arguments)
        if refused is not None:
            return await self._told_refused(step, call_id, name, refused)
        call = ModelCall(tool_call_id=call_id, name=name, arguments="")
        request = ToolRequest(call=call, input=dict(arguments), remaining_s=remaining_s(step, self.facts))
        try:
            context = call_context(self.facts, self.deps)
            searching = self.deps.boundary.call(lease, self.facts, context, request)
            result = await self.deps.keeper.watch(lease, searching)
        except (asyncio.CancelledError, RunStopped):
            await self._interrupted(step, call_id)
            raise
        if isinstance(result, Refused):
            return await self._told_refused(step, call_id, name, result)
        await self._told(step, result)
        return result

    async def described(self, texts: list[str]) -> list[str]:
        """The texts as this run may show them: with placeholders where its policy asks for them.

        Raises:
            LeaseLost: another process took the run.
            RunRefused: it has ended.
            TruthUnavailable: the placeholders cannot be kept.
        """
        if not self.facts.mask_identifiers:
            return texts
        lease = await self.deps.keeper.hold(self.facts.run_id)
        shown = await masked(self._step(lease), list(texts))
        assert isinstance(shown, list), "masking keeps the shape"
        return [str(text) for text in shown]

    async def placeholders(self) -> dict[str, str]:
        """What this run's placeholders stand for.

        Raises:
            TruthUnavailable: they cannot be read.
        """
        return await self.deps.canonical.placeholders(self.facts.run_id)

    async def close(self, end: End) -> RunRow | None:
        """The ended row; None if it could not be closed here, and the sweeper or a later process will."""
        run_id = self.facts.run_id
        row: RunRow | None = None
        try:
            row = await self._end(self._step(await self.deps.keeper.hold(run_id)), end)
        except (LeaseLost, RunRefused, TruthUnavailable) as error:
            log.warning("MCP run not closed here", run_id=run_id, error=str(error))
        finally:
            await self.deps.keeper.let_go(run_id, ended=row is not None)
        return row

    async def _end(self, step: Step, end: End) -> RunRow:
        match end:
            case End.ORDERLY:
                decision = self._decision()
                await trace_answer(step, NODE, decision)
                return await close(step, decision=decision, failure=None)
            case End.CUT_OFF:
                await self.deps.control.request_cancel(self.facts.run_id, CancellationReason.CLIENT_DISCONNECTED)
                return await close(step, decision=None, failure=RunFailure(code=FailureCode.RUN_CANCELLED, node=NODE))
            case End.STORE_FAILED:
                failed = RunFailure(code=FailureCode.RUN_PERSISTENCE_FAILED, node=NODE)
                return await close(step, decision=None, failure=failed)
            case _:
                assert_never(end)

    def _decision(self) -> ReleaseDecision:
        said = ENDED.text(
            self.facts.language,
            n=self.n_ready + self.n_failed,
            ready=self.n_ready,
            failed=self.n_failed,
            refused=self.n_refused,
        )
        return ReleaseDecision(
            run_state=SYSTEM_ANSWER.run_state,
            outcome=SYSTEM_ANSWER.outcome,
            content_type=SYSTEM_ANSWER.content_type,
            content=Answer(text=said),
        )

    def _refuse(self, step: Step, name: str, arguments: Mapping[str, object]) -> Refused | None:
        """What the envelope protocol would have refused before the boundary."""
        if name not in self.deps.tool_names:
            return Refused(code=ToolCode.TOOL_NOT_AUTHORIZED)
        read = parse_json_object(_dump(arguments))
        if isinstance(read, JsonProblem):
            return Refused(code=ToolCode.INVALID_REQUEST, why=read.why)
        if len(_dump(arguments).encode("utf-8", "surrogatepass")) > MAX_ARGUMENT_BYTES:
            return Refused(code=ToolCode.INVALID_REQUEST, why=f"It is larger than {MAX_ARGUMENT_BYTES} bytes.")
        if remaining_s(step, self.facts) <= 0:
            return Refused(code=ToolCode.BUDGET_EXHAUSTED, why=TIME_IS_UP)
        return None

    async def _told_refused(self, step: Step, call_id: ToolCallId, name: str, refused: Refused) -> Refused:
        self.n_refused += 1
        await trace_rejection(step, NODE, call_id, tool=name, why=refused.code.value)
        return refused

    async def _told(self, step: Step, record: CanonicalRecord) -> None:
        is_ready = record.status is InvocationStatus.READY
        self.n_ready, self.n_failed = self.n_ready + is_ready, self.n_failed + (not is_ready)
        await trace_invocation(step, NODE, record, parse_projection(record.projection_json))

    async def _interrupted(self, step: Step, call_id: ToolCallId) -> None:
        """Put on record that the call had no result; what fails here is the sweeper's."""
        with anyio.move_on_after(CLEANUP_S, shield=True):
            try:
                record = await self.deps.canonical.get(self.facts.run_id, call_id)
                if record is not None and record.status is InvocationStatus.PROJECTING:
                    record = await self.deps.canonical.fail(step.lease, call_id, ToolCode.INTERRUPTED)
                if record is not None:
                    await self._told(step, record)
                else:
                    self.n_refused += 1
            except (TruthUnavailable, LeaseLost) as error:
                log.warning("interrupted call not recorded", run_id=self.facts.run_id, error=str(error))

    def _step(self, lease: Lease) -> Step:
        return Step(deps=self.deps, lease=lease, options=RunOptions(), wake=lambda _: None)


async def open_mcp_run(deps: Deps, opening: Opening) -> McpRun:
    """A new run of the client's session, its lease held and kept alive.

    Raises:
        TruthUnavailable: the stores cannot be written.
        RunRefused: the session belongs to another key.
    """
    facts = _facts(deps, opening)
    new = NewRun(facts=facts, thread_id=facts.run_id, model=MODEL, world=deps.sources.name)
    asked_at = deps.clock.monotonic()
    lease = await deps.keeper.adopt(await deps.control.open_run(new, deps.keeper.owner), asked_at=asked_at)
    run = McpRun(deps, facts)
    step = Step(deps=deps, lease=lease, options=RunOptions(), wake=lambda _: None)
    if opening.placeholders and facts.mask_identifiers:
        await deps.canonical.add_placeholders(lease, opening.placeholders)
    ids: dict[str, object] = {"session_id": facts.session_id, "run_id": facts.run_id}
    await offer(step, "metadata", PublicEventType.METADATA, ids)
    await trace(
        step,
        "run:started",
        TraceEventType.RUN_STARTED,
        NODE,
        model=MODEL,
        language=facts.language.value,
        tools=len(deps.tool_names),
        follow_up=False,
    )
    return run


def _facts(deps: Deps, opening: Opening) -> RunFacts:
    language = deps.policy.language or Language.EN
    return RunFacts(
        run_id=opening.run_id,
        session_id=opening.session_id,
        query=QUERY.text(language, client=opening.client),
        language=language,
        now=deps.sources.now or deps.clock.now(),
        time_zone=deps.sources.time_zone,
        window=None,
        redaction=deps.policy.redaction,
        # Whose model reads the results is unknown, so it is an external one.
        mask_identifiers=deps.policy.redaction is not RedactionPolicy.NEVER,
        limits=deps.policy.limits,
        notices=tuple(notice.text(language) for notice in deps.sources.notices),
    )


def _dump(arguments: Mapping[str, object]) -> str:
    return json.dumps(arguments, ensure_ascii=False)
