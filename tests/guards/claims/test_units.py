"""The unit of a number may stand in the name beside it: a column, a field or a setting."""

import pytest

from guards.claims.clock import zone_of
from guards.claims.extract import extract_claims
from guards.claims.support import Support, read_item, read_text
from guards.claims.units import Dimension, readings_of_name
from guards.claims.vocabulary import Vocabulary
from state.model.evidence import Scalar
from tests.guards.claims.correct_sentences import item

UTC_ZONE = zone_of("UTC")


def is_carried(support: Support, stated: str) -> bool:
    return all(support.carries(claim) for claim in extract_claims(stated, Vocabulary()))


@pytest.mark.parametrize(
    ("name", "dimensions"),
    [
        ("took_ms", {Dimension.TIME}),
        ("latency_ms_p99", {Dimension.TIME}),
        ("max.poll.interval.ms", {Dimension.TIME}),
        ("elapsedMillis", {Dimension.TIME}),
        ("mb", {Dimension.BYTES}),
        ("retained_wal_gb", {Dimension.BYTES}),
        ("usage_m", {Dimension.LETTER}),
        ("cpu_usage_m", {Dimension.LETTER, Dimension.CPU}),
        ("throttled_percent", {Dimension.PERCENT}),
        ("retention_days", {Dimension.TIME}),
        ("min", set()),
        ("us", set()),
        ("s", set()),
        ("m", set()),
        ("items", set()),
        ("forms", set()),
        ("cpu.m", set()),
        ("latency_ms_count", set()),
        ("", set()),
    ],
)
def test_a_name_declares_its_unit_by_its_last_part(name: str, dimensions: set[Dimension]) -> None:
    assert {one.dimension for one in readings_of_name(name)} == dimensions


@pytest.mark.parametrize(
    ("fields", "stated"),
    [
        ({"mb": 4480}, "4480 MB"),
        ({"mb": 4480}, "4.48 GB"),
        ({"usage_m": 1180}, "1180m"),
        ({"cpu_usage_m": 1180}, "1.18 cores"),
        ({"cpu_limit_m": 500}, "500 millicores"),
        ({"cpu_limit_m": 4000}, "4核"),
        ({"max.poll.interval.ms": 300000}, "300 s"),
        ({"latency_ms_p99": 812}, "812 ms"),
        ({"retention_days": 7}, "7 days"),
    ],
)
def test_a_field_carries_its_number_in_the_unit_of_its_name(fields: dict[str, Scalar], stated: str) -> None:
    assert is_carried(_of_fields(fields), stated)


@pytest.mark.parametrize(
    ("fields", "stated"),
    [
        ({"mb": 4480}, "4480 GB"),
        ({"mb": 4480}, "4490 MB"),
        ({"mb": 4480}, "4480 ms"),
        ({"min": 5}, "5 minutes"),
        ({"usage_m": 1180}, "1180 minutes"),
        ({"usage_m": 1180}, "1180 MB"),
        ({"usage_m": 1180}, "1180M"),
        ({"usage_m": 1180}, "1190m"),
        ({"usage_m": 1180}, "1180 ms"),
        ({"cpu_limit_m": 4000}, "40 cores"),
        ({"max.poll.interval.ms": 300000}, "300 ms"),
        ({"latency_ms_p99": 812}, "812 s"),
        ({"latency_ms_count": 812}, "812 ms"),
    ],
)
def test_a_field_carries_no_other_unit_or_number(fields: dict[str, Scalar], stated: str) -> None:
    assert not is_carried(_of_fields(fields), stated)


def _of_fields(fields: dict[str, Scalar]) -> Support:
    text = ", ".join(f"{name}={value}" for name, value in fields.items())
    return Support(UTC_ZONE, Vocabulary(), (read_item(item(text, **fields), UTC_ZONE),))


@pytest.mark.parametrize(
    ("evidence", "stated", "carried"),
    [
        ("max.poll.interval.ms (300000)", "300000 ms", True),
        ("max.poll.interval.ms (300000)", "300 seconds", True),
        ("max.poll.interval.ms is 300000 here", "five minutes", True),
        ("max.poll.interval.ms 为 300000", "5 分钟", True),
        ("| took_ms | 4213 |", "4.2 s", True),
        ("took_ms=4213 rows=5", "4213 ms", True),
        ("took_ms 4213 lines", "4213 ms", True),
        ("max.poll.interval.ms (300000)", "300000 s", False),
        ("max.poll.interval.ms (300000)", "300000 records", False),
        ("max.poll.records (500)", "500 ms", False),
        ("systems (500)", "500 ms", False),
        ("items 500", "500 ms", False),
        ("a budget in ms (500)", "500 ms", False),
        ("took_ms=4213 rows=5", "5 ms", False),
        ("took_ms=4213 rows=5", "4213 rows", False),
    ],
)
def test_a_setting_beside_its_value_declares_the_unit(evidence: str, stated: str, carried: bool) -> None:
    support = Support(UTC_ZONE, Vocabulary(), (read_text(evidence, UTC_ZONE),))

    assert is_carried(support, stated) is carried
