"""The scripted side of every contender: one notebook of evidence and a model that answers by how far it has read.

The model keeps nothing between calls, so that any number of runs may share it and none is charged for another.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from models.chat import ModelReply, model_call, write_reply
from state.model.enums import ModelRole
from state.model.tool_call import SUBMIT_TOOL

QUESTION = "Why do payments fail in notebook since 14:05?"
TOOL = "read_notebook"
N_TOOL_CALLS = 2
_QUOTE = "Connection is not available, request timed out"

PAGES: Mapping[str, tuple[str, ...]] = {
    "errors": tuple(
        f"2026-03-02T14:06:{second:02d}Z ERROR payments HikariPool-1 - {_QUOTE} after 30000ms" for second in range(30)
    ),
    "deploys": tuple(
        f"2026-03-02T13:{minute:02d}:00Z INFO payments release 4.2.{minute} deployed" for minute in range(20)
    ),
}
"""About 4 KB in all: the size of a small log search."""

ORDER = ("errors", "deploys")
"""Pages in the order in which the agent asks for them."""


class PlayedModel(BaseChatModel):
    """Answers with ``reply(messages)`` at once."""

    reply: Callable[[Sequence[BaseMessage]], ModelReply]

    @property
    def _llm_type(self) -> str:
        return "rootproof-bench"

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,  # noqa: ANN401 - LangChain's signature
    ) -> Runnable[Any, AIMessage]:
        """The model with these tools offered on every call."""
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ANN401 - LangChain's signature
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=write_reply(self.reply(messages)))])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ANN401 - LangChain's signature
    ) -> ChatResult:
        return self._generate(messages)


@dataclass(frozen=True)
class Conversation:
    """How an agent's calls look to a contender."""

    arguments: Callable[[str, str | None], dict[str, object]]
    """Arguments that ask for a page, given the call that was answered before."""
    hand_in: Callable[[dict[str, object]], ModelReply]

    def next_reply(self, messages: Sequence[BaseMessage]) -> ModelReply:
        """One page a turn, then the draft."""
        n_read = sum(isinstance(message, ToolMessage) for message in messages)
        if n_read == len(ORDER):
            return self.hand_in(_draft())
        before = f"call-{n_read}" if n_read else None
        return _asked(f"call-{n_read + 1}", TOOL, self.arguments(ORDER[n_read], before))


def played_by_role() -> dict[ModelRole, PlayedModel]:
    """Rootproof's four roles: two evidence calls, a draft that both guards pass, no repair."""
    agent = Conversation(_enveloped, lambda draft: _asked("submit-1", SUBMIT_TOOL, draft))
    texts = {
        ModelRole.ROUTER: '{"intent":"DIAGNOSIS"}',
        ModelRole.REPAIR: "{}",
        ModelRole.SEMANTIC: '{"verdict":"SUPPORTED","reason":"carried by the cited items"}',
    }
    return {ModelRole.AGENT: PlayedModel(reply=agent.next_reply)} | {
        role: PlayedModel(reply=lambda _, text=text: _said(text)) for role, text in texts.items()
    }


def played_plainly() -> PlayedModel:
    """The same agent for a plain tool loop: the same pages in the same order, then the same draft as its answer."""
    plain = Conversation(lambda page, _: {"page": page}, lambda draft: _said(json.dumps(draft, ensure_ascii=False)))
    return PlayedModel(reply=plain.next_reply)


def _enveloped(page: str, before: str | None) -> dict[str, object]:
    judged = {"tool_call_id": before, "information_gain": "GAINED"} if before else None
    return {"previous_observation": judged, "input": {"page": page}}


def _asked(call_id: str, name: str, arguments: dict[str, object]) -> ModelReply:
    call = model_call(call_id, name, json.dumps(arguments, ensure_ascii=False))
    return ModelReply(calls=(call,), prompt_tokens=1000, completion_tokens=50, model="played")


def _said(text: str) -> ModelReply:
    return ModelReply(text=text, prompt_tokens=1000, completion_tokens=50, model="played")


def _draft() -> dict[str, object]:
    quote = {"tool_call_id": "call-1", "item_id": "errors:0", "text": _QUOTE}
    return {
        "conclusion": {
            "kind": "ROOT_CAUSE",
            "text": "payments could not get a connection: HikariPool-1 Connection is not available.",
            "based_on_analysis_ids": ["a1"],
        },
        "analysis": [
            {
                "analysis_id": "a1",
                "kind": "NORMAL",
                "text": f"HikariPool-1 of payments says {_QUOTE}.",
                "tool_call_ids": ["call-1"],
                "quotes": [quote],
            }
        ],
        "limitations": {"scope": "notebook of payments"},
    }
