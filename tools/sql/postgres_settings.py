"""What a transaction of PostgreSQL is told before it may ask, and whether it heard. Pure."""

import math
from collections.abc import Mapping, Sequence

LOCK_WAIT_MS = 1000
IDLE_MARGIN_MS = 5000
_FIXED: Mapping[str, str] = {
    "default_transaction_read_only": "on",
    "lock_timeout": f"{LOCK_WAIT_MS}ms",
    "standard_conforming_strings": "on",
    "TimeZone": "UTC",
    "DateStyle": "ISO, YMD",
    "IntervalStyle": "postgres",
    "bytea_output": "hex",
    "extra_float_digits": "1",
    "search_path": "pg_catalog",
    "application_name": "rootproof",
}
"""Nothing is found by search path but what is built in: every table is named with its schema."""
_UNITS = (("ms", 1), ("min", 60_000), ("s", 1000), ("h", 3_600_000), ("d", 86_400_000))


def settings_for(version: int, remaining_s: float, *, encoding: str) -> dict[str, str]:
    """The settings of a transaction whose statements must end within ``remaining_s``.

    ``version`` as the server numbers itself (150004); ``encoding``: of the database. One without an encoding holds
    bytes of any; asked for UTF-8 it would refuse to send some.
    """
    left_ms = max(1, math.ceil(remaining_s * 1000))
    # A statement whose client is gone ends.
    gone = {"client_connection_check_interval": "1s"} if version >= 140000 else {}
    return {
        **_FIXED,
        "statement_timeout": f"{left_ms}ms",
        "idle_in_transaction_session_timeout": f"{left_ms + IDLE_MARGIN_MS}ms",
        "client_encoding": "SQL_ASCII" if encoding == "SQL_ASCII" else "UTF8",
        **gone,
    }


def first_unconfirmed(wanted: Mapping[str, str], answer: Sequence[object]) -> str | None:
    """Name of the first setting that the server does not have as told; None if it has them all."""
    if len(answer) != len(wanted):
        return "the answer"
    pairs = zip(wanted.items(), answer, strict=True)
    return next((name for (name, value), given in pairs if not _means(str(given), value)), None)


def _means(given: str, wanted: str) -> bool:
    """True if the server's way of writing a setting (5s, 1min) means what was asked for (5000ms)."""
    return given == wanted or (_milliseconds(given) is not None and _milliseconds(given) == _milliseconds(wanted))


def _milliseconds(text: str) -> int | None:
    for unit, factor in _UNITS:
        if text.endswith(unit) and text.removesuffix(unit).isdigit():
            return int(text.removesuffix(unit)) * factor
    return None
