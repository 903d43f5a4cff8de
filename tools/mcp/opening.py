"""Opens the configured MCP servers of a process as evidence tools, and closes them. The entry point of this package."""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from itertools import chain

from config.secret_ref import read_header_secret, read_secret
from config.sources import McpSource
from state.model.errors import Misconfigured, SourceUnreachable, ToolFailed
from state.ports import Clock
from tools.contract import EvidenceTool
from tools.mcp.connection import McpConnection
from tools.mcp.definition import PinnedTool, pin_tools
from tools.mcp.evidence_tool import McpEvidenceTool
from tools.mcp.http_link import Remote, http_link
from tools.mcp.known_secrets import KnownSecrets, known_secrets
from tools.mcp.link import Link
from tools.mcp.naming import registered_names
from tools.mcp.stdio_link import Child, stdio_link

INHERITED = ("PATH", "HOME", "LANG")
"""All that a local server learns of our environment."""


@asynccontextmanager
async def open_mcp_tools(sources: Mapping[str, McpSource], clock: Clock) -> AsyncIterator[dict[str, EvidenceTool]]:
    """The allowlisted tools of all servers by registered name, in configured order. Empty: no server is configured.

    Raises:
        SourceUnreachable: a server cannot be started or reached, or refuses the credentials.
        Misconfigured: it lacks a listed tool or offers one that cannot be used; or two tools would have one name.
    """
    names = registered_names({server: tuple(source.tools) for server, source in sources.items()})
    tools: dict[str, EvidenceTool] = {}
    async with AsyncExitStack() as opened:
        links = {server: _link(server, source) for server, source in sources.items()}
        secrets = {server: known for server, (_, known) in links.items()}
        connections = {server: McpConnection(server, link, clock) for server, (link, _) in links.items()}
        for connection in connections.values():
            opened.push_async_callback(connection.close)
        starting = (_pinned(server, source, connections[server], secrets[server]) for server, source in sources.items())
        for pinned in chain.from_iterable(await asyncio.gather(*starting)):
            name, timeout_s = names[pinned.server, pinned.name], sources[pinned.server].timeout_s
            connection, known = connections[pinned.server], secrets[pinned.server]
            tools[name] = McpEvidenceTool(name, pinned, connection, timeout_s=timeout_s, secrets=known)
        yield tools


async def _pinned(
    server: str, source: McpSource, connection: McpConnection, secrets: KnownSecrets
) -> tuple[PinnedTool, ...]:
    """The server's allowlisted tools as they are now.

    Raises:
        SourceUnreachable: see ``open_mcp_tools``; so is Misconfigured.
    """
    try:
        offered = await connection.open()
    except ToolFailed as failed:
        raise SourceUnreachable(f"sources.{server}", f"the MCP server cannot be used ({failed.log_detail})") from None
    pinned = pin_tools(server, source.tools, offered, secrets)
    connection.pin(pinned)
    return pinned


def _link(server: str, source: McpSource) -> tuple[Link, KnownSecrets]:
    """How to reach the server, and which secrets it learns.

    Raises:
        Misconfigured: a secret cannot be read, or there is not exactly one of command and url.
    """
    key = f"sources.{server}"
    if (source.command is None) == (source.url is None):
        raise Misconfigured(key, "either command or url is needed, and not both")
    if source.url is not None:
        token = read_header_secret(f"{key}.token", source.token) if source.token else None
        remote = Remote(source.url, token, source.ca_file, source.timeout_s)
        return partial(http_link, remote), known_secrets([token] if token else [])
    assert source.command is not None, "checked above"
    values = {name: read_secret(f"{key}.env.{name}", reference) for name, reference in source.env.items()}
    inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}  # noqa: TID251 - the child's own
    known = known_secrets(values.values())
    return partial(stdio_link, Child(server, source.command, {**inherited, **values}, known)), known
