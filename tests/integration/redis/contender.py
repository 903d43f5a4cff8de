"""A second process for the race tests: one JSON command a line in, one JSON answer a line out."""

import asyncio
import json
import sys
import time

from graph.system import SystemClock
from state.model.enums import EvidenceStatus, ToolCode
from state.model.errors import RootproofError
from state.model.ids import RunId, ToolCallId
from state.stores.canonical_redis import RedisCanonicalStore
from tests.contracts.samples import a_lease, a_record

TASKS = 6
"""Contenders in each process."""


async def contend(store: RedisCanonicalStore, command: dict[str, str], name: str) -> str:
    """What became of one attempt: ``won``, or the reason why not."""
    lease, call = a_lease(RunId(command["run"])), ToolCallId(command["call"])
    try:
        if command["action"] == "begin":
            record = a_record(lease, call, begun_at=SystemClock().now())
            return "lost" if await store.begin(lease, record.model_copy(update={"scope_key": name})) else "won"
        if command["action"] == "finish" and name.endswith("0"):
            failed = await store.fail(lease, call, ToolCode.TOOL_TIMEOUT)
            return "won" if failed.error_code is ToolCode.TOOL_TIMEOUT else "lost"
        await store.complete(
            lease, call, evidence_status=EvidenceStatus.EVIDENCE_FOUND, projection_json=name, raw_json=name * 500
        )
        return "won"
    except RootproofError as error:
        return type(error).__name__


async def answer(store: RedisCanonicalStore, command: dict[str, str], owner: str) -> dict[str, str]:
    """Attempt → outcome, all begun at the instant named by the command."""
    await asyncio.sleep(max(0.0, float(command["at"]) - time.monotonic()))
    names = [f"{owner}-{number}" for number in range(TASKS)]
    return dict(zip(names, await asyncio.gather(*(contend(store, command, name) for name in names)), strict=True))


async def main(url: str, prefix: str) -> None:
    store = RedisCanonicalStore(url, SystemClock(), prefix=prefix)
    await store.sweep()
    print(json.dumps("here"), flush=True)
    for line in sys.stdin:
        print(json.dumps(await answer(store, json.loads(line), "other")), flush=True)
    await store.close_store()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
