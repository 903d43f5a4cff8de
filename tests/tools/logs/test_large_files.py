"""Large files are never held as a whole, and yet answer exactly as if they were."""

import asyncio
import json
import os
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from state.model.evidence import Window
from tests.tools.logs.conftest import NOW
from tests.tools.logs.source_contract import ROWS, LogSourceContract, moment
from tools.logs import candidates, cutting, folder_source, kept
from tools.logs.describe import describe
from tools.logs.folder_source import FolderLogSource
from tools.logs.port import LogQuery

T0 = datetime(2026, 11, 30, 10, tzinfo=UTC)


@pytest.fixture
def all_large(monkeypatch):
    """Every file counts as large, and blocks are tiny."""
    monkeypatch.setattr(folder_source, "WHOLE_FILE_BYTES", 0)
    monkeypatch.setattr(cutting, "BLOCK_BYTES", 300)


def at(second: int) -> datetime:
    return T0 + timedelta(seconds=second)


def plain(second: int, text: str = "INFO one", *, width: int = 0) -> str:
    return f"{at(second):%Y-%m-%d %H:%M:%S} {text}{'.' * width}\n"


def asked(start: int = 0, end: int = 100_000, **filters: str) -> LogQuery:
    return LogQuery(window=Window(start=at(start), end=at(end)), **filters)


def page(source: FolderLogSource, query: LogQuery):
    return asyncio.run(source.search(query))


class Reads:
    """What a source read of large files."""

    def __init__(self, logs) -> None:
        self.n_bytes = 0
        self.source = FolderLogSource("logs", logs.path, time_zone="UTC", now=NOW, on_read=self._add)

    def _add(self, n_bytes: int) -> None:
        self.n_bytes += n_bytes

    def of(self, query: LogQuery):
        self.n_bytes = 0
        return page(self.source, query), self.n_bytes


class TestContractOfLargeFiles(LogSourceContract):
    @pytest.fixture
    def source(self, logs, all_large) -> FolderLogSource:
        rows = [json.dumps(row | {"ts": moment(row["minute"]).isoformat(), "minute": None}) for row in ROWS]
        logs.write("a/first.jsonl", "\n".join(rows[::2]))
        logs.write("second.jsonl", "\n".join(rows[1::2]))
        return logs.source()


WORDS = st.sampled_from(
    ["error", "ERROR", "WARN", "pool", "Exhausted", "exhausted", "连接池", "超时", "K", "\u212a", "\u0130x", "redacted",
     "12345", "0.50", "1e5", "a/b", 'say "hi"', "dropped", "ix", "kx", "FATAL"]
)  # fmt: skip
SECONDS = st.integers(0, 40)
TEXTS = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
NUMBERS = st.sampled_from(
    ["1", "1.50", "1e5", "12345678901234567890.0", "-0", "NaN", "1E400", "null", "true", "0.00001"]
)


@st.composite
def json_rows(draw) -> str:
    row = {
        "ts": at(draw(SECONDS)).isoformat(),
        "level": draw(st.sampled_from(["INFO", "error", "WARN", "critical", 50, "E", None])),
        "service": draw(st.sampled_from(["orders", "pay", "", "svc-jane@example.com"])),
        "message": draw(TEXTS),
        "password": draw(TEXTS),
        "pid": draw(st.sampled_from([7, "7", None])),
    }
    text = json.dumps(row, ensure_ascii=draw(st.booleans()))
    return text[:-1] + ', "n": ' + draw(NUMBERS) + ', "d": [{"v": ' + draw(NUMBERS) + "}]}"


