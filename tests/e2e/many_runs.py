"""Any number of runs over one stage, each about its own page: the model answers by what it is asked, not by its turn.

Everything that must never be published carries a marker of ``LEAKS``.
"""

import asyncio
import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.messages import BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from config.settings import Settings
from eval.bench.played import PlayedModel
from models.chat import ModelReply, model_call, write_reply
from models.roles import given_models
from nodes.deps import Deps
from state.model.enums import ModelRole
from state.model.tool_call import SUBMIT_TOOL
from tests.fakes import Page
from tests.graph.stage import Cast

LEAKS = {
    "argument": "LEAK-ARGUMENT-7c1",
    "sql": "SELECT LEAK_SQL_7c2 FROM secrets",
    "draft": "LEAK-DRAFT-7c3",
    "rejected": "LEAK-REJECTED-7c4",
    "reasoning": "LEAK-REASONING-7c5",
    "assistant": "LEAK-ASSISTANT-7c6",
    "uncited": "LEAK-UNCITED-7c7",
}
_ABOUT = re.compile(r"about ((?:plain|rejected|slow)-[a-z0-9]+) page")


def question(page: str) -> str:
    return f"Why do payments fail in notebook about {page} page since 14:05?"


def proof(page: str) -> str:
    """The line that a run about the page cites, and no other has."""
    return f"payments of {page} lost its connection {page}-proof"


class Pages(Mapping[str, Page]):
    """Every page there may be: the proof, and a line that nobody cites."""

    def __getitem__(self, page: str) -> Page:
        if not re.fullmatch(r"(?:plain|rejected|slow)-[a-z0-9]+", page):
            raise KeyError(page)
        return [
            f"2026-03-02T14:06:10Z ERROR {proof(page)}",
            f"2026-03-02T14:06:11Z INFO {LEAKS['uncited']} of {page}",
        ]

    def __iter__(self) -> Any:
        return iter(())

    def __len__(self) -> int:
        return 0


class Unhurried(PlayedModel):
    """Answers after a moment, so that runs overlap."""

    seed: int = 0

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        await asyncio.sleep(random.Random(f"{self.seed}{len(messages)}{messages[-1].content}").uniform(0.0, 0.05))
        return ChatResult(generations=[ChatGeneration(message=write_reply(self.reply(messages)))])


def agent(messages: Sequence[BaseMessage]) -> ModelReply:
    """Two calls that find nothing, one that does, a text that is no draft, then the draft."""
    said = "\n".join(str(message.content) for message in messages)
    found = _ABOUT.search(said)
    assert found, said[-2000:]
    page = found.group(1)
    n_observed = sum(isinstance(message, ToolMessage) for message in messages)
    asked = [LEAKS["argument"], LEAKS["sql"], page]
    if n_observed < len(asked):
        before = {"tool_call_id": f"call-{n_observed}", "information_gain": "NO_GAIN"} if n_observed else None
        arguments = {"previous_observation": before, "input": {"page": asked[n_observed]}}
        return _calls(f"call-{n_observed + 1}", "read_notebook", arguments)
    if LEAKS["draft"] not in said:
        return _said(f"I think it is {LEAKS['draft']}, but this is no draft.")
    return _calls("submit-1", SUBMIT_TOOL, _draft(page, rejected=page.startswith("rejected")))


def _draft(page: str, *, rejected: bool) -> dict[str, object]:
    text = proof(page) if not rejected else f"{LEAKS['rejected']} lost 4711 connections of {page}"
    quote = {"tool_call_id": "call-3", "item_id": f"{page}:0", "text": proof(page)}
    return {
        "conclusion": {"kind": "ROOT_CAUSE", "text": f"{text}.", "based_on_analysis_ids": ["a1"]},
        "analysis": [
            {
                "analysis_id": "a1",
                "kind": "NORMAL",
                "text": f"{text}.",
                "tool_call_ids": ["call-3"],
                "quotes": [quote],
            }
        ],
        "limitations": {"scope": "notebook"},
    }


def _calls(call_id: str, name: str, arguments: dict[str, object]) -> ModelReply:
    call = model_call(call_id, name, json.dumps(arguments))
    return _said(LEAKS["assistant"], calls=(call,))


def _said(text: str, **more: Any) -> ModelReply:
    tokens = {"prompt_tokens": 100, "completion_tokens": 10}
    return ModelReply(text=text, reasoning=LEAKS["reasoning"], model="played", **tokens, **more)


def rig(deps: Deps) -> Deps:
    """The stage with models that answer any number of runs."""
    texts = {
        ModelRole.ROUTER: '{"intent":"DIAGNOSIS"}',
        ModelRole.REPAIR: "{}",
        ModelRole.SEMANTIC: '{"verdict":"SUPPORTED","reason":"carried"}',
    }
    models = {ModelRole.AGENT: Unhurried(reply=agent)} | {
        role: Unhurried(reply=lambda _, text=text: _said(text)) for role, text in texts.items()
    }
    return replace(deps, models=given_models(models, Settings(), name="played"))


def cast() -> Cast:
    return Cast(pages=Pages(), second_tool=False)
