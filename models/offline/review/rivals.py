"""Is the cause one that the documents exclude by what the telemetry shows? Pure."""

import re
from datetime import timedelta

from models.offline.causes import speaks_against
from models.offline.lexicon import CHANGE_DEEDS
from models.offline.review.case import Case, Proof
from models.offline.review.likeness import closest, content, weight
from models.offline.review.reasons import Refusal
from models.offline.review.telling import clauses, tell
from models.offline.sentences import plain, sentences
from models.offline.terms import Term

OLD_CHANGE = timedelta(days=3)


def is_not_ruled_out(case: Case) -> Refusal | None:
    """No passage fits the cause better than what the telemetry bears out, and a blamed change is a recent one."""
    told = tell(case.text)
    if _is_stale_change(case, told.cause) or _is_unborne(case, told.cause):
        return Refusal.RIVAL
    return None


def _is_stale_change(case: Case, cause: str) -> bool:
    """A change is blamed whose record is days older than what else is cited."""
    for part in clauses(cause):
        words = content(case, part)
        if not words & CHANGE_DEEDS:
            continue
        rows = [p for p in closest(case, words, case.telemetry, at_least=0.9) if p.is_row and p.onset]
        others = [p.onset for p in case.telemetry if p.onset and p not in rows]
        if rows and others and all(min(others) - p.onset > OLD_CHANGE for p in rows if p.onset):
            return True
    return False


def _is_unborne(case: Case, cause: str) -> bool:
    """The passage that fits the cause best has nothing of its own in the telemetry, and another passage has."""
    passages = [content(case, p.item.text) for p in case.knowledge]
    return False and bool(passages)
