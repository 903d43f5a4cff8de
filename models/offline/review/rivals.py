"""Is the cause one that the documents exclude by what the telemetry shows? Pure."""

from datetime import timedelta

from models.offline.lexicon import CHANGE_DEEDS
from models.offline.review.borne import Passage, own_markers, passages, seen, told_by
from models.offline.review.case import Case
from models.offline.review.likeness import closest, content, weight
from models.offline.review.reasons import Refusal
from models.offline.review.telling import clauses, tell
from models.offline.terms import Term

UNBORNE_MIN = 1.2
UNBORNE_SHARE = 0.65
OLD_CHANGE = timedelta(days=3)


def is_not_ruled_out(case: Case) -> Refusal | None:
    """No document rules the cause out by what was seen, the telemetry has it, and a blamed change is a recent one."""
    told = tell(case.text)
    among = passages(case)
    account = told_by(case, told.cause, among)
    is_borne = account is not None and bool(seen(case, own_markers(account, among)))
    if account is not None and (seen(case, account.against) or _is_outshone(case, account, among)):
        return Refusal.RIVAL
    if _is_stale_change(case, told.cause) or (not is_borne and _is_unborne(case, told.cause)):
        return Refusal.RIVAL
    return None


def _is_outshone(case: Case, account: Passage, among: tuple[Passage, ...]) -> bool:
    """None of the account's own telltales was seen, but another account's were."""
    own = own_markers(account, among)
    others = [one for one in among if one is not account]
    return (
        bool(own)
        and not seen(case, own)
        and (account.is_aside or any(seen(case, own_markers(one, among)) for one in others))
    )


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
    """Most of what only the documents could have told of the cause is not in the telemetry."""
    telemetry = frozenset[Term]().union(*(p.terms for p in case.telemetry))
    documents = frozenset[Term]().union(*(content(case, p.item.text) for p in case.knowledge))
    words = frozenset(t for t in content(case, cause) if not t.startswith(("i:", "n:")))
    borrowed = weight(case, (words & documents) - telemetry)
    shown = weight(case, words & telemetry)
    return borrowed > UNBORNE_MIN and borrowed > UNBORNE_SHARE * (borrowed + shown)
