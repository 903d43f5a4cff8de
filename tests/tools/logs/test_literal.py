"""Which bytes may stand for a text."""

import pytest

from tools.logs.literal import folded, fragments_of


def needles(contains: str) -> list[str]:
    return [one.needle.decode() for one in fragments_of(contains)]


@pytest.mark.parametrize(
    ("contains", "expected"),
    [
        ("Connection pool exhausted", ["connection", "exhausted", "pool"]),
        ("连接池耗尽 pool", ["连接池耗尽", "pool"]),
        ("a/b", []),
        ("1234", []),
        ("12345", ["12345"]),
        ("frames dropped", []),
        ("REDACTED", []),
        ("Ünder", ["nder"]),
    ],
)
def test_only_runs_that_reading_cannot_make_or_break_are_searched_for(contains, expected):
    assert needles(contains) == expected


def test_folding_keeps_offsets_and_makes_case_one():
    assert folded(b"Pool-1.x") == b"pool-1.x"
    assert len(folded(bytes(range(256)))) == 256
