"""SQLite files as the program wrote them before there were revisions: its statements, word for word."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

_VERSION = """CREATE TABLE schema_version (
	component VARCHAR(40) NOT NULL, 
	version INTEGER NOT NULL, 
	PRIMARY KEY (component)
)"""

_CONTROL = (
    """CREATE TABLE run (
	run_no INTEGER NOT NULL, 
	run_id VARCHAR(36) NOT NULL, 
	session_id VARCHAR(64) NOT NULL, 
	owner_key VARCHAR(200) NOT NULL, 
	thread_id VARCHAR(200) NOT NULL, 
	"query" TEXT NOT NULL, 
	language VARCHAR(8) NOT NULL, 
	model VARCHAR(200) NOT NULL, 
	world TEXT, 
	parent_run_id VARCHAR(36), 
	fork_checkpoint VARCHAR(200), 
	facts TEXT NOT NULL, 
	owner VARCHAR(200) NOT NULL, 
	lease_epoch INTEGER NOT NULL, 
	lease_until BIGINT NOT NULL, 
	cancel_requested_at BIGINT, 
	cancel_reason VARCHAR(40), 
	active_ms INTEGER NOT NULL, 
	opened_at BIGINT NOT NULL, 
	closed_at BIGINT, 
	resumes INTEGER NOT NULL, 
	intent VARCHAR(40), 
	run_state VARCHAR(40) NOT NULL, 
	outcome VARCHAR(40), 
	content_type VARCHAR(40), 
	fallback_type VARCHAR(40), 
	stop_reason VARCHAR(40), 
	failure_code VARCHAR(40), 
	decision TEXT, 
	audit_lost INTEGER NOT NULL, 
	PRIMARY KEY (run_no), 
	UNIQUE (run_id)
)""",
    "CREATE INDEX ix_run_session_id ON run (session_id)",
    "CREATE INDEX run_by_state ON run (run_state, lease_until)",
    """CREATE TABLE budget_entry (
	entry_no INTEGER NOT NULL, 
	run_id VARCHAR(36) NOT NULL, 
	kind VARCHAR(40) NOT NULL, 
	"key" VARCHAR(200) NOT NULL, 
	component VARCHAR(200) NOT NULL, 
	reserved INTEGER NOT NULL, 
	settled INTEGER, 
	usage_reported BOOLEAN NOT NULL, 
	PRIMARY KEY (entry_no), 
	UNIQUE (run_id, kind, "key")
)""",
    """CREATE TABLE public_event (
	run_id VARCHAR(36) NOT NULL, 
	seq INTEGER NOT NULL, 
	event_key VARCHAR(200) NOT NULL, 
	type VARCHAR(40) NOT NULL, 
	payload TEXT NOT NULL, 
	PRIMARY KEY (run_id, seq), 
	UNIQUE (run_id, event_key)
)""",
    """CREATE TABLE chat_session (
	session_id VARCHAR(64) NOT NULL, 
	owner_key VARCHAR(200) NOT NULL, 
	opened_at BIGINT NOT NULL, 
	PRIMARY KEY (session_id)
)""",
    """CREATE TABLE published_evidence (
	run_id VARCHAR(36) NOT NULL, 
	position INTEGER NOT NULL, 
	tool_call_id VARCHAR(64) NOT NULL, 
	evidence TEXT NOT NULL, 
	PRIMARY KEY (run_id, position)
)""",
)

_AUDIT = (
    """CREATE TABLE trace_event (
	run_id VARCHAR(36) NOT NULL, 
	sequence_no INTEGER NOT NULL, 
	event_key VARCHAR(200) NOT NULL, 
	phase VARCHAR(40) NOT NULL, 
	type VARCHAR(40) NOT NULL, 
	node VARCHAR(64) NOT NULL, 
	at BIGINT NOT NULL, 
	duration_ms INTEGER, 
	details TEXT NOT NULL, 
	lease_epoch INTEGER NOT NULL, 
	PRIMARY KEY (run_id, sequence_no), 
	UNIQUE (run_id, event_key)
)""",
)

_RECORDING = (
    """CREATE TABLE recorded_reply (
	run_id VARCHAR(36) NOT NULL, 
	step VARCHAR(200) NOT NULL, 
	request_sha256 VARCHAR(64) NOT NULL, 
	reply_json TEXT NOT NULL, 
	expires_at BIGINT NOT NULL, 
	PRIMARY KEY (run_id, step)
)""",
    "CREATE INDEX ix_recorded_reply_expires_at ON recorded_reply (expires_at)",
)

_CANONICAL = (
    """CREATE TABLE canonical_record (
	record_no INTEGER NOT NULL, 
	run_id VARCHAR(36) NOT NULL, 
	tool_call_id VARCHAR(64) NOT NULL, 
	tool VARCHAR(64) NOT NULL, 
	request_hash VARCHAR(64) NOT NULL, 
	scope_key TEXT NOT NULL, 
	lease_epoch INTEGER NOT NULL, 
	status VARCHAR(40) NOT NULL, 
	evidence_status VARCHAR(40), 
	error_code VARCHAR(40), 
	projection_json TEXT, 
	projection_sha256 VARCHAR(64), 
	request_bytes INTEGER NOT NULL, 
	raw_bytes INTEGER NOT NULL, 
	projection_bytes INTEGER NOT NULL, 
	begun_at BIGINT NOT NULL, 
	expires_at BIGINT NOT NULL, 
	raw_json TEXT, 
	PRIMARY KEY (record_no), 
	UNIQUE (run_id, tool_call_id)
)""",
    "CREATE INDEX ix_canonical_record_expires_at ON canonical_record (expires_at)",
    """CREATE TABLE canonical_fence (
	run_id VARCHAR(36) NOT NULL, 
	epoch INTEGER NOT NULL, 
	expires_at BIGINT NOT NULL, 
	PRIMARY KEY (run_id)
)""",
    "CREATE INDEX ix_canonical_fence_expires_at ON canonical_fence (expires_at)",
    """CREATE TABLE canonical_placeholder (
	run_id VARCHAR(36) NOT NULL, 
	placeholder VARCHAR(100) NOT NULL, 
	value TEXT NOT NULL, 
	expires_at BIGINT NOT NULL, 
	PRIMARY KEY (run_id, placeholder)
)""",
    "CREATE INDEX ix_canonical_placeholder_expires_at ON canonical_placeholder (expires_at)",
)

OLD_TABLES = {"control": _CONTROL, "audit": _AUDIT, "recording": _RECORDING, "canonical": _CANONICAL}


def write_old_file(path: Path, component: str, **rows: dict[str, Any]) -> None:
    """The file of that store, with one row per table named."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in (_VERSION, *OLD_TABLES[component]):
            connection.execute(statement)
        connection.execute("INSERT INTO schema_version VALUES (?, 1)", (component,))
        for table, values in rows.items():
            names = ", ".join(f'"{name}"' for name in values)
            marks = ", ".join("?" for _ in values)
            connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values()))
