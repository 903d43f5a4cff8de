"""What a folder source keeps of one file, and what the files together hold. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from tools.logs.block import Held, add_held, count_record
from tools.logs.file_index import FileIndex, Key
from tools.logs.folder_listing import shown
from tools.logs.levels import rank
from tools.logs.port import ServiceHolding, Unread
from tools.logs.read_file import ReadFile


@dataclass(frozen=True)
class Stored:
    """One file of the folder: its parsed content, its index, or why there is neither."""

    name: str
    key: Key
    file: ReadFile
    index: FileIndex | None = None

    def as_now(self) -> "Stored":
        """The same, unaffected by what another search surveys meanwhile."""
        return self if self.index is None else replace(self, index=self.index.as_now())

    @property
    def shown(self) -> str:
        """Its name as it is told."""
        return shown(self.name)

    @property
    def problem(self) -> str | None:
        """Why nothing or not everything of it could be read."""
        return (self.index or self.file).problem

    def broken_between(self, start: datetime, end: datetime) -> int:
        """Broken lines that may have been written in that time."""
        return (self.index or self.file).broken_between(start, end)

    def oldest(self) -> Iterable[tuple[str, datetime]]:
        """The oldest record of each service."""
        if self.index is None:
            return self.file.oldest_by_service.items()
        return [(name, one.oldest) for name, one in self.index.services().items()]


def services_of(files: Iterable[Stored]) -> dict[str, Held]:
    """What the files hold of each service."""
    total: dict[str, Held] = {}
    for stored in files:
        if stored.index is not None:
            add_held(total, stored.index.services().items())
        for event in stored.file.events:
            count_record(total, event.service, event.at, event.level)
    return total


def oldest_by_service(files: Iterable[Stored]) -> dict[str, datetime]:
    """The oldest record of each service."""
    oldest: dict[str, datetime] = {}
    for stored in files:
        for service, at in stored.oldest():
            oldest[service] = min(at, oldest.get(service, at))
    return oldest


def oldest_of(files: Iterable[Stored], known: Iterable[datetime]) -> datetime | None:
    """The oldest of known times and of those near the ends of files not surveyed to their end; None: there is none."""
    indexes = [one.index for one in files if one.index is not None and not one.index.is_whole]
    return min([*known, *(index.span[0] for index in indexes if index.span is not None)], default=None)


def unread_of(files: Iterable[Stored]) -> tuple[Unread, ...]:
    """The files that could not be read, or not wholly."""
    return tuple(Unread(name=stored.shown, why=stored.problem) for stored in files if stored.problem)


def holding_of(service: str, one: Held) -> ServiceHolding:
    """The same for the catalogue."""
    return ServiceHolding(service, one.lines, tuple(sorted(one.levels, key=rank)), one.oldest, one.newest)
