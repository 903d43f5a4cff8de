"""What is said to an MCP server, and what its failures are called: errors of the SDK end here."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from mcp import ClientSession, MCPError
from mcp_types import (
    CONNECTION_CLOSED,
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    ListToolsRequest,
    ListToolsResult,
    PaginatedRequestParams,
    Tool,
)

from tools.mcp.definition import definition_digest
from tools.mcp.link import TOO_LARGE, TROUBLE, Trouble

MAX_PAGES = 20
MAX_TOOLS = 1000


class Unstarted(Exception):
    """The connection was not established; the message says why in words of the system and of ours."""


async def greet(session: ClientSession) -> None:
    """Agree on a protocol: the handshake that every server knows, else the form of servers that have none.

    Raises:
        MCPError: the server knows neither, or is gone.
    """
    try:
        await session.initialize()
    except MCPError as error:
        if error.error.code == CONNECTION_CLOSED:
            raise
        await session.discover()


async def list_tools(session: ClientSession) -> tuple[Tool, ...]:
    """All tools of the server. Not the SDK's own listing: that would compile schemas the server wrote.

    Raises:
        ValueError: there are too many.
    """
    tools: list[Tool] = []
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        params = PaginatedRequestParams(cursor=cursor) if cursor else None
        page = await session.send_request(ListToolsRequest(params=params), ListToolsResult)
        tools += page.tools
        cursor = page.next_cursor
        if not cursor and len(tools) <= MAX_TOOLS:
            return tuple(tools)
    raise ValueError(f"over {MAX_TOOLS} tools or {MAX_PAGES} pages of them")


async def call_tool(session: ClientSession, tool: str, arguments: Mapping[str, object]) -> CallToolResult:
    """The reply. If the caller is cancelled the server is told."""
    params = CallToolRequestParams(name=tool, arguments=dict(arguments))
    return await session.send_request(CallToolRequest(params=params), CallToolResult)


def changed_tools(pinned: Mapping[str, str], offered: tuple[Tool, ...]) -> list[str]:
    """Names of pinned tools that are gone, offered twice, or not what they were, sorted. Pure."""
    times = Counter(tool.name for tool in offered)
    now = {tool.name: definition_digest(tool) for tool in offered if tool.name in pinned}
    return sorted(name for name, sha256 in pinned.items() if now.get(name) != sha256 or times[name] > 1)


@contextmanager
def translated(server: str) -> Iterator[Trouble]:
    """Whatever a server can do wrong as ToolFailed; its own words go nowhere.

    Raises:
        ToolFailed: RESULT_TOO_LARGE, TOOL_TIMEOUT, else TOOL_EXECUTION_ERROR, in place of every other error.
    """
    trouble = Trouble()
    token = TROUBLE.set(trouble)
    try:
        yield trouble
    except MCPError as error:
        trouble.is_too_large |= error.error.code == TOO_LARGE
        raise trouble.failure(server, told_of(error)) from None
    except Unstarted as error:
        raise trouble.failure(server, str(error)) from None
    except (ValueError, RuntimeError, KeyError, OSError) as error:
        raise trouble.failure(server, told_of(error)) from None
    finally:
        TROUBLE.reset(token)


def is_gone(error: MCPError, trouble: Trouble) -> bool:
    """True if another connection may do better."""
    return error.error.code == CONNECTION_CLOSED or trouble.is_gone


def told_of(error: BaseException) -> str:
    """The first plain error inside groups, in words of the system and of ours: what the server wrote stays out."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, MCPError):
        return f"error {error.error.code}"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    return type(error).__name__
