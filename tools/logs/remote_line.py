"""One text that a log server keeps, read as a record; its time is the server's. Pure.

Never adds a word to the searched text that is not in what the server keeps: else a search at the server would miss
records that a search here would find.
"""

import re
from dataclasses import replace
from datetime import datetime

from state.model.stack_tail import drop_stack_tail
from tools.logs.decode import CUT_MARK, MAX_LINE_CHARS
from tools.logs.json_lines import read_json_line
from tools.logs.levels import detect_level
from tools.logs.stamps import Reference, Stamped, read_logfmt, read_stamp
from tools.valid_text import valid_text

MAX_EXTRA_CHARS = 16 * 1024
"""Of the further fields of one record together."""
_SURROUNDING_CHARS = 500
_LOGFMT = re.compile(r"[A-Za-z_][\w.@-]{0,60}=")
_LOGFMT_SIGN = re.compile(r"(?:^| )(?:msg|message|level|lvl)=")


def read_line(text: str, at: datetime, reference: Reference) -> Stamped:
    """The record of a JSON, logfmt or plain text; ``level`` and ``service`` are None where it names none."""
    text = storable(text)
    if text.lstrip()[:1] == "{":
        found = read_json_line(text, reference, at=at)
        if found is not None:
            return found
    text = drop_stack_tail(text)
    stamped = read_stamp(text, reference)
    if stamped is not None:
        # pid, host and the like are names of ours unless the line has them too.
        written = {key: value for key, value in stamped.fields.items() if key in text}
        return replace(stamped, at=at, fields=written)
    if _LOGFMT.match(text) and _LOGFMT_SIGN.search(text[:8192]):
        return read_logfmt(text, at, rest=text)
    return Stamped(at, text, detect_level(text))


def storable(text: str) -> str:
    """The text without what cannot be stored everywhere: NUL and lone surrogates become U+FFFD."""
    return valid_text(text).replace("\0", "\ufffd")


def bounded(text: str, max_chars: int, needle: str | None) -> str:
    """The text, or its beginning and what surrounds the first ``needle`` behind it."""
    if len(text) <= max_chars:
        return text
    cut = text[:max_chars] + CUT_MARK
    place = text.lower().find(needle.lower(), max_chars - len(needle)) if needle else -1
    if needle is None or place < 0:
        return cut
    return f"{cut} {text[max(place - _SURROUNDING_CHARS, 0) : place + len(needle) + _SURROUNDING_CHARS]}"


def bounded_message(text: str, needle: str | None) -> str:
    """The message within the bound of a line."""
    return bounded(text, MAX_LINE_CHARS, needle)
