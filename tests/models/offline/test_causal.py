"""Causal chains, cause first, in both languages; evidence for believing is no cause."""

import pytest

from models.offline.causal import says_cause, tell

CHAINS = [
    ("Writes failed because the disk was full.", ("the disk was full", "Writes failed")),
    ("A full disk caused the failed writes.", ("A full disk", "the failed writes")),
    ("The leak drained the pool, so payments timed out.", ("The leak", "drained the pool", "payments timed out")),
    ("The timeouts were caused by a leak, which drained the pool.", ("a leak", "drained the pool", "The timeouts")),
    ("Payment timeouts exhausted the pool.", ("Payment timeouts", "exhausted the pool")),
    ("Because the key was rotated, checks fail.", ("the key was rotated", "checks fail.")),
    ("由于磁盘写满，写入失败。", ("磁盘写满", "写入失败")),
    ("支付超时是由连接泄漏导致的。", ("连接泄漏", "支付超时")),
    ("连接泄漏导致连接池耗尽，进而支付超时。", ("连接泄漏", "连接池耗尽", "支付超时")),
    ("连接池耗尽，支付因此超时。", ("连接池耗尽", "支付超时")),
]


@pytest.mark.parametrize(("text", "spans"), CHAINS)
def test_chain(text, spans):
    assert tell(text).chains[0].spans == spans


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("The root cause of the timeouts is a leak.", "a leak."),
        ("A leak is the root cause of the timeouts.", "A leak"),
        ("支付超时的根因是连接泄漏。", "连接泄漏"),
        ("连接泄漏是支付超时的根本原因。", "连接泄漏"),
    ],
)
def test_named_cause(text, cause):
    assert tell(text).named == (cause,)


def test_proof_given_after_because_is_no_cause():
    assert tell("pay-api: leak, because pay-api recorded “X due to Y” at 10:00.").causes == ("pay-api: leak",)


def test_mere_order_in_time_is_weak():
    assert tell("Writes failed after the release.").chains[0].is_weak


def test_quoted_words_link_nothing():
    assert not says_cause("pay-api recorded “canceling statement due to lock timeout”.")
    assert says_cause("pay-api failed due to a lock.")
