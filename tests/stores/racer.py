"""A second process for the race tests: does store work it reads from stdin at the instant it is told.

One JSON command a line in, one JSON answer a line out; times are of the machine's monotonic clock.
"""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from state.model.enums import CancellationReason
from state.model.errors import RootproofError
from state.model.ids import RunId
from state.model.run import BudgetEntry, BudgetKind, Closing, Lease, PublicEventType
from state.stores.control_sql import SqlControlStore, control_file
from tests.contracts.samples import NOW, SteppingClock, a_failure, a_new_run, a_success, facts, run_id

Command = dict[str, Any]
Answer = dict[str, Any]


async def take(store: SqlControlStore, command: Command) -> Answer:
    lease = await store.take_lease(RunId(command["run_id"]), command["owner"])
    return {"epoch": lease.epoch}


async def take_and_count(store: SqlControlStore, command: Command) -> Answer:
    """What the old holder wrote before the lease was taken; the new one writes nothing."""
    lease = await store.take_lease(RunId(command["run_id"]), command["owner"])
    events, entries = await store.public_events(lease.run_id), await store.entries(lease.run_id)
    return {"epoch": lease.epoch, "events": len(events), "entries": len(entries)}


async def close_success(store: SqlControlStore, command: Command) -> Answer:
    return await _close(store, command, a_success())


async def close_failure(store: SqlControlStore, command: Command) -> Answer:
    return await _close(store, command, a_failure())


async def take_and_close(store: SqlControlStore, command: Command) -> Answer:
    lease = await store.take_lease(RunId(command["run_id"]), command["owner"])
    row = await store.close(lease, a_failure())
    return {"run_state": row.run_state, "epoch": lease.epoch}


async def cancel(store: SqlControlStore, command: Command) -> Answer:
    return {"asked": await store.request_cancel(RunId(command["run_id"]), CancellationReason.USER_REQUESTED)}


async def sweep(store: SqlControlStore, command: Command) -> Answer:
    return {"closed": [row.run_id for row in await store.sweep(max_run_age_s=command["max_run_age_s"])]}


async def open_many(store: SqlControlStore, command: Command) -> Answer:
    for number in command["numbers"]:
        await store.open_run(a_new_run(facts(run_id(number))), command["owner"])
    return {"opened": len(command["numbers"])}


async def open_in_session(store: SqlControlStore, command: Command) -> Answer:
    of = facts(run_id(command["number"]), session=command["session"], owner_key=command["key"])
    return {"epoch": (await store.open_run(a_new_run(of), command.get("owner", command["key"]))).epoch}


async def forget_sessions(store: SqlControlStore, command: Command) -> Answer:
    return {"forgotten": await store.delete_empty_sessions(NOW + timedelta(days=36_500), at_most=100)}


async def write_many(store: SqlControlStore, command: Command) -> Answer:
    """One event and one reservation of each key; ``written`` counts the events that were not there yet."""
    lease, written = Lease.model_validate(command["lease"]), 0
    for key in command["keys"]:
        written += await store.offer_event(lease, key, PublicEventType.STATUS, {}) is not None
        await store.reserve(lease, _entry(lease, key))
    return {"written": written}


def _entry(lease: Lease, key: str) -> BudgetEntry:
    return BudgetEntry(run_id=lease.run_id, kind=BudgetKind.TOOL_CALL, key=key, component="query_logs", reserved=1)


async def _close(store: SqlControlStore, command: Command, closing: Closing) -> Answer:
    row = await store.close(Lease.model_validate(command["lease"]), closing)
    return {"run_state": row.run_state}


ACTIONS: dict[str, Callable[[SqlControlStore, Command], Awaitable[Answer]]] = {
    action.__name__: action
    for action in (
        take, take_and_count, close_success, close_failure, take_and_close, cancel, sweep, open_many, open_in_session,
        forget_sessions, write_many,
    )
}  # fmt: skip


async def answer(store: SqlControlStore, command: Command) -> Answer:
    await asyncio.sleep(max(0.0, command["at"] - time.monotonic()))
    try:
        return await ACTIONS[command["action"]](store, command)
    except RootproofError as error:
        return {"error": type(error).__name__}


def opened(where: str) -> SqlControlStore:
    """A store on that file, or on the server of that url."""
    if "://" not in where:
        return control_file(Path(where))
    from state.stores.records import open_records_database

    return open_records_database(where, password=None, clock=SteppingClock()).control


async def main(where: str) -> None:
    store = opened(where)
    print(json.dumps("here"), flush=True)
    for line in sys.stdin:
        print(json.dumps(await answer(store, json.loads(line))), flush=True)
    await store.close_store()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
