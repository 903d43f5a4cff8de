"""Is each thing said of the service, host or component that the evidence shows it for? Pure."""

import re

from models.offline.causes import Candidate
from models.offline.lexicon import CHANGE_DEEDS
from models.offline.ranking import Match
from models.offline.review_case import Evidence, ReviewCase, searchable
from models.offline.review_clauses import Clause, candidate_of, clauses, known_names, speaking_of
from models.offline.review_reasons import Refusal
from models.offline.terms import term_set

OWN_WORDS = 2
_SET_ASIDE = (
    r"(?:\bnot(?: in| by| from| at| with| caused by)?(?: the)?|\brather than(?: in| by)?|\binstead of"
    r"|不在|不是|并非|而非|而不是)"
)


def subjects_agree(case: ReviewCase) -> Refusal | None:
    """Each name in a clause occurs in telemetry that says what the clause says."""
    wrong = any(_is_wrong(case, clause) for clause in clauses(case, case.text) if clause.names)
    return Refusal.SUBJECT if wrong or _blames_another(case) else None


def _is_wrong(case: ReviewCase, clause: Clause) -> bool:
    """A service must be named where the clause is borne out; another name at least in telemetry of the same service."""
    speaking = speaking_of(case, clause.words)
    owned = [e for e in speaking if any(e.mentions(name) for name in case.services)]
    if _is_anothers_change(case, clause, owned):
        return True
    services = {e.event.service for e in speaking} - {""}
    for name in affirmed_names(clause):
        telling = (
            owned if name in case.services else [*speaking, *(e for e in case.telemetry if e.event.service in services)]
        )
        if telling and not any(e.mentions(name) for e in telling):
            return True
    return False


def _is_anothers_change(case: ReviewCase, clause: Clause, owned: list[Evidence]) -> bool:
    """A clause tells of a change, and the recorded changes that speak of it were made to other services."""
    rows = [e for e in owned if e.event.is_row]
    services = [name for name in affirmed_names(clause) if name in case.services]
    is_deed = bool(clause.words & CHANGE_DEEDS)
    return is_deed and bool(rows and services) and not any(e.mentions(name) for e in rows for name in services)


def affirmed_names(clause: Clause) -> tuple[str, ...]:
    """Names of the clause that it does not set aside ("not in X but in Y")."""
    return tuple(
        name for name in clause.names if not re.search(rf"{_SET_ASIDE}\s*{re.escape(name)}", clause.text, re.IGNORECASE)
    )


def _blames_another(case: ReviewCase) -> bool:
    """The stretch called the cause names a service that neither telltales nor telemetry of its own bear out."""
    for cause in case.told.causes or (case.text,):
        for clause in clauses(case, cause):
            services = [name for name in affirmed_names(clause) if name in case.services]
            candidate = candidate_of(case, clause.words)
            shown = _telltales(case, candidate)
            if candidate and shown and any(not _is_borne_out(case, name, candidate, shown) for name in services):
                return True
    return False


def _is_borne_out(case: ReviewCase, name: str, candidate: Candidate, shown: tuple[Evidence, ...]) -> bool:
    if any(e.mentions(name) for e in shown):
        return True
    told = {t for t in candidate.phrase_terms | candidate.body_terms if (case.roles.of(t) or 0.0) >= 0.0}
    own = [e for e in case.telemetry if e.event.service == name.lower()]
    return any(len(term_set(searchable(e)) & told) >= OWN_WORDS for e in own)


def _telltales(case: ReviewCase, candidate: Candidate | None) -> tuple[Evidence, ...]:
    """Telemetry that carries a marker of the documented cause."""
    match = next((m for m in case.matches if m.candidate is candidate), None)
    refs = _own_refs(match) if match is not None else set()
    return tuple(e for e in case.telemetry if e.ref in refs)


def _own_refs(match: Match) -> set[str]:
    hits = [hit for hit in match.hits if hit.is_own and hit.worth >= 0.4] or list(match.hits)
    return {hit.event.item.item_id for hit in hits if hit.worth > 0}


def statements_keep_subjects(case: ReviewCase) -> Refusal | None:
    """Each analysis names only services that its own evidence names."""
    by_ref = {e.ref: e for e in case.evidence}
    for statement in case.statements:
        cited = [by_ref[ref] for ref in statement.evidence if ref in by_ref]
        names = [name for name in known_names(case, statement.text) if name in case.services]
        if cited and any(not any(e.mentions(name) for e in cited) for name in names):
            return Refusal.SUBJECT
    return None
