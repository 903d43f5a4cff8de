"""Cause part and effect part of a conclusion, whichever way round it is told."""

import pytest

from models.offline.review.telling import clauses, tell


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        ("Uploads hang because the tunnel drops large packets.", "tunnel", "Uploads"),
        ("The full disk led to failed writes.", "disk", "writes"),
        ("Failed probes are why the pod was moved.", "probes", "pod"),
        ("The release of 4.1 is the root cause of the timeouts.", "release", "timeouts"),
        ("Root cause was the expired certificate of the proxy: clients could not connect.", "certificate", "clients"),
        ("The shop was a victim of the nightly export.", "export", "shop"),
        ("连接泄漏导致下单超时。", "泄漏", "超时"),
        ("因为证书过期，所以握手失败。", "证书", "握手"),
        ("卡顿是由缓存无上限造成的。", "缓存", "卡顿"),
        ("缓存写满是批量导入的结果。", "导入", "写满"),
    ],
)
def test_cause_and_effect_are_told_apart(text, cause, effect):
    told = tell(text)

    assert told.is_explicit
    assert cause in told.cause
    assert effect in told.effect
    assert effect not in told.cause


def test_since_with_a_time_is_no_cause():
    assert "rollout" not in tell("The parser has thrown errors since its rollout; quotes were skipped.").root[:3]
    assert not tell("The parser has thrown errors since its rollout.").is_explicit


def test_so_that_only_measures_is_no_link():
    assert not tell("So far the gateway refused 12 requests.").is_explicit


def test_what_was_recorded_is_a_reason_for_believing_not_a_cause():
    assert "leak" in tell("pay-api: connection leak, because pay-api recorded “no connection”.").cause


def test_times_and_decimals_do_not_cut_a_clause():
    assert clauses("At 10:41 the load was 0.97, then it fell") == ("At 10:41 the load was 0.97", "it fell")
