"""Telemetry speaks in message formats, runbooks in prose: neither repeats the other."""

import pytest

from tests.worlds.conftest import BuiltWorlds
from tests.worlds.four_grams import all_four_grams, four_grams, words
from tests.worlds.runbooks import Page
from worlds import DEFAULT_SEED

MAX_SHARE = 0.02
PROSE = ("root cause", "根因", "根本原因", "because", "the reason is", "原因是", "导致", "caused by")


@pytest.fixture(scope="module")
def telemetry_grams(built: BuiltWorlds) -> set[tuple[str, ...]]:
    return all_four_grams(record.text for one in built.values() if one.seed == DEFAULT_SEED for record in one.records)


def test_at_most_two_percent_of_a_cause_occurs_in_telemetry(
    library: tuple[Page, ...], telemetry_grams: set[tuple[str, ...]]
) -> None:
    paragraphs = [cause.part(rank) for page in library for cause in page.causes for rank in range(4)]
    sections = [cause.text for page in library for cause in page.causes]

    repeated = [text for text in (*paragraphs, *sections) if share(four_grams(text), telemetry_grams) > MAX_SHARE]

    assert len(telemetry_grams) > 5000
    assert repeated == []


def share(grams: set[tuple[str, ...]], known: set[tuple[str, ...]]) -> float:
    return len(grams & known) / len(grams) if grams else 0.0


def test_four_grams_cover_english_and_chinese() -> None:
    assert four_grams("Pool stats (total=20, active=20)") == four_grams("pool STATS total=9 active=7")
    assert len(four_grams("缓存实例反复出现刷盘告警")) >= 1
    assert words("调用 remote_call 失败") == ["调用", "remote_call", "失败"]


def test_no_record_states_a_cause_in_prose(built: BuiltWorlds) -> None:
    said = [(one.name, phrase) for one in built.values() for phrase in PROSE if phrase in one.text]

    assert said == []


def test_no_record_uses_the_heading_of_a_cause(built: BuiltWorlds, library: tuple[Page, ...]) -> None:
    headings = [cause.heading.split(": ")[-1].split("：")[-1] for page in library for cause in page.causes]
    texts = [one.text for one in built.values() if one.seed == DEFAULT_SEED]

    assert [name for name in headings if any(name.casefold() in text for text in texts)] == []
