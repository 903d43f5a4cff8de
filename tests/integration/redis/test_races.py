"""Tasks of two processes race for one record: one wins, the others are told so, and the record is in one piece."""

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.system import SystemClock
from state.model.enums import EvidenceStatus, InvocationStatus, ToolCode
from state.model.errors import LeaseLost, RootproofError
from state.model.ids import RunId, ToolCallId
from state.model.run import Lease
from state.ports import CanonicalStore
from state.stores.canonical_redis import RedisCanonicalStore
from state.stores.canonical_sqlite import SqliteCanonicalStore
from tests.contracts.samples import OTHER_RUN, RUN, a_lease, a_record
from tests.integration.redis.contender import answer
from tests.integration.redis.places import address
from tests.servers import Server

pytestmark = pytest.mark.xdist_group("redis")

ROOT = Path(__file__).parents[3]
ROUNDS = 40
CALLS = [ToolCallId(f"call_{number}") for number in range(3)]


@pytest.fixture
async def other(redis_server: Server, prefix: str) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.integration.redis.contender", address(redis_server), prefix,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, cwd=ROOT,
    )  # fmt: skip
    assert process.stdout is not None
    assert json.loads(await process.stdout.readline()) == "here"
    yield process
    assert process.stdin is not None
    process.stdin.close()
    assert await process.wait() == 0


async def race(store: RedisCanonicalStore, other: asyncio.subprocess.Process, action: str, call: str) -> dict[str, str]:
    """Attempt → outcome, of both processes."""
    assert other.stdin is not None
    assert other.stdout is not None
    command = {"action": action, "run": RUN, "call": call, "at": str(time.monotonic() + 0.03)}
    other.stdin.write(json.dumps(command).encode() + b"\n")
    mine, line = await asyncio.gather(answer(store, command, "mine"), other.stdout.readline())
    return mine | json.loads(line)


async def test_one_attempt_wins_each_transition(store: RedisCanonicalStore, other: asyncio.subprocess.Process) -> None:
    winners = set()
    for number in range(ROUNDS):
        call = ToolCallId(f"call_{number}")
        begun = await race(store, other, "begin", call)
        assert sorted(begun.values()) == ["lost"] * 11 + ["won"]
        record = await store.get(RUN, call)
        assert record is not None
        assert begun[record.scope_key] == "won"
        winners.add(record.scope_key.split("-")[0])

        finished = await race(store, other, "finish", call)
        record, raw = await store.get(RUN, call), await store.raw(RUN, call)
        assert record is not None
        won = {name for name, outcome in finished.items() if outcome == "won"}
        assert set(finished.values()) == {"won", "TruthUnavailable"}
        if record.status is InvocationStatus.ERROR:
            assert won <= {"mine-0", "other-0"}
            assert (record.projection_json, raw) == (None, None)
        else:
            assert won == {record.projection_json}
            assert raw == str(record.projection_json) * 500
        winners |= {name.split("-")[0] for name in won}

    assert len(await store.records(RUN)) == ROUNDS
    assert winners == {"mine", "other"}


async def test_nothing_of_the_old_epoch_comes_after_the_fence(store: RedisCanonicalStore) -> None:
    """Writers of epoch 1 run while the fence goes up: what they still began is on record when it stands."""
    seen_after = []
    for number in range(30):
        calls = [ToolCallId(f"call_{number}_{task}") for task in range(8)]
        old, new = a_lease(epoch=2 * number + 1), a_lease(epoch=2 * number + 2)
        writers = [store.begin(old, a_record(old, call, begun_at=SystemClock().now())) for call in calls]

        async def take_over(new: Lease = new) -> set[str]:
            await store.raise_fence(new)
            return {record.tool_call_id for record in await store.records(RUN)}

        outcomes = await asyncio.gather(*writers[:4], take_over(), *writers[4:], return_exceptions=True)
        stood = outcomes.pop(4)
        begun = {call for call, outcome in zip(calls, outcomes, strict=True) if outcome is None}
        assert isinstance(stood, set)
        assert begun <= stood
        assert all(isinstance(outcome, LeaseLost) for outcome in outcomes if outcome is not None)
        seen_after.append(len(begun))

    assert sum(seen_after) > 0


OPERATIONS = st.tuples(
    st.sampled_from(["begin", "complete", "fail", "raise_fence", "add", "copy", "get", "raw"]),
    st.sampled_from([RUN, OTHER_RUN]),
    st.sampled_from(CALLS),
    st.integers(1, 3),
)


async def act(store: CanonicalStore, operation: tuple[str, RunId, ToolCallId, int], record_at: int) -> object:
    """The outcome of one operation: its value, or the kind of its error."""
    name, run, call, epoch = operation
    lease, source = a_lease(run, epoch=epoch), OTHER_RUN if run == RUN else RUN
    record = a_record(lease, call, begun_at=START).model_copy(update={"request_bytes": record_at})
    actions = {
        "begin": lambda: store.begin(lease, record),
        "complete": lambda: store.complete(
            lease, call, evidence_status=EvidenceStatus.NO_EVIDENCE, projection_json=f"{epoch}", raw_json="网关"
        ),
        "fail": lambda: store.fail(lease, call, ToolCode.TOOL_TIMEOUT),
        "raise_fence": lambda: store.raise_fence(lease),
        "add": lambda: store.add_placeholders(lease, {f"<host-{epoch}>": call, "<host-9>": f"{epoch}"}),
        "copy": lambda: store.copy_finished(source, lease, [call]),
        "get": lambda: store.get(run, call),
        "raw": lambda: store.raw(run, call),
    }
    try:
        outcome: object = await actions[name]()
    except RootproofError as error:
        outcome = type(error).__name__
    return outcome


START = SystemClock().now()


@given(operations=st.lists(OPERATIONS, max_size=25))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_any_sequence_ends_as_in_the_file_store(
    redis_server: Server, tmp_path_factory: pytest.TempPathFactory, operations: list[tuple[str, RunId, ToolCallId, int]]
) -> None:
    folder = tmp_path_factory.mktemp("sqlite")
    here = RedisCanonicalStore(address(redis_server), SystemClock(), prefix=f"p{time.monotonic_ns()}")
    there = SqliteCanonicalStore(folder / "canonical.db", SystemClock())

    for number, operation in enumerate(operations):
        assert await act(here, operation, number) == await act(there, operation, number)
    for run in (RUN, OTHER_RUN):
        assert await here.records(run) == await there.records(run)
        assert await here.placeholders(run) == await there.placeholders(run)
    await here.close_store()
    await there.close_store()
