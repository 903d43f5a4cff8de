"""Cancellation waits for the thread: nothing commits after the caller was told it was cancelled."""

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from state.model.errors import TruthUnavailable
from state.stores.blocking import WorkerThreads, finish_before_cancel
from state.stores.control_sql import control_file
from tests.contracts.samples import a_new_run


class Gate:
    """Blocking work that shows when it began and ends when told."""

    def __init__(self) -> None:
        self.began = threading.Event()
        self.go_on = threading.Event()
        self.ended = False

    def __call__(self) -> str:
        self.began.set()
        assert self.go_on.wait(5)
        self.ended = True
        return "done"


@pytest.fixture
def threads() -> Iterator[WorkerThreads]:
    found = WorkerThreads("test", threads=1)
    yield found
    found.shut_down()


async def until(event: threading.Event) -> None:
    while not event.is_set():
        await asyncio.sleep(0.001)


async def test_result_and_exception_of_the_work_come_through(threads: WorkerThreads) -> None:
    assert await threads.run(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        await threads.run(lambda: 1 // 0)


async def test_cancelled_caller_hears_of_it_only_after_the_work_ended(threads: WorkerThreads) -> None:
    gate = Gate()
    task = asyncio.create_task(threads.run(gate))
    await until(gate.began)
    task.cancel()
    await asyncio.sleep(0.02)
    assert not task.done()

    gate.go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert gate.ended


async def test_further_cancellations_do_not_cut_the_waiting_short(threads: WorkerThreads) -> None:
    gate = Gate()
    task = asyncio.create_task(threads.run(gate))
    await until(gate.began)
    for _ in range(3):
        task.cancel()
        await asyncio.sleep(0.005)
    assert not task.done()

    gate.go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_failure_of_the_work_gives_way_to_the_cancellation(threads: WorkerThreads) -> None:
    gate = Gate()
    task = asyncio.create_task(threads.run(lambda: [gate(), 1 // 0]))
    await until(gate.began)
    task.cancel()
    await asyncio.sleep(0)
    gate.go_on.set()

    with pytest.raises(asyncio.CancelledError):
        await task


async def test_work_no_thread_has_taken_yet_never_runs(threads: WorkerThreads) -> None:
    first, second = Gate(), Gate()
    running = asyncio.create_task(threads.run(first))
    await until(first.began)
    waiting = asyncio.create_task(threads.run(second))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting

    first.go_on.set()
    assert await running == "done"
    assert not second.began.is_set()


async def test_coroutine_is_finished_before_its_cancellation_propagates() -> None:
    steps = []

    async def work() -> None:
        await asyncio.sleep(0.02)
        steps.append("committed")

    task = asyncio.create_task(finish_before_cancel(work()))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert steps == ["committed"]


async def test_coroutine_returns_and_raises_as_it_is() -> None:
    async def fails() -> None:
        raise KeyError("k")

    assert await finish_before_cancel(asyncio.sleep(0, "result")) == "result"
    with pytest.raises(KeyError):
        await finish_before_cancel(fails())


async def test_cancelled_write_has_committed_or_never_will(tmp_path: Path) -> None:
    store = control_file(tmp_path / "control.db")
    await store.open()
    with closing(sqlite3.connect(tmp_path / "control.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        task = asyncio.create_task(store.open_run(a_new_run(), "p1"))
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.sleep(0.05)
        assert not task.done()
        other.execute("ROLLBACK")
        with pytest.raises(asyncio.CancelledError):
            await task
        told = other.execute("SELECT COUNT(*) FROM run").fetchone()
        await asyncio.sleep(0.1)
        later = other.execute("SELECT COUNT(*) FROM run").fetchone()

    assert told == later
    await store.close_store()


async def test_write_waits_for_another_process_to_finish(tmp_path: Path) -> None:
    store = control_file(tmp_path / "control.db")
    await store.open()
    with closing(sqlite3.connect(tmp_path / "control.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        task = asyncio.create_task(store.open_run(a_new_run(), "p1"))
        await asyncio.sleep(0.1)
        other.execute("ROLLBACK")

        assert (await task).epoch == 1
    await store.close_store()


async def test_closing_a_store_twice_is_no_error(tmp_path: Path) -> None:
    store = control_file(tmp_path / "control.db")
    await store.close_store()
    await store.close_store()

    with pytest.raises(TruthUnavailable):
        await store.list_runs()
