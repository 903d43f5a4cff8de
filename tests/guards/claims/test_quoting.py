"""What a statement on documents alone may hold: words of its quotes, and words that carry no fact."""

import pytest

from guards.claims.quoting import foreign_words

ENGLISH = "When every connection is in use, raise maximumPoolSize or find the transaction that keeps them open."
CHINESE = "当所有连接都被占用时，应检查长事务，不要直接重启数据库。"
TIMEOUT = "Lookups end in i/o timeout when the policy drops port 53."
CALLER = "调用方的 gRPC 期限先到，报 DEADLINE_EXCEEDED，然后停止服务 A，不 重试"


@pytest.mark.parametrize(
    ("text", "source", "foreign"),
    [
        ("The runbook says to raise maximumPoolSize.", ENGLISH, ()),
        ("According to the document, find transactions that keep connections open.", ENGLISH, ()),
        ("The runbook says the disk is full.", ENGLISH, ("disk", "full")),
        ("The runbook says not to raise maximumPoolSize.", ENGLISH, ("not",)),
        ("raise maximumPoolSize to 40", ENGLISH, ("40",)),
        ("手册建议检查长事务。", CHINESE, ()),
        ("手册指出不要直接重启数据库。", CHINESE, ()),
        ("手册建议扩容磁盘。", CHINESE, ("扩容", "磁盘")),
        ("", ENGLISH, ()),
    ],
)
def test_a_runbook_text_holds_only_words_of_its_quotes(text: str, source: str, foreign: tuple[str, ...]) -> None:
    assert foreign_words(text, (source,)) == foreign


@pytest.mark.parametrize(
    ("text", "source", "foreign"),
    [
        ("This matches the runbook: every connection is in use.", ENGLISH, ()),
        ("The runbook describes exactly this pattern: every connection in use.", ENGLISH, ()),
        ("The runbook describes exactly this loop.", ENGLISH, ()),
        ("The loop is open.", ENGLISH, ("loop",)),
        ("The runbook says the pattern is open.", ENGLISH, ("pattern",)),
        ("This matches a full disk.", ENGLISH, ("full", "disk")),
        ("手册描述的正是这种情况：所有连接都被占用。", CHINESE, ()),
        ("手册描述的正是磁盘。", CHINESE, ("磁盘",)),
    ],
)
def test_words_of_reporting_carry_no_fact(text: str, source: str, foreign: tuple[str, ...]) -> None:
    assert foreign_words(text, (source,)) == foreign


@pytest.mark.parametrize(
    ("text", "source", "foreign"),
    [
        ("Lookups fail when the policy drops port 53.", TIMEOUT, ()),
        ("Lookups do not fail.", TIMEOUT, ("not",)),
        ("Connections fail.", ENGLISH, ("fail",)),
        ("Lookups crash when the policy drops port 53.", TIMEOUT, ("crash",)),
        ("调用失败", "调用超时", ()),
        ("调用不失败", "调用超时", ("不失", "败")),
        ("调用失败", "调用排队", ("失败",)),
        ("调用崩溃", "调用超时", ("崩溃",)),
    ],
)
def test_a_general_word_sums_up_a_specific_one_and_never_the_reverse(
    text: str, source: str, foreign: tuple[str, ...]
) -> None:
    assert foreign_words(text, (source,)) == foreign


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("gRPC 期限先到，报 DEADLINE_EXCEEDED", ()),
        ("调用方报 DEADLINE_EXCEEDED", ()),
        ("停 A", ("停",)),
        ("期限到，杀 A", ("杀",)),
        ("不 DEADLINE_EXCEEDED", ("不",)),
    ],
)
def test_a_single_character_counts_where_the_quote_has_it_as_a_word(text: str, foreign: tuple[str, ...]) -> None:
    assert foreign_words(text, (CALLER,)) == foreign
