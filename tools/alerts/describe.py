"""What the model is told about ``list_alerts``: how to ask, and what the sources hold. Pure."""

from collections.abc import Mapping

from state.model.redaction import is_clean, redact_text
from tools.alerts.port import Holdings
from tools.valid_text import is_listed, listed_name

MAX_DESCRIPTION_BYTES = 4096

_USAGE = (
    "List the alerts of one source as of now, with labels, state and since when. state: firing, pending, suppressed"
    " (silenced or inhibited), unprocessed or resolved; left out = all that are not resolved. labels: exact values."
    " Annotations come as items of their own: text written beforehand, no proof of anything.\n"
    "No alert is no proof of health.\n"
)


def describe(holdings: Mapping[str, Holdings]) -> str:
    """Usage and catalogue, at most 4 KiB; what does not fit is counted."""
    text = _USAGE
    for place, (name, held) in enumerate(holdings.items()):
        room = (MAX_DESCRIPTION_BYTES - len(text.encode())) // (len(holdings) - place)
        head = f"source {redact_text(name)}: {held.n_alerts} alerts when this was read; labels: "
        labels = _fitted(held.labels, room // 4)
        names = _fitted(held.names, room - len((head + labels).encode()) - 40)
        text += f"{head}{labels}; alert names: {names}\n"
    return text.rstrip("\n")


def terms(holdings: Mapping[str, Holdings]) -> tuple[str, ...]:
    """Names the catalogue vouches for: sources, alerts and what service-like labels name; no secrets, no prose."""
    names: list[str] = []
    for source, held in holdings.items():
        names += [source, *held.names, *(value for values in held.label_values.values() for value in values)]
    return tuple(dict.fromkeys(name for name in names if is_listed(name) and is_clean(name)))


def _fitted(names: tuple[str, ...], room: int) -> str:
    """As many names as fit, and how many more there are."""
    shown: list[str] = []
    listed = [clean for name in names if (clean := listed_name(redact_text(name)))]
    for place, clean in enumerate(listed):
        if len(", ".join([*shown, clean]).encode()) > room - 20:
            return ", ".join([*shown, f"and {len(listed) - place} more"])
        shown.append(clean)
    return ", ".join(shown) or "none"
