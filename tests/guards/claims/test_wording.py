"""Word lists read what a person reads: disguised letters, old character forms and spaces hide no word."""

import pytest

from guards.claims.folding import fold_words
from guards.claims.wording import CAUSAL, HEALTH, TOTALITY, UNIVERSAL_ABSENCE, WordList


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (CAUSAL, "failed bec\u200bause of it"),
        (CAUSAL, "failed beca\u0332use of it"),
        (CAUSAL, "failed be\u0441\u0430use of it"),
        (CAUSAL, "failed b\u03b5c\u03b1use of it"),
        (CAUSAL, "failed BE\u0421AUSE of it"),
        (CAUSAL, "failed ｂｅｃａｕｓｅ of it"),
        (CAUSAL, "failed bécausé of it"),
        (CAUSAL, "連接池耗盡導致支付失敗"),
        (CAUSAL, "連接池耗盡引發故障，因為沒有釋放"),
        (CAUSAL, "连接池耗尽导 致支付失败"),
        (CAUSAL, "连接池耗尽导\u3000致支付失败"),
        (UNIVERSAL_ABSENCE, "the database is he\u0430lthy"),
        (HEALTH, "the database is h\u200be\u0430lthy"),
        (HEALTH, "服務沒有問題"),
        (HEALTH, "服務運行正 常"),
        (TOTALITY, "оnly one"),
        (TOTALITY, "僅有一個"),
    ],
)
def test_a_disguised_word_is_found(words: WordList, text: str) -> None:
    assert words.find(text)


def test_words_stay_what_they_are() -> None:
    assert fold_words("The pool is full，连接池 full 已满") == "the pool is full,连接池 full 已满"


@pytest.mark.parametrize(
    "text",
    [
        "payments is healthy",
        "the database works fine",
        "nothing failed anywhere",
        "in perfect shape",
        "up and running",
        "It ran without any problems.",
        "the network is blameless",
        "everything is back to normal",
        "系统一切正常",
        "服务状态良好，运行平稳",
        "毫无毛病",
        "数据库没有任何问题",
    ],
)
def test_words_of_health_are_found(text: str) -> None:
    assert HEALTH.find(text)


@pytest.mark.parametrize(
    "text",
    [
        "The pod was marked unhealthy and is not healthy yet.",
        "The wait rose far above normal.",
        "The leak never releases its connections, and retries as well.",
        "Nothing was found in the logs.",
        "no idle connection was left",
        "连接未正常释放，服务无法正常工作",
        "健康检查失败",
        "未检索到该异常",
        "实例不健康",
    ],
)
def test_faults_are_no_words_of_health(text: str) -> None:
    assert HEALTH.find(text) == ()
