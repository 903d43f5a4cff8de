"""A chat model that plays written turns: for tests, for showing failures, and for evaluations that must be repeatable.

Product code: it implements what every model here implements and knows nothing of the graph.
"""

import asyncio
import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import PrivateAttr

from models.chat import STEP, ModelReply, model_call, model_failed, write_reply
from models.token_estimate import estimate_tokens, text_tokens
from models.turns import WrittenCall, WrittenTurn, fill_templates
from state.model.errors import RootproofError

PlainTurn = WrittenTurn | ModelReply | BaseException | str
"""What a turn may be: written, recorded, an exception to raise, or text."""
Turn = PlainTurn | Callable[[Sequence[BaseMessage]], "PlainTurn"]
"""Or a function of the messages that gives one."""


class ScriptExhausted(RootproofError):
    """The author of the script acts: a model was asked more often than it has turns."""

    def __init__(self, name: str, turns: int, step: str) -> None:
        super().__init__(f"scripted model {name!r} has {turns} turns and was asked once more (step {step!r})")
        self.name = name
        self.turns = turns
        self.step = step


@dataclass(frozen=True)
class ScriptedRequest:
    """One request the model received."""

    messages: tuple[BaseMessage, ...]
    tools: tuple[Mapping[str, object], ...]
    max_tokens: int | None
    step: str


KEPT_REQUESTS = 1000
"""A script may be played for days: what it was asked is not kept for as long."""


class ScriptedModel(BaseChatModel):
    """Plays its turns in order, one a call. Asynchronous only."""

    turns: tuple[Any, ...] = ()
    """``Turn`` values."""
    name_shown: str = "scripted"
    """Model name in its replies."""

    _requests: deque[ScriptedRequest] = PrivateAttr(default_factory=lambda: deque(maxlen=KEPT_REQUESTS))
    _n_calls: int = PrivateAttr(default=0)
    _cancelled: int = PrivateAttr(default=0)

    @property
    def requests(self) -> tuple[ScriptedRequest, ...]:
        """The newest requests, ``KEPT_REQUESTS`` at most; also those that failed."""
        return tuple(self._requests)

    @property
    def n_calls(self) -> int:
        """How often the model was asked."""
        return self._n_calls

    @property
    def n_cancelled(self) -> int:
        """How many calls were cancelled while they were delayed or hung."""
        return self._cancelled

    @property
    def _llm_type(self) -> str:
        return "rootproof-scripted"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ANN401 - vendor border
    ) -> ChatResult:
        raise NotImplementedError("the scripted model is asynchronous: use models.chat.ask")

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ANN401 - vendor border
    ) -> ChatResult:
        step = str(((run_manager.metadata if run_manager else None) or {}).get(STEP, ""))
        position = self._n_calls
        self._n_calls += 1
        tools = tuple(kwargs.get("tools") or ())
        self._requests.append(ScriptedRequest(tuple(messages), tools, kwargs.get("max_tokens"), step))
        if position >= len(self.turns):
            raise ScriptExhausted(self.name_shown, len(self.turns), step)
        turn = self.turns[position]
        reply = await self._play(turn(messages) if callable(turn) else turn, messages, tools, position)
        return ChatResult(generations=[ChatGeneration(message=write_reply(reply))])

    async def _play(
        self, turn: PlainTurn, messages: Sequence[BaseMessage], tools: Sequence[Mapping[str, object]], position: int
    ) -> ModelReply:
        if isinstance(turn, BaseException):
            raise turn
        if isinstance(turn, ModelReply):
            return turn
        written = WrittenTurn(text=turn) if isinstance(turn, str) else turn
        await self._wait(written)
        if written.error is not None:
            raise model_failed(written.error, retry_after_s=written.retry_after_s)
        return self._reply(written, messages, tools, position)

    async def _wait(self, turn: WrittenTurn) -> None:
        try:
            await (asyncio.Event().wait() if turn.hang else asyncio.sleep(turn.delay_s))
        except asyncio.CancelledError:
            self._cancelled += 1
            raise

    def _reply(
        self, turn: WrittenTurn, messages: Sequence[BaseMessage], tools: Sequence[Mapping[str, object]], position: int
    ) -> ModelReply:
        calls = [_sent(call, messages, f"call_{position}_{index}") for index, call in enumerate(turn.calls)]
        reply = ModelReply(
            text=str(fill_templates(turn.text, messages)),
            calls=tuple(model_call(call_id, name, arguments) for call_id, name, arguments in calls),
            prompt_tokens=turn.usage.prompt_tokens if turn.usage else None,
            completion_tokens=turn.usage.completion_tokens if turn.usage else None,
            reasoning=turn.reasoning,
            model=self.name_shown,
            finish_reason="tool_calls" if calls else "stop",
        )
        return _with_estimate(reply, messages, tools) if turn.estimates_usage else reply


def _sent(call: WrittenCall, messages: Sequence[BaseMessage], fresh_id: str) -> tuple[str, str, str]:
    arguments = fill_templates(call.arguments, messages)
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return (fresh_id if call.id is None else call.id, call.name, text)


def _with_estimate(
    reply: ModelReply, messages: Sequence[BaseMessage], tools: Sequence[Mapping[str, object]]
) -> ModelReply:
    written = reply.text + "".join(call.arguments for call in reply.calls)
    usage = {"prompt_tokens": estimate_tokens(messages, tools), "completion_tokens": text_tokens(written)}
    return reply.model_copy(update=usage)
