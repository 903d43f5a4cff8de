"""The tables of the audit. Steps, tool calls and timeline are readings of its events, not further tables."""

from datetime import datetime
from typing import ClassVar

from sqlalchemy import UniqueConstraint
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

from state.stores.column_types import TABLE_OPTIONS, Instant, LongText, WholeNumber
from state.stores.schema import Schema


class AuditTable(SQLModel, registry=registry()):
    """Base of the audit tables, with a metadata of their own."""


class TraceEventTable(AuditTable, table=True):
    """One thing that happened in a run: bounded metadata, never a text of model, tool or person."""

    __tablename__: ClassVar[str] = "trace_event"
    __table_args__ = (UniqueConstraint("run_id", "event_key"), TABLE_OPTIONS)

    run_id: str = Field(max_length=36, primary_key=True)
    sequence_no: int = Field(primary_key=True)
    """From 1; a gap is a lost write."""
    event_key: str = Field(max_length=200)
    phase: str = Field(max_length=40)
    type: str = Field(max_length=40)
    node: str = Field(max_length=64)
    at: datetime = Field(sa_type=Instant)
    duration_ms: int | None = Field(default=None, sa_type=WholeNumber)
    details: str = Field(sa_type=LongText)
    """JSON object of scalars."""
    lease_epoch: int = Field(sa_type=WholeNumber)
    """Epoch of the holder that wrote it."""


class AuditTimelineTable(AuditTable, table=True):
    """Where the timeline of a run stands. Whoever adds an event holds this row until its transaction ends."""

    __tablename__: ClassVar[str] = "audit_timeline"
    __table_args__ = (TABLE_OPTIONS,)

    run_id: str = Field(max_length=36, primary_key=True)
    fence_epoch: int = Field(sa_type=WholeNumber)
    """Events of an earlier epoch are dropped; 0 before the first closing."""
    end_no: int | None = None
    """Number of the last event under this fence; null before the first closing."""


AUDIT_SCHEMA = Schema("audit", AuditTable.metadata)
