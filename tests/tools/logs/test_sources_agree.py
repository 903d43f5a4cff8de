"""The same query means the same everywhere: folder, Loki and Elasticsearch against a plain filter over the records."""

import asyncio
import json
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.stand_ins.elastic import ElasticStandIn
from tests.stand_ins.loki import LokiStandIn
from tests.tools.logs.remote_builders import ECS, NOW, VIEW, elastic_source, loki_source
from tests.tools.logs.source_contract import T0
from tools.logs import elastic_session, remote_reading
from tools.logs.folder_source import FolderLogSource
from tools.logs.levels import LEVELS, rank
from tools.logs.port import LogPage, LogQuery
from tools.logs.remote_reading import nanoseconds

SERVICES = ("orders", "pay", 'odd"na\\me', "订单")
WORDS = (
    "Retry",
    "retry_2",
    "连接池",
    "耗尽",
    "ÜBER",
    "über",
    "10.0.0.7",
    "a=b",
    '"quoted"',
    "back\\slash",
    "tab\there",
    "İ",
    "x-1",
    "K",
)


@dataclass(frozen=True)
class Row:
    second: int
    service: str
    level: str | None
    message: str
    pool: str | None

    @property
    def searched(self) -> str:
        return f"{self.message} {'pool=' + self.pool if self.pool else ''}".lower()


Case = tuple[list[Row], LogQuery]
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
rows = st.lists(
    st.builds(
        Row,
        second=st.integers(0, 600),
        service=st.sampled_from(SERVICES),
        level=st.sampled_from((*LEVELS, None)),
        message=texts,
        pool=st.sampled_from((None, "main", "mAin-2", "池")),
    ),
    max_size=8,
)


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[Row], LogQuery]:
    """Records and a query that mostly finds some of them: a piece of one of their texts, a wide window, few filters."""
    held = draw(rows)
    start = draw(st.just(0) | st.integers(0, 600))
    seconds = draw(st.just(601) | st.integers(1, 600))
    written = [f"{row.message} {'pool=' + row.pool if row.pool else ''}".strip() for row in held]
    others = ("pool=ma", "pool=", "池", "2 pool=main", "zzz", "%", " ", *WORDS)
    whole = draw(st.sampled_from(written or others) | st.sampled_from(others)) or "zzz"
    first = draw(st.integers(0, len(whole) - 1))
    piece = whole[first : draw(st.integers(first + 1, len(whole)))]
    query = LogQuery.model_validate(
        {
            "window": {"start": T0 + timedelta(seconds=start), "end": T0 + timedelta(seconds=start + seconds)},
            "service": draw(st.none() | st.none() | st.sampled_from((*SERVICES, "nobody"))),
            "level": draw(st.none() | st.none() | st.sampled_from(LEVELS)),
            "contains": draw(st.none() | st.sampled_from((piece, piece.swapcase(), whole))),
        }
    )
    return held, query


