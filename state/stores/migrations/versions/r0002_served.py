"""What a service keeps: who watches a run, and the tables of judgements, cases, requests, alerts and accesses."""

from sqlalchemy import UniqueConstraint

from state.stores.migrations.steps import (
    INSTANT,
    NO,
    TEXT,
    WHOLE,
    YES_NO,
    add_column,
    create_index,
    create_table,
    needed,
    optional,
    run_steps,
)

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Runs that are there were never watched and are not detached."""
    run_steps({"control": _control})


def _control() -> None:
    add_column("run", optional("stream_seen_at", INSTANT))
    add_column("run", needed("detached", YES_NO, default=NO))
    create_index("run_by_owner", "run", ["owner_key", "run_no"])
    create_table(
        "kept_request",
        needed("request_sha256", 64, key=True),
        needed("body_sha256", 64),
        needed("run_id", 36),
        needed("kept_at", INSTANT),
    )
    create_index("ix_kept_request_kept_at", "kept_request", ["kept_at"])
    create_table(
        "run_feedback",
        needed("run_id", 36, key=True),
        needed("owner_key", 200, key=True),
        needed("verdict", 40),
        needed("correction", TEXT),
        needed("at", INSTANT),
    )
    create_table(
        "case_record",
        needed("case_no", WHOLE, key=True),
        needed("case_id", 64),
        needed("run_id", 36),
        needed("kind", 40),
        needed("title", TEXT),
        needed("text", TEXT),
        needed("state", 40),
        needed("created_at", INSTANT),
        optional("decided_by", 200),
        optional("decided_at", INSTANT),
        optional("doc_id", 200),
        UniqueConstraint("case_id"),
        UniqueConstraint("run_id", "kind"),
    )
    create_index("case_by_state", "case_record", ["state", "case_no"])
    create_table(
        "alert_group",
        needed("group_sha256", 64, key=True),
        needed("run_id", 36),
        needed("claimed_at", INSTANT),
    )
    create_index("ix_alert_group_claimed_at", "alert_group", ["claimed_at"])
    create_table(
        "access_record",
        needed("access_no", WHOLE, key=True),
        needed("at", INSTANT),
        needed("name", 200),
        needed("action", 60),
        optional("run_id", 36),
        needed("request_id", 64),
    )
    create_index("ix_access_record_at", "access_record", ["at"])
