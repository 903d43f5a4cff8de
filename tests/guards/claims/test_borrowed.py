"""What a text may copy: spans of the question."""

import pytest

from guards.claims.borrowed import is_copied
from guards.claims.extract import extract_claims
from guards.claims.vocabulary import Vocabulary

QUESTION = "Why do checkouts on edge-7 time out since 14:05 today?"


@pytest.mark.parametrize(
    ("text", "question", "is_copy"),
    [
        ("Asked: why do checkouts on edge-7 time out.", QUESTION, True),
        ("The host edge-7 is broken.", QUESTION, False),
        ("It is edge-7 time for lunch", QUESTION, False),
        ("time out since 14:05 today", QUESTION, True),
        ("broken since 14:05", QUESTION, False),
        ("关于edge-7为什么超时的问题", "请问edge-7为什么超时?", True),
        ("edge-7有问题", "请问edge-7为什么超时?", False),
        ("xtime out since 14:05 todayish", "time out since 14:05 today", True),
        ("anything 14:05", "", False),
    ],
)
def test_a_claim_counts_only_inside_a_copied_span(text: str, question: str, is_copy: bool) -> None:
    (claim,) = extract_claims(text, Vocabulary())

    assert is_copied(text, claim, question) is is_copy
