"""Time words of both languages become real windows that end at now at the latest."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from state.model.numerals import parse_number
from state.model.timewords import parse_instant, parse_since, resolve_window

ZONE = "Asia/Shanghai"
SHANGHAI = ZoneInfo(ZONE)
MONDAY_NIGHT = datetime(2026, 11, 30, 22, 40, tzinfo=SHANGHAI)


def local(question, now=MONDAY_NIGHT, zone=ZONE):
    window = resolve_window(question, now, zone)
    if window is None:
        return None
    return tuple(at.astimezone(ZoneInfo(zone)).strftime("%m-%d %H:%M") for at in (window.start, window.end))


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("why did payments fail in the last half hour", "11-30 22:10", "11-30 22:40"),
        ("errors in the past 2 hours", "11-30 20:40", "11-30 22:40"),
        ("what happened in the last hour?", "11-30 21:40", "11-30 22:40"),
        ("over the past hour and a half", "11-30 21:40", "11-30 22:40"),
        ("in the last couple of hours", "11-30 20:40", "11-30 22:40"),
        ("last 90m", "11-30 21:10", "11-30 22:40"),
        ("since 14:05 we see 502", "11-30 14:05", "11-30 22:40"),
        ("since the deploy at 14:05 checkout fails", "11-30 14:05", "11-30 22:40"),
        ("at 10:30 today payments timed out", "11-30 10:00", "11-30 11:00"),
        ("around 10pm", "11-30 21:30", "11-30 22:30"),
        ("around 10", "11-30 09:30", "11-30 10:30"),
        ("around 22:30", "11-30 22:00", "11-30 22:40"),
        ("at 23:00", "11-29 22:30", "11-29 23:30"),
        ("yesterday afternoon", "11-29 12:00", "11-29 18:00"),
        ("yesterday we saw errors around 10pm", "11-29 21:30", "11-29 22:30"),
        ("this morning", "11-30 06:00", "11-30 12:00"),
        ("last night", "11-29 18:00", "11-30 06:00"),
        ("tonight", "11-30 18:00", "11-30 22:40"),
        ("between 13:00 and 14:00", "11-30 13:00", "11-30 14:00"),
        ("between 13:00 and 14:00 yesterday", "11-29 13:00", "11-29 14:00"),
        ("yesterday between 13:00 and 14:00", "11-29 13:00", "11-29 14:00"),
        ("from 2026-11-02 10:00 to 2026-11-02 11:00", "11-02 10:00", "11-02 11:00"),
        ("from 2026-11-02 10:00 to 11:30", "11-02 10:00", "11-02 11:30"),
        ("2026-11-02 10:00-11:00", "11-02 10:00", "11-02 11:00"),
        ("from 22:00 to 02:00", "11-30 22:00", "11-30 22:40"),
        ("from 14:00 until now", "11-30 14:00", "11-30 22:40"),
        ("3-5pm", "11-30 15:00", "11-30 17:00"),
        ("from 10 to 11", "11-30 10:00", "11-30 11:00"),
        ("2026-11-30T02:30:00Z orders slow", "11-30 10:00", "11-30 11:00"),
        ("2026-11-30T10:30:00+08:00", "11-30 10:00", "11-30 11:00"),
        ("10:30 UTC", "11-30 18:00", "11-30 19:00"),
        ("on Nov 2 at 10:00", "11-02 09:30", "11-02 10:30"),
        ("December 24th", "12-24 00:00", "12-25 00:00"),
        ("2 hours ago", "11-30 20:10", "11-30 21:10"),
        ("3 days ago", "11-27 00:00", "11-28 00:00"),
        ("just now", "11-30 22:10", "11-30 22:40"),
        ("last friday at 9am", "11-27 08:30", "11-27 09:30"),
        ("before 10:00", "11-30 08:00", "11-30 10:00"),
        ("half past ten", "11-30 10:00", "11-30 11:00"),
        ("at noon", "11-30 11:30", "11-30 12:30"),
        ("last week", "11-23 00:00", "11-30 00:00"),
    ],
)
def test_english_time_words(question, start, end):
    assert local(question) == (start, end)


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("最近半小时支付超时", "11-30 22:10", "11-30 22:40"),
        ("过去两小时", "11-30 20:40", "11-30 22:40"),
        ("最近一个半小时", "11-30 21:10", "11-30 22:40"),
        ("近三十分钟内", "11-30 22:10", "11-30 22:40"),
        ("今天上午", "11-30 06:00", "11-30 12:00"),
        ("昨天下午", "11-29 12:00", "11-29 18:00"),
        ("昨天下午3点到5点", "11-29 15:00", "11-29 17:00"),
        ("10点左右", "11-30 09:30", "11-30 10:30"),
        ("１０：３０左右", "11-30 10:00", "11-30 11:00"),
        ("晚上十点左右", "11-30 21:30", "11-30 22:30"),
        ("下午三点一刻", "11-30 14:45", "11-30 15:45"),
        ("14:05以来", "11-30 14:05", "11-30 22:40"),
        ("自昨天开始", "11-29 00:00", "11-30 22:40"),
        ("从10点到11点", "11-30 10:00", "11-30 11:00"),
        ("10到11点", "11-30 10:00", "11-30 11:00"),
        ("从下午2点到现在", "11-30 14:00", "11-30 22:40"),
        ("昨晚", "11-29 18:00", "11-30 06:00"),
        ("昨晚10点到凌晨2点", "11-29 22:00", "11-30 02:00"),
        ("昨晚一点", "11-30 00:30", "11-30 01:30"),
        ("今天凌晨2点", "11-30 01:30", "11-30 02:30"),
        ("刚才", "11-30 22:10", "11-30 22:40"),
        ("十点半", "11-30 10:00", "11-30 11:00"),
        ("二十二点十分", "11-30 21:40", "11-30 22:40"),
        ("2026年11月2日10时30分", "11-02 10:00", "11-02 11:00"),
        ("11月2日上午10点", "11-02 09:30", "11-02 10:30"),
        ("周一上午", "11-30 06:00", "11-30 12:00"),
        ("上周五晚上", "11-27 18:00", "11-28 06:00"),
        ("两小时前", "11-30 20:10", "11-30 21:10"),
        ("三天前", "11-27 00:00", "11-28 00:00"),
        ("前天晚上11点", "11-28 22:30", "11-28 23:30"),
        ("10点之前", "11-30 08:00", "11-30 10:00"),
        ("北京时间10:30", "11-30 10:00", "11-30 11:00"),
    ],
)
def test_chinese_time_words(question, start, end):
    assert local(question) == (start, end)


@pytest.mark.parametrize(
    "question",
    [
        "",
        "why is checkout slow?",
        "port 8080 of 10.0.0.1:5432 shows 502 since v1.2.3",
        "p99 at 300ms on orders-5, pool of 10, 5 of 12 pods, version 2026.11.2",
        "around 10 percent of requests fail",
        "good morning, payments fail",
        "the evening batch job fails",
        "the pods may 5 times restart",
        "is it down right now",
        "tomorrow at 10am",
        "from 2030-01-01 10:00 to 11:00",
        "早上好，支付超时",
        "最近订单服务有一点慢",
        "当时实时数据丢失",
        "明天上午",
        "99999 weeks ago",
        "2026-13-45 at 25:61",
    ],
)
def test_no_window_where_no_past_time_is_named(question):
    assert local(question) is None


def test_early_in_the_night_this_morning_means_since_midnight():
    assert local("this morning", datetime(2026, 11, 30, 3, 0, tzinfo=SHANGHAI)) == ("11-30 00:00", "11-30 03:00")


def test_a_time_of_the_repeated_hour_covers_both_readings():
    now = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)

    window = resolve_window("2026-11-01 01:30", now, "America/New_York")

    assert window.start == datetime(2026, 11, 1, 5, 0, tzinfo=UTC)
    assert window.end == datetime(2026, 11, 1, 7, 0, tzinfo=UTC)


def test_a_day_of_clock_change_has_its_real_length():
    now = datetime(2026, 11, 10, tzinfo=UTC)

    window = resolve_window("2026-11-01", now, "America/New_York")

    assert window.end - window.start == timedelta(hours=25)


def test_a_time_the_clocks_skipped_still_gives_a_window():
    now = datetime(2026, 3, 9, tzinfo=UTC)

    window = resolve_window("from 02:15 to 02:45 on 2026-03-08", now, "America/New_York")

    assert window.start <= datetime(2026, 3, 8, 7, 15, tzinfo=UTC) <= window.end


WORDS = st.sampled_from(
    "since from to between and at around 10 10:30 3pm yesterday 昨天 下午 3点 到 左右 以来 最近 半小时 两小时 前"
    " last night 2 hours ago 2026-11-02 nov 2 monday 周五 utc now 现在 , . - 31 february 29 2月29日 99 点".split()
)


@settings(max_examples=300, deadline=None)
@given(st.lists(WORDS, max_size=8), st.sampled_from(["UTC", ZONE, "America/New_York"]), st.integers(0, 400))
def test_any_words_give_no_window_or_one_that_ends_by_now(words, zone, hours):
    now = MONDAY_NIGHT - timedelta(hours=hours)

    window = resolve_window(" ".join(words), now, zone)

    assert window is None or window.start < window.end <= now


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_survived(text):
    window = resolve_window(text, MONDAY_NIGHT, ZONE)

    assert window is None or window.start < window.end <= MONDAY_NIGHT


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("30m", 30), ("1h30m", 90), ("90s", 1.5), ("2 days", 2880), ("half an hour", 30), ("半小时", 30), ("两小时", 120)],
)
def test_since_is_a_length_of_time(text, minutes):
    assert parse_since(text) == timedelta(minutes=minutes)


@pytest.mark.parametrize("text", ["", "m", "0m", "-5m", "soon", "10:30", "1e9h", "999999 weeks"])
def test_since_refuses_anything_else(text):
    with pytest.raises(ValueError, match="is not a length of time"):
        parse_since(text)


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2026-11-30T10:30:00Z", "2026-11-30T10:30:00+00:00"),
        ("2026-11-30T10:30:00.5+08:00", "2026-11-30T02:30:00.500000+00:00"),
        ("2026-11-30 10:30", "2026-11-30T02:30:00+00:00"),
        ("2026/11/30 10:30 UTC", "2026-11-30T10:30:00+00:00"),
        ("2026-11-30", "2026-11-29T16:00:00+00:00"),
    ],
)
def test_an_instant_without_offset_is_read_in_the_zone(text, utc):
    assert parse_instant(text, ZONE).isoformat() == utc


@pytest.mark.parametrize(
    "text",
    ["", "10:30", "yesterday", "2026-02-30", "0001-01-01", "0001-01-01T00:00:00Z", "9999-12-31T23:59Z", "1764504000"],
)
def test_what_is_no_instant_is_refused(text):
    with pytest.raises(ValueError, match="is not a time"):
        parse_instant(text, ZONE)


@pytest.mark.parametrize(("text", "number"), [("二十二", 22), ("十", 10), ("两", 2), ("一百零五", 105), ("twelve", 12)])
def test_number_words(text, number):
    assert parse_number(text) == number
