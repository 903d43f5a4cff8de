"""A quote is verbatim, holds a whole word, and keeps the negation that belongs to it."""

import pytest

from guards.quotes import holds_quote

LINE = "HikariPool-1 - Connection is not available, request timed out after 30000ms (idle=0, waiting=31)"
ZH = "订单服务没有可用连接，数据库连接未释放，无法重试"


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (LINE, LINE),
        (LINE, "Connection is not available"),
        (LINE, "not available, request"),
        (LINE, "HikariPool-1"),
        (LINE, "request timed"),
        (LINE, "waiting=31"),
        (LINE, "31"),
        (ZH, "没有可用连接"),
        (ZH, "数据库连接未释放"),
        (ZH, "无法重试"),
        ("OK", "OK"),
        ("not available. Later: available", "available"),
        ("node no-2 is notable", "notable"),
        ("级别 ERROR 的日志", "ERROR 的日志"),
    ],
)
def test_words_of_the_item_are_a_quote(text: str, quote: str) -> None:
    assert holds_quote(text, quote)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (LINE, ""),
        (LINE, " - "),
        (LINE, "e"),
        (LINE, "is"),
        (LINE, "vailabl"),
        (LINE, "0000"),
        (LINE, "3"),
        (LINE, "connection is not available"),
        (LINE, "Connection\u00a0is not available"),
        (ZH, "订"),
        ("OK then", "OK"),
    ],
)
def test_a_piece_of_a_word_is_no_quote(text: str, quote: str) -> None:
    assert not holds_quote(text, quote)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (LINE, "available, request timed out"),
        (LINE, " available, request timed out"),
        ("the lock was never released", "released"),
        ("no connection left", "connection left"),
        ("it isn't available yet", "available yet"),
        ("it is not yet available here", "available here"),
        ("host unavailable for checkout", "available for checkout"),
        ("a non-blocking call hangs", "blocking call hangs"),
        (ZH, "可用连接"),
        (ZH, "释放，无法重试"),
        (ZH, "重试"),
        ("任务不 成功", "成功"),
    ],
)
def test_a_quote_may_not_leave_its_negation_behind(text: str, quote: str) -> None:
    assert not holds_quote(text, quote)


def test_a_long_item_of_one_letter_is_searched_within_bounds() -> None:
    assert not holds_quote("e" * 100_000, "e" * 500)
