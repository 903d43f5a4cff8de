"""Tables of the canonical store. Everything in them expires; nothing of them outlives its run by more than the TTL."""

from sqlalchemy import Column, Integer, MetaData, String, Table, UniqueConstraint

from state.stores.canonical_rules import STORE
from state.stores.column_types import Instant, LongText
from state.stores.schema import Schema

_METADATA = MetaData()

RECORD = Table(
    "canonical_record",
    _METADATA,
    Column("record_no", Integer, primary_key=True),
    Column("run_id", String(36), nullable=False),
    Column("tool_call_id", String(64), nullable=False),
    Column("tool", String(64), nullable=False),
    Column("request_hash", String(64), nullable=False),
    Column("scope_key", LongText, nullable=False),
    Column("lease_epoch", Integer, nullable=False),
    Column("status", String(40), nullable=False),
    Column("evidence_status", String(40)),
    Column("error_code", String(40)),
    Column("projection_json", LongText),
    Column("projection_sha256", String(64)),
    Column("request_bytes", Integer, nullable=False),
    Column("raw_bytes", Integer, nullable=False),
    Column("projection_bytes", Integer, nullable=False),
    Column("begun_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False, index=True),
    Column("raw_json", LongText),
    UniqueConstraint("run_id", "tool_call_id"),
)
"""``record_no`` is the order of beginning; ``expires_at`` is written once."""

FENCE = Table(
    "canonical_fence",
    _METADATA,
    Column("run_id", String(36), primary_key=True),
    Column("epoch", Integer, nullable=False),
    Column("expires_at", Instant, nullable=False, index=True),
)
"""The lowest epoch that may still write for a run."""

PLACEHOLDER = Table(
    "canonical_placeholder",
    _METADATA,
    Column("run_id", String(36), primary_key=True),
    Column("placeholder", String(100), primary_key=True),
    Column("value", LongText, nullable=False),
    Column("expires_at", Instant, nullable=False, index=True),
)

CANONICAL_SCHEMA = Schema(STORE, _METADATA)
