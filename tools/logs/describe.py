"""What the model is told about ``query_logs``: how to ask, and what the sources hold. Pure."""

from collections.abc import Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from state.model.redaction import is_clean, redact_text
from tools.logs.digest import format_time
from tools.logs.port import Holdings, ServiceHolding
from tools.valid_text import is_listed, listed_name

MAX_DESCRIPTION_BYTES = 4096

_USAGE = (
    "Search log records of one source in a time window. Returns patterns (records that say the same, with how often"
    " in the window, and how often in the equally long window before it: count_before 0 = new, null = not held; count"
    " null = not all were read) and"
    " sample records.\n"
    "level = at least that level; records that name none count as INFO. contains = text in message or fields, upper"
    " and lower case alike. start and end: ISO 8601, end exclusive; left out = the default window.\n"
    "An empty result is no proof of health. If truncated, the sample is not everything: narrow the search.\n"
)


def describe(holdings: Mapping[str, Holdings], time_zone: str) -> str:
    """Usage and catalogue, at most 4 KiB; what does not fit is counted."""
    zone = ZoneInfo(time_zone)
    text = _USAGE
    for name, held in holdings.items():
        text = _with_source(text, name, held, zone)
    return text.rstrip("\n")


def terms(holdings: Mapping[str, Holdings]) -> tuple[str, ...]:
    """Names the catalogue vouches for: sources and their services; none that holds a secret or prose."""
    names = [name for source, held in holdings.items() for name in (source, *(one.service for one in held.services))]
    return tuple(dict.fromkeys(name for name in names if is_listed(name) and is_clean(name)))


def _with_source(text: str, name: str, held: Holdings, zone: ZoneInfo) -> str:
    name = redact_text(name)
    if held.oldest is None or held.newest is None:
        return text + f"source {name}: empty\n"
    listed = [(shown, one) for one in held.services if (shown := listed_name(redact_text(one.service)))]
    names = ", ".join(shown for shown, _ in listed)
    text += f"source {name}: {_range(held.oldest, held.newest, zone)}; "
    text += f"{held.n_estimated} large files only estimated, may hold more; " if held.n_estimated else ""
    text += f"services: {_fitted(names, MAX_DESCRIPTION_BYTES - len(text.encode()) - 200)}\n"
    for place, (service, one) in enumerate(listed):
        line = f"  {service}: {_holding(one, zone)}\n"
        if len((text + line).encode()) > MAX_DESCRIPTION_BYTES - 100:
            return text + f"  and {len(listed) - place} more\n"
        text += line
    return text + (f"  {len(held.unread)} files could not be read\n" if held.unread else "")


def _holding(one: ServiceHolding, zone: ZoneInfo) -> str:
    return f"{one.lines} lines, {_range(one.oldest, one.newest, zone)}, {'/'.join(one.levels)}"


def _range(oldest: datetime, newest: datetime, zone: ZoneInfo) -> str:
    first, last = (format_time(at.replace(microsecond=0), zone) for at in (oldest, newest))
    return f"{first} to {last}"


def _fitted(names: str, max_bytes: int) -> str:
    if len(names.encode()) <= max_bytes:
        return names
    kept = names.encode()[: max(max_bytes, 0)].decode(errors="ignore").rpartition(", ")[0]
    return f"{kept}, …"
