"""Which records and patterns are shown, of many."""

from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from state.model.evidence import Window
from tools.logs.port import LogEvent
from tools.logs.sampling import place_of, rank_templates, sample
from tools.logs.shapes import Template

START = datetime(2026, 11, 30, 12, tzinfo=UTC)
HOUR = Window(start=START, end=START + timedelta(hours=1))


def template(text: str, *minutes: int, level: str = "INFO", n_before: int = 0) -> Template:
    found = [
        LogEvent(START + timedelta(minutes=m), "pay", level, text, "", f"{text}:{place}")
        for place, m in enumerate(minutes)
    ]
    return Template(text, "pay", level, found, n_before)


def ranked(*templates: Template, known: bool = True) -> list[str]:
    return [templates[place].text for place in rank_templates(templates, [known] * len(templates), HOUR)]


def test_new_troubles_come_before_old_troubles_and_new_remarks():
    order = ranked(
        template("old info", 1, 2, n_before=2),
        template("old error", 1, 2, level="ERROR", n_before=2),
        template("new error", 1, level="ERROR"),
        template("new info", 1),
        template("grown warning", 1, 2, 3, level="WARN", n_before=1),
    )

    assert order == ["new error", "grown warning", "old error", "new info", "old info"]


def test_without_a_held_window_before_a_late_beginning_counts_as_growth():
    steady = template("a steady one", *range(0, 60, 2), level="ERROR", n_before=0)
    late = template("late", *range(30, 60), level="ERROR", n_before=0)

    assert ranked(steady, late, known=False) == ["late", "a steady one"]


def test_one_late_record_proves_nothing():
    assert ranked(template("warn", *range(0, 60), level="WARN"), template("once", 50), known=False)[0] == "warn"


def test_rare_patterns_are_shown_before_frequent_ones_repeat():
    common, rare = template("common", *range(60)), template("rare", 7)

    chosen = [event.message for event in sample([common, rare], 4)]

    assert chosen.count("rare") == 1


def test_first_and_last_record_are_always_kept():
    chosen = sample([template("a", *range(60)), template("b", 30)], 2)

    assert sorted(event.at.minute for event in chosen) == [0, 59]


def test_one_pattern_is_spread_over_the_window():
    minutes = sorted(event.at.minute for event in sample([template("a", *range(60))], 5))

    assert minutes == [0, 15, 30, 44, 59]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(st.integers(0, 59), min_size=1, max_size=80), max_size=6), st.integers(1, 50))
def test_a_sample_is_bounded_distinct_and_repeatable(groups, limit):
    templates = [template(f"t{place}", *sorted(group)) for place, group in enumerate(groups)]
    total = sum(map(len, groups))

    chosen = sample(templates, limit)

    assert len({event.origin for event in chosen}) == len(chosen) == min(limit, total)
    assert chosen == sample(templates, limit)


def test_records_of_one_instant_keep_their_order_in_the_file():
    first, second = (LogEvent(START, "a", "INFO", "x", "", f"a.log:{line}") for line in (9, 10))

    assert sorted([second, first], key=place_of) == [first, second]
