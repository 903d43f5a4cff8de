"""Which bytes may stand for a text."""

import pytest

from tools.logs.literal import Folded, folded, fragments_of


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


@pytest.mark.parametrize("place", [0, 1, 32 * 1024 - 4, 32 * 1024 - 1, 32 * 1024, 99_990])
def test_a_needle_is_found_wherever_it_stands_among_the_folded_pieces(place):
    data = b"x" * place + b"PoOl-Name" + b"x" * 70_000

    searched = Folded(data)

    assert searched.find(b"pool-name") == place
    assert searched.find(b"pool-name", place) == place
    assert searched.find(b"pool-name", place + 1) == -1
