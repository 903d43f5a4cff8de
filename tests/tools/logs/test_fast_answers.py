"""Counting matches from the survey and reading only those that are kept gives the answer that reading all would."""

import asyncio
import gzip
import json
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from eval.bench.logs_corpus import COMMON, FROM, UNTIL, write_corpus
from state.model.evidence import Window
from tests.tools.logs.conftest import NOW, LogFolder
from tools.logs import candidates, cutting, folder_source, kept, large_search
from tools.logs.folder_source import FolderLogSource
from tools.logs.port import LogQuery

T0 = datetime(2026, 11, 30, 8, tzinfo=UTC)
SPAN = timedelta(hours=2)
TRACE = (
    "java.io.IOException: broken pipe\n\tat com.shop.io.Pipe.m1(Pipe.java:12)\n\tat com.shop.io.Pipe.m2(Pipe.java:22)"
)


def json_line(dice: Random, at: datetime) -> str:
    level = dice.choice(["INFO", "INFO", "DEBUG", "WARN", "ERROR", "critical", None])
    return json.dumps(
        {
            "ts": at.isoformat(timespec="milliseconds"),
            "service": dice.choice(["orders", "orders", "payments", "svc-jane@example.com"]),
            "level": level,
            "message": dice.choice(["pool exhausted", "order 7 paid", "Ünïcode ✓"]),
            "ms": dice.randrange(1000) / 10,
        },
        ensure_ascii=dice.random() < 0.5,
    )


def text_line(dice: Random, at: datetime) -> str:
    stamp = f"{at:%Y-%m-%d %H:%M:%S},{at.microsecond // 1000:03}"
    level = dice.choice(["INFO", "INFO ", "DEBUG", "WARN", "ERROR", "FATAL"])
    line = dice.choice([f"{stamp} {level} [w-1] done", f"{stamp} [main] {level} - pool exhausted", f"{stamp} plain"])
    return f"{line}\n{TRACE}" if dice.random() < 0.2 else line


def written(dice: Random, build, n_lines: int, *, first: int, parts: int, line_end: str = "\n") -> bytes:
    """Lines in time order; one part of several that follow each other."""
    step = SPAN / parts / n_lines
    lines = [build(dice, T0 + SPAN / parts * first + place * step) for place in range(n_lines)]
    return (line_end.join(lines) + line_end).replace("\r\n\t", "\n\t").encode()


@pytest.fixture
def folder(logs: LogFolder) -> LogFolder:
    dice = Random(11)
    for part in range(3):
        logs.write(f"orders/orders-2026-11-30.{part}.jsonl", written(dice, json_line, 150, first=part, parts=3))
        logs.write(f"stock/stock.log.{part}.txt", written(dice, text_line, 150, first=part, parts=3))
    logs.write("windows.log", b"\xef\xbb\xbf" + written(dice, text_line, 150, first=0, parts=1, line_end="\r\n"))
    broken = written(dice, text_line, 80, first=0, parts=1).split(b"\n")
    broken[40:40] = [b"\xff\xff\xff"]
    broken[-1:] = ["2026-11-30 10:00:00 ERROR 连接池".encode("gb18030")]
    logs.write("broken.log", b"\n".join(broken))
    logs.write("half.jsonl", written(dice, json_line, 80, first=0, parts=1) + b'{"ts":"2026-')
    logs.write("old.log.gz", gzip.compress(written(dice, text_line, 10, first=0, parts=1)))
    return logs


WINDOWS = [(0, 7200), (-100, 9000), (1800, 5400), (2400, 2401), (3000, 3010), (7000, 7300), (8000, 9000)]
FILTERS = [
    {},
    {"level": "WARN"},
    {"level": "ERROR"},
    {"level": "FATAL"},
    {"service": "orders"},
    {"service": "stock.log.1", "level": "ERROR"},
    {"service": "svc-[REDACTED:email]"},
    {"service": "payments", "level": "WARN"},
    {"level": "ERROR", "contains": "exhausted"},
    {"contains": "POOL EXHAUSTED"},
    {"service": "nobody"},
]


@pytest.mark.parametrize("block_bytes", [300, 5000])
@pytest.mark.parametrize("max_kept", [7, 100, 20_000])
def test_any_query_is_answered_as_if_all_were_read(folder, monkeypatch, block_bytes, max_kept):
    monkeypatch.setattr(folder_source, "Kept", lambda: kept.Kept(max_kept=max_kept))
    queries = [
        LogQuery(window=Window(start=T0 + timedelta(seconds=start), end=T0 + timedelta(seconds=end)), **filters)
        for start, end in WINDOWS
        for filters in FILTERS
    ]
    whole = FolderLogSource("logs", folder.path, time_zone="UTC", now=NOW)
    wanted = [asyncio.run(whole.search(query)) for query in queries]
    monkeypatch.setattr(folder_source, "WHOLE_FILE_BYTES", 0)
    monkeypatch.setattr(cutting, "BLOCK_BYTES", block_bytes)
    large = folder.source()

    assert [asyncio.run(large.search(query)) for query in queries] == wanted
    assert max(page.total for page in wanted) > 1000


def test_the_tool_tells_the_same_patterns_samples_and_coverage(folder, monkeypatch):
    span = Window(start=T0 + timedelta(hours=1), end=T0 + SPAN)
    asked = [{"level": "ERROR"}, {"service": "orders"}, {"contains": "exhausted"}, {}]
    whole = [folder.raw(now=NOW, span=span, **filters) for filters in asked]
    monkeypatch.setattr(folder_source, "WHOLE_FILE_BYTES", 0)
    monkeypatch.setattr(cutting, "BLOCK_BYTES", 2000)

    assert [folder.raw(now=NOW, span=span, **filters) for filters in asked] == whole


