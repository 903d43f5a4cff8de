"""The scripted model: every kind of turn, the file format, the templates; and the replaying model."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import BaseMessage, HumanMessage, ToolMessage

from models.chat import FailureKind, ModelReply, ask, request_digest
from models.replay import ReplayModel
from models.scripted import PlainTurn, ScriptedModel, ScriptExhausted
from models.turns import TemplateUnknown, WrittenCall, WrittenTurn, WrittenUsage, fill_templates, load_script
from state.model.enums import ModelRole
from state.model.errors import Misconfigured, ModelFailed, RecordingMissing

QUESTION: list[BaseMessage] = [HumanMessage("why?")]


async def asked(model: Any, messages: Sequence[BaseMessage] = QUESTION, step: str = "agent:1:1") -> ModelReply:
    return await ask(model, messages, timeout_s=2, max_output_tokens=100, step=step)


def observation(call_id: str, *items: tuple[str, str], **inside: Any) -> ToolMessage:
    body: dict[str, Any] = {
        "tool_call_id": call_id,
        "evidence_status": "EVIDENCE_FOUND",
        "items": [{"item_id": item_id, "text": text} for item_id, text in items],
    }
    return ToolMessage(json.dumps({**inside, "observation": body} if inside else body), tool_call_id=call_id)


REFUSAL = ToolMessage('{"rejected":true,"code":"DUPLICATE_SCOPE"}', tool_call_id="refused")


async def test_turns_are_played_in_order_one_a_call() -> None:
    model = ScriptedModel(turns=("one", WrittenTurn(text="two"), ModelReply(text="three")))

    assert [(await asked(model)).text for _ in range(3)] == ["one", "two", "three"]
    assert model.n_calls == 3


async def test_exhausted_script_says_so() -> None:
    model = ScriptedModel(turns=("one",), name_shown="demo")
    await asked(model)

    with pytest.raises(ScriptExhausted, match=r"'demo' has 1 turns .*'agent:1:2'"):
        await asked(model, step="agent:1:2")


async def test_calls_get_fresh_distinct_ids() -> None:
    twice = WrittenTurn(calls=(WrittenCall(name="a"), WrittenCall(name="b")))
    model = ScriptedModel(turns=(twice, twice))

    ids = [call.tool_call_id for _ in range(2) for call in (await asked(model)).calls]

    assert ids == ["call_0_0", "call_0_1", "call_1_0", "call_1_1"]


async def test_id_and_malformed_arguments_go_out_as_written() -> None:
    turn = WrittenTurn(calls=(WrittenCall(name="a", arguments='{"x":1,"x":2', id="same"), WrittenCall(name="b", id="")))

    reply = await asked(ScriptedModel(turns=(turn,)))

    assert [(call.tool_call_id, call.arguments) for call in reply.calls] == [("same", '{"x":1,"x":2'), ("", "{}")]


async def test_usage_is_estimated_given_or_absent() -> None:
    given = WrittenUsage(prompt_tokens=7, completion_tokens=3)
    model = ScriptedModel(turns=("estimated", WrittenTurn(usage=given), WrittenTurn(usage=None)))

    estimated, written, absent = [await asked(model) for _ in range(3)]

    assert estimated.usage_reported
    assert (estimated.prompt_tokens or 0) > 0
    assert (written.prompt_tokens, written.completion_tokens) == (7, 3)
    assert not absent.usage_reported


@pytest.mark.parametrize("kind", list(FailureKind))
async def test_every_kind_of_failure_can_be_played(kind: FailureKind) -> None:
    model = ScriptedModel(turns=(WrittenTurn(error=kind, retry_after_s=3),))

    with pytest.raises(ModelFailed) as caught:
        await asked(model)

    assert (caught.value.kind, caught.value.retry_after_s) == (kind, 3)


async def test_function_sees_the_messages_and_its_result_is_played() -> None:
    def turn(messages: Sequence[BaseMessage]) -> PlainTurn:
        return WrittenTurn(text=f"saw {len(messages)}")

    assert (await asked(ScriptedModel(turns=(turn,)))).text == "saw 1"


async def test_exception_is_raised_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError):
        await asked(ScriptedModel(turns=(ZeroDivisionError(),)))


async def test_delay_is_waited() -> None:
    loop = asyncio.get_running_loop()
    began = loop.time()

    await asked(ScriptedModel(turns=(WrittenTurn(delay_s=0.05),)))

    assert loop.time() - began >= 0.05


def test_templates_count_calls_that_were_observed() -> None:
    messages = [
        REFUSAL,
        observation("c1", ("log:1", "first")),
        REFUSAL,
        observation("c2", ("log:2", "a"), ("log:3", "b")),
    ]

    filled = fill_templates(
        {"last": "$last_call_id", "first": "$call_id[0]", "items": ["$item_id[1,1]", "<$item_text[0,0]>"], "n": 3},
        messages,
    )

    assert filled == {"last": "c2", "first": "c1", "items": ["log:3", "<first>"], "n": 3}


def test_observation_inside_stop_required_counts() -> None:
    assert fill_templates("$last_call_id", [observation("c9", stop_required=True)]) == "c9"


@pytest.mark.parametrize("template", ["$last_call_id", "$call_id[4]", "$item_id[0,0]", "$item_text[9,9]"])
def test_template_without_its_thing_is_an_error(template: str) -> None:
    with pytest.raises(TemplateUnknown):
        fill_templates(template, QUESTION)


def test_other_dollars_are_left_alone() -> None:
    assert fill_templates("costs $5, $call_idx", QUESTION) == "costs $5, $call_idx"


async def test_filled_text_is_quoted_as_json() -> None:
    turn = WrittenTurn(calls=(WrittenCall(name="a", arguments={"q": "$item_text[0,0]"}),))

    reply = await asked(ScriptedModel(turns=(turn,)), [observation("c1", ("i", 'say "no"\n超时'))])

    assert json.loads(reply.calls[0].arguments) == {"q": 'say "no"\n超时'}


def test_file_with_roles_is_loaded(tmp_path: Path) -> None:
    file = tmp_path / "script.json"
    file.write_text(
        '{"router":[{"text":"{}"}],"agent":[{"calls":[{"name":"a"}]},{"error":"timeout"}]}', encoding="utf-8"
    )

    script = load_script(file)

    assert set(script) == {ModelRole.ROUTER, ModelRole.AGENT}
    assert script[ModelRole.AGENT][1].error is FailureKind.TIMEOUT


def test_file_with_one_list_is_the_agents(tmp_path: Path) -> None:
    file = tmp_path / "script.json"
    file.write_text('[{"text":"hi","usage":null}]', encoding="utf-8")

    assert load_script(file)[ModelRole.AGENT][0].usage is None


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("{broken", "not valid JSON"),
        ('[{"txt":"typo"}]', "agent.0.txt"),
        ('{"agnet":[]}', "agnet"),
        ('[{"delay_s":-1}]', "agent.0.delay_s"),
        ("3", "agent"),
    ],
)
def test_unusable_script_names_the_fault(tmp_path: Path, text: str, named: str) -> None:
    file = tmp_path / "script.json"
    file.write_text(text, encoding="utf-8")

    with pytest.raises(Misconfigured, match=named):
        load_script(file)


def test_missing_script_is_named(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="none.json"):
        load_script(tmp_path / "none.json")


def a_replay(recorded: dict[tuple[str, str], ModelReply]) -> ReplayModel:
    async def lookup(step: str, digest: str) -> ModelReply | None:
        return recorded.get((step, digest))

    return ReplayModel(run_id="r1", model_name="m", lookup=lookup)


async def test_replay_answers_from_the_recording_byte_for_byte() -> None:
    recorded = ModelReply(text="x", reasoning="why", prompt_tokens=1, completion_tokens=2, model="m")
    model = a_replay({("agent:1:1", request_digest(QUESTION, (), "m")): recorded})

    assert await asked(model) == recorded


async def test_replay_names_the_first_step_that_diverges() -> None:
    model = a_replay({("agent:1:1", request_digest(QUESTION, (), "m")): ModelReply()})

    with pytest.raises(RecordingMissing) as caught:
        await asked(model, [HumanMessage("another question")])

    assert (caught.value.run_id, caught.value.step) == ("r1", "agent:1:1")
