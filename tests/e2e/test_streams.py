"""Streams as bytes, by the hundred, over connections that break: order, one end, nothing lost, nothing crossed, nothing leaked."""

import asyncio
import json
import os
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from graph.following import FollowTimes
from graph.live_runs import LiveTimes
from graph.tending import TendTimes
from service.client import AsyncRootproof, Event
from state.model.enums import RunState
from state.model.ids import RunId
from tests.e2e.many_runs import LEAKS, cast, question, rig
from tests.service.http.place import SECRETS, Heard, Place, key, place

pytestmark = pytest.mark.e2e

PATIENCE_S = 600.0
TIMES = LiveTimes(FollowTimes(poll_s=0.1, silent_s=0.5), TendTimes(see_s=0.5, abandoned_s=0.5, grace_s=60.0))
N_RUNS, N_STREAMS = 8, 200
SEED = 20261130
RATES = {"requests_per_minute": 100_000, "requests_per_minute_total": 1_000_000, "max_streams_per_key": 1000}


@asynccontextmanager
async def many(home: Path) -> AsyncIterator[Place]:
    """A place for any number of runs."""
    async with place(home, cast(), rig=rig, times=TIMES, max_running=64, settings=RATES) as served:
        yield served


def check_order(heard: Heard) -> None:
    """What every stream must be, whatever became of its run."""
    types = heard.types
    assert [event.id for event in heard.events] == list(range(1, len(types) + 1))
    assert types[0] == "metadata"
    assert set(types[1:-2]) <= {"status"}
    assert types[-2] in {"content", "failure"}
    assert types[-1] == "done"
    assert types.count("done") == types.count("metadata") == 1
    assert heard.raw.endswith(b"\n\n")


@pytest.mark.parametrize(
    ("asked", "outcome", "end"),
    [
        (question("plain-a1"), "SUCCESS", "content"),
        (question("rejected-a1"), "FALLBACK", "content"),
        (question("nopage"), "FAILED", "failure"),
    ],
)
async def test_a_stream_has_its_order_and_one_end(tmp_path: Path, asked: str, outcome: str, end: str) -> None:
    async with many(tmp_path) as served:
        heard = await served.ask(asked)

    check_order(heard)
    assert heard.types[-2] == end
    assert heard.events[-1].data == {"outcome": outcome}


SEARCHED = {"argument", "sql", "uncited"}
"""Parts of verified searches: a report leaves them out, a fallback says what was searched and observed."""


@pytest.mark.parametrize(("page", "may_be_told"), [("plain-a1", set()), ("rejected-a1", SEARCHED)])
async def test_nothing_unreleased_is_in_the_bytes(tmp_path: Path, page: str, may_be_told: set[str]) -> None:
    async with many(tmp_path) as served:
        heard = await served.ask(question(page))
        again = await served.watch(heard.run_id)
        state = str(await served.play.runner.graph.aget_state(thread(heard.run_id)))

    raw = heard.raw + again.raw
    told = json.dumps([event.data for event in heard.events if event.type == "status"])
    assert page.encode() in raw
    assert {name for name, marker in LEAKS.items() if marker.encode() in raw} <= may_be_told
    assert [name for name, marker in LEAKS.items() if marker in told] == []
    assert [found for found in (b"Traceback", str(tmp_path).encode(), b"call-3:") if found in raw] == []
    # There was something to leak: the state of the run holds what the agent asked for.
    assert {"argument", "sql"} <= {name for name, marker in LEAKS.items() if marker in state}


def thread(run_id: str) -> object:
    return {"configurable": {"thread_id": run_id}}


async def test_two_sessions_of_two_runs_do_not_cross(tmp_path: Path) -> None:
    pages = {"plain-s1a": "s1", "plain-s2a": "s2", "plain-s1b": "s1", "plain-s2b": "s2"}
    async with many(tmp_path) as served:
        owners = {"s1": "ann", "s2": "bob"}
        asking = [served.ask(question(page), session_id=s, who=owners[s]) for page, s in pages.items()]
        streams = dict(zip(pages, await asyncio.gather(*asking), strict=True))
        traces = {
            page: await served.client.get(
                f"/api/diagnosis/{pages[page]}/trace", params={"run_id": heard.run_id}, headers=key(owners[pages[page]])
            )
            for page, heard in streams.items()
        }

    assert len({heard.run_id for heard in streams.values()}) == len(pages)
    for page, heard in streams.items():
        check_order(heard)
        assert heard.events[0].data == {"session_id": pages[page], "run_id": heard.run_id}
        assert heard.events[-1].data == {"outcome": "SUCCESS"}
        assert [other for other in pages if other.encode() in heard.raw] == [page]
        assert [other for other in pages if other in traces[page].text] == [page]
        assert {one["run_id"] for one in streams_of(traces[page].json())} == {heard.run_id}


def streams_of(trace: dict[str, object]) -> list[dict[str, str]]:
    """Everything in a trace that names a run."""
    published = trace["published"]
    assert isinstance(published, list)
    named = [event["payload"] for event in published if event["type"] == "metadata"]
    run = trace["run"]
    assert isinstance(run, dict)
    return [*named, run]


