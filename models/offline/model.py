"""The chat model itself: LangChain's interface over the rules, one instance a role.

Deterministic: no randomness, I/O or clock; equal messages give equal replies. The token counts it reports are
approximations from characters (four of Latin script or one of Chinese a token), since it has no tokenizer.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from models.offline.calls import Call
from models.offline.catalogue import read_toolbox
from models.offline.drafting import build_draft
from models.offline.evidence import Json
from models.offline.gain import assess
from models.offline.loose import as_text
from models.offline.planning import next_call
from models.offline.reading import SUBMIT, Case, last_user_object, message_text, read_case
from models.offline.repairing import repair
from models.offline.review.reviewing import review
from models.offline.routing import intent_of
from models.offline.view import View, build_view
from state.model.enums import ModelRole

Role = ModelRole
MODEL_NAME = "offline-reasoner"
_LATIN_CHARS_PER_TOKEN = 4


class OfflineReasoner(BaseChatModel):
    """A chat model made of rules, for one role.

    Agent: exactly one tool call a turn, id ``call_<turn>``; without bound tools the draft as bare JSON.
    Other roles: one bare JSON object. Messages that are not what docs/model-protocol.md says give a legal
    reply all the same (no tool call, a null conclusion, DIAGNOSIS, UNSUPPORTED), never an exception.
    """

    role: ModelRole

    @property
    def _llm_type(self) -> str:
        return MODEL_NAME

    @property
    def _identifying_params(self) -> dict[str, str]:
        return {"model_name": MODEL_NAME, "role": self.role.value}

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,  # noqa: ANN401 - LangChain's signature
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """The model with these tools offered on every call, in OpenAI's dictionary form; ``tool_choice`` is ignored."""
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ANN401 - LangChain's signature
    ) -> ChatResult:
        tools = list(kwargs.get("tools") or ())
        reply = self._reply(messages, tools)
        reply.usage_metadata = _usage(messages, tools, reply)
        reply.response_metadata = {
            "model_name": MODEL_NAME,
            "finish_reason": "tool_calls" if reply.tool_calls else "stop",
        }
        return ChatResult(generations=[ChatGeneration(message=reply)])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ANN401 - LangChain's signature
    ) -> ChatResult:
        return await asyncio.to_thread(self._generate, messages, stop, None, **kwargs)

    def _reply(self, messages: list[BaseMessage], tools: list[object]) -> AIMessage:
        match self.role:
            case ModelRole.ROUTER:
                return _json_reply({"intent": intent_of(as_text(last_user_object(messages).get("question")))})
            case ModelRole.REPAIR:
                return _json_reply(repair(last_user_object(messages)))
            case ModelRole.SEMANTIC:
                return _json_reply(review(last_user_object(messages)))
            case ModelRole.AGENT:
                return agent_reply(messages, tools)


def agent_reply(messages: Sequence[BaseMessage], tools: Sequence[object]) -> AIMessage:
    """The agent's next message: one evidence call, or the draft."""
    case = read_case(messages)
    view = build_view(case, read_toolbox(tools))
    call = next_call(view)
    if call is not None:
        return _call_reply(case, call.tool, _enveloped(view, call))
    draft = build_draft(view) if case.invalid_drafts == 0 else _reduced(build_draft(view))
    return _call_reply(case, SUBMIT, draft) if tools else _json_reply(draft)


def _enveloped(view: View, call: Call) -> Json:
    due = view.case.due
    gain = assess(view.case, view.question, due, view.scene.chain) if due else ""
    judged = {"tool_call_id": due.call_id, "information_gain": gain} if due else None
    return {"previous_observation": judged, "input": call.input}


def _reduced(draft: Json) -> Json:
    """After an invalid hand-in: only what a conclusion needs."""
    return {**draft, "action_plan": [], "recommendations": [], "hypotheses": []}


def _call_reply(case: Case, tool: str, arguments: Json) -> AIMessage:
    return AIMessage(content="", tool_calls=[{"name": tool, "args": arguments, "id": f"call_{case.turn + 1}"}])


def _json_reply(body: Json) -> AIMessage:
    return AIMessage(content=json.dumps(body, ensure_ascii=False))


def _usage(messages: Sequence[BaseMessage], tools: Sequence[object], reply: AIMessage) -> UsageMetadata:
    asked = sum(_tokens(_spoken(message)) for message in messages) + _tokens(
        json.dumps(tools, ensure_ascii=False, default=str)
    )
    said = _tokens(_spoken(reply))
    return UsageMetadata(input_tokens=asked, output_tokens=said, total_tokens=asked + said)


def _spoken(message: BaseMessage) -> str:
    calls = (
        json.dumps([call["args"] for call in message.tool_calls], ensure_ascii=False, default=str)
        if isinstance(message, AIMessage)
        else ""
    )
    return message_text(message) + calls


def _tokens(text: str) -> int:
    """Approximate tokens of a text, at least 1 where there is any."""
    wide = sum(char >= "\u2e80" for char in text)
    return wide + -(-(len(text) - wide) // _LATIN_CHARS_PER_TOKEN)
