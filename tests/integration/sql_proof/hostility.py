"""Runs every hostile statement with the validator off, in the sessions that production uses, a second each."""

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path

from state.model.errors import ToolFailed
from tests.integration.sql.incident import WallClock
from tests.tools.sql.corpus.reading import Statement
from tools.sql.executor import MAX_CONNECTIONS, Executor
from tools.sql.session import Door, Session

TIMEOUT_S = 1.0
Way = Callable[[Session, str], None]
_QUOTED_PATH = re.compile(r"['\"](/[\w./-]+)['\"]")


SECRETS = ("k-444", "mallory", "cy@example.org", "fraud?")
"""Of columns and tables beyond the allowlist; no statement of the corpus holds them itself."""


def as_asked(session: Session, sql: str) -> None:
    """One statement, the way the executor asks; fails the test if a secret comes back."""
    with closing(session.ask(sql)) as rows:
        for row in islice(rows, 200):
            assert not any(secret in str(cell) for secret in SECRETS for cell in row), sql


async def run_all(door: Door, statements: Sequence[Statement], way: Way) -> Counter[str]:
    """How often which ending; every statement has a session of its own, begun and closed by the executor."""
    executor = Executor(door, WallClock())
    room = asyncio.Semaphore(MAX_CONNECTIONS)
    endings: Counter[str] = Counter()

    async def run(sql: str) -> None:
        async with room:
            try:
                await executor.work(lambda session: way(session, sql), timeout_s=TIMEOUT_S)
                endings["answered"] += 1
            except ToolFailed as failed:
                endings[failed.code.value] += 1

    await asyncio.gather(*(run(statement.sql) for statement in statements))
    executor.close()
    return endings


def paths_named(statements: Sequence[Statement]) -> set[Path]:
    """Files and folders outside the server that the statements name, which do not exist."""
    named = {Path(path) for statement in statements for path in _QUOTED_PATH.findall(statement.sql)}
    return {path for path in named if not path.exists()}


def listing(folder: Path, *, ignored: re.Pattern[str]) -> set[str]:
    """Every file below the folder but those ignored."""
    names = (str(path.relative_to(folder)) for path in folder.rglob("*"))
    return {name for name in names if not ignored.search(name)}


def beyond_one_select(statements: Sequence[Statement]) -> list[Statement]:
    """Those that are more or else than one SELECT: for them it matters how many statements a text may hold."""
    return [one for one in statements if ";" in one.sql or not one.sql.lstrip(" (").upper().startswith("SELECT")]
