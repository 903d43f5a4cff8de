"""What a session of MySQL or MariaDB is told before it may ask, and how it is asked whether it heard. Pure."""

import math
import re
from dataclasses import dataclass

SQL_MODE = "STRICT_TRANS_TABLES,ONLY_FULL_GROUP_BY,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION"
"""Neither ANSI_QUOTES nor NO_BACKSLASH_ESCAPES: text means what the validator reads in it."""
LOCK_WAIT_S = 1
_QUESTION = re.compile(r"\s*(?:SELECT|EXPLAIN|SHOW)\s", re.IGNORECASE)


@dataclass(frozen=True)
class Setting:
    """One session variable."""

    name: str
    written: str
    """As it stands in SET."""
    confirmed: str
    """As the server answers when asked for it."""


def is_mariadb(version: str) -> bool:
    """By the text a server greets with."""
    return "mariadb" in version.lower()


def is_question(sql: str) -> bool:
    """True if the text opens as a statement that answers; a connection takes one statement a text."""
    return bool(_QUESTION.match(sql))


def settings_for(version: str, remaining_s: float) -> tuple[Setting, ...]:
    """The variables of a session whose statements must end within ``remaining_s``.

    Each is confirmed as text; the statement timeout is MariaDB's in seconds or MySQL's in whole milliseconds.
    """
    left_ms = max(1, math.ceil(remaining_s * 1000))
    seconds = f"{left_ms / 1000:.3f}"
    if is_mariadb(version):
        timeout = Setting("max_statement_time", seconds, f"{seconds}000")
        read_only = Setting("tx_read_only", "1", "1")
    else:
        timeout = Setting("max_execution_time", str(left_ms), str(left_ms))
        read_only = Setting("transaction_read_only", "1", "1")
    return (
        read_only,
        timeout,
        Setting("lock_wait_timeout", str(LOCK_WAIT_S), str(LOCK_WAIT_S)),
        Setting("sql_mode", f"'{SQL_MODE}'", SQL_MODE),
        Setting("time_zone", "'+00:00'", "+00:00"),
    )


def set_statement(settings: tuple[Setting, ...]) -> str:
    """The one SET statement."""
    return "SET " + ", ".join(f"SESSION {setting.name} = {setting.written}" for setting in settings)


def check_statement(settings: tuple[Setting, ...]) -> str:
    """The SELECT that answers with every setting, in order, and the character set of the connection."""
    names = [*(setting.name for setting in settings), "character_set_connection"]
    return "SELECT " + ", ".join(f"@@SESSION.{name}" for name in names)


def first_unconfirmed(settings: tuple[Setting, ...], answer: tuple[object, ...]) -> str | None:
    """Name of the first setting that the server does not have as told; None if it has them all."""
    wanted = [*((setting.name, setting.confirmed) for setting in settings), ("character_set_connection", "utf8mb4")]
    if len(answer) != len(wanted):
        return "the answer"
    pairs = zip(wanted, answer, strict=True)
    return next((name for (name, value), given in pairs if not _equal(str(given), value)), None)


def _equal(given: str, wanted: str) -> bool:
    if given == wanted:
        return True
    as_sets = set(given.split(",")) == set(wanted.split(","))
    try:
        return as_sets or float(given) == float(wanted)
    except ValueError:
        return as_sets