STAMPED = st.builds(
    lambda second, form, text: form.format(stamp=f"{at(second):%Y-%m-%d %H:%M:%S}", second=second % 60, text=text),
    SECONDS,
    st.sampled_from(
        [
            "{stamp} {text}",
            "{stamp} ERROR {text}",
            "{stamp} [WARN] {text}",
            "{stamp} UTC [7] a@b ERROR:  {text}",
            "{stamp} UTC [7] a@b DETAIL:  {text}",
            "{stamp} UTC [8] a@b STATEMENT:  {text}",
            "Nov 30 10:00:{second:02} host prog[3]: {text}",
            'time="2026-11-30T10:00:{second:02}Z" level=e msg="{text}" k={text}',
            '1.2.3.4 - - [30/Nov/2026:10:00:{second:02} +0000]"GET /{text} HTTP/1.1" 503 12',
            "E1130 10:00:{second:02}.000000 1 a.go:1] {text}",
        ]
    ),
    TEXTS,
)
OTHER = st.one_of(
    TEXTS.map(lambda text: f"\tat com.shop.A({text})"),
    TEXTS,
    st.sampled_from(["", "\u3000", '{"ts":"2026-', '{"message":"no time"}', "\\u0065rror", "[[[["]),
)
LINES = st.one_of(json_rows(), STAMPED, OTHER).map(str.encode)
RAW = st.one_of(
    LINES, LINES, LINES, st.sampled_from([b"\xff\xff\xff", "2026-11-30 10:00:09 连接池 pool".encode("gb18030")])
)
ORDERED = st.lists(st.tuples(SECONDS, TEXTS), max_size=30).map(
    lambda pairs: [plain(second, text).encode().rstrip() for second, text in sorted(pairs)]
)
FILES = st.lists(RAW, max_size=30) | ORDERED
QUERIES = st.builds(
    lambda start, length, filters: asked(start, start + length, **{k: v for k, v in filters.items() if v}),
    st.integers(-2, 42),
    st.integers(1, 44),
    st.fixed_dictionaries(
        {
            "service": st.sampled_from([None, None, "orders", "a", "svc-[REDACTED:email]", "nobody"]),
            "level": st.sampled_from([None, "INFO", "WARN", "ERROR", "FATAL"]),
            "contains": st.none() | TEXTS | st.sampled_from(["ERROR", "pass", "=", "100000.0", "e-05", "5678", "hi"]),
        }
    ),
)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    files=st.lists(FILES, min_size=1, max_size=3),
    names=st.permutations(["a.log", "b/orders.jsonl", "c.log"]),
    queries=st.lists(QUERIES, min_size=1, max_size=4),
    block_bytes=st.sampled_from([1, 200, 1000, 4000]),
    few=st.sampled_from([0, 16]),
)
def test_any_folder_answers_any_query_as_if_it_were_held_whole(
    tmp_path_factory, monkeypatch, files, names, queries, block_bytes, few
):
    folder = tmp_path_factory.mktemp("logs")
    (folder / "b").mkdir()
    for name, lines in zip(names, files, strict=False):
        (folder / name).write_bytes(b"\n".join(lines))
    whole, large = (FolderLogSource("logs", folder, time_zone="UTC", now=NOW) for _ in range(2))
    with monkeypatch.context() as patched:
        patched.setattr(candidates, "_FEW", few)
        patched.setattr(folder_source, "WHOLE_FILE_BYTES", 0)
        patched.setattr(cutting, "BLOCK_BYTES", block_bytes)
        patched.setattr(cutting, "_GROWTH", 4000)
        found = [page(large, query) for query in queries]
        held = asyncio.run(large.holdings())

    assert found == [page(whole, query) for query in queries]
    assert held == asyncio.run(whole.holdings())


def test_a_narrow_window_of_an_ordered_file_reads_only_that_part(logs, all_large):
    logs.write("app.log", "".join(plain(second, width=40) for second in range(1000)))
    reads = Reads(logs)
    reads.of(asked())

    found, n_bytes = reads.of(asked(500, 503))

    assert found.total == 3
    assert found.is_complete
    assert n_bytes < 1500


def test_a_window_after_the_last_record_reads_nothing(logs, all_large):
    logs.write("app.log", "".join(plain(second) for second in range(100)))
    reads = Reads(logs)
    reads.of(asked())

    assert reads.of(asked(5000, 6000))[1] == 0


