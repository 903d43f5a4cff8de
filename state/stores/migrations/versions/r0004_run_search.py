"""Runs are found by their outcome and by the words of their question, however many there are."""

from alembic import op
from sqlalchemy import column, insert, select, table

from state.stores.migrations.steps import TEXT, WHOLE, create_index, create_table, needed, run_steps

revision = "0004"
down_revision = "0003"

_BATCH = 500
_RUN = table("run", column("run_no"), column("query"))
_QUESTION = table("run_question", column("run_no"), column("folded"))


def upgrade() -> None:
    """Runs that are there can be found too."""
    run_steps({"control": _control})


def _control() -> None:
    create_index("run_by_outcome", "run", ["outcome", "run_no"])
    create_index("run_by_owner_outcome", "run", ["owner_key", "outcome", "run_no"])
    create_table("run_question", needed("run_no", WHOLE, key=True), needed("folded", TEXT))
    _fill()


def _fill() -> None:
    """Fold what was asked; a run that has its words already is passed over."""
    database = op.get_bind()
    missing = (
        select(_RUN.c.run_no, _RUN.c.query)
        .outerjoin(_QUESTION, _QUESTION.c.run_no == _RUN.c.run_no)
        .where(_QUESTION.c.run_no.is_(None))
        .order_by(_RUN.c.run_no)
        .limit(_BATCH)
    )
    while found := database.execute(missing).all():
        rows = [{"run_no": run_no, "folded": query.casefold()} for run_no, query in found]
        database.execute(insert(_QUESTION), rows)
