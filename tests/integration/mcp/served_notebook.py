"""Serves a notebook to one MCP client over standard input and output: ``HOME``. Its page ``slow`` never ends."""

import asyncio
import os
import sys
from pathlib import Path

from config.log_setup import configure_logging
from graph.mcp_server import serve_stdio
from state.model.redaction import redact_text
from tests.graph.test_mcp_server import served


async def loud() -> list[str]:
    """Whatever a library prints must not reach the client."""
    os.write(1, b"to standard output by mistake\n")
    return ["loud"]


async def main() -> None:
    configure_logging("info", "json", redact_text)
    pages = {**{f"p{number}": [f"line {number}"] for number in range(20)}, "slow": lambda: asyncio.sleep(600)}
    async with served(Path(sys.argv[1]), pages={**pages, "p0": loud}) as process:
        await serve_stdio(process.app)


asyncio.run(main())
