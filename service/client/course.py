"""Where a stream stands: what to request next, what an event adds, whether a broken connection is made again. Pure."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from httpx2 import ServerSentEvent, SSEError, TransportError

from service.client import requests
from service.client.events import Content, Done, Event, Failure, Metadata, RunOutcome, read_event
from service.client.problem import RootproofProblem, UnexpectedReply, Unreachable, problem_of

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.25, 8.0
TRY_AGAIN = frozenset({429, 502, 503, 504})
"""Statuses that a service shows while it restarts; for a stream that had begun they are no end."""
SILENCE_S = 30.0
"""Seconds without a byte after which a connection counts as lost; the service sends one at least every 10 s."""
MAX_EVENT_BYTES = 16 * 1024 * 1024


class Course:
    """The state of one stream across its connections."""

    def __init__(self, first: requests.Request[None], *, run_id: str | None, after: int, reconnects: int) -> None:
        self._first = first
        self._reconnects = reconnects
        self._failed = 0
        self._begun = False
        self._after = after
        self._last_type = ""
        self._session_id: str | None = None
        self._content: Content | None = None
        self._failure: Failure | None = None
        self._done: Done | None = None
        self.run_id = run_id
        """None until the service has named the run."""
        self.pause_s = 0.0
        """Seconds to wait before the next connection."""

    @property
    def has_ended(self) -> bool:
        """True once ``done`` was read."""
        return self._done is not None

    @property
    def request(self) -> requests.Request[None]:
        """What to send now: the first request until the run is known, then its events after the last one read."""
        if not self._begun or self.run_id is None:
            return self._first
        return requests.events(self.run_id, self._after)

    @property
    def result(self) -> RunOutcome:
        """How the run ended.

        Raises:
            ValueError: it has not ended.
        """
        if self._done is None or self.run_id is None:
            raise ValueError("the run has not ended; read the events to the end or call wait()")
        return RunOutcome(
            run_id=self.run_id,
            session_id=self._session_id,
            outcome=self._done.outcome,
            content=self._content,
            failure=self._failure,
        )

    def opened(self, headers: Mapping[str, str]) -> None:
        """A connection stands."""
        self.run_id = headers.get("x-run-id") or self.run_id
        self._begun = True

    def take(self, frame: ServerSentEvent) -> Event | None:
        """The event; None if it was read before or is of an unknown kind.

        Raises:
            UnexpectedReply: the frame has not the documented form.
        """
        event = read_event(frame.event, frame.data, frame.id)
        if event is None or self._was_read(event):
            return None
        if event.event_id == self._after:
            # A frame without an id of its own is given that of the frame before it.
            event = event.model_copy(update={"event_id": None})
        self._after, self._last_type, self._failed = event.event_id or self._after, event.type, 0
        self._keep(event)
        return event

    def _was_read(self, event: Event) -> bool:
        number = event.event_id
        if isinstance(event, Done):
            # Said again to whoever asks for what comes after the end, or after a number that never was.
            return False
        return number is not None and (number < self._after or (number, event.type) == (self._after, self._last_type))

    def _keep(self, event: Event) -> None:
        match event:
            case Metadata():
                self.run_id, self._session_id = event.run_id, event.session_id
            case Content():
                self._content = event
            case Failure():
                self._failure = event
            case Done():
                self._done = event

    def refused(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        """A connection was answered with a refusal.

        Raises:
            RootproofProblem: trying again would not help.
        """
        problem = problem_of(status, headers, body)
        if not self._begun or status not in TRY_AGAIN:
            raise problem
        self._pause(problem)

    @contextmanager
    def mended(self) -> Iterator[None]:
        """One connection: whatever breaks it before the run has ended is a reason to make another.

        Raises:
            UnexpectedReply: what answers is no event stream, or ends too early too often.
            RootproofProblem: it cannot be made again, tried often enough.
        """
        self.pause_s = 0.0
        try:
            yield
        except SSEError as error:
            raise UnexpectedReply("the reply is no stream of events, or an event is too large") from error
        except TransportError as error:
            self._pause(Unreachable(error))
        else:
            if not self.has_ended and not self.pause_s:
                self._pause(UnexpectedReply("the stream ended before the run did"))

    def _pause(self, why: RootproofProblem) -> None:
        self._failed += 1
        if self._failed > self._reconnects:
            raise why
        grown = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** (self._failed - 1))
        self.pause_s = max(grown, min(LONGEST_PAUSE_S, why.retry_after_s or 0.0))
