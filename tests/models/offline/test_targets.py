"""What a narrow question looks for, in both languages."""

import pytest

from models.offline.targets import holds_code, named_code, unheld_service
from tests.models.offline import incidents
from tests.models.offline.player import Player, log

HELD = "source logs: services: checkout, uploads, 订单服务"


@pytest.mark.parametrize(
    ("question", "code", "unheld"),
    [
        ("Are there any ENOSPC errors in uploads in the last hour?", "ENOSPC", ""),
        ("Are there any errors in payments in the last hour?", "", "payments"),
        ("Are there any 502 errors in the last hour?", "502", ""),
        ("How many errors in the last 300 seconds?", "", ""),
        ("Are there any ERROR logs in production?", "", ""),
        ("Were there connection resets in the billing service at 14:00?", "", "billing"),
        ("Did the checkout service fail today?", "", ""),
        ("最近一小时 payments 有没有错误？", "", "payments"),
        ("最近一小时有 ECONNRESET 吗？", "ECONNRESET", ""),
        ("最近一小时有没有504？", "504", ""),
        ("最近 300 秒有没有错误？", "", ""),
        ("最近一小时支付服务有报错吗？", "", "支付服务"),
        ("最近一小时订单服务有报错吗？", "", ""),
        ("uploads 最近一小时有没有错误？", "", ""),
    ],
)
def test_code_and_unheld_service_of_a_question(question, code, unheld):
    assert (named_code(question, HELD), unheld_service(question, HELD)) == (code, unheld)


@pytest.mark.parametrize(
    ("text", "is_held"),
    [
        ('"GET / HTTP/1.1" 502 17', True),
        ("upstream returned 502", True),
        ("502 Bad Gateway", True),
        ('"GET / HTTP/1.1" 200 272 rt=0.502', False),
        ('"GET / HTTP/1.1" 200 502 "-"', False),
        ("order 502 stored", False),
        ("stored upload 502 in 12 ms", False),
        ("query returned 502 rows", False),
        ("502 UT upstream", True),
    ],
)
def test_a_number_counts_as_code_only_where_it_is_one(text, is_held):
    assert holds_code(text, "502") is is_held


def test_a_named_code_becomes_a_filter_and_is_answered():
    world = incidents.leak()
    world.logs.append(log("2026-03-04T10:07:00+00:00", "pay-api", "WARN", "write returned ENOSPC on /data"))
    played = Player(world, "Are there any ENOSPC errors in pay-api in the last hour?").play()

    assert played.calls[0][1]["contains"] == "ENOSPC"
    assert played.text.startswith("Yes")
    assert "1 matching" in played.text


def test_an_absent_code_is_answered_with_absence():
    played = Player(incidents.leak(), "Are there any ENOSPC errors in pay-api in the last hour?").play()

    assert played.text.startswith("Nothing was found")


def test_a_number_inside_another_value_is_no_yes():
    world = incidents.leak()
    world.logs.append(log("2026-03-04T10:07:00+00:00", "pay-api", "WARN", "slow call rt=0.502"))

    assert Player(world, "Are there any 502 errors in pay-api in the last hour?").play().conclusion is None


@pytest.mark.parametrize(
    ("question", "language", "missing"),
    [
        ("Are there any errors in warehouse in the last hour?", "en", "no log source holds warehouse; held are"),
        ("最近一小时 warehouse 有没有错误？", "zh", "没有日志来源包含 warehouse"),
    ],
)
def test_a_service_that_no_source_holds_is_never_answered_yes(question, language, missing):
    played = Player(incidents.leak(), question, language=language).play()

    assert played.conclusion is None
    assert any(text.startswith(missing) for text in played.draft["limitations"]["missing_info"])
