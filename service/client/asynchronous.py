"""The client for programs with an event loop; the same methods as ``blocking``, awaited."""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, TypeVar

import httpx2

from service.client import replies, requests
from service.client.connection import (
    DEFAULT_URL,
    UNBOUNDED,
    checked_url,
    fresh_key,
    headers_of,
    request_timeout,
    stream_timeout,
)
from service.client.course import MAX_EVENT_BYTES, Course
from service.client.events import Event, RunOutcome
from service.client.problem import Unreachable

T = TypeVar("T")
POLL_S = 0.5


class AsyncAnswerStream:
    """The events of one run, in order and each once, across as many connections as it takes.

    Iterating raises RootproofProblem: the service refuses the question, or cannot be reached again. Leaving early stops
    watching; a run that nobody watches is cancelled after 15 s unless it is detached.
    """

    def __init__(self, http: httpx2.AsyncClient, course: Course, timeout: httpx2.Timeout) -> None:
        self._http, self._course, self._timeout = http, course, timeout
        self._events = self._read()

    @property
    def run_id(self) -> str | None:
        """The run; None until the service has named it."""
        return self._course.run_id

    @property
    def result(self) -> RunOutcome:
        """How the run ended. Raises ValueError while it has not."""
        return self._course.result

    async def wait(self) -> RunOutcome:
        """How the run ended, once it has."""
        async for _ in self:
            pass
        return self.result

    def __aiter__(self) -> AsyncIterator[Event]:
        return self._events

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Stop watching."""
        await self._events.aclose()

    async def _read(self) -> AsyncGenerator[Event]:
        while not self._course.has_ended:
            await asyncio.sleep(self._course.pause_s)
            async with aclosing(self._connection()) as events:
                async for event in events:
                    yield event

    async def _connection(self) -> AsyncGenerator[Event]:
        request = self._course.request
        how: Any = {"timeout": self._timeout, "max_event_size": MAX_EVENT_BYTES, **request.options}
        sent = self._http.sse(request.path, method=request.method, **how)
        async with _mended(self._course), sent as source, aclosing(_frames(source)) as frames:
            if not await self._is_accepted(source.response):
                return
            async for frame in frames:
                if event := self._course.take(frame):
                    yield event
                if self._course.has_ended:
                    return

    async def _is_accepted(self, response: httpx2.Response) -> bool:
        if response.status_code == httpx2.codes.OK:
            self._course.opened(response.headers)
            return True
        self._course.refused(response.status_code, response.headers, await response.aread())
        return False


@asynccontextmanager
async def _mended(course: Course) -> AsyncIterator[None]:
    with course.mended():
        yield


async def _frames(source: httpx2.EventSource) -> AsyncGenerator[httpx2.ServerSentEvent]:
    async for frame in source:
        yield frame


class AsyncRootproof:
    """One service, with one key. Every method raises RootproofProblem if the service refuses or cannot be reached.

    Nothing is sent twice but a question or a fork, whose ``Idempotency-Key`` makes that harmless.
    """

    def __init__(
        self,
        base_url: str = DEFAULT_URL,
        *,
        key: str | None = None,
        language: Literal["en", "zh"] | None = None,
        timeout_s: float = 30.0,
        reconnects: int = 10,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        """``language``: of refusals; ``timeout_s``: of one reply; ``reconnects``: attempts in a row to go on watching.

        Raises:
            ValueError: address or key cannot be used.
        """
        self._reconnects = reconnects
        self._stream_timeout = stream_timeout(timeout_s)
        self._http = httpx2.AsyncClient(
            base_url=checked_url(base_url),
            headers=headers_of(key, language),
            timeout=request_timeout(timeout_s),
            limits=UNBOUNDED,
            transport=transport,
        )

    def ask(
        self,
        query: str,
        *,
        session_id: str | None = None,
        follow_up_of: str | None = None,
        detach: bool = False,
        options: requests.AskOptions | None = None,
        idempotency_key: str | None = None,
    ) -> AsyncAnswerStream:
        """The events of the run that answers; it starts when they are first read.

        ``detach``: the run goes on when nobody watches. ``idempotency_key``: the same key and question watch the same
        run.
        """
        first = requests.ask(
            query,
            session_id=session_id,
            follow_up_of=follow_up_of,
            detach=detach,
            options=options,
            key=idempotency_key or fresh_key(),
        )
        return self._stream(Course(first, run_id=None, after=0, reconnects=self._reconnects))

    def fork(
        self,
        run_id: str,
        at: int | str,
        *,
        detach: bool = False,
        options: requests.ForkOptions | None = None,
        idempotency_key: str | None = None,
    ) -> AsyncAnswerStream:
        """The events of a new run that goes on from a step of this one; it starts when they are first read.

        ``at``: number of a step, name of a node (its last time; ``agent:2`` its second), or id of a checkpoint.
        """
        key = idempotency_key or fresh_key()
        first = requests.fork(run_id, at, detach=detach, options=options, key=key)
        return self._stream(Course(first, run_id=None, after=0, reconnects=self._reconnects))

    async def steps(self, run_id: str) -> tuple[replies.ForkStep, ...]:
        """The steps from which another run can go on; none once they are not kept any more."""
        return (await self._do(requests.steps(run_id))).steps

    def follow(self, run_id: str, *, after: int = 0) -> AsyncAnswerStream:
        """The events of a run with a number above ``after``, also those to come."""
        first = requests.events(run_id, after)
        return self._stream(Course(first, run_id=run_id, after=after, reconnects=self._reconnects))

    async def cancel(self, run_id: str) -> replies.Cancelled:
        """Ask the run to stop; ``RUN_ENDED`` if it had ended."""
        return await self._do(requests.cancel(run_id))

    async def detach(self, run_id: str) -> replies.Detached:
        """Let the run go on without a watcher."""
        return await self._do(requests.detach(run_id))

    async def runs(
        self,
        *,
        limit: int | None = None,
        session_id: str | None = None,
        outcome: str | None = None,
        text: str | None = None,
        before: str | None = None,
    ) -> tuple[replies.RunSummary, ...]:
        """Runs that the key may see, newest first; ``text``: words of the question, ``before``: last run of a page."""
        return (await self._do(requests.runs(limit, session_id, outcome, text, before))).runs

    async def run(self, run_id: str) -> replies.Run:
        """One run with its result."""
        return await self._do(requests.run(run_id))

    async def sessions(self, *, limit: int | None = None) -> tuple[replies.Session, ...]:
        """Sessions, the one asked in last first."""
        return (await self._do(requests.sessions(limit))).sessions

    async def trace(self, session_id: str, run_id: str | None = None) -> replies.Trace:
        """Everything kept about one run of the session; None: its newest."""
        return await self._do(requests.trace(session_id, run_id))

    async def evidence(self, run_id: str, tool_call_id: str) -> replies.Evidence:
        """One tool result of a run."""
        return await self._do(requests.evidence(run_id, tool_call_id))

    async def feedback(
        self, session_id: str, run_id: str, verdict: Literal["useful", "not_useful"], *, correction: str | None = None
    ) -> replies.Judged:
        """Judge a run; ``correction``: what was really the cause."""
        return await self._do(requests.feedback(session_id, run_id, verdict, correction))

    async def upload_document(
        self, file: Path | bytes, *, name: str | None = None, category: str | None = None
    ) -> replies.Uploaded:
        """The task that ingests the file. Bytes need a ``name``.

        Raises:
            ValueError: bytes without a name.
            OSError: the file cannot be read.
        """
        named = await asyncio.to_thread(requests.named, file, name)
        return await self._do(requests.upload(*named, category))

    async def task(self, task_id: str) -> replies.Task:
        """Where an ingest stands."""
        return await self._do(requests.task(task_id))

    async def wait_for_task(self, task_id: str, *, timeout_s: float = 300.0) -> replies.Task:
        """The task once it is READY or FAILED.

        Raises:
            TimeoutError: not within ``timeout_s``; the ingest goes on.
        """
        deadline = time.monotonic() + timeout_s
        while not (found := await self.task(task_id)).has_ended:
            if time.monotonic() > deadline:
                raise TimeoutError(f"the ingest is {found.state} after {timeout_s:g} s")
            await asyncio.sleep(POLL_S)
        return found

    async def documents(self) -> tuple[replies.Document, ...]:
        """Every document of the knowledge base."""
        return (await self._do(requests.documents())).documents

    async def document(self, doc_id: str) -> replies.Document:
        """One document."""
        return await self._do(requests.document(doc_id))

    async def delete_document(self, doc_id: str) -> None:
        """Remove one document."""
        await self._do(requests.delete_document(doc_id))

    async def search(self, question: str, *, category: str | None = None) -> replies.Found:
        """What the knowledge base has on a question."""
        return await self._do(requests.search(question, category))

    async def alerts(self, notification: Mapping[str, Any]) -> tuple[replies.AlertRun, ...]:
        """The runs of an Alertmanager notification (webhook version 4); empty if it is resolved."""
        return (await self._do(requests.alerts(notification))).runs

    async def about(self) -> replies.About:
        """What the service is, and who the key is."""
        return await self._do(requests.about())

    async def close(self) -> None:
        """Close every connection."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _stream(self, course: Course) -> AsyncAnswerStream:
        return AsyncAnswerStream(self._http, course, self._stream_timeout)

    async def _do(self, request: requests.Request[T]) -> T:
        try:
            reply = await self._http.request(request.method, request.path, **request.options)
        except httpx2.TransportError as error:
            raise Unreachable(error) from error
        return request.read(reply.status_code, reply.headers, reply.content)
