"""One configured MCP server, its tool, and one call through the real client."""

import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config.sources import McpSource
from graph.system import SystemClock
from state.model.evidence import Projection, Window
from state.model.ids import ToolCallId
from tests.fakes import NOW
from tools.contract import CallContext, EvidenceTool, Prepared
from tools.mcp.opening import open_mcp_tools

FOLDER = Path(__file__).parent
CONTEXT = CallContext(now=NOW, time_zone="UTC", default_window=Window(start=NOW, end=NOW), kb_scope="local")


@dataclass
class Asked:
    """The tool of an open server."""

    tool: EvidenceTool

    def prepared(self, arguments: str = '{"service": "pay"}') -> Prepared:
        return self.tool.prepare(self.tool.input_model.model_validate_json(arguments), CONTEXT)

    async def ask(self, arguments: str = '{"service": "pay"}') -> Projection:
        prepared = self.prepared(arguments)
        raw = await self.tool.execute(prepared, CONTEXT)
        return self.tool.project(ToolCallId("c1"), prepared, raw)

    async def said(self) -> str:
        return "\n".join(item.text for item in (await self.ask()).items)


@asynccontextmanager
async def opened(source: McpSource) -> AsyncIterator[Asked]:
    """The first tool of the server."""
    async with open_mcp_tools({"ops": source}, SystemClock()) as tools:
        yield Asked(next(iter(tools.values())))


def raw_server(how: str, heard: Path, *, timeout_s: float = 5.0, env: Mapping[str, str] | None = None) -> McpSource:
    """The server of ``raw_server.py``."""
    command = [sys.executable, str(FOLDER / "raw_server.py"), how, str(heard)]
    return a_source(command=command, timeout_s=timeout_s, env=dict(env or {}))


def a_source(**given: Any) -> McpSource:
    return McpSource.model_validate({"kind": "mcp", "tools": {"deploys": {}}, **given})
