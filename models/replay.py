"""A chat model that answers only from a recording: a replayed run makes no external call."""

from collections.abc import Awaitable, Callable
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from models.chat import STEP, ModelReply, request_digest, write_reply
from state.model.errors import RecordingMissing

Lookup = Callable[[str, str], Awaitable[ModelReply | None]]
"""(step, SHA-256 of the request) → the recorded reply, or None where step or request differ from the recording."""


class ReplayModel(BaseChatModel):
    """Plays one role of a recorded run. Asynchronous only."""

    run_id: str
    """The recorded run."""
    model_name: str
    """Name under which the requests were recorded; part of their digest."""
    lookup: Lookup

    @property
    def _llm_type(self) -> str:
        return "rootproof-replay"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ANN401 - vendor border
    ) -> ChatResult:
        raise NotImplementedError("the replaying model is asynchronous: use models.chat.ask")

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ANN401 - vendor border
    ) -> ChatResult:
        step = str(((run_manager.metadata if run_manager else None) or {}).get(STEP, ""))
        digest = request_digest(messages, kwargs.get("tools") or (), self.model_name)
        reply = await self.lookup(step, digest)
        if reply is None:
            raise RecordingMissing(self.run_id, step)
        return ChatResult(generations=[ChatGeneration(message=write_reply(reply))])
