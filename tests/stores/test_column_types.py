"""Instants are exact, and the database's clock renders for every dialect we name."""

import time
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import create_engine, select
from sqlalchemy.dialects import mysql, postgresql, sqlite

from state.stores.column_types import Instant, database_now

DIALECT = sqlite.dialect()
MIDDLE = datetime(2026, 3, 5, tzinfo=UTC)
instants = st.timedeltas(timedelta(days=-40_000), timedelta(days=60_000)).map(lambda away: MIDDLE + away)


@settings(max_examples=100, deadline=None)
@given(instants)
def test_instant_survives_the_round_trip_to_the_microsecond(at: datetime) -> None:
    stored = Instant().process_bind_param(at, DIALECT)

    assert Instant().process_result_value(stored, DIALECT) == at


@settings(max_examples=100, deadline=None)
@given(instants, instants)
def test_stored_instants_order_like_the_times_they_stand_for(one: datetime, other: datetime) -> None:
    stored = [Instant().process_bind_param(at, DIALECT) for at in (one, other)]

    assert (stored[0] < stored[1]) == (one < other)


def test_other_zones_are_the_same_instant() -> None:
    at = datetime(2026, 3, 5, 18, 0, tzinfo=timezone(timedelta(hours=8)))

    stored = Instant().process_bind_param(at, DIALECT)

    assert Instant().process_result_value(stored, DIALECT) == datetime(2026, 3, 5, 10, 0, tzinfo=UTC)


def test_time_without_zone_is_refused() -> None:
    with pytest.raises(TypeError):
        Instant().process_bind_param(MIDDLE.replace(tzinfo=None), DIALECT)


def test_sqlite_clock_is_the_machine_clock_and_adds_seconds() -> None:
    with create_engine("sqlite://").connect() as connection:
        now, later = connection.execute(select(database_now(), database_now(plus_s=30.5))).one()

    assert abs(now.timestamp() - time.time()) < 1.0
    assert later - now == timedelta(seconds=30.5)


@pytest.mark.parametrize(
    ("dialect", "clock"),
    [(sqlite.dialect(), "julianday"), (postgresql.dialect(), "clock_timestamp()"), (mysql.dialect(), "UNIX_TIMESTAMP")],
)
def test_each_dialect_has_its_clock(dialect: object, clock: str) -> None:
    assert clock in str(select(database_now(plus_s=1)).compile(dialect=dialect))
