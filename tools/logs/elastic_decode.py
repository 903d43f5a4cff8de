"""Decodes documents as records."""

import asyncio
import json
from collections.abc import Sequence

from tools.logs.elastic_fields import ElasticView
from tools.logs.elastic_reply import Hit, value_at
from tools.logs.json_lines import field_texts, render_extra
from tools.logs.levels import DEFAULT_LEVEL, parse_level
from tools.logs.port import LogEvent, LogQuery
from tools.logs.remote_line import MAX_EXTRA_CHARS, bounded, bounded_message, read_line, storable
from tools.logs.remote_needle import UNKNOWN_SERVICE, shown_service
from tools.logs.remote_reading import instant, nanoseconds
from tools.logs.stamps import Reference


async def decode_hits(
    hits: Sequence[Hit], view: ElasticView, shown: Sequence[str], query: LogQuery, reference: Reference
) -> list[LogEvent]:
    """The records of the documents; those without a time are left out."""
    return await asyncio.to_thread(_decoded, hits, view, shown, query, reference)


def service_of(hit: Hit, view: ElasticView, asked: str | None) -> str:
    """The service of the document; of several the asked one, else the first."""
    value = hit.value(view.service_field)
    names = [_text(one) for one in value if one is not None] if isinstance(value, list) else [_text(value)]
    names = [name for name in names if name]
    return asked if asked in names and asked is not None else next(iter(names), UNKNOWN_SERVICE)


def _decoded(
    hits: Sequence[Hit], view: ElasticView, shown: Sequence[str], query: LogQuery, reference: Reference
) -> list[LogEvent]:
    found = (_event(hit, view, shown, query, reference) for hit in hits)
    return [event for event in found if event is not None]


def _event(hit: Hit, view: ElasticView, shown: Sequence[str], query: LogQuery, reference: Reference) -> LogEvent | None:
    service = service_of(hit, view, query.service)
    start_ns, end_ns = nanoseconds(query.window.start), nanoseconds(query.window.end)
    times = [at for at in hit.times_ns if start_ns <= at < end_ns] or hit.times_ns
    if not times:
        return None
    at = instant(times[0])
    text = storable(_text(value_at(hit.source, view.message_field)))
    found = read_line(text, at, reference)
    # A message that is JSON stays as it is: its escapes are what the index knows.
    message, fields = (text, {}) if text.lstrip()[:1] == "{" else (found.message, found.fields)
    further = field_texts({name: value_at(hit.source, name) for name in shown})
    extra = storable(render_extra({**fields, **further}))
    return LogEvent(
        at,
        shown_service(service),
        _level(hit.value(view.level_field)) or found.level or DEFAULT_LEVEL,
        bounded_message(message, query.contains),
        bounded(extra, MAX_EXTRA_CHARS, query.contains),
        f"{hit.index}/{hit.id}",
    )


def _level(value: object) -> str | None:
    values = value if isinstance(value, list) else [value]
    return next((level for level in map(parse_level, values) if level is not None), None)


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
