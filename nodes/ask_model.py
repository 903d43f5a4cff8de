"""One question to one model role: reserved before, settled after, bounded in time, retried, traced."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

import structlog
from langchain_core.messages import BaseMessage

from models.chat import FailureKind, ModelReply, ask, may_retry, request_digest
from models.roles import RoleModel
from models.token_estimate import estimate_tokens
from nodes.deps import Step
from nodes.taping import TapedReply
from nodes.telling import trace
from state.model.enums import ModelRole, TraceEventType
from state.model.errors import ModelFailed
from state.model.reasoning import MAX_REASONING_CHARS, Reasoning
from state.model.run import BudgetEntry, BudgetKind, RunFacts, sum_usage

T = TypeVar("T")
NOTHING_SPENT = frozenset({FailureKind.CONNECT, FailureKind.RATE_LIMITED, FailureKind.REFUSED})
"""Failures in which the provider did no work; every other failed attempt counts as spent."""

log = structlog.get_logger("nodes.ask_model")


class NoAnswer(StrEnum):
    """Why a role gave no usable reply."""

    BUDGET = "BUDGET"
    DEADLINE = "DEADLINE"
    FAILED = "FAILED"


@dataclass(frozen=True)
class Question:
    """What is asked, of whom, and how often at most."""

    node: str
    role: ModelRole
    round: int
    messages: Sequence[BaseMessage]
    tools: Sequence[dict[str, object]] = ()
    attempts: int = 1
    retry_unusable: bool = False
    """True: a reply that ``accept`` refuses is asked for once more (router and review)."""


async def ask_model(
    step: Step, facts: RunFacts, question: Question, accept: Callable[[ModelReply], T | None]
) -> T | NoAnswer:
    """What ``accept`` made of the reply, or why there is none. All attempts together stay within the role's time.

    Effects: one ledger entry and one MODEL_TOKEN_USAGE event per attempt. Raises TruthUnavailable if the
    ledger cannot be written.
    """
    asking = _Asking(step, facts, question, step.deps.clock.monotonic() + _time_s(step, facts, question.role))
    for _ in range(question.attempts):
        reply = await asking.attempt()
        if isinstance(reply, NoAnswer):
            return reply
        if isinstance(reply, ModelFailed):
            if not await asking.worth_retrying(reply):
                break
            continue
        accepted = accept(reply)
        if accepted is not None:
            return accepted
        if not question.retry_unusable:
            break
    return asking.without_answer()


def remaining_s(step: Step, facts: RunFacts) -> float:
    """Active seconds until the hard deadline; negative once it has passed."""
    return facts.limits.deadline_s - step.deps.keeper.active_s(facts.run_id)


def _time_s(step: Step, facts: RunFacts, role: ModelRole) -> float:
    return min(step.deps.models[role].timeout_s, remaining_s(step, facts))


@dataclass(frozen=True)
class _Asking:
    """The attempts at one question."""

    step: Step
    facts: RunFacts
    question: Question
    ends_at: float
    """Monotonic second at which the role's time is over."""

    async def attempt(self) -> ModelReply | ModelFailed | NoAnswer:
        if self._left_s() <= 0:
            return self.without_answer()
        max_output = self._model.max_output_tokens
        reserved = estimate_tokens(self.question.messages, self.question.tools) + max_output
        entries = await self.step.deps.control.entries(self.facts.run_id)
        if not sum_usage(entries).allows_model(self.facts.limits, tokens=reserved):
            return NoAnswer.BUDGET
        key = self._next_key(entries)
        await self._reserve(key, reserved)
        return await self._answered(key, reserved)

    @property
    def _model(self) -> RoleModel:
        return self.step.deps.models[self.question.role]

    async def worth_retrying(self, failed: ModelFailed) -> bool:
        """True after the pause the provider asked for, if there is time for another attempt."""
        pause_s = failed.retry_after_s
        if not may_retry(self.question.role, failed) or pause_s >= self._left_s():
            return False
        await asyncio.sleep(pause_s)
        return True

    def without_answer(self) -> NoAnswer:
        return NoAnswer.DEADLINE if remaining_s(self.step, self.facts) <= 0 else NoAnswer.FAILED

    def _left_s(self) -> float:
        return self.ends_at - self.step.deps.clock.monotonic()

    def _next_key(self, entries: Sequence[BudgetEntry]) -> str:
        """``role:round:attempt``; attempts are counted from the ledger, so they go on after a resume."""
        prefix = f"{self.question.role.value}:{self.question.round}:"
        return f"{prefix}{1 + sum(entry.key.startswith(prefix) for entry in entries)}"

    async def _reserve(self, key: str, tokens: int) -> None:
        entry = BudgetEntry(
            run_id=self.facts.run_id,
            kind=BudgetKind.MODEL_CALL,
            key=key,
            component=self.question.role.value,
            reserved=tokens,
        )
        await self.step.deps.control.reserve(self.step.lease, entry)

    async def _answered(self, key: str, reserved: int) -> ModelReply | ModelFailed:
        """The reply or the failure; settled first, so that a holder that lost its lease records nothing for replay."""
        started = self.step.deps.clock.monotonic()
        try:
            reply = await self._ask(key)
        except ModelFailed as failed:
            log.warning("model call failed", attempt=key, kind=failed.kind)
            spent = 0 if failed.kind in NOTHING_SPENT else reserved
            await self._settle(key, started, _Spent(spent, reported=False, result=failed.kind))
            await self._record(key, TapedReply(failed=failed.kind, asked=self._model.name))
            return failed
        used = (reply.prompt_tokens or 0) + (reply.completion_tokens or 0)
        spent = used if reply.usage_reported else reserved
        await self._settle(key, started, _Spent(spent, reported=reply.usage_reported, result="ok"))
        # Thinking is kept sealed or not at all; a replay does not need it.
        said = reply.model_copy(update={"reasoning": None})
        await self._record(key, TapedReply(reply=said, asked=self._model.name))
        await self._keep_reasoning(key, reply)
        return reply

    async def _ask(self, key: str) -> ModelReply:
        return await ask(
            self._model.model,
            self.question.messages,
            tools=self.question.tools,
            timeout_s=self._left_s(),
            max_output_tokens=self._model.max_output_tokens,
            step=key,
        )

    async def _record(self, key: str, taped: TapedReply) -> None:
        """Keep it for replay; a lost recording changes nothing."""
        request = request_digest(self.question.messages, self.question.tools, self.question.role.value)
        await self.step.deps.recording.put(self.facts.run_id, key, request, taped.model_dump_json())

    async def _keep_reasoning(self, key: str, reply: ModelReply) -> None:
        kept = self.step.deps.reasoning
        if kept is None or not kept.is_kept:
            return
        text = reply.reasoning[:MAX_REASONING_CHARS] if reply.reasoning else None
        now = self.step.deps.clock.now()
        said = Reasoning(step=key, at=now, text=text, assistant=reply.text[:MAX_REASONING_CHARS])
        await kept.put(self.facts.run_id, said)

    async def _settle(self, key: str, started: float, spent: "_Spent") -> None:
        await self.step.deps.control.settle(
            self.step.lease, BudgetKind.MODEL_CALL, key, spent.tokens, usage_reported=spent.reported
        )
        await trace(
            self.step,
            f"tokens:{key}",
            TraceEventType.MODEL_TOKEN_USAGE,
            self.question.node,
            duration_ms=round((self.step.deps.clock.monotonic() - started) * 1000),
            role=self.question.role.value,
            attempt=key,
            total_tokens=spent.tokens if spent.reported else None,
            usage_reported=spent.reported,
            result=spent.result,
        )


@dataclass(frozen=True)
class _Spent:
    tokens: int
    reported: bool
    """False: the provider reported no usage; ``tokens`` is the reservation, or 0 where no work was done."""
    result: str
