"""The life of a canonical record: which one may begin, and how it becomes READY or ERROR.

Pure; every backend uses it.
"""

from collections.abc import Sequence

from state.model.enums import EvidenceStatus, InvocationStatus, ToolCode
from state.model.errors import ResultsGone, TruthUnavailable
from state.model.evidence import CanonicalRecord
from state.model.ids import RunId, ToolCallId, digest
from state.model.run import Lease

STORE = "canonical"
CANONICAL_TTL_S = 7800.0
"""2 h 10 min: longer than a run may live. Fences and placeholders keep it; a record brings its own expiry."""

_READY = frozenset({EvidenceStatus.EVIDENCE_FOUND, EvidenceStatus.NO_EVIDENCE})


def check_begin(lease: Lease, record: CanonicalRecord) -> None:
    """Return if this record may be begun under this lease.

    Raises:
        ValueError: it is another run's or epoch's, or not a bare PROJECTING record.
    """
    if (record.run_id, record.lease_epoch) != (lease.run_id, lease.epoch):
        raise ValueError(f"record of run {record.run_id} epoch {record.lease_epoch} under another lease")
    if record.status is not InvocationStatus.PROJECTING or record.evidence_status or record.projection_json:
        raise ValueError(f"a record begins PROJECTING and without result, not {record.status}")


def completed(
    record: CanonicalRecord | None, evidence_status: EvidenceStatus, projection_json: str, raw_json: str
) -> CanonicalRecord:
    """The READY record.

    Raises:
        TruthUnavailable: there is no PROJECTING record to complete.
        ValueError: the status is none of a READY record.
    """
    if evidence_status not in _READY:
        raise ValueError(f"a READY record cannot be {evidence_status}")
    if record is None or record.status is not InvocationStatus.PROJECTING:
        raise TruthUnavailable(STORE, "complete")
    return record.model_copy(
        update={
            "status": InvocationStatus.READY,
            "evidence_status": evidence_status,
            "projection_json": projection_json,
            "projection_sha256": digest(projection_json),
            "projection_bytes": len(projection_json.encode()),
            "raw_bytes": len(raw_json.encode()),
        }
    )


def failed(record: CanonicalRecord | None, code: ToolCode) -> CanonicalRecord:
    """The ERROR record; one that is ERROR already keeps its code.

    Raises:
        TruthUnavailable: there is no record, or it is READY.
    """
    if record is None or record.status is InvocationStatus.READY:
        raise TruthUnavailable(STORE, "fail")
    if record.status is InvocationStatus.ERROR:
        return record
    update = {"status": InvocationStatus.ERROR, "evidence_status": EvidenceStatus.ERROR, "error_code": code}
    return record.model_copy(update=update)


def copied(
    source: RunId, lease: Lease, ids: Sequence[ToolCallId], found: Sequence[CanonicalRecord]
) -> tuple[CanonicalRecord, ...]:
    """Copies under the new run's lease, in the order of ``ids``, with their original times.

    Raises:
        ResultsGone: one of ``ids`` is missing, expired or PROJECTING.
    """
    finished = {record.tool_call_id: record for record in found if record.status is not InvocationStatus.PROJECTING}
    missing = [tool_call_id for tool_call_id in ids if tool_call_id not in finished]
    if missing:
        raise ResultsGone(lease.run_id, f"result {missing[0]} of run {source} is not on record any more")
    update = {"run_id": lease.run_id, "lease_epoch": lease.epoch}
    return tuple(finished[tool_call_id].model_copy(update=update) for tool_call_id in ids)
