"""Records beside those of a run that no draft may cite: of another run, failed, unfinished, expired or tampered with.

Each is a copy of a result that the draft cites, so that only its standing speaks against it.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from enum import StrEnum

from eval.adversary.correct_drafts import CorrectDraft
from state.model.enums import EvidenceStatus, InvocationStatus, ToolCode
from state.model.evidence import CanonicalRecord, parse_projection, render_projection
from state.model.ids import RunId, ToolCallId, digest

_OTHER_RUN = RunId("0b9a4c1e-7a53-4d0e-8a7e-5f1d2c3b4a69")


class Decoy(StrEnum):
    """Why a record may not be cited. The value begins the id of its call."""

    FOREIGN = "foreign"
    FAILED = "failed"
    PROJECTING = "projecting"
    EXPIRED = "expired"
    TAMPERED = "tampered"
    PARTIAL_NOTHING = "partial-nothing"
    """READY and empty although the search was not complete: no absence."""


def decoy_id(decoy: Decoy, call_id: str) -> ToolCallId:
    """The id of the decoy made of that call."""
    return ToolCallId(f"{decoy.value}-{call_id}"[:64])


def with_decoys(origin: CorrectDraft) -> CorrectDraft:
    """The same draft among its records and one decoy of each kind for every record it cites."""
    cited = {call_id for analysis in origin.draft.analysis for call_id in analysis.tool_call_ids}
    made = [
        one for call_id in sorted(cited) if (record := origin.records.get(ToolCallId(call_id))) for one in _of(record)
    ]
    records = {**origin.records, **{one.tool_call_id: one for one in made}}
    known = origin.context.answered_ids | {one.tool_call_id for one in made}
    return replace(origin, records=records, context=replace(origin.context, answered_ids=known))


def _of(record: CanonicalRecord) -> Iterator[CanonicalRecord]:
    yield _renamed(record, Decoy.FOREIGN).model_copy(update={"run_id": _OTHER_RUN})
    yield _renamed(record, Decoy.FAILED).model_copy(
        update={
            "status": InvocationStatus.ERROR,
            "evidence_status": EvidenceStatus.ERROR,
            "error_code": ToolCode.TOOL_TIMEOUT,
        }
    )
    yield _renamed(record, Decoy.PROJECTING).model_copy(
        update={"status": InvocationStatus.PROJECTING, "evidence_status": None}
    )
    yield _renamed(record, Decoy.EXPIRED).model_copy(update={"expires_at": record.begun_at - timedelta(seconds=1)})
    tampered = _renamed(record, Decoy.TAMPERED)
    changed = (tampered.projection_json or "").replace('"truncated":false', '"truncated": false', 1)
    yield tampered.model_copy(update={"projection_json": changed + " "})
    yield _partial_nothing(record)


def _renamed(record: CanonicalRecord, decoy: Decoy) -> CanonicalRecord:
    """The record under another id, its projection and digest made to agree."""
    projection = parse_projection(record.projection_json)
    assert projection is not None, "a cited record has a projection"
    call_id = decoy_id(decoy, record.tool_call_id)
    text = render_projection(projection.model_copy(update={"tool_call_id": call_id}))
    return record.model_copy(
        update={"tool_call_id": call_id, "projection_json": text, "projection_sha256": digest(text)}
    )


def _partial_nothing(record: CanonicalRecord) -> CanonicalRecord:
    renamed = _renamed(record, Decoy.PARTIAL_NOTHING)
    projection = parse_projection(renamed.projection_json)
    assert projection is not None, "it was just rendered"
    update = {"items": (), "coverage": "PARTIAL", "evidence_status": "NO_EVIDENCE", "total_matches": 0}
    text = render_projection(type(projection).model_validate(projection.model_dump() | update))
    return renamed.model_copy(
        update={
            "evidence_status": EvidenceStatus.NO_EVIDENCE,
            "projection_json": text,
            "projection_sha256": digest(text),
        }
    )
