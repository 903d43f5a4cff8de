"""Every rule and word list does what its own examples say; names match as whole words."""

import pytest

from guards.claims.claim import Certainty, ClaimKind
from guards.claims.extract import extract_claims
from guards.claims.lookup import holds_measure, holds_name
from guards.claims.rules import RULES, ClaimRule
from guards.claims.vocabulary import Vocabulary, one_edit_apart
from guards.claims.wording import WORD_LISTS, WordList

VOCABULARY = Vocabulary.of(("inventory", "payment-api", "payment-edge", "支付网关"))
RULE_EXAMPLES = [(rule, text, words) for rule in RULES for text, words in rule.examples]
LIST_EXAMPLES = [(words, text, found) for words in WORD_LISTS for text, found in words.examples]


@pytest.mark.parametrize(("rule", "text", "words"), RULE_EXAMPLES)
def test_a_rule_finds_what_its_example_says(rule: ClaimRule, text: str, words: str) -> None:
    found = [claim.text for claim in extract_claims(text, VOCABULARY) if claim.rule == rule.name]

    assert found[:1] == ([words] if words else [])


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_explains_itself_with_examples(rule: ClaimRule) -> None:
    assert rule.explanation.endswith(".")
    assert any(words for _, words in rule.examples)


@pytest.mark.parametrize(("words", "text", "found"), LIST_EXAMPLES)
def test_a_word_list_finds_what_its_example_says(words: WordList, text: str, found: str) -> None:
    assert words.find(text)[:1] == ((found,) if found else ())


@pytest.mark.parametrize(
    "text",
    [
        "The long-running, read-only job ran end-to-end without a follow-up.",
        "PostgreSQL speaks TCP/IP and the API returns JSON.",
        "e.g. the pool, i.e. its connections, and/or the cache",
        "1. restart\n2) check it first",
        "Causes: (1) the pool is full; (2) requests wait",
        "第1步 重启\n第2步 观察",
        "A cross-service call and a multi-node setup",
        "连接池已经耗尽，请求排队等待",
    ],
)
def test_ordinary_words_claim_nothing(text: str) -> None:
    assert [claim for claim in extract_claims(text, VOCABULARY) if claim.certainty is Certainty.SURE] == []


@pytest.mark.parametrize(
    ("text", "claimed"),
    [
        ("GET /api/v1/pay failed", "/api/v1/pay"),
        ("服务payment-api超时", "payment-api"),
        ("支付网关超时", "支付网关"),
        ("the Inventory is down, see Inventory", "Inventory"),
        ("p\u200bayment-a\u200bpi", "payment-api"),
        ("db‑7 is down", "db-7"),
        ("pаyment-service with a Cyrillic letter", "pаyment-service"),
        ("code 0x1f3a", "0x1f3a"),
    ],
)
def test_names_are_found_in_every_dress(text: str, claimed: str) -> None:
    assert claimed in [claim.text for claim in extract_claims(text, VOCABULARY) if claim.kind is ClaimKind.NAME]


@pytest.mark.parametrize(
    ("evidence", "name", "is_held"),
    [
        ("java.net.sockettimeoutexception: read", "SocketTimeoutException", True),
        ("java.net.sockettimeoutexception: read", "SocketTimeoutExceptions", True),
        ("pod payment-service-7d9f8b6c-x2x1z", "payment-service", True),
        ("hikaripool-1 - no", "HikariPool", True),
        ("cache-3.internal", "cache-3", True),
        ("db-12 down", "db-1", False),
        ("db-1-2 down", "db-1", False),
        ("payment-service-canary", "payment-service", False),
        ("my-payment-service", "payment-service", False),
        ("version 2.14.3", "2.14", False),
        ("xhikaripool-1", "HikariPool-1", False),
        ("anything", "", False),
    ],
)
def test_a_name_is_held_only_as_a_whole_word(evidence: str, name: str, is_held: bool) -> None:
    assert holds_name(evidence, name) is is_held


@pytest.mark.parametrize(
    ("evidence", "name", "is_held"),
    [
        ("pg_wal_gb=399", "pg_wal", True),
        ("http_request_duration_seconds_sum 4", "http_request_duration", True),
        ("pg_wal_archive_gb=399", "pg_wal", False),
        ("old_pg_wal_gb=399", "pg_wal", False),
        ("order_items_archive", "order_items", False),
        ("wal_gb=399", "wal", False),
        ("pg_walgb=399", "pg_wal", False),
        ("pg_wal_", "pg_wal", False),
        ("anything", "", False),
    ],
)
def test_a_measure_holds_the_name_of_what_it_measures(evidence: str, name: str, is_held: bool) -> None:
    assert holds_measure(evidence, name) is is_held


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("order", "ordar", True),
        ("order", "oder", True),
        ("order", "orrder", True),
        ("order", "roder", True),
        ("order", "order", False),
        ("order", "ordeal", False),
        ("", "a", True),
        ("ab", "cd", False),
    ],
)
def test_one_edit_is_one_changed_added_dropped_or_swapped_character(one: str, other: str, apart: bool) -> None:
    assert one_edit_apart(one, other) is apart
