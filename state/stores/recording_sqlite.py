"""Recording in one SQLite file: the SQL recording, named by its path."""

from pathlib import Path

from state.ports import Clock
from state.stores.recording_rules import RECORDING_TTL_S
from state.stores.recording_sql import SqlRecording, recording_database


class SqliteRecording(SqlRecording):
    """The port ``Recording``; the file is opened at first use."""

    def __init__(self, path: Path, clock: Clock, *, ttl_s: float = RECORDING_TTL_S) -> None:
        super().__init__(recording_database(path), clock, ttl_s=ttl_s)
