"""The agent role against played tools: protocol, language, extraction, refusal, and another answer for other data."""

import json

import pytest

from tests.models.offline import incidents
from tests.models.offline.player import Player, log

QUESTION = "Why do payments time out in pay-api since 10:10?"
ZH_QUESTION = "为什么 pay-api 支付超时？"
EVERY = [
    (incidents.leak(), QUESTION, "en"),
    (incidents.leak(), ZH_QUESTION, "zh"),
    (incidents.locks(), QUESTION, "en"),
    (incidents.healthy(), QUESTION, "en"),
    (incidents.cache_zh(), "为什么 order-service 下单频繁失败？", "zh"),
    (incidents.leak(), "Are there any errors in pay-api?", "en"),
]


def play(world, question=QUESTION, **options):
    return Player(world, question, **options).play()


def items_of(played):
    return {(item_call, i["item_id"]): i for item_call, i in _items(played)}


def _items(played):
    for message in played.messages:
        body = json.loads(str(message.content)) if message.type == "tool" else {}
        body = body.get("observation", body)
        yield from ((body["tool_call_id"], item) for item in body.get("items", []))


def test_leak_is_concluded_with_service_pool_and_version():
    played = play(incidents.leak())

    assert played.conclusion["kind"] == "ROOT_CAUSE"
    for word in ("pay-api", "connection leak", "HikariPool-7", "4.7.1"):
        assert word in played.text


def test_swapped_names_and_numbers_change_the_answer():
    played = play(incidents.leak("ledger-core", "BookPool-2", "9.9.0"), "Why do payments time out since 10:10?")

    assert {word in played.text for word in ("ledger-core", "BookPool-2", "9.9.0")} == {True}
    assert {word in played.text for word in ("pay-api", "HikariPool-7", "4.7.1")} == {False}


def test_swapped_cause_changes_the_answer():
    played = play(incidents.locks())

    assert "lock queue behind a long transaction" in played.text
    assert "leak" not in played.text


def test_healthy_twin_is_not_concluded():
    played = play(incidents.healthy())

    assert played.conclusion is None
    assert all(hypothesis["status"] != "SUPPORTED" for hypothesis in played.draft["hypotheses"])
    assert played.draft["limitations"]["missing_info"]


def test_world_without_telltale_is_not_concluded():
    world = incidents.leak()
    world.logs = [entry for entry in world.logs if "leak" not in entry["message"] and "Pool" not in entry["message"]]

    assert play(world).conclusion is None


def test_contradicted_cause_is_not_concluded():
    world = incidents.leak()
    world.logs.append(log("2026-03-04T10:07:00+00:00", "pay-api", "WARN", "process 9 still waiting for ShareLock"))
    world.logs.append(log("2026-03-04T10:07:05+00:00", "pay-api", "WARN", "process 9 still waiting for ShareLock"))

    assert play(world).conclusion is None


def test_telltale_that_begins_long_after_the_symptom_proves_nothing():
    world = incidents.leak()
    late = [entry for entry in world.logs if "leak" in entry["message"]]
    world.logs = [e for e in world.logs if e not in late] + [e | {"ts": "2026-03-04T10:52:00+00:00"} for e in late]

    assert play(world).conclusion is None


def test_downstream_cause_is_blamed_with_a_chinese_report():
    played = play(incidents.cache_zh(), "为什么 order-service 下单频繁失败？", language="zh")

    assert played.text.startswith("stock-redis：缓存实例被持久化刷盘拖住")
    assert "order-service：" not in played.text


def test_chinese_report_quotes_an_english_cause():
    played = play(incidents.leak(), ZH_QUESTION, language="zh")

    assert "“connection leak in newly released code”" in played.text
    assert "记录了" in played.text


def test_vague_question_makes_no_call():
    played = play(incidents.leak(), "something is broken, please help")

    assert played.calls == []
    assert played.conclusion is None
    assert len(played.draft["limitations"]["missing_info"]) == 3


def test_vague_chinese_question_makes_no_call():
    played = play(incidents.leak(), "系统好像有问题，帮我看看", language="zh")

    assert played.calls == []
    assert "时间" in " ".join(played.draft["limitations"]["missing_info"])


def test_narrow_question_is_answered_without_a_cause():
    played = play(incidents.leak(), "Are there any errors in pay-api?")

    assert played.conclusion["kind"] == "OBSERVATION"
    assert len(played.calls) == 1
    assert "because" not in played.text
    assert "pay-api" in played.text


def test_narrow_question_about_a_quiet_service_is_answered_with_absence():
    played = play(incidents.leak(), "mailer 最近一小时有没有错误？", language="zh")

    assert played.conclusion["kind"] == "OBSERVATION"
    assert played.draft["analysis"][0]["kind"] == "NEGATIVE_OBSERVATION"
    assert "未找到" in played.text


@pytest.mark.parametrize(("world", "question", "language"), EVERY)
def test_every_quote_is_verbatim_and_every_statement_rests_on_one(world, question, language):
    played = play(world, question, language=language)
    known = items_of(played)

    for analysis in played.draft["analysis"]:
        assert analysis["quotes"] or analysis["kind"] == "NEGATIVE_OBSERVATION"
        for quote in analysis["quotes"]:
            assert quote["text"] in known[quote["tool_call_id"], quote["item_id"]]["text"]
            assert 0 < len(quote["text"]) <= 300


@pytest.mark.parametrize(("world", "question", "language"), EVERY)
def test_runbook_statements_hold_only_words_of_their_quotes(world, question, language):
    played = play(world, question, language=language)
    known = items_of(played)

    for analysis in played.draft["analysis"]:
        kinds = {known[q["tool_call_id"], q["item_id"]]["kind"] for q in analysis["quotes"]}
        quoted = " ".join(" ".join(q["text"].split()) for q in analysis["quotes"])
        assert kinds != {"KNOWLEDGE"} or analysis["text"] in quoted


@pytest.mark.parametrize(("world", "question", "language"), EVERY)
def test_every_reference_of_the_draft_exists(world, question, language):
    draft = play(world, question, language=language).draft
    known = {analysis["analysis_id"] for analysis in draft["analysis"]}
    parts = [*draft["action_plan"], *draft["hypotheses"], *([draft["conclusion"]] if draft["conclusion"] else [])]

    assert all(set(part["based_on_analysis_ids"]) <= known for part in parts)


@pytest.mark.parametrize(("world", "question", "language"), EVERY)
def test_calls_stay_within_their_limits(world, question, language):
    calls = play(world, question, language=language).calls
    tools = [tool for tool, _ in calls]

    assert len(calls) <= 12
    assert all(tools.count(tool) <= 6 for tool in tools)
    assert len({json.dumps(call, sort_keys=True) for call in calls}) == len(calls)


@pytest.mark.parametrize(("world", "question", "language"), EVERY)
def test_equal_messages_give_equal_replies(world, question, language):
    first, second = (play(world, question, language=language) for _ in range(2))

    assert (first.draft, first.calls, first.gains) == (second.draft, second.calls, second.gains)


def test_budget_stop_brings_the_draft_at_once():
    played = Player(incidents.leak(), QUESTION, limit=1).play()

    assert played.stopped
    assert played.draft["conclusion"] is None
