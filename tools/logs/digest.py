"""Condenses what a source found into a bounded raw payload: patterns, a sample of records, counts. Pure.

Secrets are removed before any text is cut, so that a cut cannot hide one from the rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from state.model.evidence import Window
from state.model.ids import digest8
from state.model.redaction import redact_text
from tools.fitting import cut
from tools.logs.port import LogEvent, LogPage
from tools.logs.sampling import place_of, rank_templates, sample
from tools.logs.shapes import HEAD_CHARS, Template, mine_templates

MAX_PATTERNS = 20
MAX_EVENT_CHARS = 2000
"""Of the text of one record."""
MAX_EVENTS_BYTES = 160 * 1024
"""Of all record texts together: keeps the payload below the raw cap."""

Json = dict[str, object]


@dataclass(frozen=True)
class Preceding:
    """The same search over the equally long window just before; exists only if that was searched completely."""

    start: datetime
    events: Sequence[LogEvent]


def digest_page(page: LogPage, before: Preceding | None, window: Window, *, limit: int, time_zone: str) -> Json:
    """The payload of one search over ``window``; times as ISO 8601 with the offset of ``time_zone``."""
    zone = ZoneInfo(time_zone)
    templates = mine_templates(page.events, before.events if before else ())
    covered = [_is_covered(template.service, page, before) for template in templates]
    order = rank_templates(templates, covered, window)
    # A selection of the matches does not tell how often a pattern occurs.
    is_counted = page.total == len(page.events)
    ranked = [templates[place] for place in order]
    chosen = sample(ranked, limit)
    return {
        "total": page.total,
        "patterns": [
            _pattern(templates[place], zone, is_covered=covered[place], is_counted=is_counted)
            for place in order[:MAX_PATTERNS]
        ],
        "n_patterns": len(templates),
        "events": _events(chosen, zone),
        "n_events": len(page.events),
        "unread": [{"name": unread.name, "why": unread.why} for unread in page.unread[:50]],
        "unparsed": page.unparsed,
    }


def format_time(at: datetime, zone: ZoneInfo) -> str:
    """ISO 8601 with offset; milliseconds or microseconds only where there are any."""
    local = at.astimezone(zone)
    if local.microsecond == 0:
        return local.isoformat(timespec="seconds")
    return local.isoformat(timespec="milliseconds" if local.microsecond % 1000 == 0 else "microseconds")


def _is_covered(service: str, page: LogPage, before: Preceding | None) -> bool:
    """Records of this service were already held when the preceding window began, so that 0 before means new."""
    if before is None or service not in page.oldest_by_service:
        return False
    return page.oldest_by_service[service] <= before.start


def _pattern(template: Template, zone: ZoneInfo, *, is_covered: bool, is_counted: bool) -> Json:
    return {
        "id": digest8(f"{template.service}\n{template.level}\n{template.text}"),
        "text": cut(redact_text(template.text), HEAD_CHARS),
        "service": template.service,
        "level": template.level,
        "count": len(template.events) if is_counted else None,
        "count_before": template.n_before if is_covered else None,
        "first_ts": format_time(template.events[0].at, zone),
        "last_ts": format_time(template.events[-1].at, zone),
    }


def _events(chosen: Sequence[LogEvent], zone: ZoneInfo) -> list[Json]:
    """Records in time order, each with its rank of want; the last ones are left out if they grow too large."""
    kept: list[tuple[LogEvent, Json]] = []
    n_bytes = 0
    for want, event in enumerate(chosen):
        row = _event(event, zone, want=want)
        n_bytes += len(str(row["text"]).encode())
        if n_bytes > MAX_EVENTS_BYTES:
            break
        kept.append((event, row))
    return [row for _, row in sorted(kept, key=lambda pair: place_of(pair[0]))]


def _event(event: LogEvent, zone: ZoneInfo, *, want: int) -> Json:
    ts = format_time(event.at, zone)
    parts = (ts, event.level, event.service, redact_text(event.message), redact_text(event.extra))
    text = " ".join(part for part in parts if part)
    at = event.at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return {
        "want": want,
        "at": at,
        "hash": digest8(f"{event.origin}\n{event.message}"),
        "ts": ts,
        "service": event.service,
        "level": event.level,
        "text": cut(text, MAX_EVENT_CHARS),
        "is_cut": len(text) > MAX_EVENT_CHARS,
    }
