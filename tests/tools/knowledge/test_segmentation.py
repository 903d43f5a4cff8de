"""Words for lexical search."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.knowledge.segmentation import MAX_SEARCH_TEXT_BYTES, identifiers, words_whole


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("HikariPool-1", {"hikaripool-1", "hikari", "pool", "1"}),
        ("max_connections", {"max_connections", "max", "connection"}),
        ("java.net.UnknownHostException", {"java.net.unknownhostexception", "unknown", "host", "exception"}),
        ("HTTP 504", {"http", "504"}),
        ("retries queries", {"retry", "query"}),
        ("数据库连接池耗尽", {"数据库", "连接池", "耗尽"}),
        ("支付payment-service超时", {"支付", "payment-service", "payment", "servic", "超时"}),
        ("restarts restarted restarting", {"restart"}),
        ("stopped stopping filling filled", {"stop", "fill"}),
        ("string need speed", {"string", "need"}),
        ("ＨＴＴＰ　５０４", {"http", "504"}),
        ("Übergröße", {"übergröße"}),
    ],
)
def test_words_of_a_text(segmenter, text, words):
    assert words <= set(segmenter.search_text(text).split())


@pytest.mark.parametrize("text", ["the of and", "的 了 吗", "?!… --", ""])
def test_words_that_say_nothing_are_left_out(segmenter, text):
    assert segmenter.search_text(text) == ""


def test_the_dictionary_is_not_cached_in_a_shared_folder(segmenter, tmp_path):
    segmenter.search_text("连接池")

    assert list(segmenter.cache_folder.iterdir())


def test_search_text_is_bounded(segmenter):
    assert len(segmenter.search_text("连接池 pool-1 " * 9000).encode()) <= MAX_SEARCH_TEXT_BYTES


@given(text=st.text(max_size=80))
def test_search_text_is_lower_case_words_and_spaces(segmenter, text):
    found = segmenter.search_text(text)

    assert found == " ".join(found.split())
    assert found == found.lower()


@pytest.mark.parametrize(
    "name",
    ["HikariPool-1", "max_connections", "payment-service", "ORA-01017", "com.zaxxer.hikari", "NullPointerException",
     "p95", "ECONNREFUSED", "retry_1"],
)  # fmt: skip
def test_names_of_things_are_identifiers(name):
    assert identifiers(f"see {name} now")


@pytest.mark.parametrize(
    "text", ["the pool is full", "CPU and SQL", "504", "30s 10:30 2026-01-01", "e.g. i.e.", "连接池"]
)
def test_plain_words_numbers_and_acronyms_are_no_identifiers(text):
    assert identifiers(text) == frozenset()


def test_an_identifier_is_looked_up_whole():
    assert "payment-service" in words_whole("Restart Payment-Service.")
    assert "payment-service" not in words_whole("payment-service-db is down")
