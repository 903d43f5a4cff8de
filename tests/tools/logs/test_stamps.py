"""Lines in the formats real software writes."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from tools.logs.stamps import Reference, read_stamp

NOW = datetime(2026, 11, 30, 13, 0, tzinfo=UTC)
UTC_REFERENCE = Reference(UTC, NOW)
NOON = "2026-11-30T12:00:01"


@pytest.mark.parametrize(
    ("line", "time", "level", "message"),
    [
        ("2026-11-30T12:00:01.123Z INFO started", f"{NOON}.123000", "INFO", "INFO started"),
        ("2026-11-30 12:00:01,123 ERROR [main] c.a.Pay - no", f"{NOON}.123000", "ERROR", "ERROR [main] c.a.Pay - no"),
        ("[2026-11-30T12:00:01.123+0000][info][gc] GC(1) Pause", f"{NOON}.123000", "INFO", "[info][gc] GC(1) Pause"),
        ("[2026-11-30 12:00:01,123] WARN [Group a] x (kafka)", f"{NOON}.123000", "WARN", "WARN [Group a] x (kafka)"),
        ("2026-11-30 20:00:01+08:00 hello", NOON, None, "hello"),
        ("2026-11-30T12:00:01.123456Z 42 [Warning] [MY-1] slow", f"{NOON}.123456", "WARN", "42 [Warning] [MY-1] slow"),
        ("2026/11/30 12:00:01 [error] 31#31: *5 upstream", NOON, "ERROR", "[error] 31#31: *5 upstream"),
        ("2026-11-30 12:00:01.123 UTC [77] LOG:  checkpoint", f"{NOON}.123000", "INFO", "checkpoint"),
        ("2026-11-30 12:00:01 UTC [77] app@db FATAL:  no slot", NOON, "FATAL", "no slot"),
        ("Nov 30 12:00:01 host app[77]: ready", NOON, None, "ready"),
        ("<34>Nov  3 12:00:01 host app: ready", "2026-11-03T12:00:01", None, "ready"),
        ("E1130 12:00:01.123456       7 pod.go:12] sync failed", f"{NOON}.123456", "ERROR", "sync failed"),
        ("61:M 30 Nov 2026 12:00:01.123 # OOM", f"{NOON}.123000", "WARN", "OOM"),
        ("30-Nov-2026 12:00:01.123 SEVERE [main] x", f"{NOON}.123000", "ERROR", "SEVERE [main] x"),
        ('time="2026-11-30T12:00:01Z" level=warning msg="disk \\"full\\"" n=3', NOON, "WARN", 'disk "full"'),
        (
            '10.0.0.1 - - [30/Nov/2026:12:00:01 +0000] "GET / HTTP/1.1" 502 167 "-" "curl"',
            NOON,
            "ERROR",
            '10.0.0.1 "GET / HTTP/1.1" 502 167 "-" "curl"',
        ),
        ('[2026-11-30T12:00:01.000Z] "GET / HTTP/2" 404 - 1', NOON, "WARN", '"GET / HTTP/2" 404 - 1'),
        ("2026-11-30 12:00:01 【错误】连接池耗尽", NOON, "ERROR", "【错误】连接池耗尽"),
    ],
)
def test_known_formats(line, time, level, message):
    stamped = read_stamp(line, UTC_REFERENCE)

    assert stamped is not None
    assert stamped.at == datetime.fromisoformat(time).replace(tzinfo=UTC)
    assert (stamped.level, stamped.message) == (level, message)


@pytest.mark.parametrize(
    "line",
    [
        "\tat com.acme.Pay.run(Pay.java:7)",
        "Caused by: java.io.IOException: broken pipe",
        "no time here",
        "2026-13-45 12:00:01 impossible",
        "2026-11-30 25:61:00 impossible",
        "Foo 30 12:00:01 host app: no such month",
        "10.0.0.1 - - no time",
    ],
)
def test_a_line_without_a_real_time_has_no_stamp(line):
    assert read_stamp(line, UTC_REFERENCE) is None


def test_programs_hosts_and_pids_become_service_and_fields():
    stamped = read_stamp("2026-11-30T12:00:01.123456+00:00 web-1 nginx: [warn] buffered", UTC_REFERENCE)

    assert (stamped.service, stamped.level, dict(stamped.fields)) == ("nginx", "WARN", {"host": "web-1"})


def test_prose_with_a_colon_is_not_taken_for_a_program():
    stamped = read_stamp("2026-11-30T12:00:01Z connection refused: db", UTC_REFERENCE)

    assert (stamped.service, stamped.message) == (None, "connection refused: db")


def test_postgres_fields():
    stamped = read_stamp("2026-11-30 12:00:01.5 UTC [77] app@orders ERROR:  deadlock detected", UTC_REFERENCE)

    assert dict(stamped.fields) == {"pid": "77", "session": "app@orders"}


def test_a_stamp_without_offset_is_read_in_the_zone_of_the_world():
    stamped = read_stamp("2026-11-30 20:00:01 x", Reference(ZoneInfo("Asia/Shanghai"), NOW))

    assert stamped.at == datetime(2026, 11, 30, 12, 0, 1, tzinfo=UTC)


def test_the_hour_before_and_after_a_clock_change_have_their_own_offset():
    reference = Reference(ZoneInfo("America/New_York"), NOW)

    before = read_stamp("2026-11-01 00:30:00 x", reference).at
    after = read_stamp("2026-11-01 02:30:00 x", reference).at

    assert (after - before).total_seconds() == 3 * 3600


@pytest.mark.parametrize(
    ("line", "now", "expected"),
    [
        ("Dec 31 23:59:59 h a: x", datetime(2027, 1, 1, 1, tzinfo=UTC), datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC)),
        ("Jan  1 00:10:00 h a: x", datetime(2026, 12, 31, 23, tzinfo=UTC), datetime(2027, 1, 1, 0, 10, tzinfo=UTC)),
        ("Feb 29 10:00:00 h a: x", datetime(2026, 3, 1, tzinfo=UTC), datetime(2024, 2, 29, 10, tzinfo=UTC)),
    ],
)
def test_a_missing_year_is_the_last_one_that_fits(line, now, expected):
    assert read_stamp(line, Reference(UTC, now)).at == expected
