"""Whether the audit of a run is still what it was when the run ended. Pure.

The run's row keeps how many rows there were and their digest; both are computed again. What this shows, and what it
cannot: docs/threat-model.md.
"""

from collections.abc import Sequence
from enum import StrEnum

from state.model.audit import AuditDigest, AuditRow, digest_of
from state.model.base import Value
from state.model.run_end import END_KEY


class AuditVerdict(StrEnum):
    """What the comparison says."""

    VERIFIED = "VERIFIED"
    ALTERED = "ALTERED"
    NOT_RECORDED = "NOT_RECORDED"
    """There is nothing to compare with: the run goes on, an older program closed it, or its audit was down then."""


class AuditDifference(StrEnum):
    """In what an altered audit differs."""

    COUNT = "COUNT"
    CONTENT = "CONTENT"


class AuditCheck(Value):
    """The comparison."""

    verdict: AuditVerdict
    difference: AuditDifference | None
    """None unless the verdict is ALTERED."""
    recorded: AuditDigest | None
    """As kept when the run ended; None unless something was."""
    found: AuditDigest
    """Of the rows that are there now."""
    end_missing: bool
    """True if something was recorded and RUN_FINISHED is not there: so it is too where a process died just then."""


def check_audit(recorded: AuditDigest | None, rows: Sequence[AuditRow]) -> AuditCheck:
    """The comparison of what was kept with the rows that are there, in order of ``sequence_no``."""
    found = digest_of(rows)
    verdict, difference = _judged(recorded, found)
    ends = any(row.event_key == END_KEY for row in rows)
    return AuditCheck(
        verdict=verdict,
        difference=difference,
        recorded=recorded,
        found=found,
        end_missing=recorded is not None and not ends,
    )


def _judged(recorded: AuditDigest | None, found: AuditDigest) -> tuple[AuditVerdict, AuditDifference | None]:
    if recorded is None:
        return AuditVerdict.NOT_RECORDED, None
    if recorded.rows != found.rows:
        return AuditVerdict.ALTERED, AuditDifference.COUNT
    if recorded.sha256 != found.sha256:
        return AuditVerdict.ALTERED, AuditDifference.CONTENT
    return AuditVerdict.VERIFIED, None
