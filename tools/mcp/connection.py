"""One MCP server over its life: opened, pinned, asked by many runs at once, started again when it died, closed.

A task of its own holds the connection, because the SDK binds it to the task that opened it. Before each call the
server's definitions are compared with the pinned ones; a server that changed one is not asked any more.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version

import anyio
import structlog
from mcp import ClientSession, MCPError
from mcp.client import IncomingMessage
from mcp_types import CallToolResult, Implementation, Tool, ToolListChangedNotification

from state.model.enums import ToolCode
from state.model.errors import ToolFailed
from state.ports import Clock
from tools.mcp.definition import PinnedTool
from tools.mcp.exchange import Unstarted, call_tool, changed_tools, greet, is_gone, list_tools, told_of, translated
from tools.mcp.link import Link, Trouble
from tools.mcp.restarts import Restarts

START_S = 30.0
"""For starting, greeting and listing."""
CLOSE_S = 10.0
BAD_REQUEST = 400

log = structlog.get_logger("tools.mcp")


@dataclass
class _Session:
    """One live connection."""

    stop: asyncio.Event = field(default_factory=asyncio.Event)
    owner: asyncio.Task[None] | None = None
    ready: asyncio.Future[ClientSession] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    announced_change: bool = False
    """The server said that its tools changed, and nobody compared them since."""
    n_calls: int = 0
    """Calls at work on it."""
    is_left: bool = False
    """No new call uses it; it ends with the last one at work."""

    def end_if_idle(self) -> None:
        if self.is_left and self.n_calls == 0:
            self.stop.set()


class McpConnection:
    """Asks one server. ``close`` it at the end."""

    def __init__(self, name: str, link: Link, clock: Clock) -> None:
        self.name = name
        self._link = link
        self._clock = clock
        self._pinned: Mapping[str, str] = {}
        self._session: _Session | None = None
        self._owners: dict[asyncio.Task[None], _Session] = {}
        self._opening = asyncio.Lock()
        self._restarts = Restarts()
        self._distrusted = False

    async def open(self) -> tuple[Tool, ...]:
        """What the server offers.

        Raises:
            ToolFailed: it cannot be started or reached, refuses us, or does not speak the protocol.
        """
        with translated(self.name):
            async with asyncio.timeout(START_S):
                session = await self._ready()
                return await list_tools(await session.ready)

    def pin(self, tools: tuple[PinnedTool, ...]) -> None:
        """From now on these definitions must not change."""
        self._pinned = {tool.name: tool.definition_sha256 for tool in tools}

    async def call(self, tool: str, arguments: Mapping[str, object]) -> CallToolResult:
        """The server's reply. When the caller is cancelled the server is told, and works no longer for nobody.

        Raises:
            ToolFailed: RESULT_TOO_LARGE, TOOL_TIMEOUT; else TOOL_EXECUTION_ERROR: the server is gone, changed its
                tools, refused, or gave no reply of the protocol.
        """
        with translated(self.name) as trouble:
            session = await self._compared(trouble)
            with self._at_work(session, trouble):
                result = await call_tool(await session.ready, tool, arguments)
                if session.announced_change:
                    await self._compare(session)
            self._restarts.answered()
            return result

    async def close(self) -> None:
        """End the connection and, of a local server, its process; idempotent."""
        self._leave(self._session)
        owners = set(self._owners)
        for session in self._owners.values():
            session.stop.set()
        if not owners:
            return
        _, late = await asyncio.wait(owners, timeout=CLOSE_S)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late, timeout=1.0)

    async def _compared(self, trouble: Trouble) -> _Session:
        """A live session whose tools are the pinned ones. One that died since the last call is replaced, once.

        Raises:
            ToolFailed: see ``_compare`` and ``_ready``.
            MCPError: the server does not answer.
        """
        before = self._session
        session = await self._ready()
        try:
            with self._at_work(session, trouble):
                await self._compare(session)
            return session
        except MCPError as error:
            # Nothing was executed yet, so this may be said twice. A bare listing is a bad request only if the
            # server forgot the session.
            if session is not before or not (is_gone(error, trouble) or trouble.status == BAD_REQUEST):
                raise
            self._leave(session)
            trouble.clear()
        session = await self._ready()
        with self._at_work(session, trouble):
            await self._compare(session)
        return session

    async def _ready(self) -> _Session:
        """The live session; a new one if there is none.

        Raises:
            ToolFailed: it was started too often in vain.
        """
        async with self._opening:
            if self._session is None or self._session.owner is None or self._session.owner.done():
                if not self._restarts.may_start(self._clock.monotonic()):
                    detail = f"{self.name}: failed too often; pausing"
                    raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail=detail)
                self._session = self._start()
            session = self._session
        # Others may wait for the same start: one that gives up must not end it.
        await asyncio.shield(session.ready)
        return session

    def _start(self) -> _Session:
        session = _Session()
        session.ready.add_done_callback(lambda ready: ready.cancelled() or ready.exception())
        session.owner = asyncio.create_task(self._hold(session))
        self._owners[session.owner] = session
        session.owner.add_done_callback(lambda owner: self._owners.pop(owner, None))
        return session

    async def _hold(self, session: _Session) -> None:
        """Own the connection until it is told to stop; what goes wrong at the start goes to whoever waits for it."""

        async def hear(message: IncomingMessage) -> None:
            session.announced_change |= isinstance(message, ToolListChangedNotification)

        client = Implementation(name="rootproof", version=version("rootproof"))
        try:
            async with (
                self._link() as (incoming, outgoing),
                ClientSession(incoming, outgoing, message_handler=hear, client_info=client) as live,
            ):
                with anyio.fail_after(START_S):
                    await greet(live)
                session.ready.set_result(live)
                await session.stop.wait()
        except Exception as error:  # noqa: BLE001 - a task of its own: nobody above it could catch anything
            log.warning("MCP connection ended", server=self.name, error=told_of(error))
            if not session.ready.done():
                session.ready.set_exception(Unstarted(told_of(error)))
        finally:
            session.ready.cancel()

    async def _compare(self, session: _Session) -> None:
        """Return if every pinned tool still is what it was.

        Raises:
            ToolFailed: one changed, now or before; only a restart of this process trusts the server again.
        """
        if not self._distrusted:
            session.announced_change = False
            changed = changed_tools(self._pinned, await list_tools(await session.ready))
            if changed:
                self._distrusted = True
                log.error("MCP server changed its tools; it is not asked any more", server=self.name, tools=changed)
        if self._distrusted:
            detail = f"{self.name}: tools changed since they were pinned"
            raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail=detail)

    @contextmanager
    def _at_work(self, session: _Session, trouble: Trouble) -> Iterator[None]:
        """Inside, the session is not ended; one that turns out to be no good is left for a new one.

        Raises:
            MCPError: as it came.
        """
        session.n_calls += 1
        try:
            yield
        except MCPError as error:
            if is_gone(error, trouble):
                self._leave(session)
            raise
        finally:
            session.n_calls -= 1
            session.end_if_idle()

    def _leave(self, session: _Session | None) -> None:
        """The next call opens a new connection; this one ends with the last call at work on it."""
        if session is None:
            return
        session.is_left = True
        session.end_if_idle()
        if self._session is session:
            self._session = None
