"""Two real processes on one control store, for every backend: one lease holder, one end, content only with its done.

Subclass ``ControlRaces`` and give it module fixtures ``where`` (what the racers open) and ``store`` (one that looks on).
"""

import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from state.model.errors import RunRefused
from state.model.run import Lease
from state.model.served import RunFilter
from state.stores.control_sql import SqlControlStore
from tests.contracts.samples import a_failure, a_new_run, facts, run_id

HEAD_START_S = 0.004
"""Enough for both processes to have read their command before either begins."""
ROOT = Path(__file__).parents[2]

SUCCESS_FRAMES = [("content", None), ("done", "SUCCESS")]
FAILED_FRAMES = [("failure", "INTERNAL_FAILURE"), ("done", "FAILED")]
CANCELLED_FRAMES = [("failure", "RUN_CANCELLED"), ("done", "CANCELLED")]
EXPIRED_FRAMES = [("failure", "RUN_EXPIRED"), ("done", "FAILED")]
LEGAL_ENDS: dict[str, list[Any]] = {
    "SUCCESS": [SUCCESS_FRAMES],
    "FAILED": [FAILED_FRAMES, EXPIRED_FRAMES],
    "CANCELLED": [CANCELLED_FRAMES],
}


class Racer:
    """One other process."""

    def __init__(self, where: str) -> None:
        command = [sys.executable, "-m", "tests.stores.racer", where]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def await_start(self) -> None:
        assert self.answer() == "here"

    def tell(self, command: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(command) + "\n")

    def answer(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def stop(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=10)
        self._process.stdout.close()


class Race:
    """Two other processes."""

    def __init__(self, where: str) -> None:
        self.racers = (Racer(where), Racer(where))
        for racer in self.racers:
            racer.await_start()

    def run(self, dice: random.Random, first: dict[str, Any], second: dict[str, Any]) -> list[Any]:
        """Answers of both; each starts up to 2 ms after the common instant."""
        start = time.monotonic() + HEAD_START_S
        for racer, command in zip(self.racers, (first, second), strict=True):
            racer.tell(command | {"at": start + dice.uniform(0.0, 0.002)})
        return [racer.answer() for racer in self.racers]


@pytest.fixture(scope="module")
def race(where: str) -> Iterator[Race]:
    """Import it beside the suite. On SQLite both processes start on a file that does not exist yet."""
    found = Race(where)
    yield found
    for racer in found.racers:
        racer.stop()


async def abandoned(store: SqlControlStore, number: int) -> Lease:
    lease = await store.open_run(a_new_run(facts(run_id(number))), "gone")
    await store.drop_lease(lease)
    return lease


async def end_of(store: SqlControlStore, number: int) -> tuple[str, list[tuple[str, str | None]]]:
    """Terminal state and frames; fails unless they are one legal, gapless whole."""
    row = await store.get_run(run_id(number))
    events = await store.public_events(run_id(number))
    evidence = await store.published_evidence(run_id(number))
    assert row is not None
    frames: list[tuple[str, object]] = [(e.type.value, e.payload.get("code", e.payload.get("outcome"))) for e in events]
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert frames in LEGAL_ENDS[row.run_state]
    assert bool(evidence) == (row.run_state == "SUCCESS")
    return row.run_state, [(kind, str(what) if what else None) for kind, what in frames]


class ControlRaces:
    """One race a test; ``seed`` moves the starts against each other."""

    async def test_both_open_runs_of_one_session_at_once(self, race: Race, store: SqlControlStore) -> None:
        numbers = [list(range(9001, 9011)), list(range(9011, 9021))]
        commands = [{"action": "open_many", "owner": f"p{n}", "numbers": numbers[n]} for n in (0, 1)]

        answers = race.run(random.Random(0), *commands)

        assert answers == [{"opened": 10}, {"opened": 10}]
        assert len(await store.list_runs(limit=200)) == 20

    async def test_a_session_two_keys_open_at_once_belongs_to_one(
        self, race: Race, store: SqlControlStore, seed: int
    ) -> None:
        first, second = 7000 + 2 * seed, 7001 + 2 * seed
        command = {"action": "open_in_session", "session": f"shared-{seed}"}

        answers = race.run(
            random.Random(seed), command | {"number": first, "key": "a"}, command | {"number": second, "key": "b"}
        )

        assert sorted(answers, key=str) == [{"epoch": 1}, {"error": "RunRefused"}]
        assert len(await store.list_runs(RunFilter(session_id=f"shared-{seed}"))) == 1

    async def test_the_same_run_opened_twice_has_one_holder(
        self, race: Race, store: SqlControlStore, seed: int
    ) -> None:
        command = {"action": "open_in_session", "session": f"own-{seed}", "number": 8000 + seed, "key": "local"}

        answers = race.run(random.Random(seed), command | {"owner": "a"}, command | {"owner": "b"})

        assert sorted(answers, key=str) == [{"epoch": 1}, {"error": "RunRefused"}]

    async def test_a_session_is_not_forgotten_while_a_run_comes_into_it(
        self, race: Race, store: SqlControlStore, seed: int
    ) -> None:
        session = f"empty-{seed}"
        first, second, third = (facts(run_id(100 + 3 * seed + n), session=session) for n in range(3))
        await store.close(await store.open_run(a_new_run(first), "a"), a_failure())
        await store.delete_runs([first.run_id])
        opening = {"action": "open_in_session", "session": session, "number": 101 + 3 * seed, "key": "local"}

        answers = race.run(random.Random(seed), opening, {"action": "forget_sessions"})

        assert answers[0] == {"epoch": 1}
        assert second.run_id in {row.run_id for row in await store.list_runs(RunFilter(session_id=session))}
        with pytest.raises(RunRefused):
            await store.open_run(a_new_run(third.model_copy(update={"owner_key": "other"})), "b")

    async def test_a_free_lease_goes_to_exactly_one(self, race: Race, store: SqlControlStore, seed: int) -> None:
        number = 1000 + seed
        await abandoned(store, number)
        command = {"action": "take", "run_id": run_id(number)}

        answers = race.run(random.Random(seed), command | {"owner": "a"}, command | {"owner": "b"})

        row = await store.get_run(run_id(number))
        assert row is not None
        assert sorted(answers, key=str) == [{"epoch": 2}, {"error": "RunRefused"}]
        assert (row.lease_epoch, row.owner) == (2, "a" if answers[0] == {"epoch": 2} else "b")

    async def test_closing_and_cancel_end_in_one_state(self, race: Race, store: SqlControlStore, seed: int) -> None:
        number = 2000 + seed
        lease = await store.open_run(a_new_run(facts(run_id(number))), "a")
        closing = {"action": "close_success", "lease": lease.model_dump()}

        closed, cancelled = race.run(random.Random(seed), closing, {"action": "cancel", "run_id": run_id(number)})

        state, _ = await end_of(store, number)
        assert closed == {"run_state": state}
        assert cancelled == {"asked": state == "CANCELLED"}

    async def test_old_and_new_holder_closing_end_in_one_state(
        self, race: Race, store: SqlControlStore, seed: int
    ) -> None:
        number = 3000 + seed
        old = await abandoned(store, number)
        closing = {"action": "close_success", "lease": old.model_dump()}

        answers = race.run(
            random.Random(seed), closing, {"action": "take_and_close", "run_id": run_id(number), "owner": "b"}
        )

        state, _ = await end_of(store, number)
        if state == "SUCCESS":
            assert answers == [{"run_state": "SUCCESS"}, {"error": "RunRefused"}]
        else:
            assert answers[0] in [{"error": "LeaseLost"}, {"run_state": "FAILED"}]
            assert answers[1] == {"run_state": "FAILED", "epoch": 2}

    async def test_holder_and_sweeper_end_in_one_state(self, race: Race, store: SqlControlStore, seed: int) -> None:
        number = 4000 + seed
        await store.sweep(max_run_age_s=0.0)
        lease = await store.open_run(a_new_run(facts(run_id(number))), "a")
        closing = {"action": "close_success", "lease": lease.model_dump()}

        closed, swept = race.run(random.Random(seed), closing, {"action": "sweep", "max_run_age_s": 0.0})

        state, _ = await end_of(store, number)
        assert closed in [{"run_state": state}, {"error": "LeaseLost"}]
        assert swept == {"closed": [] if state == "SUCCESS" else [run_id(number)]}

    async def test_two_ends_by_the_same_lease_leave_one(self, race: Race, store: SqlControlStore, seed: int) -> None:
        number = 5000 + seed
        lease = (await store.open_run(a_new_run(facts(run_id(number))), "a")).model_dump()

        answers = race.run(
            random.Random(seed),
            {"action": "close_success", "lease": lease},
            {"action": "close_failure", "lease": lease},
        )

        state, _ = await end_of(store, number)
        assert answers == [{"run_state": state}, {"run_state": state}]

    async def test_events_and_ledger_of_two_writers_are_whole(
        self, race: Race, store: SqlControlStore, seed: int
    ) -> None:
        number = 6000 + seed
        lease = (await store.open_run(a_new_run(facts(run_id(number))), "a")).model_dump()
        command = {"action": "write_many", "lease": lease}

        answers = race.run(
            random.Random(seed), command | {"keys": ["a", "b", "c", "d"]}, command | {"keys": ["c", "d", "e", "f"]}
        )

        events = await store.public_events(run_id(number))
        assert sum(answer["written"] for answer in answers) == 6
        assert [event.seq for event in events] == list(range(1, 7))
        assert sorted(event.event_key for event in events) == list("abcdef")
        assert sorted(entry.key for entry in await store.entries(run_id(number))) == list("abcdef")

    async def test_nothing_of_an_old_holder_is_written_after_the_lease_was_taken(
        self, race: Race, store: SqlControlStore, seed: int
    ) -> None:
        number = 6500 + seed
        old = await abandoned(store, number)
        writing = {"action": "write_many", "lease": old.model_dump(), "keys": list("abcdef")}

        written, taken = race.run(
            random.Random(seed), writing, {"action": "take_and_count", "run_id": run_id(number), "owner": "b"}
        )

        assert written in [{"error": "LeaseLost"}, {"written": 6}]
        assert taken["epoch"] == 2
        assert len(await store.public_events(run_id(number))) == taken["events"]
        assert len(await store.entries(run_id(number))) == taken["entries"]
