"""Which bytes may stand for a text."""

import pytest

from tools.logs.literal import Remark, fragments_of


def needles(contains: str) -> list[str]:
    return [one.needle.decode() for one in fragments_of(contains)]


@pytest.mark.parametrize(
    ("contains", "expected"),
    [
        ("Connection pool exhausted", ["connection", "exhausted", "pool"]),
        ("连接池耗尽 pool", ["连接池耗尽", "pool"]),
        ("a/b", []),
        ("12", []),
        ("1234", ["1234"]),
        ("frames dropped", ["dropped", "frames"]),
        ("REDACTED connection", ["connection", "redacted"]),
        ("dropped at", ["dropped"]),
        ("nan cut", []),
        ("Ünder", ["nder"]),
    ],
)
def test_only_runs_that_reading_cannot_make_or_break_are_searched_for(contains, expected):
    assert needles(contains) == expected


@pytest.mark.parametrize(
    ("contains", "remarks"),
    [
        ("pool", set()),
        ("12345", set()),
        ("1234", {Remark.FRAMES}),
        ("1.5", {Remark.FRAMES}),
        ("dropped", {Remark.FRAMES}),
        ("Redacted", {Remark.REDACTION}),
        ("token", {Remark.REDACTION}),
        ("one", {Remark.REDACTION}),
    ],
)
def test_a_run_tells_which_remarks_of_reading_may_hold_it(contains, remarks):
    assert [one.remarks for one in fragments_of(contains)] == [remarks]