def test_matches_that_are_not_kept_are_not_read(logs, monkeypatch):
    monkeypatch.setattr(folder_source, "WHOLE_FILE_BYTES", 0)
    monkeypatch.setattr(cutting, "BLOCK_BYTES", 1000)
    monkeypatch.setattr(folder_source, "Kept", lambda: kept.Kept(max_kept=4))
    file = logs.write("app.log", written(Random(1), text_line, 2000, first=0, parts=1))
    reads: list[int] = []
    source = FolderLogSource("logs", logs.path, time_zone="UTC", now=NOW, on_read=reads.append)
    query = LogQuery(window=Window(start=T0, end=T0 + SPAN))
    asyncio.run(source.search(query))
    reads.clear()

    page = asyncio.run(source.search(query))

    assert (page.total, len(page.events)) == (2000, 4)
    assert sum(reads) < file.stat().st_size / 10


def test_a_block_rewritten_in_place_is_named_as_unread(logs, monkeypatch):
    monkeypatch.setattr(folder_source, "WHOLE_FILE_BYTES", 0)
    monkeypatch.setattr(cutting, "BLOCK_BYTES", 1000)
    file = logs.write("app.log", written(Random(1), text_line, 100, first=0, parts=1))
    source = logs.source()
    query = LogQuery(window=Window(start=T0, end=T0 + SPAN))
    asyncio.run(source.search(query))
    whole = file.read_bytes()
    middle = len(whole) // 2
    with file.open("r+b") as opened:
        opened.seek(middle - 1500)
        opened.write(b"\n" * 3000)
        opened.seek(0, 2)
        opened.write(b"2026-11-30 09:59:59 INFO more\n")

    page = asyncio.run(source.search(query))

    assert [(one.name, one.why) for one in page.unread] == [("app.log", "unreadable")]
    assert not page.is_complete


def shuffled(dice: Random, n_lines: int, *, by: int) -> bytes:
    """Lines of text of which each stands at most so many places from its place in time."""
    places = sorted(range(n_lines), key=lambda place: place + dice.uniform(0, by))
    return "".join(f"{T0 + timedelta(seconds=place):%Y-%m-%d %H:%M:%S} INFO one {place}\n" for place in places).encode()


def parsed_in(monkeypatch) -> list[int]:
    """Numbers of first lines of all records that a search parses."""
    seen: list[int] = []
    read = large_search.read_pieces

    def counting(pieces, *args, **kwargs):
        pieces = list(pieces)
        seen.extend(line for _, line in pieces)
        return read(pieces, *args, **kwargs)

    monkeypatch.setattr(large_search, "read_pieces", counting)
    return seen


@pytest.mark.parametrize("filters", [{}, {"level": "INFO"}, {"service": "app"}, {"contains": "one"}])
def test_of_records_out_of_time_order_an_even_selection_is_kept_and_no_other_is_parsed(logs, monkeypatch, filters):
    monkeypatch.setattr(folder_source, "WHOLE_FILE_BYTES", 0)
    monkeypatch.setattr(cutting, "BLOCK_BYTES", 5000)
    monkeypatch.setattr(folder_source, "Kept", lambda: kept.Kept(max_kept=100))
    logs.write("app.log", shuffled(Random(3), 1000, by=40))
    parsed = parsed_in(monkeypatch)

    page = asyncio.run(logs.source().search(LogQuery(window=Window(start=T0, end=T0 + SPAN), **filters)))

    numbers = [int(event.origin.rpartition(":")[2]) for event in page.events]
    assert page.total == 1000
    assert sorted(numbers) == list(range(1, 1001, 16)) != numbers
    assert [event.at for event in page.events] == sorted(event.at for event in page.events)
    assert len(parsed) == len(numbers)


def test_of_blocks_across_an_end_of_the_window_only_records_of_the_asked_kind_are_parsed(logs, monkeypatch):
    monkeypatch.setattr(folder_source, "WHOLE_FILE_BYTES", 0)
    monkeypatch.setattr(cutting, "BLOCK_BYTES", 5000)
    lines = shuffled(Random(3), 1000, by=12).replace(b"5 INFO one 1", b"5 ERROR one 1")
    logs.write("app.log", lines)
    parsed = parsed_in(monkeypatch)
    span = Window(start=T0 + timedelta(seconds=100), end=T0 + timedelta(seconds=900))

    page = asyncio.run(logs.source().search(LogQuery(window=span, level="ERROR")))

    assert page.total == len([number for number in range(100, 900) if number % 10 == 5 and str(number)[0] == "1"])
    assert len(parsed) <= lines.count(b"ERROR")


@pytest.mark.parametrize("late_s", [0, 300])
@pytest.mark.parametrize("contains", [COMMON, "cache hit", "order", "worker", "COM.SHOP"])
def test_common_texts_are_counted_without_parsing_their_records(logs, monkeypatch, late_s, contains):
    write_corpus(logs.path, 400_000, late_s=late_s)
    query = LogQuery(window=Window(start=FROM, end=UNTIL), contains=contains)
    wanted = asyncio.run(logs.source().search(query)).total
    monkeypatch.setattr(folder_source, "WHOLE_FILE_BYTES", 0)
    monkeypatch.setattr(cutting, "BLOCK_BYTES", 20_000)
    monkeypatch.setattr(folder_source, "Kept", lambda: kept.Kept(max_kept=20))
    monkeypatch.setattr(candidates, "_FEW", 0)
    parsed = parsed_in(monkeypatch)

    page = asyncio.run(logs.source().search(query))

    assert page.total == wanted > 200
    assert len(parsed) <= 20
