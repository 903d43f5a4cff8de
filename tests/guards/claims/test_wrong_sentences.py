"""Sentences that say something else than their items: each must be stopped, whatever its language."""

import pytest

from guards.claims.check import Standing, uncarried
from guards.claims.clock import zone_of
from guards.claims.support import Support, read_counts, read_item, read_scope
from guards.claims.vocabulary import Vocabulary
from state.model.evidence import Item
from tests.guards.claims.correct_sentences import (
    CHINESE,
    DISK,
    ENGLISH,
    GC,
    HIKARI,
    JAVA,
    KERNEL,
    NGINX,
    PATTERN,
    POD,
    REDIS,
    ROW,
    ZH,
    result,
)

CATALOGUE = Vocabulary.of(
    ("shop-logs", "payment-service", "order-service", "inventory", "orders-db", "库存服务", "支付网关", "订单服务")
)


def support_of(cited: Item, zone_name: str) -> Support:
    zone = zone_of(zone_name)
    projection = result(cited, PATTERN) if cited is not PATTERN else result(PATTERN)
    pieces = (read_item(cited, zone), read_scope(projection, zone), read_counts(projection))
    return Support(zone, CATALOGUE, pieces, pieces)


@pytest.mark.parametrize(
    ("cited", "zone_name", "sentence", "word"),
    [
        (HIKARI, "UTC", "The pool timed out after 3 s.", "3 s"),
        (HIKARI, "UTC", "The pool timed out after 30 minutes.", "30 minutes"),
        (HIKARI, "UTC", "19 of 20 connections were active.", "19"),
        (HIKARI, "UTC", "At 15:05 the pool was full.", "15:05"),
        (HIKARI, "UTC", "At 14:05:31 CET the pool was full.", "14:05:31 CET"),
        (HIKARI, "Asia/Shanghai", "At 14:05:31 the pool was full.", "14:05:31"),
        (HIKARI, "UTC", "order-service had no connection left.", "order-service"),
        (HIKARI, "UTC", "The inventory service had no connection left.", "inventory"),
        (HIKARI, "UTC", "HikariPool-2 was full.", "HikariPool-2"),
        (HIKARI, "UTC", "The paymemt-service pool was full.", "paymemt-service"),
        (HIKARI, "UTC", "A SocketTimeoutException was thrown.", "SocketTimeoutException"),
        (NGINX, "UTC", "nginx answered 502.", "502"),
        (NGINX, "UTC", "nginx answered /api/v2/pay with 504.", "/api/v2/pay"),
        (NGINX, "UTC", "The client 10.0.3.18 got an error.", "10.0.3.18"),
        (NGINX, "UTC", "The clients got 4xx.", "4xx"),
        (JAVA, "UTC", "order-service failed with UNAVAILABLE.", "UNAVAILABLE"),
        (JAVA, "UTC", "order-service failed after about 3 s.", "3 s"),
        (GC, "UTC", "The collection paused the JVM for 3.9 seconds.", "3.9 seconds"),
        (GC, "UTC", "The heap was 1011 KB.", "1011 KB"),
        (KERNEL, "UTC", "The kernel of node-8 killed process 4711.", "node-8"),
        (ROW, "UTC", "v2.14.4 was deployed at 13:58.", "v2.14.4"),
        (ROW, "UTC", "The statement read 1.29 million rows.", "1.29 million"),
        (DISK, "UTC", "The disk was 93 % full.", "93 %"),
        (PATTERN, "UTC", "The timeouts lasted from 14:03:12 to 14:41:56.", "14:41:56"),
        (REDIS, "UTC", "The host cache-4 did not answer.", "cache-4"),
        (POD, "UTC", "The container ended with exit code 143.", "143"),
        (HIKARI, "Asia/Shanghai", "23点05分31秒连接池耗尽。", "23点05分31秒"),
        (HIKARI, "Asia/Shanghai", "请求在等待3秒后超时。", "3秒"),
        (HIKARI, "Asia/Shanghai", "２１个连接全部被占用。", "21个"),
        (ZH, "Asia/Shanghai", "订单服务调用支付网关超时。", "订单服务"),
        (ZH, "Asia/Shanghai", "错误码为E1002。", "E1002"),
        (ROW, "Asia/Shanghai", "该语句读取约138万行。", "138万"),
        (PATTERN, "Asia/Shanghai", "读超时共出现821次。", "821次"),
        (DISK, "Asia/Shanghai", "磁盘使用率达到百分之29。", "29"),
    ],
)
def test_a_wrong_sentence_is_stopped_at_its_wrong_word(cited: Item, zone_name: str, sentence: str, word: str) -> None:
    found = uncarried(sentence, support_of(cited, zone_name), question="", standing=Standing.FACT)

    assert [claim.text for claim in found] == [word]


def changed_digits(sentence: str) -> list[str]:
    places = [at for at, char in enumerate(sentence) if char.isascii() and char.isdigit()]
    return [sentence[:at] + digit + sentence[at + 1 :] for at in places for digit in "13579" if digit != sentence[at]]


def test_hardly_any_changed_digit_of_a_correct_sentence_passes() -> None:
    """What passes is carried by another number of the same evidence, or a correct rounding."""
    tried = passed = 0
    for cited, zone_name, sentence in (*ENGLISH, *CHINESE):
        support = support_of(cited, zone_name)
        for changed in changed_digits(sentence):
            tried += 1
            passed += not uncarried(changed, support, question="", standing=Standing.FACT)

    assert tried > 1500
    assert passed / tried < 0.01
