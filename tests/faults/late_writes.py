"""A witness inside the control database: notes each write to a run after its terminal state, whoever makes it."""

import sqlite3
from contextlib import closing
from pathlib import Path

_TRIGGERS = """
CREATE TABLE late_write (what TEXT);
CREATE TRIGGER late_run BEFORE UPDATE ON run WHEN OLD.run_state <> 'RUNNING'
BEGIN INSERT INTO late_write VALUES ('run'); END;
CREATE TRIGGER late_entry BEFORE INSERT ON budget_entry
WHEN (SELECT run_state FROM run WHERE run_id = NEW.run_id) <> 'RUNNING'
BEGIN INSERT INTO late_write VALUES ('reserve ' || NEW.key); END;
CREATE TRIGGER late_settle BEFORE UPDATE ON budget_entry
WHEN (SELECT run_state FROM run WHERE run_id = NEW.run_id) <> 'RUNNING'
BEGIN INSERT INTO late_write VALUES ('settle ' || NEW.key); END;
CREATE TRIGGER late_frame BEFORE INSERT ON public_event
WHEN EXISTS (SELECT 1 FROM public_event WHERE run_id = NEW.run_id AND type = 'done')
BEGIN INSERT INTO late_write VALUES ('frame ' || NEW.event_key); END;
"""


def place_witness(path: Path) -> None:
    """Into the control database, whose tables are there."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(_TRIGGERS)


def late_writes(path: Path) -> list[str]:
    """What was written too late, in order."""
    with closing(sqlite3.connect(path)) as connection:
        return [what for (what,) in connection.execute("SELECT what FROM late_write")]
