"""The yardstick: LangGraph's prebuilt ReAct agent over the same notebook, with the same durability of checkpoints.

It has no control store, no canonical records, no guards and no audit: it shows what the framework alone costs.
"""

import json
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiosqlite
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import create_react_agent

from eval.bench.notebook import Gate, Notebook, PageInput
from eval.bench.played import N_TOOL_CALLS, QUESTION, TOOL, played_plainly
from eval.bench.rootproof_run import WorkMissing
from graph.stores import CHECKPOINT_FILE
from graph.system import SystemIds


@dataclass(frozen=True)
class ReactStage:
    """One open agent."""

    graph: CompiledStateGraph[Any, Any, Any, Any]
    notebook: Notebook
    ids: SystemIds

    async def run(self) -> str:
        """One whole run, on a thread of its own.

        Raises:
            WorkMissing: it did not read both pages and answer.
        """
        thread_id = self.ids.uuid()
        config: Any = {"configurable": {"thread_id": thread_id}}
        messages: Any = {"messages": [("user", QUESTION)]}
        n_updates, last = 0, None
        async for update in self.graph.astream(messages, config, stream_mode="updates", durability="sync"):
            n_updates, last = n_updates + 1, update
        if n_updates != 2 * N_TOOL_CALLS + 1 or not last or "conclusion" not in str(last):
            raise WorkMissing(f"the prebuilt agent made {n_updates} steps and ended with {str(last)[:200]}")
        return thread_id

    def hold(self, gate: Gate) -> None:
        """Let the runs from now on wait at this gate."""
        self.notebook.gate = gate


@asynccontextmanager
async def open_react(home: Path) -> AsyncIterator[ReactStage]:
    """The agent with a checkpoint file in this folder, in WAL mode and synchronous NORMAL as Rootproof's own is."""
    notebook = Notebook()

    async def read(page: str) -> str:
        return json.dumps(await notebook.read(page), ensure_ascii=False)

    tool = StructuredTool.from_function(
        coroutine=read, name=TOOL, description=notebook.description, args_schema=PageInput
    )
    async with aiosqlite.connect(home / CHECKPOINT_FILE) as connection:
        await connection.execute("PRAGMA journal_mode = WAL")
        await connection.execute("PRAGMA synchronous = NORMAL")
        saver = AsyncSqliteSaver(connection)
        await saver.setup()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # It moved to another distribution, which brings nothing for this purpose.
            graph = create_react_agent(played_plainly(), [tool], checkpointer=saver)
        yield ReactStage(graph, notebook, SystemIds())
