"""Turns matching alerts into a bounded payload, and that into citable items. Pure and deterministic.

An alert is telemetry. Its annotations are text somebody wrote beforehand, so they are knowledge: an item of their own
that never proves that something happened.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from state.model.enums import EvidenceKind
from state.model.evidence import Item, Scalar
from state.model.ids import digest8
from state.model.redaction import is_sensitive_key, redact_text
from tools.alerts.port import Alert
from tools.fitting import Fitted, cut, item_bytes, leading
from tools.metrics.figures import figure, rounded
from tools.metrics.selector import series_text

MAX_ALERTS = 50
_CHAR_STEPS = (500, 100, 20)
"""Of one label or annotation in a payload; fewer only where an alert grows too large."""
MAX_ROW_BYTES = 12 * 1024
MAX_TEXTS = 40
"""Labels, and annotations, of one alert."""
_READ_CHARS = 1000
"""Of a text, far more than is shown of it: what is looked through for secrets."""
MAX_ALERT_CHARS = 1500
"""Of the labels of one alert in its text."""
MAX_PAYLOAD_BYTES = 56 * 1024
_REDACTED = "[REDACTED:key]"

Json = dict[str, object]


def payload_of(found: Sequence[Alert], time_zone: str) -> Json:
    """The first 50 alerts, fewer if they grow too large; times as ISO 8601 with the offset of ``time_zone``."""
    zone = ZoneInfo(time_zone)
    rows: list[Json] = []
    n_bytes = 0
    for alert in found[:MAX_ALERTS]:
        row = next(
            row for chars in _CHAR_STEPS if _size(row := _row(alert, zone, chars)) <= MAX_ROW_BYTES or chars < 50
        )
        n_bytes += _size(row)
        if rows and n_bytes > MAX_PAYLOAD_BYTES:
            break
        rows.append(row)
    return {"alerts": rows, "n_alerts": len(found)}


def project_items(payload: Json, *, room_bytes: int) -> Fitted:
    """Alerts first, as many as fit, then annotations in what room is left; cut if an alert was left out."""
    rows, n_alerts = payload["alerts"], payload["n_alerts"]
    assert isinstance(rows, list), "payload_of puts a list there"
    alerts = leading([_alert_item(row) for row in rows], room_bytes)
    notes = [_note_item(row) for row in rows if row["annotations"]]
    kept = {item.item_id for item in alerts}
    own = [note for note in notes if note.item_id.rpartition(":note:")[0] in kept]
    return Fitted((*alerts, *leading(own, room_bytes - sum(map(item_bytes, alerts)))), is_cut=len(alerts) != n_alerts)


def _row(alert: Alert, zone: ZoneInfo, chars: int) -> Json:
    return {
        "fingerprint": alert.fingerprint,
        "name": cut(_clean("alertname", alert.name), min(chars, 200)),
        "labels": _shortened(alert.labels, chars),
        "annotations": _shortened(alert.annotations, chars),
        "note_id": digest8("\n".join(f"{name}={text}" for name, text in sorted(alert.annotations.items()))),
        "state": alert.state.value,
        "starts_at": _time(alert.starts_at, zone),
        "ended_at": _time(alert.ends_at, zone) if alert.ends_at and alert.state == "resolved" else None,
        "value": None if alert.value is None else rounded(alert.value),
    }


def _shortened(texts: Mapping[str, str], chars: int) -> Json:
    """Without secrets, which are removed before anything is cut."""
    return {
        cut(redact_text(name), chars): cut(_clean(name, text), chars)
        for name, text in sorted(texts.items())[:MAX_TEXTS]
        if text
    }


@lru_cache(maxsize=4096)
def _clean(name: str, text: str) -> str:
    return _REDACTED if text and is_sensitive_key(name) else redact_text(text[:_READ_CHARS])


def _size(row: Json) -> int:
    return len(json.dumps(row, ensure_ascii=False).encode())


def _alert_item(row: Json) -> Item:
    labels = _texts(row["labels"])
    shown = cut(series_text("", {name: text for name, text in labels.items() if name != "alertname"}), MAX_ALERT_CHARS)
    value, ended = row["value"], row["ended_at"]
    told = f"{_line(str(row['name'])) or 'alert without a name'} {row['state']} since {row['starts_at']}"
    told += f", ended at {ended}" if ended else ""
    told += f", value {figure(value)}" if isinstance(value, int | float) else ""
    fields: dict[str, Scalar] = {"alertname": str(row["name"]), "labels": shown, "state": str(row["state"])}
    fields |= {"starts_at": str(row["starts_at"])} | ({"ended_at": str(ended)} if ended else {})
    return Item(
        item_id=f"alert:{row['fingerprint']}",
        kind=EvidenceKind.TELEMETRY,
        text=f"{told}: {shown}",
        fields=fields,
        identified=True,
    )


def _note_item(row: Json) -> Item:
    """The annotations of one alert; its id names their text too, for they may be filled in anew."""
    notes = "; ".join(f"{_line(name)}: {_line(text)}" for name, text in _texts(row["annotations"]).items())
    return Item(
        item_id=f"alert:{row['fingerprint']}:note:{row['note_id']}",
        kind=EvidenceKind.KNOWLEDGE,
        text=f"annotations of {_line(str(row['name'])) or 'an alert'}: {notes}",
        fields={"alertname": str(row["name"])},
        identified=True,
    )


def _texts(value: object) -> dict[str, str]:
    assert isinstance(value, dict), "payload_of puts an object there"
    return {str(name): str(text) for name, text in value.items()}


def _line(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _time(at: datetime, zone: ZoneInfo) -> str:
    local = at.astimezone(zone)
    return local.isoformat(timespec="milliseconds" if local.microsecond else "seconds")
