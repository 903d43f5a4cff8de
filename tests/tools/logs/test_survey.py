"""A survey tells of every block what reading it would, without reading it."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.tools.logs.conftest import NOW
from tests.tools.logs.test_large_files import RAW
from tools.logs.read_file import read_piece
from tools.logs.stamps import Reference
from tools.logs.survey import survey

UTC_REFERENCE = Reference(ZoneInfo("UTC"), NOW)
STAMPS = st.builds(
    lambda at, form, zone: at.strftime(form) + zone,
    st.integers(-(80 * 366), 57 * 365).map(
        lambda days: datetime(1970, 1, 1, 10, tzinfo=UTC) + timedelta(days, days % 86399)
    )
    | st.just(datetime(2026, 11, 30, 10, tzinfo=UTC)),
    st.sampled_from(["%Y-%m-%d %H:%M:%S", "%Y/%m/%dT%H:%M:%S", "[%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M:%S,%f"]),
    st.sampled_from(["", "Z", " UTC", " +0800", "-05:30", "]", "]:", ".5", ",1234567890", ".000001Z"]),
)
BETWEEN = st.sampled_from(
    ["", " ", "\t", " [main] ", " [http-nio-8080-exec-1] ", " [error] ", " [error-1] ", " [WARN] ", " [7] ", " host app[7]: ",
     " [x level=error] ", " INFO ", " LOG [7] ", " [info-] "]
)  # fmt: skip
LEVELS = st.sampled_from(
    ["INFO", "ERROR", "WARN", "WARNING", "FATAL", "TRACE", "DEBUG", "INFO:", "INFO-x", "INFOx", "ERROR/a", "INFOé",
     "INFO [7] ERROR:  x", "INFO  [7] a", "error", "[error]", "Info", "NOTICE"]
)  # fmt: skip
TAILS = st.sampled_from([" done", "", " x level=fatal", "\r", " \u00e9", " connection\r", '" 503 ', ' - "GET /" 404 '])
WRITTEN = st.builds(lambda *parts: "".join(parts).encode(), STAMPS, BETWEEN, LEVELS, TAILS)
FRAMES = st.sampled_from(
    ["\tat com.shop.A(A.java:1)", "java.io.IOException: x", "  {", ' {"ts":"2026-11-30T10:00:00Z"}', "\ufeff", " \x1c", "\x1c",
     "t=2026-11-30T10:00:00Z level=e msg=x", "time flies", "a [30/Nov/2026:10:00:00 +0000] b", "\ufeff2026-11-30 10:00:00 a",
     '{"ts":"2026-11-30T10:00:00Z","kind":"DETAIL","message":"x"}', '{"ts":"2026-11-30T10:00:00Z","kind":"HINT","pid":7}',
     '{"time":"no","ts":1764496800}', '{"@timestamp":1764496800000,"lvl":40,"app":" a "}', '{"date":true}', "2026-11-30 10:00:60 INFO x",
     '{"ts":"2026-11-30T10:00:00+08:00","service":7,"level":""}', "2026-02-30 10:00:00 INFO x", "0001-01-01 00:00:00 INFO x"]
).map(str.encode)  # fmt: skip
BLOCKS = st.lists(WRITTEN | WRITTEN | FRAMES | RAW, max_size=12).map(b"\n".join)


@pytest.mark.parametrize("name", ["app.log", "orders/app.jsonl"])
@pytest.mark.parametrize("zone", ["UTC", "Asia/Shanghai", "Africa/Monrovia"])
@settings(max_examples=80, deadline=None)
@given(data=BLOCKS)
@example(data=b"2026-11-30 10:00:00 INFO [7] ERROR:  x")
@example(data=b"2026-11-30 10:00:00 INFO-x\n2026-11-30 10:00:00 ERROR/a\n2026-11-30 10:00:00 WARN\xc3\xa9")
@example(
    data=b"2026-11-30 10:00:00 [error] INFO x\n2026-11-30 10:00:00 [WARN] INFO x\n2026-11-30 10:00:00 [7] INFO:  x"
)
@example(data=b'2026-11-30 10:00:00 INFO x\n {"ts":"2026-11-30T10:00:00Z"}\nt=2026-11-30T10:00:00Z level=e msg=x')
@example(data=b'{"ts":"2026-11-30T10:00:00Z"}\n{"ts":"2026-11-30T10:00:00Z","kind":"DETAIL","message":"x"}')
@example(data=b"2026-02-30 10:00:00 INFO x [30/Nov/2026:10:00:03 +0000] y")
@example(data=b"1890-01-01 00:00:30 INFO a\n1890-01-01 00:00:31 INFO b")
@example(data=b"2026-11-30 10:00:00 INFO a\n\xff\xff\n\tat x\n2026-11-30 09:00:00 [main] ERROR b")
def test_it_agrees_with_reading_every_line(name, zone, data):
    path, reference = PurePosixPath(name), Reference(ZoneInfo(zone), NOW)

    told = survey(data, path, reference)

    read = read_piece(data, path, reference, first_line=0)
    in_file = sorted(read.events, key=lambda event: int(event.origin.rpartition(":")[2]))
    layout = told.layout
    assert {name: (one.lines, one.oldest, one.newest, one.levels) for name, one in told.services.items()} == {
        service: (
            len(events),
            min(event.at for event in events),
            max(event.at for event in events),
            {event.level for event in events},
        )
        for service in {event.service for event in in_file}
        if (events := [event for event in in_file if event.service == service])
    }
    assert told.first_at == (in_file[0].at if in_file else None)
    assert told.is_ordered == (in_file == read.events)
    assert list(told.gaps) == read.gaps
    assert bool(told.n_undecodable) == (read.problem == "undecodable")
    assert layout is not None
    assert [(line, *layout.kinds[mark - 1]) for line, mark in enumerate(layout.lines().tolist()) if mark] == [
        (int(event.origin.rpartition(":")[2]), event.service, event.level) for event in in_file
    ]
    assert dict(zip(layout.kinds, layout.counts, strict=True)) == Counter(
        (event.service, event.level) for event in in_file
    )


def test_more_services_than_a_byte_tells_leave_no_layout():
    start = datetime(2026, 11, 30, 10, tzinfo=UTC)
    rows = [f'{{"ts":"{(start + timedelta(seconds=place)).isoformat()}","service":"s{place}"}}' for place in range(300)]

    told = survey("\n".join(rows).encode(), PurePosixPath("a.jsonl"), UTC_REFERENCE)

    assert told.layout is None
    assert len(told.services) == 300
