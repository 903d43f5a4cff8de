"""What a run's row keeps of its audit, and the fence that closes a run's timeline to earlier holders."""

from state.stores.migrations.steps import SMALL, WHOLE, add_column, create_table, needed, optional, run_steps

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Runs that have ended already never recorded a digest: their columns stay empty."""
    run_steps({"control": _control, "audit": _audit})


def _control() -> None:
    add_column("run", optional("audit_rows", SMALL))
    add_column("run", optional("audit_sha256", 64))


def _audit() -> None:
    create_table(
        "audit_timeline",
        needed("run_id", 36, key=True),
        needed("fence_epoch", WHOLE),
        optional("end_no", SMALL),
    )