async def test_another_key_reads_nothing_of_a_run(tmp_path: Path) -> None:
    async with many(tmp_path) as served:
        heard = await served.ask(question("plain-a1"), session_id="own", who="ann")
        values = {"run_id": heard.run_id, "session_id": "own", "tool_call_id": "call-3"}
        paths = reads(served, set(values))
        own, other, unknown = [
            {
                path: await served.client.get(path.format(**shown), headers=key(who))
                for path in paths
                if not path.endswith(("/raw", "/reasoning", "/export"))
            }
            for who, shown in (("ann", values), ("bob", values), ("bob", unknown_values()))
        ]
        closed = {
            path: (await served.client.get(path.format(**values), headers=key("bob"))).status_code
            for path in paths
            if path.endswith(("/raw", "/reasoning", "/export"))
        }

    assert len(own) >= 5
    assert {reply.status_code for reply in own.values()} == {200}
    assert {reply.status_code for reply in other.values()} == {404}
    assert {path: body(reply.text) for path, reply in other.items()} == {
        path: body(reply.text) for path, reply in unknown.items()
    }
    assert set(closed.values()) <= {403, 404}


def reads(served: Place, known: set[str]) -> list[str]:
    """Every GET of the interface that names a run or a session."""
    documented = served.app.openapi()["paths"]
    return [
        path
        for path, methods in documented.items()
        if "get" in methods and "{" in path and {part.split("}")[0] for part in path.split("{")[1:]} <= known
    ]


def unknown_values() -> dict[str, str]:
    return {"run_id": "00000000-0000-4000-8000-000000000000", "session_id": "nobodys", "tool_call_id": "call-3"}


def body(text: str) -> str:
    """A problem without the id of its request."""
    return text.split('"request_id"')[0]


@dataclass
class BreakingLine:
    """A way to the service on which every connection breaks behind a number of bytes that a seed gives."""

    target: str
    seed: int
    port: int = 0
    n_broken: int = 0
    _random: random.Random = field(init=False)
    _ways: set["asyncio.Task[None]"] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[str]:
        server = await asyncio.start_server(self._way, "127.0.0.1", 0)
        try:
            yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        finally:
            server.close()
            await asyncio.gather(*self._ways, return_exceptions=True)

    async def _way(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._ways.add(task)
        task.add_done_callback(self._ways.discard)
        parts = urlsplit(self.target)
        back, forth = await asyncio.open_connection(parts.hostname, parts.port)
        there = asyncio.create_task(self._pass_on(reader, forth, None))
        try:
            await self._pass_on(back, writer, self._random.randrange(300, 5000))
        finally:
            there.cancel()
            await asyncio.gather(there, return_exceptions=True)
            for one in (writer, forth):
                one.transport.abort()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, left: int | None) -> None:
        try:
            while data := await reader.read(256):
                writer.write(data)
                await writer.drain()
                left = None if left is None else left - len(data)
                if left is not None and left <= 0:
                    self.n_broken += 1
                    return
        except ConnectionError:
            return


def open_files() -> int:
    """Connections and whatever else is open; not the database files, of which a pool keeps some open."""
    return sum(".db" not in name for name in names_of_open_files())


def names_of_open_files() -> Iterator[str]:
    for number in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):
            yield os.readlink(f"/proc/self/fd/{number}")


def tasks() -> set["asyncio.Task[object]"]:
    return asyncio.all_tasks()


async def settled(files: int, known: set["asyncio.Task[object]"]) -> tuple[int, set["asyncio.Task[object]"]]:
    """Open files and new tasks, once they are back at their level or do not get there."""
    for _ in range(200):
        if open_files() <= files and not tasks() - known:
            break
        await asyncio.sleep(0.1)
    return open_files(), tasks() - known


@pytest.fixture
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.client.course.FIRST_PAUSE_S", 0.01)
    monkeypatch.setattr("service.client.course.LONGEST_PAUSE_S", 0.2)


async def test_hundreds_of_streams_over_breaking_connections_lose_and_repeat_nothing(
    tmp_path: Path, short_pauses: None
) -> None:
    """200 watchers of 8 runs, each of which is left and taken up again wherever its connection breaks."""
    async with many(tmp_path) as served:
        await served.ask(question("plain-warm"))
        await served.client.aclose()
        files, known = await settled(open_files(), tasks()), tasks()
        line = BreakingLine(served.url, SEED)
        async with line.open() as url, asyncio.timeout(PATIENCE_S):
            runs, streams = await watched_by_many(url)
        committed = {run: [(event.seq, event.type.value) for event in await kept(served, run)] for run in runs}
        rows = [await served.row(run) for run in runs]
        left = await settled(files[0], known)

    assert len(streams) == N_STREAMS
    assert line.n_broken > N_STREAMS // 2
    assert {row.run_state for row in rows} == {RunState.SUCCESS}
    assert [run for run, read in streams if numbered(read) != committed[run]] == []
    assert left[0] <= files[0]
    assert left[1] == set()


async def kept(served: Place, run: str) -> object:
    return await served.play.stores.control.public_events(RunId(run))


def numbered(read: list[Event]) -> list[tuple[int | None, str]]:
    return [(event.event_id, event.type) for event in read]


async def watched_by_many(url: str) -> tuple[list[str], list[tuple[str, list[Event]]]]:
    """The runs, and what each stream read: one that asks for each run, and the others that follow."""
    async with AsyncRootproof(url, key=SECRETS["ann"], reconnects=1000) as client:
        asked = [client.ask(question(f"plain-r{number}"), detach=True) for number in range(N_RUNS)]
        first = [await anext(aiter(stream)) for stream in asked]
        runs = [str(stream.run_id) for stream in asked]

        async def read(run: str, stream: object, before: list[Event]) -> tuple[str, list[Event]]:
            return run, [*before, *[event async for event in stream]]  # type: ignore[attr-defined]

        own = [read(run, stream, [event]) for run, stream, event in zip(runs, asked, first, strict=True)]
        others = [read(runs[n % N_RUNS], client.follow(runs[n % N_RUNS]), []) for n in range(N_STREAMS - N_RUNS)]
        return runs, list(await asyncio.gather(*own, *others))
