"""Is what is called the cause one, and before its effect, in the documents and in time? Pure."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from models.offline.review.case import Case, Proof
from models.offline.review.likeness import CLOSE, content, likeness, plain_weight, weight, weight_of
from models.offline.review.reasons import Refusal
from models.offline.review.runbook import consequences, steps
from models.offline.review.telling import Telling, active, parts, tell
from models.offline.terms import Term

MARGIN_STEPS = 0.6
OWNED_BONUS = 0.3
"""What it adds that an item is about a component the part names."""
PLACED_MIN = 0.45
LAST_BY = timedelta(seconds=5)
EXACT = timedelta(seconds=2)
TOLERANCE = timedelta(seconds=30)
SHOWN_MIN = 0.6
_REPAIR = re.compile(
    r"\broll(?:ed)? ?back|\brevert(?!ed_at)|\brestor|\bresum|\bresolv|恢复|回滚|撤销|修复|更换|替换|改回", re.IGNORECASE
)
CONSEQUENCE_MIN = 0.9
NAMED_SHARE = 0.5
NEXT_STEP = 1
"""A step right before a named consequence is no way upstream."""


def order_agrees(case: Case) -> Refusal | None:
    """The documents do not tell the cause after its effect, and do not call it a consequence."""
    told = tell(case.text)
    if _is_consequence(case, told):
        return Refusal.SYMPTOM
    return Refusal.REVERSED if _is_reversed(case, told) else None


def _is_consequence(case: Case, told: Telling) -> bool:
    """Most of what the cause says is what a document calls a consequence, and no earlier step is in it."""
    words = _telling_terms(case, told.cause)
    root = words - content(case, told.effect) or words
    first = {
        w: n for passage in steps(case) for n, step in reversed([*enumerate(passage)]) for w in content(case, step)
    }
    for named in consequences(case):
        thing = content(case, named)
        shared = root & thing
        place = min((first[w] for w in shared if w in first), default=len(first))
        upstream = {w for w in root - shared if first.get(w, place) < place - NEXT_STEP}
        is_named = plain_weight(shared) >= max(CONSEQUENCE_MIN, NAMED_SHARE * plain_weight(thing))
        if is_named and plain_weight(shared) >= plain_weight(upstream):
            return True
    return False


def _telling_terms(case: Case, text: str) -> frozenset[Term]:
    return frozenset(t for t in content(case, text) if not t.startswith("i:"))


def _is_reversed(case: Case, told: Telling) -> bool:
    done = None if told.effect.strip() else active(told.cause)
    one = done or told
    if not one.is_explicit:
        return False
    whole = content(case, f"{one.cause} {one.effect}")
    passages = [[content(case, step) for step in passage] for passage in steps(case)]
    best = max(passages, key=lambda passage: weight(case, whole.intersection(frozenset().union(*passage))), default=[])
    return _runs_back(case, one, best)


def _runs_back(case: Case, told: Telling, passage: list[frozenset[Term]]) -> bool:
    """Both the whole cause and its beginning stand after the effect and its end, as far as the document places them."""
    gaps = [
        gap
        for cause, effect in ((told.cause, told.effect), (told.root, told.last))
        if (gap := _gap(case, cause, effect, passage)) is not None
    ]
    return bool(gaps) and all(gap > MARGIN_STEPS for gap in gaps)


def _gap(case: Case, cause: str, effect: str, passage: list[frozenset[Term]]) -> float | None:
    """By how many steps the cause stands after the effect; None if one of them is not placed."""
    own, other = content(case, cause), content(case, effect)
    at_cause = _place(case, own - other, passage)
    at_effect = _place(case, other - own, passage)
    return at_cause - at_effect if at_cause is not None and at_effect is not None else None


def _place(case: Case, words: frozenset[Term], passage: list[frozenset[Term]]) -> float | None:
    """Mean place of the words among the steps, weighed; None if too little of them is there."""
    first = {w: n for n, step in reversed(list(enumerate(passage))) for w in step}
    found = [(weight_of(case, w), first[w]) for w in words if w in first]
    total = sum(share for share, _ in found)
    return sum(share * n for share, n in found) / total if total >= PLACED_MIN else None


def times_agree(case: Case) -> Refusal | None:
    """What is called the cause did not begin after what it is said to lead to, nor last of all that is cited."""
    told = tell(case.text)
    causes = _dated(_shown_by(case, told.root) or _shown_by(case, told.cause))
    if not causes or not (told.is_explicit or all(map(_is_deed, causes))):
        return None
    effects = _dated(p for part in parts(told.effect) for p in _shown_by(case, part) if p not in causes)
    first, others = min(causes, key=began), _dated(p for p in case.telemetry if p not in causes)
    if effects and began(first) - began(min(effects, key=began)) > _tolerance(first, min(effects, key=began)):
        return Refusal.LATE
    return Refusal.LATE if others and all(began(first) - began(other) > LAST_BY for other in others) else None


def _is_deed(proof: Proof) -> bool:
    """True for what somebody did: a recorded change, or a line below warning level."""
    return proof.is_row or proof.item.fields.get("level") == "INFO"


def _dated(proofs: Iterable[Proof]) -> tuple[Proof, ...]:
    return tuple(p for p in proofs if p.onset is not None)


def began(proof: Proof) -> datetime:
    """Its onset; the far past for an undated item."""
    return proof.onset or datetime.min.replace(tzinfo=UTC)


def _tolerance(cause: Proof, effect: Proof) -> timedelta:
    """Little between two patterns, whose first occurrence is exact; more where a single line may be logged late."""
    return EXACT if "first_ts" in cause.item.fields and "first_ts" in effect.item.fields else TOLERANCE


def _shown_by(case: Case, part: str) -> tuple[Proof, ...]:
    """Items that tell the part; those that record the repair are left out unless it speaks of one."""
    names = set(case.named_in(part))
    words = content(case, part)
    scored = [
        (likeness(case, words, p) + OWNED_BONUS * bool(p.owners & names), p) for p in case.telemetry if words & p.terms
    ]
    best = max((score for score, _ in scored), default=0.0)
    found = tuple(p for score, p in scored if best >= SHOWN_MIN and score >= CLOSE * best)
    if _REPAIR.search(part):
        return found
    return tuple(p for p in found if not _REPAIR.search(p.text) or not p.is_row or _holds_own(case, words, p))


def _holds_own(case: Case, words: frozenset[Term], proof: Proof) -> bool:
    """True if the words hold a number or identifier that is in this item only."""
    return any(t in proof.terms and case.spread[t] == 1 for t in words if any(c.isdigit() for c in t))
