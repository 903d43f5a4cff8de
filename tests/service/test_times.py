"""Times as people read them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from service.times import iso, moment, span, zone_of
from state.model.evidence import Window

SHANGHAI = ZoneInfo("Asia/Shanghai")


def test_a_moment_carries_its_offset() -> None:
    assert moment(datetime(2026, 3, 2, 6, 5, 31, tzinfo=UTC), SHANGHAI) == "2026-03-02 14:05:31 +08:00"


def test_a_window_within_one_day_names_the_date_once() -> None:
    window = Window(start=datetime(2026, 3, 2, 5, 5, tzinfo=UTC), end=datetime(2026, 3, 2, 6, 5, 30, tzinfo=UTC))

    assert span(window, SHANGHAI) == "2026-03-02 13:05–14:05:30 +08:00"


def test_a_window_over_midnight_names_both_dates() -> None:
    window = Window(start=datetime(2026, 3, 2, 15, 0, tzinfo=UTC), end=datetime(2026, 3, 2, 17, 0, tzinfo=UTC))

    assert span(window, SHANGHAI) == "2026-03-02 23:00 – 2026-03-03 01:00 +08:00"


def test_an_unknown_zone_is_utc() -> None:
    assert zone_of("Mars/Olympus") is UTC
    assert zone_of(None) is UTC


def test_the_edge_of_time_is_shown_rather_than_failing() -> None:
    assert iso(datetime.max.replace(tzinfo=UTC), SHANGHAI).startswith("9999-12-31")
