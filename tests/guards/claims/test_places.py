"""A time with the name of a place is read on the clock of that place."""

import pytest

from guards.claims.clock import zone_of
from guards.claims.extract import extract_claims
from guards.claims.support import Support, read_text
from guards.claims.vocabulary import Vocabulary

EVIDENCE = "2026-03-02T14:06:10Z the pool is full"


def is_carried(stated: str, zone_name: str = "UTC", evidence: str = EVIDENCE) -> bool:
    zone = zone_of(zone_name)
    support = Support(zone, Vocabulary(), (read_text(evidence, zone),))
    (claim,) = extract_claims(stated, Vocabulary())
    return support.carries(claim)


@pytest.mark.parametrize("zone_name", ["UTC", "Asia/Shanghai", "America/New_York"])
@pytest.mark.parametrize(
    "stated",
    [
        "at 22:06 Beijing time",
        "at 22:06:10 (Asia/Shanghai)",
        "at 22:06 China Standard Time",
        "2026-03-02 22:06 Beijing time",
        "北京时间 22:06",
        "22:06（北京时间）",
        "北京时间22点06分",
        "at 9:06 am Eastern time",
        "at 14:06 London time",
        "协调世界时 14:06",
    ],
)
def test_the_same_instant_on_the_clock_of_a_place_is_carried(stated: str, zone_name: str) -> None:
    assert is_carried(stated, zone_name)


@pytest.mark.parametrize("zone_name", ["UTC", "Asia/Shanghai"])
@pytest.mark.parametrize(
    "stated",
    [
        "at 14:06 Beijing time",
        "at 14:06 (Asia/Shanghai)",
        "at 22:06 Tokyo time",
        "at 14:06 (Mars/Olympus)",
        "北京时间 14:06",
        "14:06（北京时间）",
        "at 22:06 Pacific time",
    ],
)
def test_another_instant_on_the_clock_of_a_place_is_not_carried(stated: str, zone_name: str) -> None:
    assert not is_carried(stated, zone_name)


def test_evidence_may_name_its_place_as_well() -> None:
    evidence = "2026-03-02 22:06:10 (Asia/Shanghai) the pool is full"

    assert is_carried("at 14:06 UTC", evidence=evidence)
    assert not is_carried("at 22:06 UTC", evidence=evidence)
