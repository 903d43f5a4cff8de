"""What a vendor's door offers to the one executor: a connection that begins read-only, answers, and can be ended."""

import threading
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from state.model.enums import ToolCode
from state.ports import Clock
from tools.sql.statement import Constant

Answer = Generator[tuple[object, ...], None, None]
"""Rows one after the other, as they arrive; closing it early gives up the rest, and with it the session."""


class NotReadOnly(Exception):
    """The connection did not confirm that it cannot write."""


@dataclass(frozen=True)
class Deadline:
    """When a piece of work must have ended. May be looked at and stopped from any thread."""

    clock: Clock
    at: float
    """Monotonic seconds."""
    _stopped: threading.Event = field(default_factory=threading.Event)

    def stop(self) -> None:
        """End the work now; repeatable."""
        self._stopped.set()

    def remaining_s(self) -> float:
        """Seconds left; 0 once over or stopped."""
        return 0.0 if self._stopped.is_set() else max(0.0, self.at - self.clock.monotonic())

    def is_over(self) -> bool:
        """True if stopped or past the deadline."""
        return self.remaining_s() <= 0.0


class Session(Protocol):
    """One connection for one piece of work. Used by one thread, except ``end`` and ``cut``."""

    def open(self) -> None:
        """Connect. Raises the door's failures."""
        ...

    def begin(self) -> None:
        """Harden the session and begin a read-only transaction. Raises NotReadOnly unless the server confirms it."""
        ...

    def ask(self, sql: str, values: Sequence[Constant] = ()) -> Answer:
        """The rows of one statement; each ``?`` in it stands for the next value."""
        ...

    def cost(self, sql: str, values: Sequence[Constant]) -> float | None:
        """The server's own estimate of what the statement costs, without running it; None if it gives none."""
        ...

    def end(self) -> None:
        """Ask the server to end what is running. From any thread, repeatable, never raises, bounded in time."""
        ...

    def cut(self) -> None:
        """Break the connection off, so that whoever waits for it goes on. As ``end``."""
        ...

    def close(self) -> None:
        """Roll back and close. Never raises."""
        ...


class Door(Protocol):
    """One vendor."""

    @property
    def failures(self) -> tuple[type[BaseException], ...]:
        """All that its driver raises when the server, the network or the statement fails."""
        ...

    @property
    def waits_for_end(self) -> bool:
        """True if a statement told to end surely ends, so that waiting for it is bounded."""
        ...

    def session(self, deadline: Deadline) -> Session:
        """A session that is not yet open."""
        ...

    def code_of(self, error: BaseException) -> ToolCode:
        """What one of ``failures`` means, if it happened before the deadline. Pure."""
        ...

    def reason_of(self, error: BaseException) -> str:
        """Why a server could not be opened, in our words, for the operator. Pure."""
        ...
