"""Collects what a log server holds per service, from counts and from records. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from tools.logs.levels import rank
from tools.logs.port import LogEvent, ServiceHolding
from tools.logs.remote_reading import instant, nanoseconds


@dataclass
class Found:
    """What is known of one service so far."""

    lines: int = 0
    levels: set[str] = field(default_factory=set)
    oldest_ns: int | None = None
    newest_ns: int | None = None

    def saw(self, at_ns: int) -> None:
        """Widen the range to this instant."""
        self.oldest_ns = at_ns if self.oldest_ns is None else min(at_ns, self.oldest_ns)
        self.newest_ns = at_ns if self.newest_ns is None else max(at_ns, self.newest_ns)


class Collected:
    """By service."""

    def __init__(self) -> None:
        self.services: dict[str, Found] = {}

    def of(self, service: str) -> Found:
        """The service's entry, made if it is new."""
        return self.services.setdefault(service, Found())

    def look_at(self, events: Iterable[LogEvent]) -> None:
        """Take levels and times from records; they are not counted."""
        for event in events:
            found = self.of(event.service)
            found.levels.add(event.level)
            found.saw(nanoseconds(event.at))

    def holdings(self) -> tuple[ServiceHolding, ...]:
        """Services by name; those of which no record was seen are left out."""
        return tuple(
            ServiceHolding(
                name,
                found.lines,
                tuple(sorted(found.levels, key=rank)),
                instant(found.oldest_ns),
                instant(found.newest_ns),
            )
            for name, found in sorted(self.services.items())
            if found.lines and found.oldest_ns is not None and found.newest_ns is not None
        )
