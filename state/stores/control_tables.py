"""Tables of the control store. One row type each; instants are microseconds, values of ours JSON text."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import Column, Index, UniqueConstraint
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

from state.model.release import EvidenceView, ReleaseDecision
from state.model.run import RunFacts
from state.stores.column_types import TABLE_OPTIONS, Instant, LongText, ValueJson, WholeNumber


class ControlTable(SQLModel, registry=registry()):
    """Base of the control tables, with a metadata of their own."""


class RunTable(ControlTable, table=True):
    """One run: who executes it, what it spent, how it ended."""

    __tablename__: ClassVar[str] = "run"
    __table_args__ = (
        Index("run_by_state", "run_state", "lease_until"),
        Index("run_by_owner", "owner_key", "run_no"),
        Index("run_by_outcome", "outcome", "run_no"),
        Index("run_by_owner_outcome", "owner_key", "outcome", "run_no"),
        TABLE_OPTIONS,
    )

    run_no: int | None = Field(default=None, primary_key=True, sa_type=WholeNumber)
    """Order of opening."""
    run_id: str = Field(max_length=36, unique=True)
    session_id: str = Field(max_length=64, index=True)
    owner_key: str = Field(max_length=200)
    """Key that opened the session."""
    thread_id: str = Field(max_length=200)
    query: str = Field(sa_type=LongText)
    language: str = Field(max_length=8)
    model: str = Field(max_length=200)
    world: str | None = Field(default=None, sa_type=LongText)
    parent_run_id: str | None = Field(default=None, max_length=36)
    fork_checkpoint: str | None = Field(default=None, max_length=200)
    facts: RunFacts = Field(sa_type=ValueJson(RunFacts))
    owner: str = Field(max_length=200)
    """Process that holds, or last held, the lease."""
    lease_epoch: int = Field(sa_type=WholeNumber)
    lease_until: datetime = Field(sa_type=Instant)
    cancel_requested_at: datetime | None = Field(default=None, sa_type=Instant)
    cancel_reason: str | None = Field(default=None, max_length=40)
    active_ms: int = Field(default=0, sa_type=WholeNumber)
    opened_at: datetime = Field(sa_type=Instant)
    closed_at: datetime | None = Field(default=None, sa_type=Instant)
    resumes: int = 0
    intent: str | None = Field(default=None, max_length=40)
    run_state: str = Field(max_length=40)
    outcome: str | None = Field(default=None, max_length=40)
    content_type: str | None = Field(default=None, max_length=40)
    fallback_type: str | None = Field(default=None, max_length=40)
    stop_reason: str | None = Field(default=None, max_length=40)
    failure_code: str | None = Field(default=None, max_length=40)
    decision: ReleaseDecision | None = Field(default=None, sa_type=ValueJson(ReleaseDecision))
    """What was published; null while running."""
    audit_lost: int = Field(default=0, sa_type=WholeNumber)
    audit_rows: int | None = None
    """Rows of its audit, the last event included; null while running, or where none was recorded."""
    audit_sha256: str | None = Field(default=None, max_length=64)
    """Their digest (``state.model.audit``)."""
    stream_seen_at: datetime | None = Field(default=None, sa_type=Instant)
    """When somebody last watched it from outside; null if nobody ever did."""
    detached: bool = False
    """True: goes on without anybody watching."""


class RunQuestionTable(ControlTable, table=True):
    """What one run was asked, as searches compare it. Beside the run: reading past its long columns costs more."""

    __tablename__: ClassVar[str] = "run_question"
    __table_args__ = TABLE_OPTIONS

    run_no: int | None = Field(default=None, primary_key=True, sa_type=WholeNumber)
    """Of the run."""
    folded: str = Field(sa_type=LongText)
    """The question, case-folded."""


class BudgetEntryTable(ControlTable, table=True):
    """One line of the ledger, written before the spending."""

    __tablename__: ClassVar[str] = "budget_entry"
    __table_args__ = (UniqueConstraint("run_id", "kind", "key"), TABLE_OPTIONS)

    entry_no: int | None = Field(default=None, primary_key=True, sa_type=WholeNumber)
    """Order of writing."""
    run_id: str = Field(max_length=36)
    kind: str = Field(max_length=40)
    key: str = Field(max_length=200)
    component: str = Field(max_length=200)
    reserved: int = Field(sa_type=WholeNumber)
    settled: int | None = Field(default=None, sa_type=WholeNumber)
    usage_reported: bool = False


class PublicEventTable(ControlTable, table=True):
    """One committed frame of a run's public stream."""

    __tablename__: ClassVar[str] = "public_event"
    __table_args__ = (UniqueConstraint("run_id", "event_key"), TABLE_OPTIONS)

    run_id: str = Field(max_length=36, primary_key=True)
    seq: int = Field(primary_key=True)
    """From 1, without gaps."""
    event_key: str = Field(max_length=200)
    type: str = Field(max_length=40)
    payload: str = Field(sa_type=LongText)
    """JSON object."""


class ChatSessionTable(ControlTable, table=True):
    """One session and the key it belongs to."""

    __tablename__: ClassVar[str] = "chat_session"
    __table_args__ = TABLE_OPTIONS

    session_id: str = Field(max_length=64, primary_key=True)
    owner_key: str = Field(max_length=200)
    opened_at: datetime = Field(sa_type=Instant)


class PublishedEvidenceTable(ControlTable, table=True):
    """One result a released content cites, kept as long as the report."""

    __tablename__: ClassVar[str] = "published_evidence"
    __table_args__ = TABLE_OPTIONS

    run_id: str = Field(max_length=36, primary_key=True)
    position: int = Field(primary_key=True)
    """From 0, in the order of the content."""
    tool_call_id: str = Field(max_length=64)
    evidence: EvidenceView = Field(sa_type=ValueJson(EvidenceView))


def plain_columns(table: type[ControlTable], names: Iterable[str]) -> tuple[Column[Any], ...]:
    """Columns to read, in order of ``names``; SQLAlchemy matches mapped ones anew on every read, at twice the cost."""
    columns = ControlTable.metadata.tables[str(table.__tablename__)].c
    return tuple(columns[name] for name in names)
