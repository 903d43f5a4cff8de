"""Findings turned round: quotes altered, orders reversed, denials, good news."""

import pytest

from guards.claims.directions import ORDER_RULES, turned_round
from guards.claims.polarity import OPPOSITES, denied_records, good_news, turned_words
from guards.claims.quoted import foreign_quotes

EXAMPLES = [(rule.name, text, wrong) for rule in ORDER_RULES for text, wrong in rule.examples]


@pytest.mark.parametrize(("rule", "text", "wrong"), EXAMPLES)
def test_each_rule_of_order_decides_its_examples(rule: str, text: str, wrong: bool) -> None:
    assert bool(turned_round(text)) is wrong, rule


@pytest.mark.parametrize(
    "text",
    [
        "It fell from 1.5 s to 900 ms.",
        "It rose from 900 ms to 1.5 s.",
        "It rose from 900 MB to 1.5 GB.",
        "The p95 averaged 890 ms over the two hours.",
        "From 14:05 errors rose, and after 14:20 they stopped.",
        "12 requests took more than 300 ms.",
        "At 2026-03-02 14:25, after 14:20",
        "Two of 40 calls rose from the pool to 3 hosts.",
    ],
)
def test_other_numbers_and_times_are_left_alone(text: str) -> None:
    assert turned_round(text) == ()


@pytest.mark.parametrize("text", ["It fell from 900 ms to 1.5 s.", "从 0.61 降到 0.97", "09:15:02, after 09:20"])
def test_units_and_clocks_are_compared_by_what_they_mean(text: str) -> None:
    assert turned_round(text)


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("it recorded “request timed out after 11000ms”", ()),
        ("it recorded “Request  timed out after 99ms … in pool main”", ()),
        ("it recorded “request timed out before 11000ms”", ("request timed out before 11000ms",)),
        ('the "leaky" pool', ()),
        ('an inch is 1" and "request was answered in time"', ()),
        ("记录了「连接池已经全部耗尽」", ("连接池已经全部耗尽",)),
    ],
)
def test_what_stands_in_quotation_marks_must_be_cited(text: str, foreign: tuple[str, ...]) -> None:
    assert foreign_quotes(text, ["request timed out after 500ms in pool main"]) == foreign


@pytest.mark.parametrize(
    ("text", "shown", "found"),
    [
        ("DNS could resolve payments.", "could not resolve host payments", ("resolve",)),
        ("checkout did not time out.", "request timed out after 3 s", ("not time",)),
        ("线程不再归还连接", "线程归还连接", ("不再归还",)),
        ("DNS could not resolve payments.", "could not resolve host payments", ()),
        ("etl_sync was not active.", "slot_name=etl_sync, active=false", ()),
        ("It grew and did not flush.", "written=0 rows flushed", ()),
        ("finance-report was not blocked.", "state=idle, blocked_by=NULL", ()),
        ("The pool was not only small.", "pool=main small", ()),
        ("It was slow.", "took 900 ms", ()),
    ],
)
def test_a_word_is_denied_only_where_evidence_denies_it(text: str, shown: str, found: tuple[str, ...]) -> None:
    assert turned_words(text, [shown]) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("payments never recorded a timeout", ("never recorded",)),
        ("表中没有一行", ("中没有一行",)),
        ("payments recorded a timeout", ()),
    ],
)
def test_a_denied_record_is_found(text: str, found: tuple[str, ...]) -> None:
    assert denied_records(text) == found


@pytest.mark.parametrize(
    ("text", "shown", "found"),
    [
        ("Connection is available.", "Connection is not available, request timed out", ("available",)),
        ("请求成功", "请求失败", ("成功",)),
        ("The lookup succeeded.", "tariff lookup ok", ()),
        ("Connection is not available.", "pool exhausted", ()),
        ("The pool was exhausted.", "pool exhausted", ()),
        ("The newly released code leaks.", "waiting for lock", ()),
        ("It answered in time.", "took 90 ms", ()),
    ],
)
def test_good_news_needs_good_evidence(text: str, shown: str, found: tuple[str, ...]) -> None:
    assert good_news(text, [shown]) == found


def test_each_pair_of_opposites_has_its_own_name() -> None:
    assert len({one.name for one in OPPOSITES}) == len(OPPOSITES)
