"""One bounded, read-only JSON request to an HTTP source of evidence; the door to httpx for every such source.

What goes wrong becomes ToolFailed with a documented code; the source's own words go to the operator's log only.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from config.secret_ref import is_header_text
from state.model.enums import ToolCode
from state.model.errors import Misconfigured, ToolFailed
from state.model.this_machine import is_loopback

CONNECT_TIMEOUT_S = 3.0
MAX_ELEMENTS = 2_000_000
"""Most elements of a reply. Each costs far more memory and time than the two bytes it may have on the wire."""
MAX_SAID_BYTES = 2048
_LOGGED_CHARS = 500
Params = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class HttpEndpoint:
    """Address and credentials of one source, with every secret already read."""

    url: str
    """Without a trailing slash, user, query or fragment."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Sent with every request; may hold credentials, so never shown."""
    basic: tuple[str, str] | None = None
    """User and password of HTTP basic authentication."""
    ca_file: Path | None = None
    """Certificates to trust instead of the system's."""

    def __post_init__(self) -> None:
        """A header that cannot be sent is found here, because the client's own error would show its value.

        Raises:
            Misconfigured: a header's value is no header text.
        """
        for name, value in self.headers.items():
            if not is_header_text(value):
                raise Misconfigured(f"header {name}", "its value holds a line break or is no plain ASCII text")


class StatusRefused(ToolFailed):
    """The source answered with another status than 2xx: TOOL_EXECUTION_ERROR, unless whoever asked knows better."""

    def __init__(self, status: int, *, said: str, log_detail: str) -> None:
        super().__init__(ToolCode.TOOL_EXECUTION_ERROR, log_detail=log_detail)
        self.status = status
        self.said = said
        """Beginning of its body, for a decision by code; never logged: it may hold the credentials that were sent."""


class HttpApi:
    """Asks one endpoint. Connects at first use; close it with ``aclose``. Redirects are never followed."""

    def __init__(self, endpoint: HttpEndpoint) -> None:
        self.url = endpoint.url
        self._client = httpx.AsyncClient(
            # A compressed block has no bound before it is decoded, so none is asked for or taken.
            headers={**endpoint.headers, "accept": "application/json", "accept-encoding": "identity"},
            auth=httpx.BasicAuth(*endpoint.basic) if endpoint.basic else None,
            verify=httpx.create_ssl_context(str(endpoint.ca_file)) if endpoint.ca_file else True,
            follow_redirects=False,
            trust_env=not is_loopback(endpoint.url),
            limits=httpx.Limits(max_connections=20, max_keepalive_connections=5),
        )

    async def get(self, path: str, params: Params = (), *, timeout_s: float, cap_bytes: int) -> object:
        """The JSON value of the reply.

        Raises:
            ToolFailed: TOOL_TIMEOUT after ``timeout_s`` in all; RESULT_TOO_LARGE if the body exceeds ``cap_bytes`` or
                holds over ``MAX_ELEMENTS``; else TOOL_EXECUTION_ERROR: a status other than 2xx, a compressed body.
        """
        return await self._ask("GET", path, params, None, timeout_s=timeout_s, cap_bytes=cap_bytes)

    async def post(
        self, path: str, body: Mapping[str, object], params: Params = (), *, timeout_s: float, cap_bytes: int
    ) -> object:
        """The JSON value of the reply to a search whose query is ``body``.

        Raises:
            ToolFailed: as ``get``.
        """
        return await self._ask("POST", path, params, body, timeout_s=timeout_s, cap_bytes=cap_bytes)

    async def delete(
        self, path: str, body: Mapping[str, object], params: Params = (), *, timeout_s: float, cap_bytes: int
    ) -> object:
        """The JSON value of the reply to giving back what an earlier request holds at the server.

        Raises:
            ToolFailed: as ``get``.
        """
        return await self._ask("DELETE", path, params, body, timeout_s=timeout_s, cap_bytes=cap_bytes)

    async def aclose(self) -> None:
        """Close the connections; idempotent."""
        await self._client.aclose()

    async def _ask(
        self,
        method: str,
        path: str,
        params: Params,
        body: Mapping[str, object] | None,
        *,
        timeout_s: float,
        cap_bytes: int,
    ) -> object:
        try:
            async with asyncio.timeout(timeout_s):
                data = await self._read(method, path, params, body, timeout_s=timeout_s, cap_bytes=cap_bytes)
                return await asyncio.to_thread(_decoded, data)
        except (TimeoutError, httpx.TimeoutException):
            raise ToolFailed(ToolCode.TOOL_TIMEOUT, log_detail=f"{self.url}{path}") from None
        except httpx.HTTPError as error:
            raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail=self._told(path, type(error).__name__)) from None
        except (ValueError, RecursionError):
            raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail=self._told(path, "reply is no JSON")) from None

    async def _read(
        self,
        method: str,
        path: str,
        params: Params,
        body: Mapping[str, object] | None,
        *,
        timeout_s: float,
        cap_bytes: int,
    ) -> bytes:
        """The body of a 2xx reply; of another one only the beginning is read.

        Raises:
            StatusRefused: another status.
            ToolFailed: a body over the cap, or in an encoding that was not asked for.
        """
        timeout = httpx.Timeout(timeout_s, connect=min(timeout_s, CONNECT_TIMEOUT_S))
        request = self._client.build_request(method, self.url + path, params=tuple(params), json=body, timeout=timeout)
        reply = await self._client.send(request, stream=True)
        try:
            if not reply.is_success:
                said = await _beginning(reply)
                told = self._told(path, f"status {reply.status_code}")
                raise StatusRefused(reply.status_code, said=said, log_detail=told)
            if reply.headers.get("content-encoding", "identity").strip().lower() != "identity":
                raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail=self._told(path, "reply is compressed"))
            data = bytearray()
            async for block in reply.aiter_raw(64 * 1024):
                data += block
                if len(data) > cap_bytes:
                    raise ToolFailed(ToolCode.RESULT_TOO_LARGE, log_detail=self._told(path, f"over {cap_bytes} bytes"))
            return bytes(data)
        finally:
            await reply.aclose()

    def _told(self, path: str, why: str) -> str:
        return f"{self.url}{path}: {why}"[:_LOGGED_CHARS]


async def _beginning(reply: httpx.Response) -> str:
    """The first bytes of a refusal as they are on the wire, at most ``MAX_SAID_BYTES``."""
    data = b""
    async for block in reply.aiter_raw(MAX_SAID_BYTES):
        data += block
        if len(data) >= MAX_SAID_BYTES:
            break
    return data[:MAX_SAID_BYTES].decode(errors="replace")


def _decoded(data: bytes) -> object:
    """The JSON value.

    Raises:
        ToolFailed: RESULT_TOO_LARGE, before anything is decoded: more elements than the bound.
        ValueError: it is no JSON; so is RecursionError.
    """
    if sum(map(data.count, (b",", b"[", b"{"))) > MAX_ELEMENTS:
        raise ToolFailed(ToolCode.RESULT_TOO_LARGE, log_detail=f"over {MAX_ELEMENTS} elements")
    return json.loads(data, parse_constant=_refuse)


def _refuse(constant: str) -> object:
    """JSON has no NaN and no infinity.

    Raises:
        ValueError: always.
    """
    raise ValueError(constant)
