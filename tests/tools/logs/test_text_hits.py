"""Where a text stands in the bytes of a block."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.logs import text_hits
from tools.logs.literal import Fragment
from tools.logs.text_hits import Sought, fragment_hits, hits_of, rows

STEP = 128 * 1024


def values_of(data: bytes) -> text_hits.Bytes:
    return np.frombuffer(data, np.uint8)


def offsets(data: bytes, needle: bytes) -> list[int]:
    found = fragment_hits(values_of(data), Fragment(needle, is_ascii=needle.isascii()))
    return [at for some in found for at in some.tolist()]


@pytest.mark.parametrize("place", [0, 1, STEP - 9, STEP - 4, STEP - 1, STEP, 2 * STEP - 9, 299_991])
def test_a_fragment_is_found_wherever_it_stands_among_the_steps(place):
    data = b"x" * place + b"PoOl-Name" + b"x" * (300_000 - 9 - place)

    assert offsets(data, b"pool-name") == [place]


@given(
    data=st.lists(st.sampled_from(["a", "A", "b", "-", "\r", "\n", "é", "É", "\0", " "]), max_size=40).map("".join),
    needle=st.lists(st.sampled_from(["a", "b", "-", "é", "ab", "-a"]), min_size=1, max_size=6).map("".join),
    step=st.integers(1, 9),
)
def test_it_is_found_where_lower_case_has_it(data, needle, step):
    lower = data.encode().lower()
    wanted = [at for at in range(len(lower)) if lower.startswith(needle.encode(), at)]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(text_hits, "_AT_ONCE", step)
        assert offsets(data.encode(), needle.encode()) == wanted


def test_a_hit_is_as_long_as_the_whole_text_where_that_stands():
    data = b"a pool, a POOL size, poo"

    hits = hits_of(
        values_of(data), Sought(Fragment(b"pool", is_ascii=True), b"a pool size", 2, is_quoted=False, is_numeric=False)
    )

    assert hits.begins.tolist() == [2, 8]
    assert hits.ends.tolist() == [6, 19]
    assert hits.is_whole.tolist() == [False, True]


def test_a_text_that_cannot_be_judged_is_nowhere_whole():
    hits = hits_of(
        values_of(b"pool pool"), Sought(Fragment(b"pool", is_ascii=True), b"", -1, is_quoted=False, is_numeric=False)
    )

    assert hits.begins.tolist() == [0, 5]
    assert not hits.is_whole.any()


def test_rows_may_overlap_and_end_with_the_bytes():
    assert rows(values_of(b"abcde"), np.array([0, 1, 3]), 2).tobytes() == b"abbcde"
