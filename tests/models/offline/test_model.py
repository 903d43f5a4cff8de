"""The LangChain interface: roles, bound tools, honest usage, no blocking of the event loop, short turns."""

import asyncio
import json
import time

import pytest
from langchain_core.messages import HumanMessage, SystemMessage

from models.chat import read_reply
from models.offline import OfflineReasoner, Role
from tests.models.offline import incidents
from tests.models.offline.player import Player

QUESTION = json.dumps({"question": "Why does pay-api time out?", "language": "en", "now": "2026-03-04T11:00:00+00:00"})


def test_bound_tools_are_used():
    bound = OfflineReasoner(role=Role.AGENT).bind_tools(incidents.leak().tools())

    assert bound.invoke([HumanMessage(QUESTION)]).tool_calls[0]["name"] == "query_logs"


def test_usage_counts_prompt_tools_and_reply():
    model = OfflineReasoner(role=Role.AGENT)
    bare = model.invoke([HumanMessage(QUESTION)]).usage_metadata
    tooled = model.invoke([HumanMessage(QUESTION)], tools=incidents.leak().tools()).usage_metadata

    assert tooled["input_tokens"] > bare["input_tokens"] >= len(QUESTION) // 4
    assert bare["total_tokens"] == bare["input_tokens"] + bare["output_tokens"]
    assert bare["output_tokens"] > 0


def test_chinese_characters_count_as_a_token_each():
    model = OfflineReasoner(role=Role.ROUTER)
    short, long = (model.invoke([HumanMessage("为什么" * n)]).usage_metadata["input_tokens"] for n in (1, 11))

    assert long - short == 30


def test_reply_can_be_read_by_the_harness():
    reply = read_reply(
        OfflineReasoner(role=Role.AGENT).invoke([HumanMessage(QUESTION)], tools=incidents.leak().tools())
    )

    assert reply.calls[0].tool_call_id == "call_1"
    assert json.loads(reply.calls[0].arguments)["input"]["source"] == "app"
    assert reply.usage_reported
    assert reply.model == "offline-reasoner"


@pytest.mark.parametrize(
    ("role", "keys"), [(Role.ROUTER, {"intent"}), (Role.SEMANTIC, {"verdict", "reason"}), (Role.REPAIR, {"analysis"})]
)
def test_other_roles_answer_with_bare_json(role, keys):
    message = OfflineReasoner(role=role).invoke([SystemMessage("rules"), HumanMessage("{}")])

    assert set(json.loads(message.content)) == keys


async def test_async_reply_equals_the_sync_one():
    model = OfflineReasoner(role=Role.AGENT)
    messages = [HumanMessage(QUESTION)]

    assert (await model.ainvoke(messages)).content == model.invoke(messages).content


async def test_event_loop_is_not_blocked_by_a_turn():
    model = OfflineReasoner(role=Role.AGENT)
    messages = Player(incidents.leak(), "Why do payments time out in pay-api?").play().messages
    ticks = 0

    async def tick():
        nonlocal ticks
        while True:
            await asyncio.sleep(0)
            ticks += 1

    ticker = asyncio.create_task(tick())
    await model.ainvoke(messages, tools=incidents.leak().tools())
    ticker.cancel()

    assert ticks > 1


def test_a_turn_stays_short():
    model = OfflineReasoner(role=Role.AGENT)
    tools = incidents.leak().tools()
    messages = Player(incidents.leak(), "Why do payments time out in pay-api?").play().messages
    model.invoke(messages, tools=tools)
    began = time.perf_counter()
    model.invoke(messages, tools=tools)

    assert time.perf_counter() - began < 0.5
