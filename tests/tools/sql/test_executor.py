"""The one executor, over a door whose sessions do what the test says."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from state.model.enums import ToolCode
from state.model.errors import ToolFailed
from tests.tools.sql.samples import SteppingClock, WallClock, unchecked
from tools.sql.executor import MAX_CONNECTIONS, Executor
from tools.sql.session import Answer, Deadline, NotReadOnly
from tools.sql.statement import Constant


class Broken(Exception):
    """What this vendor's driver raises."""


@dataclass
class Stage:
    """A door, its sessions and what happened to them."""

    answer: Callable[["Stage"], Answer] = lambda _: rows(1)
    begins: bool = True
    heeds_end: bool = True
    heeds_cut: bool = True
    told: list[str] = field(default_factory=list)
    free: threading.Event = field(default_factory=threading.Event)
    failures: tuple[type[BaseException], ...] = (Broken,)
    waits_for_end: bool = False

    def session(self, deadline: Deadline) -> "Stage":
        return self

    def code_of(self, error: BaseException) -> ToolCode:
        return ToolCode.INVALID_REQUEST

    def reason_of(self, error: BaseException) -> str:
        return "it broke"

    def open(self) -> None:
        self.told.append("open")

    def begin(self) -> None:
        self.told.append("begin")
        if not self.begins:
            raise NotReadOnly("it says no")

    def ask(self, sql: str, values: Sequence[Constant] = ()) -> Answer:
        self.told.append("ask")
        yield from self.answer(self)

    def cost(self, sql: str, values: Sequence[Constant]) -> float | None:
        self.told.append("cost")
        return None

    def end(self) -> None:
        self.told.append("end")
        if self.heeds_end:
            self.free.set()

    def cut(self) -> None:
        self.told.append("cut")
        if self.heeds_cut:
            self.free.set()

    def close(self) -> None:
        self.told.append("close")


def rows(n: int) -> Answer:
    for at in range(n):
        yield (at,)


def waiting(stage: Stage) -> Answer:
    stage.free.wait(60)
    raise Broken("ended")
    yield ()


async def run(stage: Stage, *, timeout_s: float = 30.0, ceiling: float | None = None) -> object:
    return await Executor(stage, WallClock(), ceiling).run(unchecked("SELECT 1"), timeout_s=timeout_s, row_cap=3)


async def test_the_steps_of_a_statement_come_in_one_order() -> None:
    stage = Stage()

    found = await run(stage)

    assert getattr(found, "rows", None) == ((0,),)
    assert stage.told == ["open", "begin", "ask", "close"]


async def test_what_is_not_read_only_is_not_asked() -> None:
    stage = Stage(begins=False)

    with pytest.raises(ToolFailed) as caught:
        await run(stage)

    assert caught.value.code is ToolCode.TOOL_EXECUTION_ERROR
    assert stage.told == ["open", "begin", "close"]


async def test_a_ceiling_without_an_estimate_refuses() -> None:
    stage = Stage()

    with pytest.raises(ToolFailed) as caught:
        await run(stage, ceiling=7.0)

    assert caught.value.code is ToolCode.TOOL_EXECUTION_ERROR
    assert stage.told == ["open", "begin", "cost", "close"]


async def test_an_answer_is_read_no_further_than_one_row_past_the_cap() -> None:
    left: list[int] = []

    def endless(_: Stage) -> Answer:
        try:
            yield from rows(10**9)
        finally:
            left.append(1)

    found = await run(Stage(answer=endless))

    assert (len(getattr(found, "rows", ())), getattr(found, "more", None), left) == (3, True, [1])


async def test_a_failure_before_the_deadline_has_the_code_of_its_vendor() -> None:
    def failing(_: Stage) -> Answer:
        raise Broken("secret backend text")
        yield ()

    with pytest.raises(ToolFailed) as caught:
        await run(Stage(answer=failing))

    assert caught.value.code is ToolCode.INVALID_REQUEST
    assert "secret backend text" in caught.value.log_detail


async def test_past_the_deadline_the_statement_is_ended_and_the_code_is_timeout() -> None:
    stage = Stage(answer=waiting)

    with pytest.raises(ToolFailed) as caught:
        await run(stage, timeout_s=0.1)

    assert caught.value.code is ToolCode.TOOL_TIMEOUT
    assert stage.told == ["open", "begin", "ask", "end", "close"]


async def test_an_answer_after_the_deadline_does_not_count() -> None:
    clock = SteppingClock(step_s=6.0)

    with pytest.raises(ToolFailed) as caught:
        await Executor(Stage(), clock).run(unchecked("SELECT 1"), timeout_s=10.0, row_cap=3)

    assert caught.value.code is ToolCode.TOOL_TIMEOUT


async def test_a_session_that_does_not_end_is_told_again_and_then_cut() -> None:
    stage = Stage(answer=waiting, heeds_end=False)

    with pytest.raises(ToolFailed):
        await run(stage, timeout_s=0.1)

    assert stage.told == ["open", "begin", "ask", "end", "end", "cut", "close"]


async def test_a_session_that_heeds_nothing_is_left_behind() -> None:
    stage = Stage(answer=waiting, heeds_end=False, heeds_cut=False)

    with pytest.raises(ToolFailed) as caught:
        await run(stage, timeout_s=0.1)

    assert caught.value.code is ToolCode.TOOL_TIMEOUT
    assert stage.told[-1] == "cut"
    stage.free.set()


async def test_cancelled_while_all_connections_are_taken_nothing_is_opened() -> None:
    stage = Stage(answer=waiting)
    executor = Executor(stage, WallClock())
    statement = unchecked("SELECT 1")
    taken = [asyncio.ensure_future(executor.run(statement, timeout_s=60, row_cap=1)) for _ in range(MAX_CONNECTIONS)]
    while stage.told.count("ask") < MAX_CONNECTIONS:
        await asyncio.sleep(0.01)

    with pytest.raises(ToolFailed) as caught:
        await executor.run(statement, timeout_s=0.1, row_cap=1)

    assert caught.value.code is ToolCode.TOOL_TIMEOUT
    assert stage.told.count("open") == MAX_CONNECTIONS
    stage.free.set()
    await asyncio.gather(*taken, return_exceptions=True)


async def test_cancelled_again_and_again_it_still_ends_the_statement_first() -> None:
    stage = Stage(answer=waiting, heeds_end=False)
    task = asyncio.ensure_future(run(stage))
    while "ask" not in stage.told:
        await asyncio.sleep(0.01)

    while not task.done():
        task.cancel()
        await asyncio.sleep(0.02)

    assert task.cancelled()
    assert stage.told[-1] == "close"
