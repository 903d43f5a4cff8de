"""The committed events of one run as server-sent events. The stream reads; it never touches the run.

The bytes are what the store has committed, in order, each once: ``id`` is the sequence number, and whoever comes back
with the last one misses nothing and reads nothing twice.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import cast

import anyio
import orjson
from sse_starlette import EventSourceResponse, ServerSentEvent

from graph.live_runs import Watch
from service.http.metrics import Meters
from service.http.places import Places
from service.texts.codes import FAILURE
from state.model.enums import FailureCode, Language
from state.model.ids import RunId
from state.model.run import PublicEvent, PublicEventType

SEND_TIMEOUT_S = 30.0
"""A reader that takes nothing for so long loses its stream, and may come back."""
RETRY_MS = 2000
_HEARTBEAT = ServerSentEvent(comment="watching", sep="\n")


@dataclass(frozen=True)
class Streams:
    """Writes streams; all of them end when the process stops."""

    meters: Meters
    stopping: asyncio.Event
    places: Places
    """Of each key; whoever answers with a stream holds one before it begins."""
    send_timeout_s: float = SEND_TIMEOUT_S

    def response(self, watch: Watch, run_id: RunId, *, after: int = 0) -> EventSourceResponse:
        """The run's events with ``seq`` > after, then those to come, until ``done``."""
        return EventSourceResponse(
            self._frames(watch, run_id, after),
            headers={"X-Run-Id": run_id, "Cache-Control": "no-store"},
            sep="\n",
            # The heartbeat comes from the events themselves: none, where nothing came.
            ping=0,
            send_timeout=self.send_timeout_s,
        )

    async def _frames(self, watch: Watch, run_id: RunId, after: int) -> AsyncGenerator[ServerSentEvent, None]:
        with self.meters.streams.track_inprogress():
            yield ServerSentEvent(comment="connected", retry=RETRY_MS, sep="\n")
            followed = cast(AsyncGenerator[PublicEvent | None, None], watch.follow(run_id, after=after))
            async with aclosing(until(self.stopping, followed)) as events:
                async for event in events:
                    yield _HEARTBEAT if event is None else frame(event)


def frame(event: PublicEvent) -> ServerSentEvent:
    """The frame of one event; a failure says its code in a sentence, in both languages. Pure."""
    payload = dict(event.payload)
    if event.type is PublicEventType.FAILURE:
        why = FAILURE[FailureCode(str(payload["code"]))]
        payload |= {"message": why.text(Language.EN), "message_zh": why.text(Language.ZH)}
    data = orjson.dumps(payload).decode()
    return ServerSentEvent(data=data, event=event.type.value, id=str(event.seq), sep="\n")


async def until(
    stopping: asyncio.Event, events: AsyncGenerator[PublicEvent | None, None]
) -> AsyncGenerator[PublicEvent | None, None]:
    """The events as they come, no further ones once the process stops; the source is closed in any case."""
    stop = asyncio.create_task(stopping.wait())
    upcoming: asyncio.Future[PublicEvent | None] | None = None
    try:
        while not stopping.is_set():
            upcoming = asyncio.ensure_future(anext(events))
            await asyncio.wait((upcoming, stop), return_when=asyncio.FIRST_COMPLETED)
            if not upcoming.done():
                return
            try:
                event = upcoming.result()
            except StopAsyncIteration:
                return
            yield event
    finally:
        # Whoever reads may have gone: this is cancelled at every await then, and a source at work cannot be closed.
        with anyio.CancelScope(shield=True):
            stop.cancel()
            if upcoming is not None:
                upcoming.cancel()
                # Read also where it has ended by itself: an end nobody reads is logged as a fault.
                await asyncio.gather(upcoming, return_exceptions=True)
            await events.aclose()
