"""Elasticsearch and OpenSearch as a log source, against stand-ins that speak their documented HTTP API."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from datetime import datetime, timedelta

import pytest

from state.model.enums import ToolCode
from state.model.errors import ToolFailed
from tests.source_faults import EXPECTED, Fault, faulty_source
from tests.stand_ins.elastic import ElasticStandIn
from tests.tools.logs.remote_builders import ECS, ecs_document, elastic_source, index_contract_rows
from tests.tools.logs.source_contract import ROWS, LogSourceContract, moment, query
from tests.wire_server import Reply
from tools.logs import elastic_reader, elastic_session, remote_reading
from tools.logs.elastic_fields import ElasticView
from tools.logs.elastic_source import ElasticLogSource


@pytest.fixture(params=["elasticsearch", "opensearch"])
def cluster(request: pytest.FixtureRequest) -> Iterator[ElasticStandIn]:
    with ElasticStandIn(is_opensearch=request.param == "opensearch") as server:
        yield server


@pytest.fixture
def elastic() -> Iterator[ElasticStandIn]:
    with ElasticStandIn() as server:
        yield server


@pytest.fixture
async def source(elastic: ElasticStandIn) -> AsyncIterator[ElasticLogSource]:
    source = elastic_source(elastic)
    yield source
    await source.aclose()


async def messages(source: ElasticLogSource, **filters: str) -> list[str]:
    return [event.message for event in (await source.search(query(**filters))).events]


class _Contract(LogSourceContract):
    properties: dict[str, object] | None = None

    @pytest.fixture
    async def source(self, cluster: ElasticStandIn) -> AsyncIterator[ElasticLogSource]:
        index_contract_rows(cluster, self.properties)
        source = elastic_source(cluster)
        yield source
        await source.aclose()


class TestContractWithTheCommonSchema(_Contract):
    pass


class TestContractWithDynamicMapping(_Contract):
    properties = {}


class TestContractWithNanoseconds(_Contract):
    properties = ECS | {"@timestamp": {"type": "date_nanos"}, "message": {"type": "wildcard"}}


class TestContractWithTextOnly(_Contract):
    properties = ECS | {
        "service": {"properties": {"name": {"type": "text"}}},
        "log": {"properties": {"level": {"type": "text"}}},
    }


@pytest.mark.parametrize("fault", list(Fault))
async def test_every_fault_is_its_documented_code_and_the_next_search_works(fault: Fault, elastic) -> None:
    index_contract_rows(elastic)
    with faulty_source(fault) as url:
        failing = elastic_source(url, timeout_s=1.0 if fault is Fault.SLOW else 20.0)
        with pytest.raises(ToolFailed) as failed:
            await failing.search(query())
        with pytest.raises(ToolFailed):
            await failing.holdings()
        await failing.aclose()

    assert failed.value.code is EXPECTED[fault]
    working = elastic_source(elastic)
    assert len((await working.search(query())).events) == len(ROWS)
    await working.aclose()


async def test_the_index_is_one_part_of_the_path_and_the_models_words_are_not(elastic) -> None:
    index_contract_rows(elastic)
    odd = elastic_source(elastic, ElasticView("logs-*,../_all/x?y"))
    with pytest.raises(ToolFailed):
        await odd.search(query(service="metrics-a", contains="/_all"))
    await odd.aclose()

    assert all(one.path.startswith("/logs-%2A%2C..%2F_all%2Fx%3Fy/") for one in elastic.wire.requests)


async def test_a_pattern_without_an_index_holds_nothing(elastic, source) -> None:
    page = await source.search(query(contains="x", service="pay"))

    assert (list(page.events), page.holds_window, page.is_complete, page.oldest) == ([], False, True, None)
    assert (await source.holdings()).services == ()


async def test_a_named_index_that_does_not_exist_is_an_error(elastic) -> None:
    source = elastic_source(elastic, ElasticView("gone"))

    with pytest.raises(ToolFailed) as failed:
        await source.search(query())

    assert failed.value.code is ToolCode.TOOL_EXECUTION_ERROR
    assert "gone" not in str(failed.value.code)
    await source.aclose()


async def test_a_time_field_that_is_no_date_is_an_error(elastic, source) -> None:
    elastic.create("logs-a", {"@timestamp": {"type": "long"}})

    with pytest.raises(ToolFailed) as failed:
        await source.search(query())

    assert failed.value.code is ToolCode.TOOL_EXECUTION_ERROR


@pytest.mark.parametrize(
    ("mapping", "written", "expected"),
    [
        ({"type": "date"}, "2026-11-30T18:01:02.345+08:00", "2026-11-30T10:01:02.345+00:00"),
        ({"type": "date"}, "2026-11-30T10:01:02", "2026-11-30T10:01:02+00:00"),
        ({"type": "date"}, 1796032862345, "2026-11-30T10:01:02.345+00:00"),
        ({"type": "date", "format": "epoch_second"}, 1796032862, "2026-11-30T10:01:02+00:00"),
        ({"type": "date_nanos"}, "2026-11-30T10:01:02.123456789Z", "2026-11-30T10:01:02.123456+00:00"),
        ({"type": "date_nanos"}, "2026-11-30T11:01:02.123456789+01:00", "2026-11-30T10:01:02.123456+00:00"),
        ({"type": "date"}, ["2026-11-30T10:01:02Z", "2020-01-01"], "2026-11-30T10:01:02+00:00"),
    ],
)
async def test_times_are_those_of_the_index_whatever_the_document_writes(elastic, source, mapping, written, expected):
    elastic.create("logs-a", ECS | {"@timestamp": mapping}).put("1", ecs_document(0, "x") | {"@timestamp": written})

    (event,) = (await source.search(query())).events

    assert event.at == datetime.fromisoformat(expected)


async def test_the_window_is_half_open_below_the_millisecond(elastic, source) -> None:
    index = elastic.create("logs-a", ECS | {"@timestamp": {"type": "date_nanos"}})
    for micro in range(5):
        at = moment(1) + timedelta(microseconds=micro)
        index.put(str(micro), ecs_document(0, str(micro)) | {"@timestamp": at.isoformat()})
    asked = query().window.model_copy(
        update={"start": moment(1) + timedelta(microseconds=1), "end": moment(1) + timedelta(microseconds=4)}
    )

    page = await source.search(query().model_copy(update={"window": asked}))

    assert [event.message for event in page.events] == ["1", "2", "3"]


@pytest.mark.parametrize("kind", ["failed", "timeout"])
async def test_shards_that_fail_are_named_and_make_the_search_incomplete(cluster, kind: str) -> None:
    index_contract_rows(cluster)
    reason = "null_pointer_exception" if kind == "failed" else "query_phase_timeout_exception"
    cluster.trouble.failed_shards = {("logs-a", 0): reason}
    source = elastic_source(cluster)

    page = await source.search(query())
    held = await source.holdings()

    assert not page.is_complete
    assert [(one.name, one.why) for one in page.unread] == [
        ("logs-a shard 0", "unreadable" if kind == "failed" else "timed_out")
    ]
    assert held.unread == page.unread
    await source.aclose()


async def test_half_an_answer_after_a_timeout_is_incomplete(elastic, source) -> None:
    index_contract_rows(elastic)
    elastic.trouble.timed_out = True

    page = await source.search(query())

    assert not page.is_complete
    assert ("search", "timed_out") in {(one.name, one.why) for one in page.unread}


async def test_all_shards_failing_is_an_error(elastic, source) -> None:
    elastic.create("logs-a", ECS)
    elastic.trouble.failed_shards = {("logs-a", 0): "x", ("logs-a", 1): "x"}

    with pytest.raises(ToolFailed) as failed:
        await source.search(query())

    assert failed.value.code is ToolCode.TOOL_EXECUTION_ERROR


@pytest.mark.parametrize("text", ["*", "?", "\\", '"', "a\nb", "{}", "😀", "\0", "\ud800", "AND", "_id:*", "*:*"])
async def test_what_a_model_writes_is_a_value_and_never_a_pattern(elastic, source, text: str) -> None:
    index_contract_rows(elastic)

    assert await messages(source, service=text) == []
    assert await messages(source, contains=text + "zzz") == []


@pytest.fixture
def small_pages(monkeypatch) -> None:
    monkeypatch.setattr(remote_reading, "PAGE_RECORDS", 10)


@pytest.mark.parametrize("n_at_once", [1, 7, 50])
@pytest.mark.parametrize("trouble", ["none", "has_no_pit", "has_no_tiebreaker"])
async def test_pages_meet_without_gap_or_double(cluster, small_pages, n_at_once: int, trouble: str) -> None:
    cluster.trouble.has_no_pit = trouble == "has_no_pit"
    cluster.trouble.has_tiebreaker = trouble != "has_no_tiebreaker"
    for name in ("logs-a", "logs-b"):
        cluster.create(name, ECS)
    for place in range(95):
        document = ecs_document(1 + place // n_at_once / 60_000, f"record {place}")
        cluster.indices[f"logs-{'ab'[place % 2]}"].put(str(place), document)
    source = elastic_source(cluster)

    page = await source.search(query())

    assert sorted(event.message for event in page.events) == sorted(f"record {place}" for place in range(95))
    assert (page.total, page.is_complete) == (95, True)
    assert cluster.pits == {}
    await source.aclose()


async def test_records_written_between_two_pages_do_not_shift_them(elastic, source, small_pages) -> None:
    index = elastic.create("logs-a", ECS)
    for place in range(30):
        index.put(str(place), ecs_document(10 + place / 60, f"record {place}"))

    def write(received):
        if received.path == "/_search":
            index.put(f"late-{len(index.docs)}", ecs_document(10, "late"))
        return None

    elastic.interfere = write
    page = await source.search(query())

    found = {event.message for event in page.events}
    assert {f"record {place}" for place in range(30)} <= found


async def test_a_point_in_time_is_given_back_when_the_search_is_cancelled(elastic, source, small_pages) -> None:
    index = elastic.create("logs-a", ECS)
    for place in range(30):
        index.put(str(place), ecs_document(10 + place / 60, f"record {place}"))
    elastic.interfere = lambda one: Reply(b"{}", delay_s=30.0) if one.path == "/_search" else None
    searching = asyncio.create_task(source.search(query()))
    while not any(one.path == "/_search" for one in elastic.wire.requests):
        await asyncio.sleep(0.01)

    searching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await searching

    assert elastic.pits == {}


async def test_more_records_of_one_millisecond_than_the_cluster_gives_are_named(
    elastic, source, small_pages, monkeypatch
):
    monkeypatch.setattr(elastic_reader, "MAX_WINDOW", 20)
    elastic.trouble.has_no_pit = True
    index = elastic.create("logs-a", ECS)
    for place in range(30):
        index.put(str(place), ecs_document(1, f"record {place}"))

    page = await source.search(query())

    assert not page.is_complete
    assert "too_many" in {one.why for one in page.unread}


@pytest.fixture
def small_bounds(monkeypatch) -> None:
    monkeypatch.setattr(remote_reading, "PAGE_RECORDS", 50)
    monkeypatch.setattr(remote_reading, "MAX_RECORDS", 200)
    monkeypatch.setattr(elastic_session, "MAX_RECORDS", 200)


def fill(elastic: ElasticStandIn, n: int, *, seconds_apart: int = 1, **more: object) -> None:
    index = elastic.create("logs-a", ECS)
    for place in range(n):
        index.put(str(place), ecs_document(place * seconds_apart / 60, f"record {place}", **more))


async def test_too_many_records_are_selected_evenly_and_counted(elastic, source, small_bounds) -> None:
    fill(elastic, 900, seconds_apart=4)

    page = await source.search(query(service="orders"))

    assert (page.total, page.is_complete) == (900, True)
    assert 100 <= len(page.events) <= 200
    assert {event.at.minute // 3 for event in page.events} == set(range(20))


@pytest.mark.parametrize(("named", "total"), [("error", 900), (None, None)])
async def test_a_selection_by_level_is_counted_if_every_record_names_its_own(
    elastic, source, small_bounds, named, total
):
    fill(elastic, 900, log={"level": named or "error"})
    for second in range(100):
        elastic.indices["logs-a"].put(f"x{second}", ecs_document(1, "x", log={"level": "debug" if named else "?"}))

    page = await source.search(query(level="ERROR"))

    assert (page.total, page.is_complete) == (total, total is not None)


async def test_a_text_is_looked_for_in_every_window_by_what_the_index_knows(elastic, source, small_bounds) -> None:
    fill(elastic, 1000)
    elastic.indices["logs-a"].put("n", ecs_document(30, "the Needle-In 连接池耗尽", order_id=4711))

    for text in ("needle", "edle-i", "池耗", "order_id=47"):
        page = await source.search(query(contains=text))
        assert (len(page.events), page.total, page.is_complete) == (1, 1, True), text


async def test_a_text_that_too_many_may_hold_is_incomplete(elastic, source, small_bounds) -> None:
    fill(elastic, 1000, took=17)

    page = await source.search(query(contains="record 5"))

    assert page.events
    assert (page.total, page.is_complete) == (None, False)
    assert "not_searchable" in {one.why for one in page.unread}


@pytest.mark.parametrize("why", ["stemmed", "stemmed by default", "mapping hidden", "not indexed"])
async def test_where_words_are_not_indexed_as_written_a_wide_search_says_so(elastic, source, small_bounds, why) -> None:
    message = {"stemmed": {"type": "text", "analyzer": "english"}, "not indexed": {"type": "text", "index": False}}
    settings = {"index.analysis.analyzer.default.type": "english"} if why == "stemmed by default" else {}
    elastic.trouble.hides_metadata = why == "mapping hidden"
    index = elastic.create("logs-a", ECS | {"message": message.get(why, {"type": "text"})}, **settings)
    index.put("1", ecs_document(1, "three retries"))

    narrow = await source.search(query(contains="retries"))
    for second in range(1000):
        index.put(str(second + 2), ecs_document(second / 60, "noise"))
    wide = await source.search(query(contains="retries"))

    assert (narrow.total, narrow.is_complete) == (1, True)
    assert not wide.is_complete


async def test_values_too_long_to_be_indexed_are_found(elastic, source) -> None:
    index = elastic.create("logs-a", ECS | {"message": {"type": "keyword", "ignore_above": 100}})
    index.put("1", ecs_document(1, "x" * 200 + " the needle"))

    assert len(await messages(source, contains="NEEDLE")) == 1


@pytest.mark.parametrize(
    ("document", "text"),
    [
        ({"message": "İ stands"}, "i"),
        ({"message": "\u212aelvin"}, "kelvin"),
        ({"message": "ÜBER den Wolken"}, "über"),
        ({"host": {"name": "node-17"}}, "NODE-1"),
        ({"host": {"name": "node-17"}}, "host.name=node"),
        ({"ok": False}, "als"),
        ({"when": "2026-01-02"}, "2026-01"),
        ({"tags": ["a", "b"]}, '["a","b"]'),
        ({"message": '{"msg": "\\u8fde"}'}, "\\u8fde"),
        ({"took": 1.5}, "1.5"),
        ({"message": "x" * 300}, "x" * 290),
        ({"message": "a_b__c_"}, "b__c_"),
    ],
)
@pytest.mark.parametrize("message", [{"type": "text"}, {"type": "wildcard"}])
async def test_text_is_found_in_message_and_fields_however_they_are_mapped(elastic, source, document, text, message):
    index = elastic.create("logs-a", ECS | {"message": message})
    index.put("1", ecs_document(1, "m") | document)
    index.put("2", ecs_document(2, "zzz"))

    assert [event.at for event in (await source.search(query(contains=text))).events] == [moment(1)]


@pytest.mark.parametrize(
    "changes",
    [
        {"message": ["a", "b"]},
        {"message": 17},
        {"message": None},
        {"message": "x" * 1_000_000},
        {"message": "\0 bytes"},
        {"log": {"level": 40}},
        {"log": {"level": ["?", "error"]}},
        {"log": {"level": "nonsense"}},
        {"service": {"name": ["orders", "pay"]}},
        {"service": {"name": "no"}, "service.name": "dotted"},
        {"service": None},
        {f"k{place}": "v" * 50 for place in range(10_000)},
        {"deep": json.loads("[" * 300 + '"x"' + "]" * 300)},
    ],
)
async def test_hostile_documents_are_bounded_records(elastic, source, changes) -> None:
    elastic.create("logs-a", ECS).put("1", ecs_document(1, "m") | changes)

    (event,) = (await source.search(query())).events

    assert len(event.message) + len(event.extra) < 100_000
    assert "\0" not in event.message
    assert (await source.holdings()).services


@pytest.mark.parametrize(
    ("level", "message", "expected"),
    [
        ("err", "x", "ERROR"),
        (None, "2026-11-30 10:00:00 WARN slow", "WARN"),
        (None, "plain", "INFO"),
        (["?", "Critical"], "x", "FATAL"),
        ("trace", "ERROR shouted", "TRACE"),
    ],
)
async def test_the_level_is_the_fields_else_the_messages(elastic, source, level, message, expected) -> None:
    elastic.create("logs-a", ECS).put("1", ecs_document(1, message, log={"level": level}))

    assert [event.level for event in (await source.search(query(level=expected))).events] == [expected]


async def test_levels_may_be_numbers(elastic, source) -> None:
    index = elastic.create("logs-a", ECS | {"log": {"properties": {"level": {"type": "long"}}}})
    for level in (10, 20, 30, 40, 50, 60, 7):
        index.put(str(level), ecs_document(1, f"level {level}", log={"level": level}))

    assert sorted(await messages(source, level="ERROR")) == ["level 50", "level 60"]
    assert (await source.holdings()).services[0].levels == ("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL")


async def test_a_document_without_the_service_field_is_unknown(elastic, source) -> None:
    elastic.create("logs-a", ECS).put("1", ecs_document(1, "who am I", None))

    assert await messages(source, service="unknown") == ["who am I"]
    assert [one.service for one in (await source.holdings()).services] == ["unknown"]


async def test_a_service_that_is_a_constant_of_its_index_is_read_from_the_index(elastic, source) -> None:
    for name in ("pay", "orders"):
        constant = {"service": {"properties": {"name": {"type": "constant_keyword", "value": name}}}}
        document = {key: value for key, value in ecs_document(1, name).items() if key != "service"}
        elastic.create(f"logs-{name}", ECS | constant).put("1", document)

    page = await source.search(query(service="pay"))

    assert [(event.service, event.message) for event in page.events] == [("pay", "pay")]
    assert [one.service for one in (await source.holdings()).services] == ["orders", "pay"]


async def test_what_a_plain_query_cannot_look_into_is_not_shown_either(elastic, source) -> None:
    nested = {"items": {"type": "nested", "properties": {"name": {"type": "keyword"}}}}
    elastic.create("logs-a", ECS | nested).put("1", ecs_document(1, "x", items=[{"name": "needle"}]))

    (event,) = (await source.search(query())).events

    assert event.extra == ""


async def test_a_service_mapped_as_text_is_still_exact(elastic, source) -> None:
    index = elastic.create("logs-a", ECS | {"service": {"properties": {"name": {"type": "text"}}}})
    for place, name in enumerate(("pay", "pay-gateway", "PAY", "the pay", "--")):
        index.put(str(place), ecs_document(1, name, name))

    assert await messages(source, service="pay") == ["pay"]
    assert await messages(source, service="--") == ["--"]
    assert not (await source.search(query(service="gateway"))).holds_window


async def test_a_field_that_is_new_is_shown_and_found_by_the_next_search(elastic, source) -> None:
    index = elastic.create("logs-a", ECS)
    index.put("1", ecs_document(1, "x"))
    await source.search(query(contains="pool=main"))
    index.put("2", ecs_document(2, "y", pool="main"))

    assert await messages(source, contains="pool=main") == ["y"]


async def test_cancelling_ends_the_request(elastic) -> None:
    elastic.interfere = lambda _: Reply(b"{}", delay_s=30.0)
    source = elastic_source(elastic)
    searching = asyncio.create_task(source.search(query()))
    await asyncio.to_thread(elastic.wire.arrived.wait, 5)

    searching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await searching

    assert await asyncio.to_thread(elastic.wire.client_left.wait, 5)
    await source.aclose()


async def test_the_cluster_is_told_to_stop_before_the_client_does(elastic, source) -> None:
    index_contract_rows(elastic)
    await source.search(query())

    (first, *_) = [one.body for one in elastic.wire.requests if one.path.endswith("_search") or "_search?" in one.path]
    assert 0 < int(first["timeout"].removesuffix("ms")) < 60_000
    assert first["track_total_hits"] is True


async def test_only_reading_requests_are_sent(cluster, small_pages) -> None:
    index_contract_rows(cluster)
    for place in range(30):
        cluster.indices["logs-a"].put(f"more {place}", ecs_document(3, f"more {place}"))
    source = elastic_source(cluster)
    await source.search(query(contains="more", level="INFO"))
    await source.holdings()
    await source.aclose()

    paths = {one.path.partition("?")[0].replace("/logs-%2A", "") for one in cluster.wire.requests}
    pit = {"/_search/point_in_time"} if cluster.is_opensearch else {"/_pit"}
    listed = {
        "/_field_caps",
        "/_search",
        *pit,
        "/_mapping/field/message",
        "/_settings/index.analysis.analyzer.default*",
    }
    assert paths <= listed
