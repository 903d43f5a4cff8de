"""What of a searched text a log server can be asked for without losing a record. Pure.

A record is matched on its decoded text: message, then further fields as ``key=value``. The server keeps another
writing of it (JSON escapes, quotes, other order). So the server is asked only for those pieces of the text that
every writing has in common; what comes back is checked again here.
"""

import re
from collections.abc import Callable

from state.model.redaction import redact_text
from tools.logs.levels import rank
from tools.logs.port import LogEvent, LogQuery
from tools.logs.remote_line import storable

UNKNOWN_SERVICE = "unknown"
"""Name under which records without a service are found."""
MAX_PIECES = 6
"""The longest ones; fewer pieces find more, never less."""


def pieces(needle: str) -> tuple[str, ...]:
    """Runs of letters and digits in lower case, in order; empty if the text has none."""
    found = ["".join(run) for run in _runs(needle.lower())]
    longest = sorted(set(found), key=lambda piece: (-len(piece), piece))[:MAX_PIECES]
    return tuple(piece for piece in dict.fromkeys(found) if piece in longest)


def matcher(query: LogQuery) -> Callable[[LogEvent], bool]:
    """Tells of a record whether it lies in the window and passes all filters."""
    window, needle = query.window, (query.contains or "").lower()
    service = None if query.service is None else shown_service(query.service)
    least = rank(query.level) if query.level else 0

    def is_match(event: LogEvent) -> bool:
        if not window.start <= event.at < window.end or rank(event.level) < least:
            return False
        if service is not None and event.service != service:
            return False
        return not needle or needle in f"{event.message} {event.extra}".lower()

    return is_match


def shown_service(name: str) -> str:
    """The name of a service as records carry it: without secrets."""
    return redact_text(storable(name))


def _runs(text: str) -> list[list[str]]:
    runs: list[list[str]] = [[]]
    for char in text:
        if char.isalnum():
            runs[-1].append(char)
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


_ASCII = re.compile(r"[0-9a-z]+")


def ascii_and_caseless(piece: str) -> list[str]:
    """The parts of a piece on whose case all agree: ASCII runs, and runs of characters that have no case."""
    parts = re.findall(r"[0-9a-z]+|[^0-9a-z]+", piece)
    return [part for part in parts if _ASCII.fullmatch(part) or part.upper() == part.lower()]
