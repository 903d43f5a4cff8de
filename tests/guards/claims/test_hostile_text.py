"""No text breaks the claims, and none makes them slow: every reading is linear in the length of the text."""

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
    *("2026-03-", "Mar 1 ", "1) \n", "(1)", "about ", "_", "AB", "1'", "12:30 (UTC", "百分之", "result of ", "last 1 "),
)


def seconds(text: str) -> float:
    started = time.process_time()
    read_text(text, UTC)
    for words in WORD_LISTS:
        words.find(text)
    return time.process_time() - started


@pytest.mark.parametrize("pattern", PATTERNS)
def test_reading_takes_time_in_proportion_to_length(pattern: str) -> None:
    short, long = pattern * (5_000 // len(pattern)), pattern * (40_000 // len(pattern))

    assert seconds(long) < 8 * 3 * seconds(short) + 0.3


def test_a_megabyte_is_read() -> None:
    assert read_text("x" * 1_000_000, UTC).quantities == ()
