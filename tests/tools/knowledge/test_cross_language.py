"""English words for Chinese operations terms."""

import re

from tools.knowledge.cross_language import english_terms, terms


def test_terms_of_the_question_become_english_words():
    assert english_terms("节点磁盘空间不足") == "node disk space insufficient low"


def test_the_longest_term_wins():
    assert english_terms("磁盘阵列") == "raid array"


def test_a_word_appears_once():
    assert english_terms("节点和节点") == "node"


def test_a_question_without_such_terms_gets_none():
    assert english_terms("disk is full") == ""
    assert english_terms("今天天气") == ""


def test_every_term_is_chinese_and_every_word_english():
    assert len(terms()) > 200
    assert all(re.fullmatch(r"[\u4e00-\u9fff]+", term) for term in terms())
    assert all(re.fullmatch(r"[a-z][a-z -]*", words) for words in terms().values())
