"""What a text may copy: spans of the question, words of a runbook's quotes."""

import pytest

from guards.claims.borrowed import foreign_words, is_copied
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


ENGLISH = "When every connection is in use, raise maximumPoolSize or find the transaction that keeps them open."
CHINESE = "当所有连接都被占用时，应检查长事务，不要直接重启数据库。"


@pytest.mark.parametrize(
    ("text", "source", "foreign"),
    [
        ("The runbook says to raise maximumPoolSize.", ENGLISH, ()),
        ("According to the document, find transactions that keep connections open.", ENGLISH, ()),
        ("The runbook says the disk is full.", ENGLISH, ("disk", "full")),
        ("The runbook says not to raise maximumPoolSize.", ENGLISH, ("not",)),
        ("raise maximumPoolSize to 40", ENGLISH, ("40",)),
        ("手册建议检查长事务。", CHINESE, ()),
        ("手册指出不要直接重启数据库。", CHINESE, ()),
        ("手册建议扩容磁盘。", CHINESE, ("扩容", "磁盘")),
        ("", ENGLISH, ()),
    ],
)
def test_a_runbook_text_holds_only_words_of_its_quotes(text: str, source: str, foreign: tuple[str, ...]) -> None:
    assert foreign_words(text, (source,)) == foreign
