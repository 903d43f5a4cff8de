"""Which patterns and which records of many are worth a model's attention. Pure and deterministic."""

from collections.abc import Sequence
from datetime import datetime

from state.model.evidence import Window
from tools.logs.levels import rank
from tools.logs.port import LogEvent
from tools.logs.shapes import Template

_SEVERITY = {"FATAL": 3, "ERROR": 3, "WARN": 2}
_CHANCE = 0.05
_GROWTH = 3
"""A pattern this many times as frequent as before has grown."""


def rank_templates(templates: Sequence[Template], known_before: Sequence[bool], window: Window) -> list[int]:
    """Places of the templates, most informative first.

    Errors before warnings before the rest; new before grown before usual; among troubles the frequent first, among
    the rest the rare. ``known_before`` says of each whether the preceding window was held, so that 0 means new;
    where it was not, a template that began too late in ``window`` to be a steady one counts as grown.
    """

    def order(place: int) -> tuple[int, int, int, str, str]:
        template = templates[place]
        severity = _SEVERITY.get(template.level, 0)
        worth = severity + _novelty(template, window, is_known=known_before[place])
        count = len(template.events)
        return -worth, -rank(template.level), -count if severity else count, template.text, template.service

    return sorted(range(len(templates)), key=order)


def sample(templates: Sequence[Template], limit: int) -> list[LogEvent]:
    """At most ``limit`` records, most wanted first; all of them if there are no more.

    The first and the last of all come first; then the templates, in the given order, give one record each, round
    after round: their first, last, middle, quarters … So rare patterns are shown before the frequent ones repeat.
    """
    pools = [_spread(template.events) for template in templates]
    everything = [event for template in templates for event in template.events]
    ends = [min(everything, key=place_of), max(everything, key=place_of)] if everything else []
    chosen: dict[str, LogEvent] = {event.origin: event for event in ends[: max(limit, 0)]}
    for turn in range(max(map(len, pools), default=0)):
        for event in (pool[turn] for pool in pools if turn < len(pool)):
            if len(chosen) < limit:
                chosen.setdefault(event.origin, event)
    return list(chosen.values())


def place_of(event: LogEvent) -> tuple[datetime, str, int]:
    """Order in time; records of one instant keep their order in the file."""
    name, _, number = event.origin.rpartition(":")
    return event.at, name, int(number) if number.isdigit() else 0


def _novelty(template: Template, window: Window, *, is_known: bool) -> int:
    if not is_known:
        return 2 if _began_late(template, window) else 0
    if template.n_before == 0:
        return 3
    return 2 if len(template.events) >= _GROWTH * template.n_before else 0


def _began_late(template: Template, window: Window) -> bool:
    """A steady pattern of so many records would hardly ever have kept silent for so long at the start."""
    silent_ratio = (template.events[0].at - window.start) / (window.end - window.start)
    return (1 - silent_ratio) ** len(template.events) < _CHANCE


def _spread(events: Sequence[LogEvent]) -> list[LogEvent]:
    """First, last, then halves, quarters, eighths …; each record at most once."""
    last = len(events) - 1
    places = dict.fromkeys((0, last))
    step = last / 2
    while step >= 1 and len(places) < _MOST_OF_ONE:
        n_steps = round(last / step)
        places |= dict.fromkeys(round(at * step) for at in range(1, n_steps, 2))
        step /= 2
    places |= dict.fromkeys(range(min(len(events), _MOST_OF_ONE)))
    return [events[place] for place in places]


_MOST_OF_ONE = 64
"""More records of one template are never needed: above any limit."""
