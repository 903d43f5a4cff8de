"""Is what is called the cause one, and before its effect, in the documents and in time? Pure."""

from datetime import datetime, timedelta

from models.offline.review.case import Case, Proof
from models.offline.review.likeness import closest, content, weight, weight_of
from models.offline.review.reasons import Refusal
from models.offline.review.runbook import consequences, steps
from models.offline.review.telling import Telling, clauses, tell
from models.offline.terms import Term

MARGIN_STEPS = 0.6
TOLERANCE = timedelta(seconds=45)
SHOWN_MIN = 0.9
CONSEQUENCE_SHARE = 0.5


def order_agrees(case: Case) -> Refusal | None:
    """The documents do not tell the cause after its effect, and do not call it a consequence."""
    told = tell(case.text)
    if _is_consequence(case, told):
        return Refusal.SYMPTOM
    return Refusal.REVERSED if _is_reversed(case, told) else None


def _is_consequence(case: Case, told: Telling) -> bool:
    """Most of what the first clause says is what a document calls a consequence, and no earlier step is in it."""
    root = _telling_terms(case, told.root) - content(case, told.effect)
    root = root or _telling_terms(case, told.root)
    upstream = frozenset[Term]().union(*(content(case, step) for step in steps(case)))
    for named in consequences(case):
        shared = root & content(case, named)
        rest = (root - shared) & upstream
        total = weight(case, shared) + weight(case, rest)
        if shared and weight(case, shared) >= 0.6 and weight(case, shared) >= CONSEQUENCE_SHARE * total:
            return True
    return False


def _telling_terms(case: Case, text: str) -> frozenset[Term]:
    return frozenset(t for t in content(case, text) if not t.startswith("i:"))


def _is_reversed(case: Case, told: Telling) -> bool:
    told_steps = [content(case, step) for step in steps(case)]
    cause, effect = content(case, told.cause), content(case, told.effect)
    own, others = cause - effect, effect - cause
    at_cause, at_effect = (_place(case, words, told_steps) for words in (own, others))
    if at_cause is None or at_effect is None:
        return False
    return at_cause - at_effect > MARGIN_STEPS


def _place(case: Case, words: frozenset[Term], told_steps: list[frozenset[Term]]) -> float | None:
    """Mean place of the words among the steps, weighed; None if too little of them is there."""
    first = {w: n for n, step in reversed(list(enumerate(told_steps))) for w in step}
    found = [(weight_of(case, w), first[w]) for w in words if w in first]
    total = sum(share for share, _ in found)
    return sum(share * n for share, n in found) / total if total >= 0.7 else None


def times_agree(case: Case) -> Refusal | None:
    """What is called the cause did not begin after what it is said to lead to."""
    told = tell(case.text)
    cause = _onset(case, told.cause)
    effect = _onset(case, told.effect)
    if cause is None or effect is None:
        return None
    return Refusal.LATE if cause - effect > TOLERANCE else None


def _onset(case: Case, text: str) -> datetime | None:
    """The earliest onset among the items that tell a part of the text."""
    shown = [p for part in (text, *clauses(text)) for p in _tellers(case, part) if p.onset is not None]
    return min((p.onset for p in shown if p.onset is not None), default=None)


def _tellers(case: Case, part: str) -> tuple[Proof, ...]:
    names = case.named_in(part)
    found = closest(case, content(case, part), case.telemetry, at_least=SHOWN_MIN)
    named = tuple(p for p in found if any(p.mentions(name) for name in names))
    return named or found
