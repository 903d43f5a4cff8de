"""The tables as they were before there were revisions."""

from sqlalchemy import UniqueConstraint

from state.stores.migrations.steps import (
    INSTANT,
    SMALL,
    TEXT,
    WHOLE,
    YES_NO,
    create_index,
    create_table,
    needed,
    optional,
    run_steps,
)

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create what is missing; a file that has the tables already is only numbered."""
    run_steps({"control": _control, "audit": _audit, "recording": _recording, "canonical": _canonical})


def _control() -> None:
    _run()
    create_table(
        "budget_entry",
        needed("entry_no", WHOLE, key=True),
        needed("run_id", 36),
        needed("kind", 40),
        needed("key", 200),
        needed("component", 200),
        needed("reserved", WHOLE),
        optional("settled", WHOLE),
        needed("usage_reported", YES_NO),
        UniqueConstraint("run_id", "kind", "key"),
    )
    create_table(
        "public_event",
        needed("run_id", 36, key=True),
        needed("seq", SMALL, key=True),
        needed("event_key", 200),
        needed("type", 40),
        needed("payload", TEXT),
        UniqueConstraint("run_id", "event_key"),
    )
    create_table(
        "chat_session", needed("session_id", 64, key=True), needed("owner_key", 200), needed("opened_at", INSTANT)
    )
    create_table(
        "published_evidence",
        needed("run_id", 36, key=True),
        needed("position", SMALL, key=True),
        needed("tool_call_id", 64),
        needed("evidence", TEXT),
    )


def _run() -> None:
    create_table(
        "run",
        needed("run_no", WHOLE, key=True),
        needed("run_id", 36),
        needed("session_id", 64),
        needed("owner_key", 200),
        needed("thread_id", 200),
        needed("query", TEXT),
        needed("language", 8),
        needed("model", 200),
        optional("world", TEXT),
        optional("parent_run_id", 36),
        optional("fork_checkpoint", 200),
        needed("facts", TEXT),
        needed("owner", 200),
        needed("lease_epoch", WHOLE),
        needed("lease_until", INSTANT),
        optional("cancel_requested_at", INSTANT),
        optional("cancel_reason", 40),
        needed("active_ms", WHOLE),
        needed("opened_at", INSTANT),
        optional("closed_at", INSTANT),
        needed("resumes", SMALL),
        optional("intent", 40),
        needed("run_state", 40),
        optional("outcome", 40),
        optional("content_type", 40),
        optional("fallback_type", 40),
        optional("stop_reason", 40),
        optional("failure_code", 40),
        optional("decision", TEXT),
        needed("audit_lost", WHOLE),
        UniqueConstraint("run_id"),
    )
    create_index("ix_run_session_id", "run", ["session_id"])
    create_index("run_by_state", "run", ["run_state", "lease_until"])


def _audit() -> None:
    create_table(
        "trace_event",
        needed("run_id", 36, key=True),
        needed("sequence_no", SMALL, key=True),
        needed("event_key", 200),
        needed("phase", 40),
        needed("type", 40),
        needed("node", 64),
        needed("at", INSTANT),
        optional("duration_ms", WHOLE),
        needed("details", TEXT),
        needed("lease_epoch", WHOLE),
        UniqueConstraint("run_id", "event_key"),
    )


def _recording() -> None:
    create_table(
        "recorded_reply",
        needed("run_id", 36, key=True),
        needed("step", 200, key=True),
        needed("request_sha256", 64),
        needed("reply_json", TEXT),
        needed("expires_at", INSTANT),
    )
    create_index("ix_recorded_reply_expires_at", "recorded_reply", ["expires_at"])


def _canonical() -> None:
    """Only in SQLite files: a server's canonical store is Redis."""
    create_table(
        "canonical_record",
        needed("record_no", SMALL, key=True),
        needed("run_id", 36),
        needed("tool_call_id", 64),
        needed("tool", 64),
        needed("request_hash", 64),
        needed("scope_key", TEXT),
        needed("lease_epoch", SMALL),
        needed("status", 40),
        optional("evidence_status", 40),
        optional("error_code", 40),
        optional("projection_json", TEXT),
        optional("projection_sha256", 64),
        needed("request_bytes", SMALL),
        needed("raw_bytes", SMALL),
        needed("projection_bytes", SMALL),
        needed("begun_at", INSTANT),
        needed("expires_at", INSTANT),
        optional("raw_json", TEXT),
        UniqueConstraint("run_id", "tool_call_id"),
    )
    create_index("ix_canonical_record_expires_at", "canonical_record", ["expires_at"])
    create_table(
        "canonical_fence", needed("run_id", 36, key=True), needed("epoch", SMALL), needed("expires_at", INSTANT)
    )
    create_index("ix_canonical_fence_expires_at", "canonical_fence", ["expires_at"])
    create_table(
        "canonical_placeholder",
        needed("run_id", 36, key=True),
        needed("placeholder", 100, key=True),
        needed("value", TEXT),
        needed("expires_at", INSTANT),
    )
    create_index("ix_canonical_placeholder_expires_at", "canonical_placeholder", ["expires_at"])
