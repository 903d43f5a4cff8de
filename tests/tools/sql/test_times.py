"""Times kept as text."""

from zoneinfo import ZoneInfo

import pytest

from tools.sql.catalogue import Column
from tools.sql.times import instant_of, time_problem, utc_text

PLAIN = Column("created_at", "TEXT", earliest="2026-03-01 10:00:00", latest="2026-03-02 10:00:00", text_times=True)
ZULU = Column("ts", "TEXT", earliest="2026-03-01T10:00:00Z", latest="2026-03-02T10:00:00.5Z", text_times=True)
DAYS = Column("day", "TEXT", earliest="2026-03-01", latest="2026-03-09", text_times=True)
MIXED = Column("ts", "TEXT", earliest="2026-03-01 10:00:00", latest="2026-03-02T10:00:00Z", text_times=True)
NATIVE = Column("ts", "TIMESTAMP", earliest="2026-03-01 10:00:00", latest="2026-03-02 10:00:00")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        (PLAIN, "2026-03-01"), (PLAIN, "2026-03-01 10:00"), (PLAIN, "2026-03-01 10:00:00.25"),
        (ZULU, "2026-03-01T10:00:00"), (ZULU, "2026-03-01T10:00:00Z"), (DAYS, "2026-03-01"),
        (MIXED, "2026-03-01T10:00:00+08:00"), (NATIVE, "2026-03-01T10:00:00+08:00"),
    ],
)  # fmt: skip
def test_a_value_that_sorts_with_the_stored_text_is_compared(column: Column, value: str) -> None:
    assert time_problem(column, value, whole=False) is None


@pytest.mark.parametrize(
    ("column", "value"),
    [
        (PLAIN, "2026-03-01T10:00:00"), (PLAIN, "2026-03-01 10:00:00Z"), (PLAIN, "10:00"), (PLAIN, "now"), (PLAIN, ""),
        (ZULU, "2026-03-01 10:00:00"), (ZULU, "2026-03-01T10:00:00+00:00"), (DAYS, "2026-03-01 10:00:00"),
    ],
)  # fmt: skip
def test_a_value_in_another_form_is_named_with_the_stored_one(column: Column, value: str) -> None:
    assert str(column.earliest) in str(time_problem(column, value, whole=False))


@pytest.mark.parametrize(("column", "value"), [(PLAIN, "2026-03-01"), (ZULU, "2026-03-01T10:00:00")])
def test_part_of_a_time_can_bound_a_span_but_never_equal_one(column: Column, value: str) -> None:
    assert time_problem(column, value, whole=False) is None
    assert ">= and <" in str(time_problem(column, value, whole=True))


@pytest.mark.parametrize(
    ("stored", "instant"),
    [
        ("2026-03-01 10:00:00", "2026-03-01T10:00:00+08:00"),
        ("2026-03-01T10:00:00Z", "2026-03-01T10:00:00+00:00"),
        ("2026-03-01T10:00:00.123456789Z", "2026-03-01T10:00:00.123456+00:00"),
        ("2026-03-01 10:00:00+0530", "2026-03-01T10:00:00+05:30"),
        ("2026-03-01", None),
        ("2026-13-41 99:00:00", None),
        ("soon", None),
        ("1772359200", None),
    ],
)
def test_stored_times_become_instants_with_offset(stored: str, instant: str | None) -> None:
    assert instant_of(stored, ZoneInfo("Asia/Shanghai")) == instant


INSTANTS = Column("at", "timestamptz", zoned=True, earliest="2026-03-01T10:00:00Z")
CLOCKS = Column("at", "datetime", zoned=False)


@pytest.mark.parametrize(
    ("column", "value", "why"),
    [
        (INSTANTS, "2026-03-01T10:00:00Z", None),
        (INSTANTS, "2026-03-01 10:00:00.5+08:00", None),
        (INSTANTS, "2026-03-01 10:00:00", "with zone; write them like 2026-03-01T10:00:00Z"),
        (INSTANTS, "2026-03-01", "with zone"),
        (INSTANTS, "yesterday", "with zone"),
        (CLOCKS, "2026-03-01 10:00:00", None),
        (CLOCKS, "2026-03-01T10:00", None),
        (CLOCKS, "2026-03-01", None),
        (CLOCKS, "2026-03-01T10:00:00Z", "without zone; write them like 2026-03-01 10:00:00"),
        (CLOCKS, "2026-03-01 10:00:00+00", "without zone"),
    ],
)
def test_an_instant_is_compared_with_an_instant_only(column: Column, value: str, why: str | None) -> None:
    problem = time_problem(column, value, whole=False)

    assert (problem is None) if why is None else (why in (problem or ""))


@pytest.mark.parametrize(
    ("given", "utc"),
    [
        ("2026-03-01T18:00:00+08:00", "2026-03-01 10:00:00"),
        ("2026-03-01T10:00:00.25Z", "2026-03-01 10:00:00.250000"),
        ("2026-03-01 10:00:00", "2026-03-01 10:00:00"),
        ("2026-13-01T10:00:00Z", "2026-13-01T10:00:00Z"),
        ("soon", "soon"),
    ],
)
def test_a_time_with_zone_is_written_in_utc(given: str, utc: str) -> None:
    assert utc_text(given) == utc
