"""Replies of a service in the order in which they are asked for, with the requests they answered: for faults of a network."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field

import httpx2

from service.client import AsyncRootproof, Rootproof

RUN = "11111111-1111-4111-8111-111111111111"
OPENED = f'event: metadata\ndata: {{"session_id":"s-1","run_id":"{RUN}"}}\nid: 1\n\n'
HELLO = "retry: 2000\n: connected\n\n"
STEP = 'event: status\ndata: {"stage":"tool","tool":"query_logs","source":"logs","new_field":1}\nid: 2\n\n'
BEAT = ": watching\n\n"
ANSWER = (
    'event: content\ndata: {"content_type":"SYSTEM_ANSWER","payload":{"tag":"answer","text":"Hello.","quotes":[],'
    '"later":true}}\nid: 3\n\n'
)
DONE = 'event: done\ndata: {"outcome":"SUCCESS"}\nid: 4\n\n'
WHOLE = HELLO + OPENED + STEP + BEAT + ANSWER + DONE


@dataclass
class Broken(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """A body whose connection is lost behind these bytes."""

    text: str

    def __iter__(self) -> Iterator[bytes]:
        yield self.text.encode()
        raise httpx2.ReadError("lost")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self.text.encode()
        raise httpx2.ReadError("lost")


def stream(text: str, *, lost: bool = False, run_id: str | None = RUN) -> httpx2.Response:
    """A stream of events that ends behind the text, in order or not."""
    headers = {"Content-Type": "text/event-stream", **({"X-Run-Id": run_id} if run_id else {})}
    if lost:
        return httpx2.Response(200, headers=headers, stream=Broken(text))
    return httpx2.Response(200, headers=headers, content=text.encode())


def refusal(status: int, code: str, **headers: str) -> httpx2.Response:
    """A problem document."""
    body = {"type": "about:blank", "title": code, "status": status, "detail": "A sentence.", "code": code}
    given = {"Content-Type": "application/problem+json", "X-Request-Id": "q-1", **headers}
    return httpx2.Response(status, headers=given, json={**body, "run_id": RUN, "request_id": "q-1"})


@dataclass
class ScriptedService:
    """Plays its replies; an exception is raised in place of one."""

    replies: list[httpx2.Response | Exception]
    asked: list[httpx2.Request] = field(default_factory=list)

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply

    def client(self, **options: object) -> Rootproof:
        return Rootproof(transport=httpx2.MockTransport(self.answer), **options)  # type: ignore[arg-type]

    def async_client(self, **options: object) -> AsyncRootproof:
        return AsyncRootproof(transport=httpx2.MockTransport(self.answer), **options)  # type: ignore[arg-type]
