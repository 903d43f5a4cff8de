"""Numbers in words claim what the same numbers in digits claim."""

import pytest

from guards.claims.clock import zone_of
from guards.claims.extract import extract_claims
from guards.claims.spelled import find_spelled
from guards.claims.support import Support, read_text
from guards.claims.vocabulary import Vocabulary

UTC_ZONE = zone_of("UTC")


def is_carried(evidence: str, stated: str) -> bool:
    support = Support(UTC_ZONE, Vocabulary(), (read_text(evidence, UTC_ZONE),))
    return all(support.carries(claim) for claim in extract_claims(stated, Vocabulary()))


@pytest.mark.parametrize(
    ("evidence", "stated"),
    [
        ("after 16s", "sixteen seconds later"),
        ("after 16000 ms", "Sixteen seconds later"),
        ("45 min", "forty-five minutes"),
        ("2 h", "a two-hour gap"),
        ("120 connections", "one hundred and twenty connections"),
        ("200 requests", "two hundred requests"),
        ("100 requests", "a hundred requests"),
        ("2000 rows", "two thousand rows"),
        ("90%", "ninety percent"),
        ("90 s", "one minute and thirty seconds"),
        ("31.4 s", "about thirty seconds"),
        ("retried three times", "3 times"),
        ("3 秒", "到期三秒后"),
        ("90 s", "九十秒后"),
        ("90 s", "一分三十秒"),
        ("40 min", "四十分钟"),
        ("2 h", "两小时"),
        ("2 h", "两个小时"),
        ("12 次", "十二次"),
        ("120 个", "一百二十个"),
        ("1205 条", "一千二百零五条"),
        ("30000 条", "三万条"),
        ("92%", "百分之九十二"),
        ("100%", "百分之百"),
        ("92.5%", "百分之九十二点五"),
        ("0.5 s", "零点五秒"),
        ("3.2 s", "三点二秒"),
        ("150 s", "two and a half minutes"),
        ("200000 rows", "two hundred thousand rows"),
        ("32 次", "三十多次"),
    ],
)
def test_a_number_in_words_is_carried_by_its_digits(evidence: str, stated: str) -> None:
    assert find_spelled(stated.lower()) or not is_carried("", stated)
    assert is_carried(evidence, stated)


@pytest.mark.parametrize(
    ("evidence", "stated"),
    [
        ("after 16s", "ninety seconds later"),
        ("after 16s", "sixteen minutes later"),
        ("after 16s", "sixteen connections"),
        ("45 min", "fifty-five minutes"),
        ("2 h", "a three-hour gap"),
        ("2 h", "one hour"),
        ("120 connections", "one hundred and twelve connections"),
        ("200 requests", "three hundred requests"),
        ("2000 rows", "two million rows"),
        ("3 services", "two services"),
        ("60 pods", "the sixteen pods"),
        ("3 秒", "九十秒后"),
        ("3 秒", "到期九十秒后"),
        ("4 分钟", "四十分钟"),
        ("2 h", "一小时"),
        ("2 h", "两天"),
        ("12 次", "二十次"),
        ("120 个", "一百二十一个"),
        ("92%", "百分之二十九"),
        ("90 s", "一分四十秒"),
        ("5 s", "零点五秒"),
        ("2 s", "三点二秒"),
        ("120 s", "two and a half minutes"),
        ("92.5%", "百分之九十二点四"),
    ],
)
def test_another_number_in_words_is_not_carried(evidence: str, stated: str) -> None:
    assert not is_carried(evidence, stated)


@pytest.mark.parametrize(
    "text",
    [
        "two of them, one or two, both, at one point, one more time",
        "the two pools, these three replicas, all four brokers",
        "a two-phase commit over a three-node cluster",
        "step two restarts it, phase three follows",
        "two reasons speak for it, on the one hand",
        "hundreds of requests, dozens of pods, a second later, someone attended",
        "the gap between two polls",
        "一起、一些、一次、一个、一定、统一、万一、千万不要",
        "十分明显，第三次，星期三，周一，三分之一，两三次，上百次，数千次，几十次",
        "这两个服务，其他三个实例，每一分钟",
        "两个原因，三个方面，两种可能",
        "两次拉取之间",
        "两个半小时",
    ],
)
def test_words_that_measure_nothing_claim_nothing(text: str) -> None:
    assert find_spelled(text) == ()


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("two services", "service"),
        ("three replicas", "replica"),
        ("two entries", "entry"),
        ("sixteen seconds", ""),
        ("两个服务", "service"),
        ("三个实例", "instance"),
        ("三秒", ""),
    ],
)
def test_a_count_names_its_thing(text: str, counted: str) -> None:
    assert [claim.counted for claim in find_spelled(text)] == [counted]
