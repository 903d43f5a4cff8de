"""Numbers: units convert, roundings must be right, dimensions never mix."""

from decimal import Decimal

import pytest

from guards.claims.clock import zone_of
from guards.claims.extract import extract_claims
from guards.claims.quantities import measured, quantity
from guards.claims.support import Support, read_text
from guards.claims.vocabulary import Vocabulary

UTC_ZONE = zone_of("UTC")


def is_carried(evidence: str, stated: str) -> bool:
    support = Support(UTC_ZONE, Vocabulary(), (read_text(evidence, UTC_ZONE),))
    return all(support.carries(claim) for claim in extract_claims(stated, Vocabulary()))


@pytest.mark.parametrize(
    ("evidence", "stated"),
    [
        ("took 4213.5 ms", "4.2 s"),
        ("took 4213.5 ms", "4213.5 ms"),
        ("took 4213.5 ms", "about 4200 ms"),
        ("took_ms=4213.5", "4.2 seconds"),
        ('"took_ms": 4213', "4213 ms"),
        ("elapsedMillis=90000", "90 s"),
        ("90 s", "1 min 30 s"),
        ("90 s", "1分30秒"),
        ("PT0.5S", "500 ms"),
        ("45s316ms", "45.316 s"),
        ("4194304kB", "4 GiB"),
        ("4194304kB", "4194304 KB"),
        ("1,240 events", "1240 events"),
        ("1240", "1,240 requests"),
        ("1240", "1 240 requests"),
        ("1284551 rows", "1.28 million rows"),
        ("12345", "12k requests"),
        ("12345 次", "1.2万次"),
        ("used_ratio: 0.9231", "92.3%"),
        ("at 92%", "92 percent"),
        ("at 92%", "百分之92"),
        ("status 503", "many 503s"),
        ("３０ 秒", "30 s"),
        ("503, 240", "HTTP 503 240"),
        ("timed out after 30000ms", "timed out after 30000"),
        ("total=20", "20 connections"),
        ("change: -12", "fell by 12"),
    ],
)
def test_a_number_is_carried(evidence: str, stated: str) -> None:
    assert is_carried(evidence, stated)


@pytest.mark.parametrize(
    ("evidence", "stated"),
    [
        ("took 4213.5 ms", "4.3 s"),
        ("took 4213.5 ms", "4000 ms"),
        ("took 4213.5 ms", "about 5000 ms"),
        ("took 4213.5 ms", "about 4.0 s"),
        ("took 4213.5 ms", "4213.5 s"),
        ("30000ms", "30 ms"),
        ("total=20", "20 s"),
        ("total=20", "20 %"),
        ("waited 20 ms", "20 connections"),
        ("1.4 s", "1 s"),
        ("300 ms", "0 s"),
        ("812", "813"),
        ("4194304kB", "4 MiB"),
        ("at 92%", "0.92 s"),
        ("idle=0", "00"),
        ("1,240", "1,241"),
    ],
)
def test_a_number_is_not_carried(evidence: str, stated: str) -> None:
    assert not is_carried(evidence, stated)


def test_precision_is_that_of_the_last_written_place() -> None:
    found = quantity("4.20")

    assert found is not None
    assert found.step == Decimal("0.01")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 10**400, 1e300, 5e-324])
def test_a_field_without_a_usable_value_measures_nothing(value: float) -> None:
    assert measured(value) is None


def test_a_run_of_digits_too_long_to_count_is_an_identifier() -> None:
    assert quantity("1" * 31) is None
