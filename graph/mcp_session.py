"""One client of the MCP server: its calls one after the other, each in an open run, and the run's end when due."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import anyio
import structlog

from graph.mcp_reply import Reply, not_possible, reply_to
from graph.mcp_run import End, McpRun, Opening, open_mcp_run
from nodes.deps import Deps
from state.model.enums import RedactionPolicy, ToolCode
from state.model.errors import LeaseLost, RunRefused, RunStopped, TruthUnavailable
from state.model.ids import RunId, SessionId, digest8
from state.model.placeholders import PlaceholderMap, mask_json

IDLE_S = 900.0
"""Without a call for that long the run is closed; the next call opens another one."""
AGE_RATIO = 0.9
"""Part of ``max_run_age_s`` after which the run is closed, so that it never expires under a client's hands."""
MAX_WAITING = 8
"""Calls of one client that are at work or wait for their turn; a further one is refused."""
POLL_S = 1.0
CLOSE_S = 10.0

log = structlog.get_logger("graph.mcp")


@dataclass(frozen=True)
class Patience:
    """When a run is closed although its client is still there."""

    idle_s: float = IDLE_S
    poll_s: float = POLL_S


class McpSession:
    """Serves one client. ``close`` it at the end."""

    def __init__(self, deps: Deps, new_run_id: Callable[[], RunId], patience: Patience) -> None:
        self.leaving = False
        """Set when the client goes: a call that is then cut off was cut off by it."""
        self._deps = deps
        self._new_run_id = new_run_id
        self._patience = patience
        self._id: SessionId | None = None
        self._run: McpRun | None = None
        self._opening: asyncio.Task[McpRun] | None = None
        self._shown: dict[str, str] = {}
        self._cut_off = False
        self._turn = asyncio.Lock()
        self._n_waiting = 0
        self._opened_s = 0.0
        self._used_s = 0.0
        self._watch: asyncio.Task[None] | None = None

    async def describe(self, texts: list[str]) -> list[str]:
        """The texts as the client may see them: with placeholders, which its runs will know. Opens no run.

        Raises:
            TruthUnavailable: the records of an open run cannot be written.
        """
        if self._deps.policy.redaction is RedactionPolicy.NEVER:
            return texts
        async with self._turn:
            if self._run is not None:
                return await self._run.described(texts)
            shown, added = mask_json(texts, PlaceholderMap(entries=self._shown))
            self._shown |= added
            assert isinstance(shown, list), "masking keeps the shape"
            return [str(text) for text in shown]

    async def call(self, name: str, arguments: Mapping[str, object], *, client: str) -> Reply:
        """What became of the call; every refusal and failure is a reply.

        Raises:
            CancelledError: the client took the call back or left.
        """
        if self._n_waiting >= MAX_WAITING:
            return not_possible(ToolCode.PARALLEL_TOOL_CALL, self._run.facts.run_id if self._run else None)
        self._n_waiting += 1
        try:
            async with self._turn:
                return await self._call(name, arguments, client)
        finally:
            self._n_waiting -= 1

    async def close(self) -> None:
        """Close the run; idempotent. It happens although the caller is cancelled, within bounded time."""
        with anyio.move_on_after(CLOSE_S, shield=True):
            async with self._turn:
                if self._opening is not None:
                    await asyncio.wait({self._opening})
                await self._end(End.CUT_OFF if self._cut_off else End.ORDERLY)
        if self._watch is not None:
            self._watch.cancel()

    @property
    def is_open(self) -> bool:
        """True while a run is open, or a call is about to open one."""
        return self._run is not None or self._n_waiting > 0

    async def _call(self, name: str, arguments: Mapping[str, object], client: str) -> Reply:
        self._used_s = self._deps.clock.monotonic()
        self._cut_off = False
        run_id: RunId | None = None
        try:
            run = self._run or await self._open(client)
            run_id = run.facts.run_id
            return reply_to(await run.call(name, arguments), run_id)
        except asyncio.CancelledError:
            self._cut_off = self.leaving
            raise
        except (RunStopped, LeaseLost, RunRefused) as stopped:
            log.info("MCP run ended from outside", run_id=run_id, why=str(stopped))
            await self._end(End.ORDERLY)
            return not_possible(ToolCode.RUN_INACTIVE, run_id)
        except TruthUnavailable as error:
            log.error("MCP call without truth", run_id=run_id, error=str(error))
            await self._end(End.STORE_FAILED)
            return not_possible(ToolCode.STORE_ERROR, run_id)
        finally:
            self._used_s = self._deps.clock.monotonic()

    async def _open(self, client: str) -> McpRun:
        """The open run. A client that takes its request back meanwhile leaves no half-open run behind."""
        if self._opening is None or self._opening.done():
            self._opening = asyncio.create_task(self._opened(client))
        return await asyncio.shield(self._opening)

    async def _opened(self, client: str) -> McpRun:
        run_id = self._new_run_id()
        self._id = self._id or SessionId(f"mcp-{digest8(run_id)}")
        self._run = run = await open_mcp_run(self._deps, Opening(run_id, self._id, client, self._shown))
        self._opened_s = self._used_s = self._deps.clock.monotonic()
        if self._watch is None or self._watch.done():
            self._watch = asyncio.create_task(self._close_when_due())
        return run

    async def _end(self, end: End) -> None:
        run = self._run
        if run is None:
            return
        try:
            self._shown |= await run.placeholders()
        except TruthUnavailable:
            # What was shown before may then not resolve any more; nothing wrong is shown for it.
            log.warning("placeholders of the run are gone", run_id=run.facts.run_id)
        try:
            await run.close(end)
        finally:
            self._run = None

    async def _close_when_due(self) -> None:
        while self._run is not None:
            await asyncio.sleep(self._patience.poll_s)
            async with self._turn:
                if self._is_due(self._deps.clock.monotonic()):
                    await self._end(End.ORDERLY)

    def _is_due(self, now: float) -> bool:
        max_age_s = AGE_RATIO * self._deps.policy.limits.max_run_age_s
        return now - self._used_s >= self._patience.idle_s or now - self._opened_s >= max_age_s
