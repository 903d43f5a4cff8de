"""What becomes of a draft: evidence guard, at most one repair, review, as in the graph with the offline model."""

from dataclasses import dataclass
from enum import StrEnum

from eval.adversary.correct_drafts import CorrectDraft
from guards.actions import verified_action
from guards.evidence import judge
from guards.repair import build_repair_input, keeps_visible_text
from guards.semantics import build_review, parse_verdict
from models.chat import ModelReply, ask
from models.offline.model import OfflineReasoner
from models.prompts import repair_messages, semantic_messages
from nodes.guard_semantics import ATTEMPTS
from state.model.draft import Draft, parse_draft
from state.model.enums import EvidenceOutcome, ModelRole, SemanticVerdict
from state.model.verdict import EvidenceVerdict, Violation

_TIMEOUT_S = 60.0
_REPAIR_TOKENS, _REVIEW_TOKENS = 4096, 512
_REPAIRER = OfflineReasoner(role=ModelRole.REPAIR)
_REVIEWER = OfflineReasoner(role=ModelRole.SEMANTIC)


class Fate(StrEnum):
    """Who stopped a draft, if anybody."""

    EVIDENCE = "evidence guard"
    REVIEW = "review"
    RELEASED = "released"


@dataclass(frozen=True)
class Judged:
    """One draft after both guards."""

    fate: Fate
    draft: Draft
    """What would be published: the one given, or its repair."""
    violations: tuple[Violation, ...] = ()
    """Of the first judgement."""
    reason: str = ""
    """Of the review."""


async def judge_fully(draft: Draft, origin: CorrectDraft) -> Judged:
    """The fate of the draft among the records of ``origin``.

    A draft without a conclusion is never published: RELEASED means there that nothing of it is dropped.

    Raises:
        ModelFailed: the offline model gave no reply.
    """
    first = _judge(draft, origin, origin.repairs_left)
    if draft.conclusion is None:
        return Judged(Fate.EVIDENCE if first.violations else Fate.RELEASED, draft, first.violations)
    draft, verdict = await _after_repair(draft, first, origin)
    if verdict.outcome is not EvidenceOutcome.PASSED_WITH_CONCLUSION:
        return Judged(Fate.EVIDENCE, draft, first.violations)
    supported, reason = await _is_supported(draft, origin)
    return Judged(Fate.RELEASED if supported else Fate.REVIEW, draft, first.violations, reason)


def shows_as_verified(draft: Draft, at: int, origin: CorrectDraft) -> bool:
    """True if that action would be published without the mark "proposed, not verified"."""
    return verified_action(draft.action_plan[at], draft, origin.records, run_id=origin.context.run_id)


def _judge(draft: Draft, origin: CorrectDraft, repairs_left: int) -> EvidenceVerdict:
    return judge(draft, origin.records, origin.context, repairs_left=repairs_left)


async def _after_repair(draft: Draft, verdict: EvidenceVerdict, origin: CorrectDraft) -> tuple[Draft, EvidenceVerdict]:
    if verdict.outcome is not EvidenceOutcome.REPAIRABLE:
        return draft, verdict
    request = build_repair_input(draft, verdict.violations, origin.records, run_id=origin.context.run_id)
    reply = await ask(_REPAIRER, repair_messages(request), timeout_s=_TIMEOUT_S, max_output_tokens=_REPAIR_TOKENS)
    repaired = _accepted(reply, draft)
    return repaired, _judge(repaired, origin, 0)


def _accepted(reply: ModelReply, before: Draft) -> Draft:
    after = parse_draft(reply.text)
    return after if isinstance(after, Draft) and keeps_visible_text(before, after) else before


async def _is_supported(draft: Draft, origin: CorrectDraft) -> tuple[bool, str]:
    review = build_review(origin.context.question, draft, origin.records, run_id=origin.context.run_id)
    for _ in range(ATTEMPTS):
        reply = await ask(_REVIEWER, semantic_messages(review), timeout_s=_TIMEOUT_S, max_output_tokens=_REVIEW_TOKENS)
        verdict = parse_verdict(reply.text)
        if verdict is not None:
            return verdict[0] is SemanticVerdict.SUPPORTED, verdict[1]
    return False, ""
