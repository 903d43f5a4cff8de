"""A second process for the race tests: does store work it reads from stdin at the instant it is told.

One JSON command a line in, one JSON answer a line out; times are of the machine's monotonic clock.
"""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from state.model.enums import CancellationReason
from state.model.errors import RootproofError
from state.model.ids import RunId
from state.model.run import Closing, Lease
from state.stores.control_sql import SqlControlStore, control_file
from tests.contracts.samples import a_failure, a_new_run, a_success, facts, run_id

Command = dict[str, Any]
Answer = dict[str, Any]


async def take(store: SqlControlStore, command: Command) -> Answer:
    lease = await store.take_lease(RunId(command["run_id"]), command["owner"])
    return {"epoch": lease.epoch}


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


async def _close(store: SqlControlStore, command: Command, closing: Closing) -> Answer:
    row = await store.close(Lease.model_validate(command["lease"]), closing)
    return {"run_state": row.run_state}


ACTIONS: dict[str, Callable[[SqlControlStore, Command], Awaitable[Answer]]] = {
    action.__name__: action for action in (take, close_success, close_failure, take_and_close, cancel, sweep, open_many)
}


async def answer(store: SqlControlStore, command: Command) -> Answer:
    await asyncio.sleep(max(0.0, command["at"] - time.monotonic()))
    try:
        return await ACTIONS[command["action"]](store, command)
    except RootproofError as error:
        return {"error": type(error).__name__}


async def main(path: Path) -> None:
    store = control_file(path)
    print(json.dumps("here"), flush=True)
    for line in sys.stdin:
        print(json.dumps(await answer(store, json.loads(line))), flush=True)
    await store.close_store()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
