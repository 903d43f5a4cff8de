"""Times: compared as instants, at the precision of the writer, in the zone of the run."""

from dataclasses import replace

import pytest

from guards.claims.clock import instant_of, shows, zone_of
from guards.claims.extract import extract_claims
from guards.claims.moments import find_moments
from guards.claims.support import read_text
from guards.claims.vocabulary import Vocabulary

SHANGHAI, UTC = "Asia/Shanghai", "UTC"


def is_shown(evidence: str, stated: str, zone_name: str) -> bool:
    zone = zone_of(zone_name)
    (claim,) = extract_claims(stated, Vocabulary())
    assert claim.moment is not None
    return shows(read_text(evidence, zone).instants, claim.moment, zone, about=claim.about)


EVENT = "2026-03-02T14:05:31.123Z boom"


@pytest.mark.parametrize(
    ("evidence", "stated", "zone"),
    [
        (EVENT, "at 14:05", UTC),
        (EVENT, "at 14:05:31", UTC),
        (EVENT, "at 14:05:31.123", UTC),
        (EVENT, "at 14:05:31.12", UTC),
        (EVENT, "at 2026-03-02T14:05:31Z", SHANGHAI),
        (EVENT, "at 22:05", SHANGHAI),
        (EVENT, "at 14:05 UTC", SHANGHAI),
        (EVENT, "at 14:05Z", SHANGHAI),
        (EVENT, "at 22:05:31+08:00", UTC),
        (EVENT, "at 22:05 (UTC+8)", UTC),
        (EVENT, "22点05分", SHANGHAI),
        (EVENT, "22点05分31秒", SHANGHAI),
        (EVENT, "晚上10点05分", SHANGHAI),
        (EVENT, "２２：０５", SHANGHAI),
        (EVENT, "10:05 pm", SHANGHAI),
        (EVENT, "2:05 p.m.", UTC),
        (EVENT, "on 2026-03-02", UTC),
        (EVENT, "on March 2, 2026", UTC),
        (EVENT, "on 2 March", UTC),
        (EVENT, "3月2日", SHANGHAI),
        (EVENT, "2026年3月2日22点05分", SHANGHAI),
        (EVENT, "around 14:06", UTC),
        (EVENT, "22点左右", SHANGHAI),
        ("02/Mar/2026:14:05:31 +0000", "at 14:05:31", UTC),
        ("2026-03-02 22:05:31 +0800", "at 14:05:31", UTC),
        ("2026-03-02 14:05:31", "at 14:05:31", SHANGHAI),
        ("Mar  2 14:05:31 host x", "at 14:05:31", UTC),
        ("14:05:31.900 ERROR", "at 14:05:31", UTC),
        ("NotAfter: Wed May 20 08:00:00 CST 2026", "at 08:00:00", SHANGHAI),
        ("NotAfter: Wed May 20 08:00:00 CST 2026", "on 20 May 2026", SHANGHAI),
        ("NotAfter: Wed May 20 08:00:00 CST 2026", "at 00:00 UTC", SHANGHAI),
        ("NotAfter: Wed May 20 08:00:00 CST 2026", "at 08:00 CST", "America/Chicago"),
        ("Not After : May 20 00:00:00 2026 GMT", "2026年5月20日8点", SHANGHAI),
        (EVENT, "at 22:05:31 CST", SHANGHAI),
        (EVENT, "at 08:05 CST", "America/Chicago"),
        ("2026-07-02T14:05:31Z", "at 09:05 CDT", "America/Chicago"),
        ("08:00:00 CST boom", "at 08:00", SHANGHAI),
        ("08:00:00 boom", "at 08:00 CST", SHANGHAI),
    ],
)
def test_a_time_is_shown(evidence: str, stated: str, zone: str) -> None:
    assert is_shown(evidence, stated, zone)


@pytest.mark.parametrize(
    ("evidence", "stated", "zone"),
    [
        (EVENT, "at 14:06", UTC),
        (EVENT, "at 14:05:30", UTC),
        (EVENT, "at 14:05:31.2", UTC),
        (EVENT, "at 14:05", SHANGHAI),
        (EVENT, "at 15:05 (UTC+8)", UTC),
        (EVENT, "at 14:05 CET", UTC),
        (EVENT, "at 2026-03-03T14:05:31Z", UTC),
        (EVENT, "on 2026-03-03", UTC),
        (EVENT, "around 14:20", UTC),
        (EVENT, "16点左右", UTC),
        (EVENT, "2:05 am", UTC),
        ("NotAfter: Wed May 20 08:00:00 CST 2026", "at 08:00:00", UTC),
        ("NotAfter: Wed May 20 08:00:00 CST 2026", "at 08:00:00", "America/Chicago"),
        ("NotAfter: Wed May 20 08:00:00 CST 2026", "at 09:00:00", SHANGHAI),
        ("NotAfter: Wed May 20 08:00:00 CST 2026", "on 20 May 2025", SHANGHAI),
        (EVENT, "at 22:05 CST", UTC),
        (EVENT, "at 14:05 CST", SHANGHAI),
        ("2026-07-02T14:05:31Z", "at 08:05 CST", "America/Chicago"),
        ("boom", "at 14:05", UTC),
    ],
)
def test_a_time_is_not_shown(evidence: str, stated: str, zone: str) -> None:
    assert not is_shown(evidence, stated, zone)


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("14:05-14:10", ["14:05", "14:10"]),
        ("from 14:05–14:10 UTC", ["14:05", "14:10 UTC"]),
        ("5分钟内 3小时", []),
        ("版本 10.0.0.1 ratio 1:1", []),
        ("at 25:99", []),
        ("2026-13-45", []),
    ],
)
def test_only_points_in_time_are_found(text: str, spans: list[str]) -> None:
    from guards.claims.folding import fold

    folded = fold(text)
    assert [folded[one.start : one.end].strip() for one in find_moments(folded)] == spans


def test_the_zone_behind_a_span_is_also_that_of_its_start() -> None:
    first, second = find_moments("14:05-14:10 UTC")

    assert first.moment.offset_s == second.moment.offset_s == 0


def test_a_date_that_does_not_exist_is_no_instant() -> None:
    (found,) = find_moments("2026-02-31 10:00")

    assert instant_of(found.moment, zone_of(UTC)) is None
    assert instant_of(replace(found.moment, day=28), zone_of(UTC)) is not None


def test_an_unknown_zone_name_is_read_as_utc() -> None:
    assert zone_of("Not/AZone") is zone_of("../etc/passwd")
