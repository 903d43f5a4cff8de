"""No text breaks the claims, and none makes them slow: every reading is linear in the length of the text."""

import sys
import time
from datetime import UTC

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guards.claims.borrowed import is_copied
from guards.claims.check import Standing, uncarried
from guards.claims.extract import extract_claims
from guards.claims.folding import fold
from guards.claims.quoting import foreign_words
from guards.claims.support import Support, read_text
from guards.claims.vocabulary import Vocabulary
from guards.claims.wording import WORD_LISTS
from tests.strategies import hostile_text, sentences

CATALOGUE = Vocabulary.of(("payment-service", "inventory", "支付网关"))
texts = st.one_of(st.text(max_size=120), st.text(alphabet=st.characters(categories=["Cs", "Cc", "Cf"])), hostile_text)


@settings(max_examples=150, deadline=None)
@given(texts, texts)
def test_no_text_breaks_the_claims(text: str, other: str) -> None:
    support = Support(UTC, CATALOGUE, (read_text(other, UTC),))

    uncarried(text, support, question=other, standing=Standing.FACT)
    foreign_words(text, (other,))
    for words in WORD_LISTS:
        words.find(text)


@settings(max_examples=100, deadline=None)
@given(st.one_of(sentences, texts))
def test_a_text_carries_its_own_claims(text: str) -> None:
    support = Support(UTC, CATALOGUE, (read_text(text, UTC),))

    assert uncarried(text, support, question="", standing=Standing.ADVICE) == ()


@settings(max_examples=100, deadline=None)
@given(texts)
def test_claims_lie_inside_the_folded_text(text: str) -> None:
    folded = fold(text)

    for claim in extract_claims(text, CATALOGUE):
        assert 0 <= claim.start < claim.end <= len(folded)
        is_copied(text, claim, text)


PATTERNS = (
    *("a", "1", "1.", "a-", "a.", "/", "/a", "12:30:", "12:30 ", " ", "1 240 ", "中", "1点", "1s1m", "a=", "-", "\n"),
    *("two hundred ", "ninety ", "九十", "三分", "百", "a_ms (", "a.b "),
    *("at 8 pm ", "half an hour ", "more than 5 ", "三点十分", "UTC 1:00 ", "九成", "a:80/b", "from 1:00 to "),
    *("2026-03-", "Mar 1 ", "1) \n", "(1)", "about ", "_", "AB", "1'", "12:30 (UTC", "百分之", "result of ", "last 1 "),
)


def work(text: str) -> tuple[int, float]:
    """Calls made, of Python and of C, and processor seconds of this thread, to read the text."""
    calls = 0

    def count(_frame: object, event: str, _arg: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        read(text)
    finally:
        sys.setprofile(None)
    started = time.thread_time()
    read(text)
    return calls, time.thread_time() - started


def read(text: str) -> None:
    read_text(text, UTC)
    for words in WORD_LISTS:
        words.find(text)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_reading_takes_work_in_proportion_to_length(pattern: str) -> None:
    """Calls are counted, so that a busy machine changes nothing; what one expression does inside is only timed.

    A square would be 64 times the time, whenever it is measured: one try in proportion is proof that it is none.
    """
    short, long = pattern * (1_000 // len(pattern)), pattern * (8_000 // len(pattern))
    tries = [(work(short), work(long))]
    while not is_timely(tries[-1]) and len(tries) < 6:
        tries.append((work(short), work(long)))

    (calls, _), (more_calls, _) = tries[0]
    assert more_calls < 8 * 1.5 * calls + 2_000
    assert is_timely(tries[-1])


def is_timely(measured: tuple[tuple[int, float], tuple[int, float]]) -> bool:
    (_, short_s), (_, long_s) = measured
    return long_s < 8 * 3 * short_s + 0.1


def test_a_megabyte_is_read() -> None:
    assert read_text("x" * 1_000_000, UTC).quantities == ()
