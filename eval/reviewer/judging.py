"""Asks a reviewer model about every case and counts what it misjudged."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from langchain_core.language_models.chat_models import BaseChatModel

from eval.reviewer.cases import CaseKind, ReviewCase, Split
from guards.semantics import parse_verdict
from models.chat import ask
from models.prompts import semantic_messages
from state.model.enums import SemanticVerdict


@dataclass(frozen=True)
class Judged:
    """One case with the reviewer's answer; ``verdict`` None if the reply was no verdict."""

    case: ReviewCase
    verdict: SemanticVerdict | None
    reason: str = field(repr=False)

    @property
    def is_right(self) -> bool:
        """True if the reviewer said what was expected; no verdict is never right."""
        return self.verdict is self.case.expected


async def judge_all(
    model: BaseChatModel, cases: Iterable[ReviewCase], *, timeout_s: float = 30.0, max_output_tokens: int = 1024
) -> tuple[Judged, ...]:
    """The answers in order of the cases, asked one after another.

    Raises:
        ModelFailed: a call gave no reply.
    """
    return tuple([await _judge(model, case, timeout_s, max_output_tokens) for case in cases])


async def _judge(model: BaseChatModel, case: ReviewCase, timeout_s: float, max_output_tokens: int) -> Judged:
    messages = semantic_messages(case.review)
    reply = await ask(model, messages, timeout_s=timeout_s, max_output_tokens=max_output_tokens)
    verdict, reason = parse_verdict(reply.text) or (None, "")
    return Judged(case, verdict, reason)


def misjudged(judged: Iterable[Judged]) -> tuple[str, ...]:
    """Names only, so that a report leaks no text of the held-out half."""
    return tuple(one.case.name for one in judged if not one.is_right)


def table(judged: Sequence[Judged]) -> str:
    """Right answers out of all, a line for each kind, split by split."""
    lines = [f"{'kind':<20}{'dev':>10}{'held_out':>10}{'all':>10}"]
    for kind in CaseKind:
        of_kind = [one for one in judged if one.case.kind is kind]
        halves = [[one for one in of_kind if one.case.split is split] for split in Split]
        lines.append(f"{kind:<20}" + "".join(f"{_share(part):>10}" for part in (*halves, of_kind)))
    return "\n".join(lines)


def _share(judged: Sequence[Judged]) -> str:
    return f"{sum(one.is_right for one in judged)}/{len(judged)}"
