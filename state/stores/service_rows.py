"""What a service keeps, as rows: requests, judgements, cases, alert groups, accesses. Inside the caller's transaction.

What is claimed is looked for and then inserted. Of two that insert at once the later one's transaction fails on the
key and is run again as a whole; then it finds the earlier one.
"""

import hashlib
import json
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, insert, select, update
from sqlmodel import col

from state.model.ids import RunId
from state.model.served import AccessRecord, AlertRun, CaseKind, CaseRecord, CaseState, KeptRequest, RunFeedback
from state.stores.control_tables import plain_columns
from state.stores.service_tables import AccessTable, AlertGroupTable, CaseTable, KeptRequestTable, RunFeedbackTable

REQUEST_KEPT_S = 24 * 3600.0
"""How long a repeated request finds the run of the first one."""

_CASE = select(*plain_columns(CaseTable, CaseRecord.model_fields))
_FEEDBACK = select(*plain_columns(RunFeedbackTable, RunFeedback.model_fields))
_ACCESS = select(*plain_columns(AccessTable, AccessRecord.model_fields))


def claim_request(connection: Connection, request: KeptRequest, *, now: datetime) -> KeptRequest:
    """The request kept under its key: this one, or the earlier one while that is not too old."""
    table = KeptRequestTable
    of_key = col(table.request_sha256) == _sha256(request.owner_key, request.key)
    columns: tuple[Any, ...] = (col(table.body_sha256), col(table.run_id), col(table.kept_at))
    found = connection.execute(select(*columns).where(of_key).with_for_update()).one_or_none()
    values = {"body_sha256": request.body_sha256, "run_id": request.run_id, "kept_at": now}
    if found is None:
        values["request_sha256"] = _sha256(request.owner_key, request.key)
        connection.execute(insert(table).values(values))
    elif found.kept_at > now - timedelta(seconds=REQUEST_KEPT_S):
        return request.model_copy(update={"body_sha256": found.body_sha256, "run_id": RunId(found.run_id)})
    else:
        connection.execute(update(table).where(of_key).values(values))
    return request


def put_feedback(connection: Connection, feedback: RunFeedback) -> None:
    """Insert what the key says of the run, or put it in place of what it said."""
    table = RunFeedbackTable
    same = (col(table.run_id) == feedback.run_id, col(table.owner_key) == feedback.owner_key)
    if connection.scalar(select(col(table.run_id)).where(*same).with_for_update()) is None:
        connection.execute(insert(table).values(feedback.model_dump()))
    else:
        connection.execute(update(table).where(*same).values(feedback.model_dump()))


def feedback_of(connection: Connection, run_id: RunId) -> tuple[RunFeedback, ...]:
    """What was said of the run, oldest first."""
    table = RunFeedbackTable
    query = _FEEDBACK.where(col(table.run_id) == run_id).order_by(col(table.at), col(table.owner_key))
    return tuple(RunFeedback.model_validate(dict(row)) for row in connection.execute(query).mappings())


def add_case(connection: Connection, case: CaseRecord) -> CaseRecord:
    """The case of its run and kind, inserted or there already.

    One that says something else takes the place of a PENDING correction under its own id, so that nobody decides on a
    text he did not see.
    """
    table = CaseTable
    same = (col(table.run_id) == case.run_id, col(table.kind) == case.kind)
    found = connection.execute(_CASE.where(*same).with_for_update()).mappings().one_or_none()
    if found is None:
        connection.execute(insert(table).values(case.model_dump()))
        return case
    kept = CaseRecord.model_validate(dict(found))
    if kept.kind is not CaseKind.CORRECTION or kept.state is not CaseState.PENDING:
        return kept
    if (kept.title, kept.text) == (case.title, case.text):
        return kept
    said = {"case_id": case.case_id, "title": case.title, "text": case.text, "created_at": case.created_at}
    connection.execute(update(table).where(*same).values(said))
    return kept.model_copy(update=said)


def find_case(connection: Connection, case_id: str) -> CaseRecord | None:
    """The case, or None."""
    row = connection.execute(_CASE.where(col(CaseTable.case_id) == case_id)).mappings().one_or_none()
    return CaseRecord.model_validate(dict(row)) if row else None


def list_cases(connection: Connection, *, state: CaseState | None, limit: int) -> tuple[CaseRecord, ...]:
    """The last added first."""
    query = _CASE if state is None else _CASE.where(col(CaseTable.state) == state)
    rows = connection.execute(query.order_by(col(CaseTable.case_no).desc()).limit(limit)).mappings()
    return tuple(CaseRecord.model_validate(dict(row)) for row in rows)


def decide_case(
    connection: Connection, case_id: str, state: CaseState, *, by: str, now: datetime, doc_id: str | None
) -> CaseRecord | None:
    """The case after the attempt; only a PENDING one is changed."""
    pending = (col(CaseTable.case_id) == case_id, col(CaseTable.state) == CaseState.PENDING)
    decision = {"state": state, "decided_by": by, "decided_at": now, "doc_id": doc_id}
    connection.execute(update(CaseTable).where(*pending).values(decision))
    return find_case(connection, case_id)


def join_alert(connection: Connection, group: str, run_id: RunId, *, now: datetime, within_s: float) -> AlertRun:
    """The run of the group: the earlier one while its claim is not too old, else this one."""
    table = AlertGroupTable
    of_group = col(table.group_sha256) == _sha256(group)
    columns: tuple[Any, ...] = (col(table.run_id), col(table.claimed_at))
    found = connection.execute(select(*columns).where(of_group).with_for_update()).one_or_none()
    values = {"run_id": run_id, "claimed_at": now}
    if found is None:
        connection.execute(insert(table).values(values | {"group_sha256": _sha256(group)}))
    elif found.claimed_at > now - timedelta(seconds=within_s):
        return AlertRun(run_id=RunId(found.run_id), joined=found.run_id != run_id)
    else:
        connection.execute(update(table).where(of_group).values(values))
    return AlertRun(run_id=run_id, joined=False)


def record_access(connection: Connection, access: AccessRecord) -> None:
    """Insert one access."""
    connection.execute(insert(AccessTable).values(access.model_dump()))


def list_accesses(connection: Connection, *, limit: int) -> tuple[AccessRecord, ...]:
    """The last recorded first."""
    rows = connection.execute(_ACCESS.order_by(col(AccessTable.access_no).desc()).limit(limit)).mappings()
    return tuple(AccessRecord.model_validate(dict(row)) for row in rows)


def _sha256(*parts: str) -> str:
    """Of the parts as JSON, so that no two lists of parts are the same text."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
