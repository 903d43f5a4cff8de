"""``query_logs`` over Loki and Elasticsearch stand-ins: what the model gets, from the wire to the projection."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from state.model.enums import Coverage, EvidenceStatus, ToolCode
from state.model.errors import ToolFailed
from state.model.evidence import Projection, Window
from tests.opened_tools import open_query_logs
from tests.stand_ins.elastic import ElasticStandIn
from tests.stand_ins.loki import LokiStandIn
from tests.tools.logs.remote_builders import (
    ECS,
    NOW,
    ecs_document,
    elastic_source,
    index_contract_rows,
    loki_source,
    minute_ns,
    push_contract_rows,
)
from tests.tools.logs.source_contract import moment
from tests.wire_server import Reply
from tools.contract import CallContext, RawResult
from tools.logs import elastic_session, remote_reading
from tools.logs.query_logs import QueryLogs
from tools.logs.request import QueryLogsInput

pytestmark = pytest.mark.xdist_group("log_stand_ins")


class World:
    """A server of one kind, filled through its own door, and the tool over it."""

    def __init__(self, kind: str, server: LokiStandIn | ElasticStandIn) -> None:
        self.kind, self.server = kind, server

    def fill(self) -> None:
        if isinstance(self.server, LokiStandIn):
            push_contract_rows(self.server)
        else:
            index_contract_rows(self.server)

    def write(self, minute: float, message: str, level: str = "INFO", service: str = "orders") -> None:
        if isinstance(self.server, LokiStandIn):
            line = json.dumps({"level": level, "message": message})
            self.server.push(minute_ns(0) + int(minute * 60 * 10**9), line, {"env": "prod", "service": service})
            return
        index = self.server.indices.get("logs-a") or self.server.create("logs-a", ECS)
        index.put(f"w{len(index.docs)}", ecs_document(minute, message, service, log={"level": level}))

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[QueryLogs]:
        source = loki_source(self.server) if isinstance(self.server, LokiStandIn) else elastic_source(self.server)
        try:
            yield await open_query_logs({"logs": source}, time_zone="UTC")
        finally:
            await source.aclose()

    async def ask(self, **arguments: object) -> tuple[RawResult, Projection]:
        context = CallContext(
            now=NOW, time_zone="UTC", default_window=Window(start=moment(0), end=moment(60)), kb_scope="x"
        )
        async with self.opened() as tool:
            prepared = tool.prepare(QueryLogsInput.model_validate({"source": "logs", **arguments}), context)
            raw = await tool.execute(prepared, context)
            assert len(json.dumps(raw.payload, ensure_ascii=False).encode()) < tool.raw_cap_bytes
            return raw, tool.project("c1", prepared, raw)


@pytest.fixture(params=["loki", "elasticsearch", "opensearch"])
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    server = LokiStandIn() if request.param == "loki" else ElasticStandIn(is_opensearch=request.param == "opensearch")
    with server:
        yield World(request.param, server)


async def test_records_become_identified_items_that_stay_the_same(world: World) -> None:
    world.fill()

    _, once = await world.ask(service="pay")
    _, again = await world.ask(level="ERROR", start="2026-11-30T10:15:00Z")

    events = [item.item_id for item in once.items if item.identified]
    assert len(events) == 2
    assert events == [item.item_id for item in again.items if item.identified]
    assert (once.coverage, once.total_matches, once.truncated) == (Coverage.COMPLETE, 2, False)


async def test_the_catalogue_names_services_and_levels(world: World) -> None:
    world.fill()

    async with world.opened() as tool:
        assert "services: orders, pay" in tool.description
        assert "ERROR/FATAL" in tool.description
        assert set(tool.catalogue_terms) == {"logs", "orders", "pay"}


async def test_nothing_found_in_a_held_window_is_evidence_of_absence(world: World) -> None:
    world.fill()

    _, projection = await world.ask(contains="never written")

    assert (projection.evidence_status, projection.total_matches) == (EvidenceStatus.NO_EVIDENCE, 0)


@pytest.mark.parametrize("arguments", [{"service": "nobody"}, {"end": "2026-11-30T09:00:00Z"}])
async def test_a_window_or_service_that_is_not_held_is_no_evidence_of_anything(world: World, arguments) -> None:
    world.fill()

    with pytest.raises(ToolFailed) as failed:
        await world.ask(**arguments)

    assert failed.value.code is ToolCode.INCOMPLETE_SEARCH


async def test_the_effective_window_begins_with_the_oldest_record(world: World) -> None:
    world.fill()

    _, projection = await world.ask(start="2026-11-01T00:00:00Z", level="ERROR")

    assert projection.scope.window is not None
    assert projection.scope.window.start == moment(0)


async def test_a_pattern_is_new_only_if_its_service_was_held_before(world: World) -> None:
    for minute in (-70, -65, -30, 5, 6):
        world.write(minute, "steady work done")
    world.write(30, "pool exhausted", "ERROR")
    world.write(31, "never seen service", "ERROR", service="late")

    raw, _ = await world.ask()

    before = {pattern["text"]: pattern["count_before"] for pattern in raw.payload["patterns"]}
    assert before == {"steady work done": 1, "pool exhausted": 0, "never seen service": None}


async def test_a_comparison_that_fails_costs_only_the_comparison(world: World) -> None:
    for minute in (-70, -30, 5):
        world.write(minute, "steady work done")
    seen: list[str] = []

    def fail_later(received):
        asked = received.path + received.text
        is_before = str(minute_ns(-60)) in asked or str(minute_ns(-60) // 10**6) in asked
        if is_before and ("limit=1000" in asked or '"size":1000' in asked.replace(" ", "")):
            seen.append(received.path)
            return Reply(b"{}", status=500)
        return None

    world.server.interfere = fail_later
    raw, projection = await world.ask()

    assert seen
    assert projection.evidence_status is EvidenceStatus.EVIDENCE_FOUND
    assert [pattern["count_before"] for pattern in raw.payload["patterns"]] == [None]


async def test_more_than_is_read_keeps_its_total_and_says_that_it_is_cut(world: World, monkeypatch) -> None:
    for module in (remote_reading, elastic_session):
        monkeypatch.setattr(module, "MAX_RECORDS", 100)
    monkeypatch.setattr(remote_reading, "PAGE_RECORDS", 20)
    for second in range(600):
        world.write(second / 10, f"request {second} took {second % 7} ms")

    _, projection = await world.ask()

    assert (projection.coverage, projection.total_matches, projection.truncated) == (Coverage.COMPLETE, 600, True)
    assert projection.items


async def test_large_records_stay_below_every_cap(world: World) -> None:
    for place in range(12):
        world.write(place, f"{place} " + "x" * 30_000)

    raw, projection = await world.ask(limit=50)

    assert projection.items
    assert len(projection.model_dump_json().encode()) <= 16 * 1024
    assert raw.coverage is Coverage.COMPLETE


async def test_nothing_that_the_server_says_reaches_a_failure(world: World) -> None:
    world.fill()
    async with world.opened() as tool:
        world.server.interfere = lambda _: Reply(b"secret backend text", status=500)
        context = CallContext(
            now=NOW, time_zone="UTC", default_window=Window(start=moment(0), end=moment(60)), kb_scope="x"
        )
        with pytest.raises(ToolFailed) as failed:
            await tool.execute(tool.prepare(QueryLogsInput(source="logs"), context), context)

    assert failed.value.code is ToolCode.TOOL_EXECUTION_ERROR
