"""Tables of what a service keeps beside its runs. They are part of the control store's database and schema.

A key that others choose is kept as its SHA-256: of any length, and equal byte by byte in every dialect.
"""

from datetime import datetime
from typing import ClassVar

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field

from state.stores.column_types import TABLE_OPTIONS, Instant, LongText, WholeNumber
from state.stores.control_tables import ControlTable


class KeptRequestTable(ControlTable, table=True):
    """The run that one ``Idempotency-Key`` of one owner started."""

    __tablename__: ClassVar[str] = "kept_request"
    __table_args__ = TABLE_OPTIONS

    request_sha256: str = Field(max_length=64, primary_key=True)
    """Of owner and key."""
    body_sha256: str = Field(max_length=64)
    run_id: str = Field(max_length=36)
    kept_at: datetime = Field(sa_type=Instant, index=True)


class RunFeedbackTable(ControlTable, table=True):
    """What one key says of one run."""

    __tablename__: ClassVar[str] = "run_feedback"
    __table_args__ = TABLE_OPTIONS

    run_id: str = Field(max_length=36, primary_key=True)
    owner_key: str = Field(max_length=200, primary_key=True)
    verdict: str = Field(max_length=40)
    correction: str = Field(sa_type=LongText)
    at: datetime = Field(sa_type=Instant)


class CaseTable(ControlTable, table=True):
    """One past incident offered to the knowledge base."""

    __tablename__: ClassVar[str] = "case_record"
    __table_args__ = (
        UniqueConstraint("run_id", "kind"),
        Index("case_by_state", "state", "case_no"),
        TABLE_OPTIONS,
    )

    case_no: int | None = Field(default=None, primary_key=True, sa_type=WholeNumber)
    """Order of adding."""
    case_id: str = Field(max_length=64, unique=True)
    run_id: str = Field(max_length=36)
    kind: str = Field(max_length=40)
    title: str = Field(sa_type=LongText)
    text: str = Field(sa_type=LongText)
    state: str = Field(max_length=40)
    created_at: datetime = Field(sa_type=Instant)
    decided_by: str | None = Field(default=None, max_length=200)
    decided_at: datetime | None = Field(default=None, sa_type=Instant)
    doc_id: str | None = Field(default=None, max_length=200)


class AlertGroupTable(ControlTable, table=True):
    """The run of one group of alerts."""

    __tablename__: ClassVar[str] = "alert_group"
    __table_args__ = TABLE_OPTIONS

    group_sha256: str = Field(max_length=64, primary_key=True)
    run_id: str = Field(max_length=36)
    claimed_at: datetime = Field(sa_type=Instant, index=True)


class AccessTable(ControlTable, table=True):
    """One access to what only auditors may see."""

    __tablename__: ClassVar[str] = "access_record"
    __table_args__ = TABLE_OPTIONS

    access_no: int | None = Field(default=None, primary_key=True, sa_type=WholeNumber)
    """Order of recording."""
    at: datetime = Field(sa_type=Instant, index=True)
    name: str = Field(max_length=200)
    action: str = Field(max_length=60)
    run_id: str | None = Field(default=None, max_length=36)
    request_id: str = Field(max_length=64)
