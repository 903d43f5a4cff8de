"""Ways in which careful writers say what evidence holds, each with a twin that says something else."""

import pytest

from guards.claims.clock import zone_of
from guards.claims.extract import extract_claims
from guards.claims.support import Support, read_item, read_text
from guards.claims.vocabulary import Vocabulary
from state.model.evidence import Scalar
from tests.guards.claims.correct_sentences import item

UTC_ZONE = zone_of("UTC")
METRIC: dict[str, Scalar] = {"level_before": 641728512, "max": 2147483648, "unit": "bytes", "n_points": 90}


def is_carried(evidence: str, stated: str, **fields: Scalar) -> bool:
    cited = item(evidence, **fields) if fields else None
    piece = read_item(cited, UTC_ZONE) if cited else read_text(evidence, UTC_ZONE)
    support = Support(UTC_ZONE, Vocabulary(), (piece,), (piece,))
    claims = extract_claims(stated, Vocabulary())
    assert claims, "the sentence claims something"
    return all(support.carries(claim) for claim in claims)


@pytest.mark.parametrize(
    ("evidence", "right", "wrong"),
    [
        # bounds: the amount lies on that side, and not far
        ("count=48300", "more than 40,000 messages", "less than 40,000 messages"),
        ("count=48300", "积压超过四万条", "积压不到四万条"),
        ("took 614 s", "不到 11 分钟", "不到 10 分钟"),
        ("took 83.2 s", "less than two minutes later", "less than a minute later"),
        ("retained_gb=374", "more than 370 GB", "more than 380 GB"),
        ("retained_gb=374", "at least 374 GB", "at least 375 GB"),
        ("count=812", "no more than 812 timeouts", "no more than 811 timeouts"),
        ("count=812", "over 800 timeouts", "more than 812 timeouts"),
        ("gap was longer than max.poll.interval.ms (300000)", "longer than 300 s", "longer than 400 s"),
        ("took 12 h", "more than 11 hours", "more than 12 hours"),
        ("took 11928 s", "三个多小时", "两个多小时"),
        # halves, and lengths without a numeral
        ("took 1175.762 s", "nineteen and a half minutes", "eighteen and a half minutes"),
        ("took 3390 s", "56 and a half minutes", "54 and a half minutes"),
        ("took 1845 s", "about half an hour", "about an hour"),
        ("took 60 s", "a minute later", "an hour later"),
        ("took 5400 s", "一个半小时", "两个半小时"),
        ("took 900 s", "一刻钟", "三刻钟"),
        ("took 13907 s", "3 hours, 51 minutes and 47 seconds", "3 hours, 41 minutes and 47 seconds"),
        # shares
        ("rejected 60 %", "六成", "三成"),
        ("rejected 25.5 %", "四分之一", "四分之三"),
        ("throttled 82 %", "four fifths", "three fifths"),
        ("lost 0.31 %", "千分之三", "千分之八"),
        ("lost 55 %", "more than half of the requests", "less than half of the requests"),
        # units that names declare
        ("used_memory=6442450944", "6 GiB", "6 GB and 1 MB"),
        ("negative ttl 3600", "one hour", "two hours"),
        ("days_valid=365", "365 天", "365 小时"),
        ("hourly_limit=60000", "一小时", "一分钟"),
        ("http_p95_ms: mean 890 ms", "p95 of 890 ms", "p99 of 890 ms"),
        ("latency_ms_p99=812", "the 99th percentile", "the 95th percentile"),
        ("http_5xx_ratio 0.34", "5xx at 34 %", "4xx at 34 %"),
        ("共 1932 次", "约 1.9 千次", "约 2.9 千次"),
        ("from 120 ms to 1320 ms", "from 0.12 to 1.32 s", "from 0.12 to 1.42 s"),
        # signs, groups, thousandths
        ("stepped by -9.837 seconds", "-9.837 s", "-9.737 s"),
        ("offset_ms=550", "550 ms", "-550 ms"),
        ("count=550", "550 rows", "550,000 rows"),
        ("share 0.3 %", "3‰", "30‰"),
        ("used 1.9 GiB", "一点九 GiB", "九十一 GiB"),
        ("share 87 %", "87 %", "87 percentage points"),
        ("share 87 %", "87%", "87 个百分点"),
        # clocks
        ("2026-03-02T20:41:12Z", "晚上8点41分", "凌晨8点41分"),
        ("2026-03-02T18:00:00Z to 2026-03-02T20:00:00Z", "from 6 to 8 pm", "from 5 to 8 pm"),
        ("2026-03-02T20:41:00Z, 2026-03-02T21:23:00Z", "晚上8点41分到9点23分", "晚上8点41分到9点24分"),
        ("2026-03-02T14:30:00Z", "half past two", "half past three"),
        ("2026-03-02T14:45:00Z", "a quarter to three", "a quarter past three"),
        ("2026-03-02T12:00:00Z", "at noon", "at midnight"),
        ("2026-03-02T03:10:00Z", "三点十分", "三点二十分"),
        ("2026-03-02T08:00:02Z", "八点零二秒", "八点零三秒"),
        ("2026-03-02T07:01:30Z", "8:01:30 CET", "7:01:30 CET"),
        ("2026-03-02T10:10:00Z", "上午 10:10", "晚上 10:10"),
        ("2026-03-02T18:00:00Z", "UTC 18:00（北京时间 3月3日 02:00）", "UTC 18:00（北京时间 3月3日 03:00）"),
        (
            "2026-06-17T16:12:00Z 2026-06-17T16:59:00Z",
            "UTC 时间6月17日16:12起，直到 16:59",
            "UTC 时间6月17日16:12起，直到 16:58",
        ),
        # addresses
        ('"http://ledger:8080/v1/entries"', "http://ledger:8080/v1/entries", "http://ledger:8080/v1/entryes"),
    ],
)
def test_what_evidence_holds_is_carried_and_its_twin_is_not(evidence: str, right: str, wrong: str) -> None:
    assert is_carried(evidence, right)
    assert not is_carried(evidence, wrong)


@pytest.mark.parametrize(
    ("stated", "carried"),
    [("2 GiB", True), ("612 MiB", True), ("2147483648 字节", True), ("2 GB and 1 MB", False), ("90 bytes", False)],
)
def test_a_series_declares_the_unit_of_its_values_and_of_no_count(stated: str, carried: bool) -> None:
    assert is_carried("container_memory: max", stated, **METRIC) is carried


def test_a_row_about_processors_holds_thousandths_of_a_core() -> None:
    row: dict[str, Scalar] = {"field": "cpu_limit_m", "new_m": 600}

    assert is_carried("field=cpu_limit_m, new_m=600", "600 millicores", **row)
    assert not is_carried("field=heap_limit_m, new_m=600", "600 millicores", field="heap_limit_m", new_m=600)


@pytest.mark.parametrize(
    "text", ["240 requests an hour", "以下三点很重要", "十分明显", "five to ten", "every noon", "一起、成功、成本"]
)
def test_words_that_are_no_length_and_no_clock_claim_none(text: str) -> None:
    rules = {claim.rule for claim in extract_claims(text, Vocabulary())}

    assert not rules & {"interval in words", "time", "amount in words"}


def test_a_quarter_of_an_hour_is_no_share() -> None:
    (claim,) = extract_claims("after three quarters of an hour", Vocabulary())

    assert claim.rule == "interval in words"
