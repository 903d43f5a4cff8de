"""Comparable terms across wordings and languages, and their rarity."""

import pytest

from models.offline.terms import Rarity, term_set, terms


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        ("connection pool exhausted", "连接池耗尽", "c:exhausted"),
        ("requests timed out", "请求超时", "c:timeout"),
        ("deployed a release", "发布上线", "c:deploy"),
        ("OutOfMemoryError", "out of memory", "c:oom"),
        ("SocketTimeoutException", "timeout", "c:timeout"),
        ("certificate expired", "证书过期", "c:expired"),
    ],
)
def test_same_thing_has_a_term_in_common(one, other, shared):
    assert shared in term_set(one) & term_set(other)


def test_times_are_no_terms():
    assert terms("2026-03-04T10:06:01.5+08:00 16:32 从 10:50 开始") == terms("从 开始")


def test_identifiers_and_numbers_are_kept():
    assert {"i:hikaripool-7", "n:30001"} <= term_set("HikariPool-7 after 30001ms")


def test_rare_term_weighs_more_than_a_common_one():
    rarity = Rarity(["disk full", "disk slow", "disk idle zebra"])

    assert rarity.of("w:zebra") > rarity.of("c:disk")


def test_rarity_of_nothing_is_one():
    assert Rarity([]).of("w:any") == 1.0