def test_one_record_out_of_order_is_found_where_it_stands(logs, all_large):
    late = [plain(second, width=40) for second in range(200, 1200)]
    late[700] = plain(5, "INFO astray")
    logs.write("app.log", "".join(late))
    reads = Reads(logs)
    reads.of(asked())

    found, n_bytes = reads.of(asked(0, 10))

    assert [event.message for event in found.events] == ["INFO astray"]
    assert n_bytes < 1500


def test_a_level_no_block_holds_reads_nothing(logs, all_large):
    logs.write("app.log", "".join(plain(second) for second in range(100)))
    reads = Reads(logs)
    reads.of(asked())

    assert reads.of(asked(level="ERROR"))[1] == 0


def test_a_file_that_grew_is_read_on_from_its_last_block(logs, all_large):
    file = logs.write("app.log", "".join(plain(second, width=40) for second in range(1000)))
    reads = Reads(logs)
    size = reads.of(asked())[1]
    with file.open("a") as more:
        more.write(plain(2000, "INFO new"))

    found, n_bytes = reads.of(asked(1990, 2010))

    assert [(event.message, event.origin) for event in found.events] == [("INFO new", "app.log:1001")]
    assert n_bytes < size / 10


def test_a_file_that_was_replaced_is_read_anew(logs, all_large):
    file = logs.write("app.log", "".join(plain(second, width=40) for second in range(100)))
    source = logs.source()
    page(source, asked())
    file.unlink()
    logs.write("app.log", "".join(plain(second, "INFO other", width=45) for second in range(200)))

    assert page(source, asked(contains="other")).total == 200


def test_a_record_beyond_any_block_keeps_the_records_behind_it(logs, all_large, monkeypatch):
    monkeypatch.setattr(cutting, "_GROWTH", 4)
    endless = "continued\n" * 1000
    logs.write("app.log", plain(1, "INFO first") + endless + plain(2, "INFO second") + plain(3, "INFO third"))

    found = page(logs.source(), asked())

    assert [(event.message.split("\n")[0], event.origin) for event in found.events] == [
        ("INFO first", "app.log:1"),
        ("INFO second", "app.log:1002"),
        ("INFO third", "app.log:1003"),
    ]


def test_too_many_matches_are_counted_and_evenly_kept(logs, all_large, monkeypatch):
    monkeypatch.setattr(folder_source, "Kept", lambda: kept.Kept(max_kept=100))
    logs.write("app.log", "".join(plain(second) for second in range(1000)))

    found = page(logs.source(), asked())

    assert found.total == 1000
    assert [event.at for event in found.events] == [at(second) for second in range(0, 1000, 16)]


def test_holdings_beyond_the_counted_bytes_are_estimates_and_say_so(logs, all_large, monkeypatch):
    monkeypatch.setattr(folder_source, "COUNTED_BYTES", 0)
    logs.write("app.log", "".join(plain(second) for second in range(1000)))

    held = asyncio.run(logs.source().holdings())

    assert held.n_estimated == 1
    assert (held.oldest, held.newest) == (at(0), at(999))
    assert "1 large files only estimated, may hold more" in describe({"logs": held}, "UTC")


def test_holdings_are_exact_once_the_folder_was_searched(logs, all_large, monkeypatch):
    monkeypatch.setattr(folder_source, "COUNTED_BYTES", 0)
    logs.write("app.log", "".join(plain(second) for second in range(1000)))
    source = logs.source()
    page(source, asked())

    held = asyncio.run(source.holdings())

    assert held.n_estimated == 0
    assert [one.lines for one in held.services] == [1000]


async def test_an_interrupted_survey_goes_on_where_it_stopped(logs, all_large):
    logs.write("app.log", "".join(plain(second, width=40) for second in range(20_000)))
    size = os.path.getsize(logs.path / "app.log")
    reads = Reads(logs)
    task = asyncio.create_task(reads.source.search(asked()))
    while reads.n_bytes < size / 4:
        await asyncio.sleep(0.001)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    first = reads.n_bytes
    reads.n_bytes = 0

    found = await reads.source.search(asked(19_999, 20_000))

    assert found.total == 1
    assert reads.n_bytes < 3 * size - first
