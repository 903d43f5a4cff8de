"""Loki as a log source, against a stand-in that speaks its documented HTTP API."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta

import pytest

from state.model.enums import ToolCode
from state.model.errors import Misconfigured, ToolFailed
from tests.source_faults import EXPECTED, Fault, faulty_source
from tests.stand_ins.loki import LokiStandIn
from tests.tools.logs.remote_builders import VIEW, loki_source, minute_ns, push_contract_rows
from tests.tools.logs.source_contract import ROWS, LogSourceContract, moment, query
from tests.wire_server import Reply
from tools.logs import loki_session, remote_reading
from tools.logs.loki_logql import LokiView
from tools.logs.loki_reply import parse_streams
from tools.logs.loki_source import LokiLogSource

ORDERS = {"env": "prod", "service": "orders"}


@pytest.fixture
def loki() -> Iterator[LokiStandIn]:
    with LokiStandIn() as server:
        yield server


@pytest.fixture
async def source(loki: LokiStandIn) -> AsyncIterator[LokiLogSource]:
    source = loki_source(loki)
    yield source
    await source.aclose()


async def messages(source: LokiLogSource, **filters: str) -> list[str]:
    return [event.message for event in (await source.search(query(**filters))).events]


class TestContractWithLevelsInLines(LogSourceContract):
    @pytest.fixture
    def source(self, loki: LokiStandIn, source: LokiLogSource) -> LokiLogSource:
        push_contract_rows(loki)
        return source


class TestContractWithLevelsInLabels(LogSourceContract):
    @pytest.fixture
    def source(self, loki: LokiStandIn, source: LokiLogSource) -> LokiLogSource:
        for row in ROWS:
            labels = {"env": "prod", "service": row["service"], "level": row["level"].lower()}
            loki.push(minute_ns(row["minute"]), row["message"], labels)
        return source


class TestContractWithLevelsInMetadata(LogSourceContract):
    @pytest.fixture
    def source(self, loki: LokiStandIn, source: LokiLogSource) -> LokiLogSource:
        for row in ROWS:
            labels = {"env": "prod", "service": row["service"]}
            loki.push(minute_ns(row["minute"]), row["message"], labels, {"level": row["level"], "trace_id": "t1"})
        return source


@pytest.mark.parametrize("fault", list(Fault))
async def test_every_fault_is_its_documented_code_and_the_next_search_works(fault: Fault, loki: LokiStandIn) -> None:
    push_contract_rows(loki)
    with faulty_source(fault) as url:
        failing = loki_source(url, timeout_s=1.0 if fault is Fault.SLOW else 20.0)
        with pytest.raises(ToolFailed) as failed:
            await failing.search(query())
        with pytest.raises(ToolFailed):
            await failing.holdings()
        await failing.aclose()

    assert failed.value.code is EXPECTED[fault]
    working = loki_source(loki)
    assert len((await working.search(query())).events) == len(ROWS)
    await working.aclose()


@pytest.mark.parametrize(
    "text", ['"} |= "', "}", '{env="test"}', "\\", '\\" or', "a\nb", "`", "\0", "😀", "(?i)", "[", "or 1", "\ud800"]
)
@pytest.mark.parametrize("where", ["service", "contains"])
async def test_what_a_model_writes_stays_inside_quotes(loki, source, text: str, where: str) -> None:
    push_contract_rows(loki)

    page = await source.search(query(**{where: text}))

    assert list(page.events) == []
    assert all('env="prod"' in asked for asked in loki.queries())
    assert not any("other environment" in one.text for one in loki.wire.requests)


async def test_a_service_may_have_any_name(loki, source) -> None:
    name = 'we"ird\\ \n"} |= "x'
    loki.push(minute_ns(1), "here", {"env": "prod", "service": name})

    assert await messages(source, service=name) == ["here"]


async def test_the_labels_of_the_selector_are_forced(loki, source) -> None:
    push_contract_rows(loki)

    assert "other environment" not in await messages(source)
    assert await messages(source, contains="other environment") == []
    assert "other" not in {one.service for one in (await source.holdings()).services}


def test_a_selector_is_needed() -> None:
    for selector in ({}, {"env": ""}, {"en v": "x"}):
        with pytest.raises(Misconfigured):
            LokiView(selector)


async def test_the_tenant_goes_with_every_request() -> None:
    with LokiStandIn(tenant="team-a") as server:
        server.push(minute_ns(1), "hello", ORDERS)
        source = loki_source(server, LokiView({"env": "prod"}, tenant="team-a"))

        assert await messages(source) == ["hello"]
        await source.aclose()


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (json.dumps({"msg": "连接池耗尽"}), "池耗"),
        (json.dumps({"msg": 'say "hi" to\nme'}), 'SAY "hi" to\nME'),
        (json.dumps({"msg": "x", "pool": "main"}), "x pool=main"),
        (json.dumps({"msg": "x", "a": {"b": [1, "z"]}}), '{"b":[1,"z"]}'),
        ('{"msg": "x", "took": 1.5e3}', "took=1500.0"),
        (json.dumps({"msg": "ÀÉ über"}), "àé ÜBER"),
        ('{"msg":"a\\/b \\u003ctag\\u003e"}', "a/b <tag>"),
        ("\u212aelvin", "kelvin"),
        ("İ stands", "i"),
        ('level=warn msg="disk \\"full\\"" free=0', 'disk "full" free=0'),
    ],
)
async def test_text_is_found_however_its_line_writes_it(loki, source, line: str, text: str) -> None:
    loki.push(minute_ns(1), line, ORDERS)
    loki.push(minute_ns(2), "other words", ORDERS)

    page = await source.search(query(contains=text))

    assert (len(page.events), page.total, page.is_complete) == (1, 1, True)


async def test_shown_labels_are_fields_and_are_searched(loki, source) -> None:
    loki.push(minute_ns(1), "slow", ORDERS | {"pod": "orders-7f"}, {"trace_id": "abc1"})
    loki.push(minute_ns(2), "slow", ORDERS | {"pod": "orders-9c"})

    page = await source.search(query(contains="ORDERS-7"))

    assert [event.extra for event in page.events] == ["pod=orders-7f trace_id=abc1"]
    assert len((await source.search(query(contains="slow pod=orders"))).events) == 2
    assert len((await source.search(query(contains="trace_id"))).events) == 1


@pytest.mark.parametrize("text", ["x" * 500, "池" * 500, "Ü1 " * 160, "\\\\" * 500, "池i " * 160])
async def test_the_address_of_a_request_stays_short(loki, source, text: str) -> None:
    loki.push(minute_ns(1), text, ORDERS)

    assert len((await source.search(query(contains=text))).events) == 1
    assert max(len(one.path) for one in loki.wire.requests) < 8000


async def test_only_pieces_of_the_text_reach_the_server_so_that_it_narrows(loki, source) -> None:
    loki.push(minute_ns(1), "Retry 1 of 3", ORDERS)
    await source.search(query(contains="retry 1"))

    assert any("|~" in asked and "retry" in asked for asked in loki.queries())


@pytest.mark.parametrize(
    ("line", "labels", "metadata", "level"),
    [
        ("ERROR broken", {"level": "warn"}, {}, "WARN"),
        ("ERROR broken", {"level": "unheard"}, {}, "ERROR"),
        ("INFO no error at all", {}, {"detected_level": "error"}, "INFO"),
        ("plain words", {}, {"detected_level": "error"}, "ERROR"),
        ("plain words", {}, {"detected_level": "unknown"}, "INFO"),
        ("plain words", {}, {"level": "CRITICAL"}, "FATAL"),
        ('{"severity": 50, "msg": "x"}', {}, {}, "ERROR"),
        ("2026-11-30 10:00:00,123 WARN slow", {}, {}, "WARN"),
        ('level=error msg="x"', {}, {}, "ERROR"),
    ],
)
async def test_the_level_is_the_labels_else_the_lines_else_lokis_guess(loki, source, line, labels, metadata, level):
    loki.push(minute_ns(1), line, ORDERS | labels, metadata)

    assert [event.level for event in (await source.search(query())).events] == [level]
    assert len((await source.search(query(level=level))).events) == 1


async def test_a_stamp_in_the_line_is_dropped_and_lokis_time_counts(loki, source) -> None:
    loki.push(minute_ns(1) + 123_456_789, "2020-01-01 00:00:00 ERROR boom", ORDERS)

    (event,) = (await source.search(query())).events

    assert (event.at, event.message) == (moment(1).replace(microsecond=123456), "ERROR boom")


async def test_a_record_without_the_service_label_is_unknown(loki, source) -> None:
    loki.push(minute_ns(1), "who am I", {"env": "prod"})

    assert await messages(source, service="unknown") == ["who am I"]
    assert [one.service for one in (await source.holdings()).services] == ["unknown"]


@pytest.mark.parametrize("n_at_once", [1, 7, 50])
async def test_pages_meet_without_gap_or_double(loki, source, monkeypatch, n_at_once: int) -> None:
    monkeypatch.setattr(remote_reading, "PAGE_RECORDS", 10)
    for place in range(95):
        loki.push(minute_ns(1) + place // n_at_once, f"record {place}", ORDERS)

    page = await source.search(query())

    assert sorted(event.message for event in page.events) == sorted(f"record {place}" for place in range(95))
    assert (page.total, page.is_complete) == (95, True)


async def test_more_records_of_one_instant_than_the_server_gives_are_named(loki, source, monkeypatch) -> None:
    monkeypatch.setattr(remote_reading, "PAGE_RECORDS", 10)
    monkeypatch.setattr(loki_session, "MOST_ENTRIES", 20)
    for place in range(30):
        loki.push(minute_ns(1), f"record {place}", ORDERS)

    page = await source.search(query())

    assert not page.is_complete
    assert "too_many" in {one.why for one in page.unread}


@pytest.fixture
def small_bounds(monkeypatch) -> None:
    monkeypatch.setattr(remote_reading, "PAGE_RECORDS", 50)
    monkeypatch.setattr(remote_reading, "MAX_RECORDS", 200)


async def test_too_many_records_are_selected_evenly_and_counted(loki, source, small_bounds) -> None:
    for place in range(900):
        loki.push(minute_ns(0) + place * 4 * 10**9, f"record {place}", ORDERS)

    page = await source.search(query())

    assert (page.total, page.is_complete) == (900, True)
    assert 100 <= len(page.events) <= 200
    assert {event.at.minute // 3 for event in page.events} == set(range(20))


async def test_a_window_of_parts_of_a_millisecond_is_selected_but_not_counted(loki, source, small_bounds) -> None:
    for second in range(1000):
        loki.push(minute_ns(0) + second * 10**9, f"record {second}", ORDERS)
    window = query().window.model_copy(update={"start": moment(0) + timedelta(microseconds=1)})

    page = await source.search(query().model_copy(update={"window": window}))

    assert len(page.events) >= 100
    assert page.total is None


async def test_a_burst_in_a_long_window_is_looked_at_finer(loki, source, small_bounds) -> None:
    for place in range(1000):
        loki.push(minute_ns(30) + place * 10**6, f"record {place}", ORDERS)

    page = await source.search(query())

    assert page.total == 1000
    assert len(page.events) > 100


async def test_a_selection_by_text_cannot_be_complete(loki, source, small_bounds) -> None:
    for second in range(1000):
        loki.push(minute_ns(0) + second * 10**9, f"record {second}", ORDERS)

    page = await source.search(query(contains="record"))

    assert page.events
    assert (page.total, page.is_complete) == (None, False)


@pytest.mark.parametrize(("unnamed", "total"), [(0, 900), (1, None)])
async def test_a_selection_by_level_is_counted_if_every_record_names_its_own(
    loki, source, small_bounds, unnamed, total
):
    for second in range(1000):
        level = "debug" if second >= 900 else "error"
        loki.push(minute_ns(0) + second * 10**9, f"record {second}", ORDERS | {"level": level})
    for second in range(unnamed):
        loki.push(minute_ns(0) + second, "ERROR who knows", ORDERS)

    page = await source.search(query(level="ERROR"))

    assert (page.total, page.is_complete) == (total, total is not None)


async def test_windows_longer_than_the_server_admits_are_read_in_parts(loki, source) -> None:
    day_ns = 24 * 3600 * 10**9
    for day in (0, 29, 31, 64):
        loki.push(minute_ns(0) - day * day_ns, f"day {day}", ORDERS)

    page = await source.search(query(start=-90 * 24 * 60))

    assert [event.message for event in page.events] == ["day 64", "day 31", "day 29", "day 0"]
    assert page.oldest == moment(-64 * 24 * 60)


async def test_a_warning_of_the_server_makes_the_search_incomplete(loki, source) -> None:
    push_contract_rows(loki)
    loki.warnings.append("max shards reached")

    page = await source.search(query())

    assert not page.is_complete
    assert page.unread[0].why == "server_warning"


async def test_a_server_that_returns_less_than_it_counts_is_noticed(loki, source, monkeypatch) -> None:
    monkeypatch.setattr(remote_reading, "PAGE_RECORDS", 10)
    for place in range(25):
        loki.push(minute_ns(1) + place, f"record {place}", ORDERS)

    def lose(received):
        if "query_range" in received.path and "limit=10" in received.path and len(loki.wire.requests) > 2:
            return Reply(b'{"status":"success","data":{"resultType":"streams","result":[]}}')
        return None

    loki.interfere = lose
    page = await source.search(query())

    assert not page.is_complete
    assert "not_returned" in {one.why for one in page.unread}


async def test_another_result_type_is_an_error(loki, source) -> None:
    loki.interfere = lambda _: Reply(b'{"status":"success","data":{"resultType":"matrix","result":[]}}')

    with pytest.raises(ToolFailed) as failed:
        await source.search(query())

    assert failed.value.code is ToolCode.TOOL_EXECUTION_ERROR


async def test_cancelling_ends_the_request(loki) -> None:
    loki.interfere = lambda _: Reply(b"{}", delay_s=30.0)
    source = loki_source(loki)
    searching = asyncio.create_task(source.search(query()))
    await asyncio.to_thread(loki.wire.arrived.wait, 5)

    searching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await searching

    assert await asyncio.to_thread(loki.wire.client_left.wait, 5)
    await source.aclose()


async def test_all_requests_of_a_call_share_one_timeout(loki) -> None:
    push_contract_rows(loki)
    loki.interfere = lambda received: None if len(loki.wire.requests) == 1 else Reply(b"{}", delay_s=30.0)
    source = loki_source(loki, timeout_s=1.0)

    with pytest.raises(ToolFailed) as failed:
        await source.search(query())

    assert failed.value.code is ToolCode.TOOL_TIMEOUT
    await source.aclose()


@pytest.mark.parametrize(
    "line",
    [
        "x" * 1_000_000,
        '{"msg": ' + "[" * 100_000 + "]" * 100_000 + "}",
        json.dumps({"msg": "m"} | {f"k{place}": "v" * 100 for place in range(10_000)}),
        '{"msg": ["a", {"b": 1}], "level": 17, "service": [1]}',
        '{"msg": null, "level": {"a": 1}, "ts": "never"}',
        "\0\0 bytes \0",
        '{"msg": "\\ud800 half"}',
        "\n\n",
        "",
        '{"a": 1' + "0" * 5000 + "}",
    ],
)
async def test_hostile_lines_are_bounded_records(loki, source, line: str) -> None:
    loki.push(minute_ns(1), line, ORDERS)

    (event,) = (await source.search(query())).events

    assert len(event.message) + len(event.extra) < 100_000
    assert "\0" not in event.message + event.extra
    (event.message + event.extra).encode()


async def test_text_far_behind_the_cut_is_found_and_shown(loki, source) -> None:
    loki.push(minute_ns(1), "x" * 500_000 + " the needle " + "y" * 500_000, ORDERS)

    (event,) = (await source.search(query(contains="THE needle"))).events

    assert "the needle" in event.message
    assert len(event.message) < 70_000


async def test_holdings_look_back_an_hour_if_a_day_cannot_be_counted(loki, source) -> None:
    push_contract_rows(loki)
    loki.interfere = lambda one: Reply(b"too long", status=504) if "5B86400001ms" in one.path else None

    held = await source.holdings()

    assert [(one.service, one.lines) for one in held.services] == [("orders", 1), ("pay", 1)]


async def test_an_empty_server_holds_nothing(loki, source) -> None:
    page = await source.search(query())

    assert (list(page.events), page.holds_window, page.oldest) == ([], False, None)
    assert (await source.holdings()).services == ()


async def test_a_secret_in_a_field_is_gone_before_the_source_returns(loki, source) -> None:
    loki.push(minute_ns(1), json.dumps({"msg": "login", "password": "hunter22hunter"}), ORDERS)

    (event,) = (await source.search(query())).events

    assert "hunter22" not in event.extra
    assert VIEW.selector == {"env": "prod"}


def test_a_record_cannot_say_of_what_stream_it_is() -> None:
    metadata = {"structuredMetadata": {"service": "pay", "env": "test", "level": "info", "trace_id": "t1"}}
    stream = {"stream": {"env": "prod", "service": "batch", "level": "error"}, "values": [["1", "disk full", metadata]]}

    (found,) = parse_streams({"status": "success", "data": {"resultType": "streams", "result": [stream]}}).entries

    assert found.labels == {"env": "prod", "service": "batch", "level": "error", "trace_id": "t1"}