def expected(held: list[Row], query: LogQuery) -> list[tuple[int, str, str]]:
    start, end = ((at - T0) // timedelta(seconds=1) for at in (query.window.start, query.window.end))
    return sorted(
        (row.second, row.service, row.message)
        for row in held
        if start <= row.second < end
        and query.service in {None, row.service}
        and rank(row.level or "INFO") >= rank(query.level or "TRACE")
        and (query.contains or "").lower() in row.searched
    )


def found(page: LogPage) -> list[tuple[int, str, str]]:
    assert page.total == len(page.events)
    assert page.is_complete
    return sorted(((event.at - T0) // timedelta(seconds=1), event.service, event.message) for event in page.events)


def as_fields(row: Row) -> dict[str, str]:
    return {key: value for key, value in (("level", row.level), ("message", row.message), ("pool", row.pool)) if value}


def as_line(row: Row, *, ascii_only: bool) -> str:
    return json.dumps(as_fields(row), ensure_ascii=ascii_only)


async def in_folder(held: list[Row], query: LogQuery) -> LogPage:
    with TemporaryDirectory() as folder:
        lines = [
            {"ts": (T0 + timedelta(seconds=row.second)).isoformat(), "service": row.service, **as_fields(row)}
            for row in held
        ]
        Path(folder, "all.jsonl").write_text("\n".join(map(json.dumps, lines)))
        return await FolderLogSource("logs", Path(folder), time_zone="UTC", now=NOW).search(query)


async def in_loki(world: "Remote", held: list[Row], query: LogQuery, *, writer: str) -> LogPage:
    world.loki.clear()
    for place, row in enumerate(held):
        at_ns = nanoseconds(T0 + timedelta(seconds=row.second)) + place
        labels = {"env": "prod", "service": row.service}
        if writer == "label":
            line = json.dumps({"msg": row.message, "pool": row.pool})
            world.loki.push(at_ns, line, labels | {"level": row.level or ""})
        else:
            world.loki.push(at_ns, as_line(row, ascii_only=writer == "escaped"), labels)
    return await world.loki_source.search(query)


async def in_elastic(world: "Remote", held: list[Row], query: LogQuery, *, message: str) -> LogPage:
    index = world.elastic.create("logs-a", ECS | {"message": {"type": message}})
    for place, row in enumerate(held):
        at = (T0 + timedelta(seconds=row.second)).isoformat()
        document = {
            "@timestamp": at,
            "message": row.message,
            "service": {"name": row.service},
            "log": {"level": row.level},
        }
        index.put(str(place), document | ({"pool": row.pool} if row.pool else {}))
    return await world.elastic_source.search(query)


class Remote:
    """Both servers and a source over each, in one event loop for all examples."""

    def __init__(self, loki: LokiStandIn, elastic: ElasticStandIn, runner: asyncio.Runner) -> None:
        self.loki, self.elastic, self.runner = loki, elastic, runner
        self.loki_source, self.elastic_source = loki_source(loki, VIEW), elastic_source(elastic)

    def run(self, searching: Coroutine[object, object, LogPage]) -> LogPage:
        return self.runner.run(searching)


@pytest.fixture(scope="module")
def remote() -> Iterator[Remote]:
    with LokiStandIn() as loki, ElasticStandIn() as elastic, asyncio.Runner() as runner:
        world = Remote(loki, elastic, runner)
        yield world
        runner.run(world.loki_source.aclose())
        runner.run(world.elastic_source.aclose())


many = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@many
@given(case=cases())
def test_a_folder_finds_what_a_plain_filter_finds(case: Case) -> None:
    held, query = case

    assert found(asyncio.run(in_folder(held, query))) == expected(held, query)


@pytest.mark.parametrize(("writer", "page"), [("plain", 1000), ("escaped", 3), ("label", 3)])
@many
@given(case=cases())
def test_loki_finds_what_a_plain_filter_finds(remote, monkeypatch, writer: str, page: int, case: Case) -> None:
    held, query = case
    monkeypatch.setattr(remote_reading, "PAGE_RECORDS", page)

    assert found(remote.run(in_loki(remote, held, query, writer=writer))) == expected(held, query)


@pytest.mark.parametrize(("message", "page"), [("match_only_text", 3), ("wildcard", 1000)])
@many
@given(case=cases())
def test_elasticsearch_finds_what_a_plain_filter_finds(
    remote, monkeypatch, message: str, page: int, case: Case
) -> None:
    held, query = case
    monkeypatch.setattr(remote_reading, "PAGE_RECORDS", page)

    assert found(remote.run(in_elastic(remote, held, query, message=message))) == expected(held, query)


@many
@given(case=cases())
def test_what_elasticsearch_finds_beyond_its_bound_is_right_and_says_what_it_lacks(
    remote, monkeypatch, case: Case
) -> None:
    held, query = case
    monkeypatch.setattr(elastic_session, "MAX_RECORDS", 0)
    page = remote.run(in_elastic(remote, held, query, message="match_only_text"))
    rows_found = sorted(((one.at - T0) // timedelta(seconds=1), one.service, one.message) for one in page.events)
    wanted = expected(held, query)

    assert all(one in wanted for one in rows_found)
    assert rows_found == wanted or not page.is_complete
