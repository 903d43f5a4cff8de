"""The failing call chain: which service's errors point to which other service. Pure."""

import re
from collections.abc import Iterator

from models.offline.telemetry import Event
from models.offline.view import View

MAX_DEPTH = 4


def asked_services(view: View) -> tuple[str, ...]:
    """Services whose own logs were searched, lower case, in order."""
    named = (str(result.filters.get("service", "")).lower() for result in view.results("query_logs"))
    return tuple(dict.fromkeys(name for name in named if name))


def next_services(view: View) -> tuple[str, ...]:
    """Catalogued services that errors point to and whose logs were not searched, the deepest first."""
    depths = dict.fromkeys(_origins(view), 0)
    links = _links(view)
    for _ in range(MAX_DEPTH):
        for service in [name for name in depths if name in links]:
            for peer in links[service]:
                depths[peer] = min(MAX_DEPTH, max(depths.get(peer, 0), depths[service] + 1))
    known, asked = _known(view), asked_services(view)
    order = sorted(depths, key=lambda name: -depths[name])
    return tuple(known[name] for name in order if name in known and name not in asked)


def focus(view: View) -> str:
    """The deepest searched service that shows something of its own, lower case; else that of the symptom or empty."""
    shown = next((name for name in reversed(asked_services(view)) if _shows_something(view, name)), "")
    return shown or (view.symptom.service if view.symptom is not None else "")


def is_telling(event: Event) -> bool:
    """True for a notable, unusual log event."""
    return event.is_notable and event.is_log and not event.is_usual


def is_pointer(event: Event, view: View) -> bool:
    """True if the event is a failed call of another catalogued service: it says where to look, not why."""
    return any(_peers(event, view))


def _shows_something(view: View, service: str) -> bool:
    own = (event for event in view.events if event.service == service and is_telling(event))
    return any(not is_pointer(event, view) for event in own)


def _origins(view: View) -> list[str]:
    """Where the chain is followed from: the last searched service if it shows something, else all there is."""
    asked = asked_services(view)
    if asked and _shows_something(view, asked[-1]):
        return [asked[-1]]
    named = [name.lower() for name in view.question.services]
    begun = named or ([view.symptom.service] if view.symptom is not None else [])
    return list(dict.fromkeys((*begun, *asked, *(() if asked else _links(view)))))


def _links(view: View) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for event in filter(is_telling, view.events):
        peers = tuple(_peers(event, view))
        if event.service and peers:
            found[event.service] = tuple(dict.fromkeys((*found.get(event.service, ()), *peers)))
    return found


def _peers(event: Event, view: View) -> Iterator[str]:
    return (name for name in _known(view) if name != event.service and _names(event.text, name))


def _names(text: str, service: str) -> bool:
    """True if the text names the service; a part of a dotted class or package name does not."""
    return re.search(rf"(?<![\w.-]){re.escape(service)}(?![\w-]|\.\w+\.\w*[A-Z])", text, re.IGNORECASE) is not None


def _known(view: View) -> dict[str, str]:
    return {name.lower(): name for name in view.toolbox.services}
