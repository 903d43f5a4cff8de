"""Shares, multiples, orders of magnitude and Roman numerals claim an amount like any number."""

import pytest

from guards.claims.clock import zone_of
from guards.claims.extract import extract_claims
from guards.claims.support import Support, read_text
from guards.claims.vague import find_vague
from guards.claims.vocabulary import Vocabulary

UTC_ZONE = zone_of("UTC")


def is_carried(evidence: str, stated: str) -> bool:
    support = Support(UTC_ZONE, Vocabulary(), (read_text(evidence, UTC_ZONE),))
    return all(support.carries(claim) for claim in extract_claims(stated, Vocabulary()))


@pytest.mark.parametrize(
    ("evidence", "stated"),
    [
        ("50% of requests", "half of the requests"),
        ("33.3% lost", "a third of the requests"),
        ("25% lost", "a quarter of the requests"),
        ("2 x slower", "latency doubled"),
        ("10 times", "latency grew tenfold"),
        ("hundreds of retries", "hundreds of retries"),
        ("32 threads", "XXXII threads"),
        ("1000 threads", "one thousand threads"),
        ("1000 threads", "a thousand threads"),
        ("36 threads", "three dozen threads"),
        ("2000000 customers", "two million customers"),
        ("1250 rows", "one thousand two hundred and fifty rows"),
        ("32 个", "叁拾贰个线程"),
        ("22 个", "廿二个线程"),
        ("300 个", "叁佰个线程"),
        ("50% of requests", "一半请求"),
    ],
)
def test_an_amount_in_words_is_carried_by_its_number(evidence: str, stated: str) -> None:
    assert is_carried(evidence, stated)
    assert not is_carried("31 threads were waiting", stated)


@pytest.mark.parametrize(
    "stated",
    [
        "half of all requests failed",
        "two thirds of the customers",
        "three quarters of them",
        "hundreds of threads",
        "Thousands of requests",
        "millions of customers",
        "dozens of hosts",
        "the load tripled and quadrupled",
        "it failed twice",
        "三分之一的请求",
        "数百个线程",
        "上千次超时",
        "数百万用户",
        "三百余万用户",
        "成千上万的请求",
    ],
)
def test_an_amount_that_evidence_does_not_hold_is_not_carried(stated: str) -> None:
    assert not is_carried("31 threads and 812 timeouts", stated)


@pytest.mark.parametrize(
    "text",
    [
        "half-open connections, two and a half minutes, half an hour",
        "the third retry, in the first quarter, a third party",
        "a double quote, triple store",
        "MIX, VII, DCIM and CIVIC",
        "以上百分之五，千万不要重启",
    ],
)
def test_words_that_are_no_amount_claim_nothing(text: str) -> None:
    assert find_vague(text) == ()
