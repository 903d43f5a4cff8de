"""Who answers a model request: the live models, or the recording of a run that is being replayed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from langchain_core.messages import BaseMessage

from models.chat import ModelReply, ask, request_digest
from models.roles import RoleModels
from state.model.enums import ModelRole
from state.model.errors import RecordingMissing
from state.model.ids import RunId
from state.ports import Recording


@dataclass(frozen=True)
class ModelRequest:
    """One attempt at one question."""

    run_id: RunId
    step: str
    """``role:round:attempt``: the key of its ledger entry, its trace event and its recording."""
    role: ModelRole
    messages: Sequence[BaseMessage]
    tools: Sequence[dict[str, object]]
    timeout_s: float
    max_output_tokens: int


class Voice(Protocol):
    """Answers model requests."""

    async def answer(self, request: ModelRequest) -> ModelReply:
        """The reply. Raises ModelFailed."""
        ...


@dataclass(frozen=True)
class LiveVoice:
    """The configured models; every reply is recorded (a lost recording never changes an answer)."""

    models: RoleModels
    recording: Recording

    async def answer(self, request: ModelRequest) -> ModelReply:
        """The model's reply.

        Raises:
            ModelFailed: no usable reply came within the time.
        """
        reply = await ask(
            self.models.by_role[request.role],
            request.messages,
            tools=request.tools,
            timeout_s=request.timeout_s,
            max_output_tokens=request.max_output_tokens,
            step=request.step,
        )
        await self.recording.put(request.run_id, request.step, _digest(request), reply.model_dump_json())
        return reply


@dataclass(frozen=True)
class RecordedVoice:
    """The recording of ``source``: the same request gets the same reply, byte for byte."""

    source: RunId
    recording: Recording

    async def answer(self, request: ModelRequest) -> ModelReply:
        """The recorded reply.

        Raises:
            RecordingMissing: nothing was recorded for this step, or the request differs: the first divergence.
        """
        found = await self.recording.get(self.source, request.step)
        if found is None or found[0] != _digest(request):
            raise RecordingMissing(self.source, request.step)
        return ModelReply.model_validate_json(found[1])


def _digest(request: ModelRequest) -> str:
    return request_digest(request.messages, request.tools, request.role.value)
