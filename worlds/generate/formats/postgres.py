"""PostgreSQL server log, stderr format with `log_line_prefix = '%m [%p] %q%u@%d '`."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from worlds.generate.dice import Dice, arrivals
from worlds.generate.model import Line
from worlds.generate.stamps import postgres_stamp
from worlds.generate.timeline import Timeline

BACKGROUND = ""
"""Session prefix of server processes, which belong to no user."""


@dataclass(frozen=True, slots=True)
class Session:
    """A client session of the server."""

    user: str
    database: str

    @property
    def prefix(self) -> str:
        """The `user@database ` part of the line prefix."""
        return f"{self.user}@{self.database} "


def record(at: datetime, pid: int, prefix: str, severity: str, text: str) -> Line:
    """Return one server log record; line breaks in `text` continue with a tab."""
    body = text.replace("\n", "\n\t")
    return Line(at, f"{postgres_stamp(at)} [{pid}] {prefix}{severity}:  {body}")


def slow_statement(at: datetime, pid: int, session: Session, *, took_ms: float, sql: str) -> Line:
    """Return the record of a statement above `log_min_duration_statement`."""
    text = f"duration: {took_ms:.3f} ms  execute <unnamed>: {sql}"
    return record(at, pid, session.prefix, "LOG", text)


def explained(at: datetime, pid: int, session: Session, *, took_ms: float, plan: str) -> Line:
    """Return the auto_explain record; `plan` starts with its query text."""
    text = f"duration: {took_ms:.3f} ms  plan:\n{plan}"
    return record(at, pid, session.prefix, "LOG", text)


def statement(at: datetime, pid: int, session: Session, sql: str) -> Line:
    """Return the record that `log_statement = ddl` writes."""
    return record(at, pid, session.prefix, "LOG", f"statement: {sql}")


def housekeeping(dice: Dice, times: Timeline, session: Session, *, tables: tuple[str, ...]) -> list[Line]:
    """Return checkpoints, vacuums and everyday client mistakes at a steady rate."""
    return [
        *_checkpoints(dice, times),
        *_vacuums(dice, times, session.database, tables),
        *_resets(dice, times, session),
        *_duplicates(dice, times, session, tables[0]),
    ]


def _checkpoints(dice: Dice, times: Timeline) -> list[Line]:
    lines: list[Line] = []
    at = times.begin_at + timedelta(seconds=dice.randrange(300))
    while at < times.now_at - timedelta(minutes=5):
        n_buffers, wrote_s = dice.randrange(900, 4200), dice.uniform(120, 269)
        lines.append(record(at, 61, BACKGROUND, "LOG", "checkpoint starting: time"))
        text = (
            f"checkpoint complete: wrote {n_buffers} buffers ({n_buffers / 1638:.1f}%); "
            f"0 WAL file(s) added, 0 removed, {dice.randrange(1, 4)} recycled; "
            f"write={wrote_s:.3f} s, sync={dice.uniform(0.004, 0.09):.3f} s, "
            f"total={wrote_s + 0.14:.3f} s"
        )
        lines.append(record(at + timedelta(seconds=wrote_s + 1), 61, BACKGROUND, "LOG", text))
        at += timedelta(seconds=300)
    return lines


def _vacuums(dice: Dice, times: Timeline, database: str, tables: tuple[str, ...]) -> list[Line]:
    lines: list[Line] = []
    for at in arrivals(dice, times.begin_at, times.now_at, per_hour=9):
        table = tables[dice.randrange(len(tables))]
        text = (
            f'automatic vacuum of table "{database}.public.{table}": index scans: 1\n'
            f"pages: 0 removed, {dice.randrange(800, 9000)} remain, 0 skipped due to pins\n"
            f"tuples: {dice.randrange(900, 7000)} removed, {dice.randrange(90000, 400000)} remain"
        )
        lines.append(record(at, dice.randrange(9000, 32000), BACKGROUND, "LOG", text))
    return lines


def _resets(dice: Dice, times: Timeline, session: Session) -> list[Line]:
    text = "could not receive data from client: Connection reset by peer"
    return [
        record(at, dice.randrange(9000, 32000), session.prefix, "LOG", text)
        for at in arrivals(dice, times.begin_at, times.now_at, per_hour=7)
    ]


def _duplicates(dice: Dice, times: Timeline, session: Session, table: str) -> list[Line]:
    lines: list[Line] = []
    for at in arrivals(dice, times.begin_at, times.now_at, per_hour=10):
        pid, key = dice.randrange(9000, 32000), dice.randrange(10**7, 10**8)
        error = f'duplicate key value violates unique constraint "{table}_idempotency_key"'
        detail = f"Key (idempotency_key)=({key}) already exists."
        lines.append(record(at, pid, session.prefix, "ERROR", error))
        lines.append(record(at, pid, session.prefix, "DETAIL", detail))
    return lines
