"""The door to HTTP sources: bounded in time and bytes, and every failure is a documented code."""

import asyncio
import gzip
import json
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from state.model.enums import ToolCode
from state.model.errors import Misconfigured, ToolFailed
from tests.source_faults import EXPECTED, Fault, faulty_source
from tests.wire_server import Reply, WireServer, answers
from tools.http_api import MAX_ELEMENTS, HttpApi, HttpEndpoint


@asynccontextmanager
async def opened(endpoint: HttpEndpoint) -> AsyncIterator[HttpApi]:
    api = HttpApi(endpoint)
    try:
        yield api
    finally:
        await api.aclose()


@pytest.mark.parametrize("fault", [one for one in Fault if one is not Fault.SCHEMA_CHANGE])
async def test_every_fault_is_its_documented_code_within_the_timeout(fault: Fault) -> None:
    began = time.monotonic()
    with faulty_source(fault) as url:
        async with opened(HttpEndpoint(url)) as api:
            with pytest.raises(ToolFailed) as failed:
                await api.get("/x", timeout_s=1.0, cap_bytes=1000)

    assert failed.value.code is EXPECTED[fault]
    assert time.monotonic() - began < 5


async def test_a_body_that_trickles_ends_at_the_timeout() -> None:
    with WireServer(answers({"a": "b" * 100}, pause_s=30.0)) as server:
        async with opened(HttpEndpoint(server.url)) as api:
            with pytest.raises(ToolFailed) as failed:
                await api.get("/x", timeout_s=0.5, cap_bytes=1000)
        assert server.client_left.wait(5)

    assert failed.value.code is ToolCode.TOOL_TIMEOUT


async def test_cancellation_leaves_the_connection() -> None:
    with WireServer(answers({}, delay_s=30.0)) as server:
        async with opened(HttpEndpoint(server.url)) as api:
            asking = asyncio.create_task(api.get("/x", timeout_s=20.0, cap_bytes=1000))
            await asyncio.to_thread(server.arrived.wait, 5)
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
        assert server.client_left.wait(5)


async def test_a_redirect_is_not_followed() -> None:
    with WireServer(Reply(b"{}", status=307, headers={"location": "/elsewhere"}), answers({})) as server:
        async with opened(HttpEndpoint(server.url)) as api:
            with pytest.raises(ToolFailed):
                await api.get("/x", timeout_s=2.0, cap_bytes=1000)

        assert len(server.requests) == 1


async def test_credentials_and_query_go_over_the_wire_and_no_secret_into_the_error() -> None:
    with WireServer(answers({"ok": True}), Reply(b"no", status=403)) as server:
        async with opened(HttpEndpoint(server.url, {"x-scope-orgid": "t1"}, ("reader", "pa55"))) as api:
            assert await api.get("/a", (("match[]", "x y"), ("match[]", "z")), timeout_s=2.0, cap_bytes=1000) == {
                "ok": True
            }
            with pytest.raises(ToolFailed) as failed:
                await api.post("/b", {"q": 1}, timeout_s=2.0, cap_bytes=1000)

    first, second = server.requests
    assert first.path == "/a?match%5B%5D=x+y&match%5B%5D=z"
    assert first.headers["authorization"] == "Basic cmVhZGVyOnBhNTU="
    assert first.headers["x-scope-orgid"] == "t1"
    assert (second.method, second.body) == ("POST", {"q": 1})
    assert "pa55" not in str(failed.value)


@pytest.mark.parametrize("encoding", ["gzip", "GZIP", "gzip, gzip", "zstd", "br", "made-up"])
async def test_no_compressed_reply_is_asked_for_or_decoded(encoding: str) -> None:
    small = gzip.compress(b'{"ok": true}')
    with WireServer(Reply(small, headers={"content-encoding": encoding})) as server:
        async with opened(HttpEndpoint(server.url)) as api:
            with pytest.raises(ToolFailed) as failed:
                await api.get("/x", timeout_s=5.0, cap_bytes=100_000)

    assert failed.value.code is ToolCode.TOOL_EXECUTION_ERROR
    assert "compressed" in str(failed.value)
    assert server.requests[0].headers["accept-encoding"] == "identity"


async def test_a_reply_of_too_many_elements_is_never_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[int] = []
    monkeypatch.setattr("tools.http_api.json.loads", lambda data, **_: decoded.append(len(data)))
    with WireServer(Reply(b"[" + b"[]," * (MAX_ELEMENTS // 2) + b"[]]")) as server:
        async with opened(HttpEndpoint(server.url)) as api:
            with pytest.raises(ToolFailed) as failed:
                await api.get("/x", timeout_s=20.0, cap_bytes=16 * 1024 * 1024)

    assert failed.value.code is ToolCode.RESULT_TOO_LARGE
    assert decoded == []


async def test_a_reply_is_decoded_beside_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[int] = []
    loads = json.loads

    def watched(data: bytes, **options: Any) -> Any:
        threads.append(threading.get_ident())
        return loads(data, **options)

    with WireServer(Reply(b'{"ok": true}')) as server:
        async with opened(HttpEndpoint(server.url)) as api:
            monkeypatch.setattr("tools.http_api.json.loads", watched)
            assert await api.get("/x", timeout_s=5.0, cap_bytes=1000) == {"ok": True}

    assert threads
    assert threading.get_ident() not in threads


@pytest.mark.parametrize(
    "reply",
    [Reply(b"you sent pa55word", status=403), Reply(b"{}", headers={"you sent": "pa55word"}), Reply(b"pa55word")],
)
async def test_no_word_of_a_source_reaches_the_log(reply: Reply) -> None:
    with WireServer(reply) as server:
        async with opened(HttpEndpoint(server.url, {"authorization": "Bearer pa55word"})) as api:
            with pytest.raises(ToolFailed) as failed:
                await api.get("/x", timeout_s=5.0, cap_bytes=1000)

    assert "pa55word" not in f"{failed.value} {failed.value.log_detail}"


@pytest.mark.parametrize(
    "token", ["pa55word\n", "pa55\r\nx: y", "pa55w\u00f6rd", "pa55\u4e2d", "pa55\x00", "pa55word "]
)
def test_a_header_that_cannot_be_sent_is_named_without_its_value(token: str) -> None:
    with pytest.raises(Misconfigured, match="header authorization") as refused:
        HttpEndpoint("http://127.0.0.1:1", {"authorization": f"Bearer {token}"})

    assert "pa55" not in f"{refused.value!r} {refused.value}"


@pytest.mark.parametrize("body", [b'{"a": NaN}', b"[" * 100_000])
async def test_what_is_no_json_is_refused(body: bytes) -> None:
    with WireServer(Reply(body)) as server:
        async with opened(HttpEndpoint(server.url)) as api:
            with pytest.raises(ToolFailed):
                await api.get("/x", timeout_s=5.0, cap_bytes=1_000_000)
