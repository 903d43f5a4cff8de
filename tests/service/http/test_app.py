"""The application over a real socket: every error a problem, every reply protected, nothing of a caller echoed."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from config.keyring import Keyring
from service.http.codes import ProblemCode
from state.model.errors import TruthUnavailable
from tests.graph.stage import Cast
from tests.service.http.place import Place, key, place, until

MARK = "marker-7f3a"
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def served(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Place]:
    home = tmp_path_factory.mktemp("app")
    web = home / "web"
    web.mkdir()
    (web / "index.html").write_text("<!doctype html><title>Rootproof</title><script src=/static/app.js></script>")
    (web / "app.js").write_text("export const a = 1;")
    (web / "style.css").write_text("body { color: black }")
    (web / ".hidden").write_text("secret")
    (home / "outside.txt").write_text("secret")
    (web / "link.txt").symlink_to(home / "outside.txt")
    async with place(home, Cast(), web=web, settings={"requests_per_minute": 10_000}) as opened:
        yield opened


async def said(reply: httpx.Response) -> tuple[int, str]:
    return reply.status_code, reply.json()["code"]


async def chat(served: Place, body: Any, **headers: str) -> httpx.Response:
    return await served.client.post("/api/chat", json=body, headers={**key("ann"), **headers})


async def test_every_problem_has_its_shape(served: Place) -> None:
    reply = await served.client.get("/api/no/such/thing", headers=key("ann"))

    assert reply.headers["Content-Type"] == "application/problem+json"
    assert reply.json() == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "There is no such thing here.",
        "code": "NOT_FOUND",
        "run_id": None,
        "request_id": reply.headers["X-Request-Id"],
    }


@pytest.mark.parametrize(
    ("body", "status", "code", "named"),
    [
        ({}, 422, "INVALID_QUERY", "query"),
        ({"query": ""}, 422, "INVALID_QUERY", ""),
        ({"query": "   "}, 422, "INVALID_QUERY", ""),
        ({"query": 7}, 422, "INVALID_QUERY", "query"),
        ({"query": "x" * 5000}, 422, "INVALID_QUERY", ""),
        ({"query": "a\x00b"}, 422, "INVALID_QUERY", ""),
        ({"query": "q", "session_id": "../etc"}, 422, "INVALID_QUERY", ""),
        ({"query": "q", "session_id": 7}, 422, "INVALID_QUERY", "session_id"),
        ({"query": "q", "options": {"since": "soon"}}, 422, "INVALID_QUERY", ""),
        ({"query": "q", "options": {"since": "1h", "window_start": "2026-03-01"}}, 422, "INVALID_QUERY", ""),
        ({"query": "q", "options": {"deadline_s": 0}}, 422, "INVALID_QUERY", "options.deadline_s"),
        ({"query": "q", "options": {"deadline_s": -1}}, 422, "INVALID_QUERY", "options.deadline_s"),
        ({"query": "q", "options": {"language": MARK}}, 422, "INVALID_QUERY", "options.language"),
        ({"query": "q", "options": {MARK: 1}}, 422, "INVALID_QUERY", "options"),
        ({"query": "q", "options": []}, 422, "INVALID_QUERY", "options"),
        ({"query": "q", "detach": MARK}, 422, "INVALID_REQUEST", "detach"),
        ({"query": "q", "owner_key": MARK}, 422, "INVALID_REQUEST", "owner_key"),
        ({"query": "q", "run_id": MARK}, 422, "INVALID_REQUEST", "run_id"),
        ({"query": "q", "<b>": MARK}, 422, "INVALID_REQUEST", "?"),
        ([], 422, "INVALID_REQUEST", "body"),
        ("text", 422, "INVALID_REQUEST", "body"),
    ],
)
async def test_what_cannot_be_asked_is_named_and_not_repeated(
    served: Place, body: Any, status: int, code: str, named: str
) -> None:
    reply = await chat(served, body)

    assert await said(reply) == (status, code)
    assert named in reply.json()["detail"]
    assert MARK not in reply.json()["detail"] or named == "options"
    assert "<b>" not in reply.text


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"not json",
        b'{"query": "q",}',
        b"\xff\xfe",
        b"[" * 200_000,
        b'{"query":' * 100_000,
        b'{"query": "q", "options": {"deadline_s": NaN}}',
        b'{"query": "q", "options": {"deadline_s": Infinity}}',
        rb'{"query": "\ud800"}',
        rb'{"query": "q", "session_id": "\udfff"}',
    ],
)
async def test_what_is_no_json_is_a_bad_request(served: Place, raw: bytes) -> None:
    reply = await served.client.post(
        "/api/chat", content=raw, headers={**key("ann"), "Content-Type": "application/json"}
    )

    assert await said(reply) == (400, "BAD_REQUEST")


@pytest.mark.parametrize("kind", ["text/plain", "application/xml", "application/x-www-form-urlencoded", ""])
async def test_another_type_of_body_is_415(served: Place, kind: str) -> None:
    reply = await served.client.post(
        "/api/chat", content=b'{"query":"q"}', headers={**key("ann"), "Content-Type": kind}
    )

    assert await said(reply) == (415, "UNSUPPORTED_MEDIA_TYPE")
    assert "application/json" in reply.json()["detail"]


async def test_a_large_body_is_413_whether_its_length_is_declared_or_not(served: Place) -> None:
    large = b'{"query": "' + b"x" * (1024 * 1024) + b'"}'

    async def pieces() -> AsyncIterator[bytes]:
        for start in range(0, len(large), 65_536):
            yield large[start : start + 65_536]

    headers = {**key("ann"), "Content-Type": "application/json"}
    declared = await served.client.post("/api/chat", content=large, headers=headers)
    counted = await served.client.post("/api/chat", content=pieces(), headers=headers)

    assert await said(declared) == await said(counted) == (413, "TOO_LARGE")
    assert counted.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/chat", 405, "METHOD_NOT_ALLOWED"),
        ("PUT", "/api/chat", 405, "METHOD_NOT_ALLOWED"),
        ("OPTIONS", "/api/chat", 405, "METHOD_NOT_ALLOWED"),
        ("POST", "/healthz", 405, "METHOD_NOT_ALLOWED"),
        ("POST", "/", 405, "METHOD_NOT_ALLOWED"),
        ("POST", "/static/app.js", 405, "METHOD_NOT_ALLOWED"),
        ("GET", "/nothing", 404, "NOT_FOUND"),
        ("GET", "/docs", 404, "NOT_FOUND"),
        ("GET", "/api/runs/nothing/events", 404, "NOT_FOUND"),
        ("GET", "/api/runs/nothing/events?after=-1", 422, "INVALID_REQUEST"),
        ("GET", "/api/runs/nothing/events?after=x", 422, "INVALID_REQUEST"),
    ],
)
async def test_framework_errors_are_problems_too(served: Place, method: str, path: str, status: int, code: str) -> None:
    reply = await served.client.request(method, path, headers=key("ann"))

    assert await said(reply) == (status, code)
    assert reply.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("sent", ["x", "-1", "1.5", "9" * 40])
async def test_a_last_event_that_is_no_number_is_named(served: Place, sent: str) -> None:
    reply = await served.client.get("/api/runs/r/events", headers={**key("ann"), "Last-Event-ID": sent})

    assert await said(reply) == (422, "INVALID_REQUEST")
    assert "last-event-id" in reply.json()["detail"].lower()


@pytest.mark.parametrize("sent", ["", "x" * 201])
async def test_an_idempotency_key_has_its_bounds(served: Place, sent: str) -> None:
    reply = await chat(served, {"query": "q"}, **{"Idempotency-Key": sent})

    assert await said(reply) == (422, "INVALID_REQUEST")
    assert "idempotency-key" in reply.json()["detail"].lower()


async def test_a_refusal_is_in_the_callers_language(served: Place) -> None:
    reply = await chat(served, {"query": ""}, **{"Accept-Language": "zh-CN,zh;q=0.9"})

    assert any("\u4e00" <= char <= "\u9fff" for char in reply.json()["detail"])
    assert reply.headers["Content-Language"] == "zh"


@pytest.mark.parametrize(
    "path", ["/", "/static/app.js", "/healthz", "/api/about", "/api/none", "/openapi.json", "/static/no"]
)
async def test_every_reply_is_protected(served: Place, path: str) -> None:
    reply = await served.client.get(path, headers=key("ann"))
    policy = reply.headers["Content-Security-Policy"]

    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert reply.headers["X-Content-Type-Options"] == "nosniff"
    assert reply.headers["Referrer-Policy"] == "no-referrer"
    assert "camera=()" in reply.headers["Permissions-Policy"]
    assert reply.headers["X-Request-Id"]
    assert "server" not in reply.headers
    assert "access-control-allow-origin" not in reply.headers
    assert path.startswith("/api") is (reply.headers.get("Cache-Control") == "no-store") or path == "/static/no"


async def test_no_request_id_of_a_caller_is_believed(served: Place) -> None:
    reply = await served.client.get("/healthz", headers={"X-Request-Id": MARK})

    assert reply.headers["X-Request-Id"] != MARK


async def test_the_page_and_its_files(served: Place) -> None:
    page = await served.client.get("/")
    script = await served.client.get("/static/app.js")
    style = await served.client.get("/static/style.css")
    again = await served.client.get("/static/app.js", headers={"If-None-Match": script.headers["ETag"]})

    assert (page.status_code, page.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert script.headers["Content-Type"].startswith("text/javascript")
    assert style.headers["Content-Type"].startswith("text/css")
    assert {page.headers["Cache-Control"], script.headers["Cache-Control"]} == {"no-cache"}
    assert again.status_code == 304


@pytest.mark.parametrize(
    "path",
    [
        "/static/../outside.txt",
        "/static/%2e%2e/outside.txt",
        "/static/..%2foutside.txt",
        "/static/%2e%2e%2foutside.txt",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/..%5coutside.txt",
        "/static/link.txt",
        "/static/.hidden",
        "/static/%00",
        "/static/" + "a" * 3000,
        "/static/",
        "/static",
    ],
)
async def test_nothing_outside_the_folder_is_served(served: Place, path: str) -> None:
    """Sent as it stands: a client would tidy the address."""
    host, port = served.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
    raw = await reader.read()
    writer.close()

    assert raw.split(b" ")[1] == b"404"
    assert b"secret" not in raw
    assert b"root:" not in raw


async def test_about_says_who_asks_and_what_is_searched(served: Place) -> None:
    told = (await served.client.get("/api/about", headers=key("olga"))).json()

    assert told["caller"] == {"name": "olga", "roles": ["operator"]}
    assert (told["model"], told["languages"]) == ("scripted", ["en", "zh"])
    known = {"version", "caller", "sources", "notices", "model", "languages"}
    assert set(told) == known | {"time_zone", "now", "demo"}


async def test_the_graph_is_the_one_that_runs(served: Place) -> None:
    english = (await served.client.get("/api/graph", headers=key("ann"))).json()
    chinese = (await served.client.get("/api/graph", headers={**key("ann"), "Accept-Language": "zh"})).json()
    names = [node["name"] for node in english["nodes"]]

    assert names[0] == "open_run"
    assert {"agent", "tool_gate", "guard_evidence", "release", "close_run"} < set(names)
    assert {"from": "START", "to": "open_run", "condition": None} in english["edges"]
    assert {"from": "guard_evidence", "to": "repair_draft", "condition": "REPAIRABLE"} in english["edges"]
    assert {edge["from"] for edge in english["edges"]} == {*names, "START"}
    assert english["mermaid"].startswith("flowchart TD")
    assert [node["title"] for node in chinese["nodes"]] != [node["title"] for node in english["nodes"]]


async def test_probes(served: Place) -> None:
    ready = await served.client.get("/readyz")

    assert (await served.client.get("/healthz")).json() == {"status": "ok"}
    assert (ready.status_code, ready.json()["status"]) == (200, "ok")
    assert ready.json()["dependencies"] == {
        name: {"status": "ok", "why": None} for name in ("control", "canonical", "checkpoints", "upkeep")
    }


async def test_a_probe_says_what_is_down_by_a_code(served: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    async def down(*_: object) -> None:
        raise TruthUnavailable("control", MARK)

    monkeypatch.setattr(type(served.play.stores.control), "get_run", down)
    ready = await served.client.get("/readyz")

    assert (ready.status_code, ready.json()["status"]) == (503, "down")
    assert ready.json()["dependencies"]["control"] == {"status": "down", "why": "UNAVAILABLE"}
    assert MARK not in ready.text


async def test_a_store_that_is_down_is_503(served: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    async def down(*_: object) -> None:
        raise TruthUnavailable("control", MARK)

    monkeypatch.setattr(type(served.play.stores.control), "get_run", down)
    reply = await served.client.get("/api/runs/r/events", headers=key("ann"))

    assert await said(reply) == (503, "UNAVAILABLE")
    assert int(reply.headers["Retry-After"]) >= 1
    assert MARK not in reply.text


async def test_what_nobody_foresaw_is_500_without_its_words(served: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> None:
        raise ZeroDivisionError(MARK)

    monkeypatch.setattr(type(served.play.stores.control), "get_run", broken)
    reply = await served.client.get("/api/runs/r/events", headers=key("ann"))

    assert await said(reply) == (500, "INTERNAL_FAILURE")
    assert reply.json()["request_id"] == reply.headers["X-Request-Id"]
    assert "frame-ancestors" in reply.headers["Content-Security-Policy"]
    assert MARK not in reply.text


async def test_metrics_count_by_template_and_never_by_what_was_sent(served: Place) -> None:
    await served.client.get(f"/api/runs/{MARK}/events?after=0", headers=key("ann"))
    await served.client.get(f"/{MARK}")
    await served.client.request("TRACE", "/healthz")
    text = (await served.client.get("/metrics", headers=key("olga"))).text

    assert 'rootproof_http_requests_total{method="GET",route="/api/runs/{run_id}/events",status="404"}' in text
    assert 'route="unmatched",status="404"' in text
    assert 'method="other"' in text
    assert "rootproof_streams_open 0.0" in text
    assert "rootproof_runs_running 0.0" in text
    assert MARK not in text


async def test_the_log_has_no_query_no_body_and_no_key(
    served: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    await served.client.get(f"/api/runs/r/events?after=0&token={MARK}", headers=key("ann"))
    await chat(served, {"query": "q", "detach": MARK})
    await served.client.get("/api/about", headers={"Authorization": f"Bearer {MARK}-{MARK}"})
    written = "".join(capsys.readouterr())

    assert "path='/api/runs/r/events'" in written
    assert MARK not in written
    assert key("ann")["Authorization"].split()[1] not in written


async def test_every_code_is_documented() -> None:
    text = (Path(__file__).parents[3] / "docs" / "http-api.md").read_text()

    assert {code for code in ProblemCode if f"`{code.value}`" not in text} == set()


async def test_the_description_is_served(served: Place) -> None:
    document = (await served.client.get("/openapi.json")).json()

    assert document["openapi"].startswith("3.")
    assert "/api/chat" in document["paths"]
    assert json.dumps(document).count("ProblemBody") > 10


async def test_a_configured_origin_is_answered_and_no_other(tmp_path: Path) -> None:
    settings = {"cors_origins": ("https://ops.example.com",)}
    async with place(tmp_path, Cast(), settings=settings) as open_place:
        asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
        allowed = await open_place.client.options("/api/chat", headers={"Origin": "https://ops.example.com", **asked})
        other = await open_place.client.options("/api/chat", headers={"Origin": "https://evil.example", **asked})
        read = await open_place.client.get("/api/about", headers={**key("ann"), "Origin": "https://ops.example.com"})

    assert (allowed.status_code, allowed.headers["Access-Control-Allow-Origin"]) == (200, "https://ops.example.com")
    assert "Access-Control-Allow-Origin" not in other.headers
    assert "access-control-allow-credentials" not in allowed.headers
    assert read.headers["Access-Control-Allow-Origin"] == "https://ops.example.com"
    assert "X-Run-Id" in read.headers["Access-Control-Expose-Headers"]


async def test_without_keys_the_machines_own_caller_has_every_role(tmp_path: Path) -> None:
    async with place(tmp_path, Cast(), keyring=Keyring()) as local:
        about = (await local.client.get("/api/about")).json()
        rebound = await local.client.get("/api/about", headers={"Host": "evil.example"})

    assert about["caller"] == {"name": "local", "roles": ["auditor", "operator", "user"]}
    assert await said(rebound) == (403, "FORBIDDEN")


async def test_a_reader_that_takes_nothing_loses_its_stream_and_the_run_goes_on(tmp_path: Path) -> None:
    """Driven at the ASGI border, where a client that does not read is a ``send`` that does not return."""
    async with place(tmp_path, send_timeout_s=0.05) as served:
        async with served.asking(detach=True) as stream:
            run_id = stream.run_id
        never, started = asyncio.Event(), []

        async def receive() -> dict[str, Any]:
            await never.wait()
            raise AssertionError

        async def send(message: Any) -> None:
            started.append(message["type"])
            if message["type"] == "http.response.body":
                await never.wait()

        scope = _scope(f"/api/runs/{run_id}/events")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(served.app(scope, receive, send), 30)
        meters = served.app.state.context.meters
        await until(lambda: meters.streams._value.get() == 0)
        served.gate.is_open.set()

        assert started[:2] == ["http.response.start", "http.response.body"]
        assert served.live.n_followed == 0
        assert (await served.ended(run_id)).outcome == "SUCCESS"


def _scope(path: str) -> dict[str, Any]:
    headers = [(name.lower().encode(), value.encode()) for name, value in {**key("ann"), "Host": "127.0.0.1"}.items()]
    return {
        "type": "http", "asgi": {"version": "3.0", "spec_version": "2.4"}, "http_version": "1.1", "method": "GET",
        "scheme": "http", "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "",
        "headers": headers, "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80),
    }  # fmt: skip
