"""The gate: this machine alone or a known key, same origin, within the rates. Before a byte of the body is read."""

from typing import Any

import httpx
import pytest
from limits import RateLimitItemPerMinute
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from config.keyring import Keyring, make_keyring
from config.keys import Key
from service.http.gate import MAX_BODY_BYTES, MAX_DOCUMENT_BYTES, Gate, needs_caller
from service.http.limits import FAILED_KEYS_PER_MINUTE, Rates
from state.model.caller import Caller, Role
from state.model.this_machine import host_name

SECRET = "a-key-of-the-checkout-team-1"
RING = make_keyring({"checkout": Key(secret="env:A", roles=frozenset({Role.USER}))}, {"checkout": SECRET})
KNOWN = {"Authorization": f"Bearer {SECRET}"}


async def inside(scope: Scope, receive: Receive, send: Send) -> None:
    """Who was let in."""
    caller = scope.get("rootproof.caller")
    name = caller.name if isinstance(caller, Caller) else None
    await JSONResponse({"caller": name, "path": Request(scope).url.path})(scope, receive, send)


def rates(per_key: int = 1000, total: int = 1000) -> Rates:
    return Rates(RateLimitItemPerMinute(per_key), RateLimitItemPerMinute(total))


def door(
    ring: Keyring = RING, *, client: str = "127.0.0.1", origins: frozenset[str] = frozenset(), **limits: int
) -> httpx.AsyncClient:
    gate = Gate(inside, ring, rates(**limits), origins)
    transport = httpx.ASGITransport(gate, client=(client, 50_000))
    return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8460")


async def asked(client: httpx.AsyncClient, path: str = "/api/runs", method: str = "GET", **more: Any) -> httpx.Response:
    async with client:
        return await client.request(method, path, **more)


async def test_a_known_key_gets_in_under_its_name() -> None:
    reply = await asked(door(), headers=KNOWN)

    assert reply.json()["caller"] == "checkout"


@pytest.mark.parametrize("sent", [{}, {"Authorization": "Bearer nobody-knows-this-key"}, {"Authorization": "Basic x"}])
async def test_no_known_key_is_401(sent: dict[str, str]) -> None:
    reply = await asked(door(), headers=sent)

    assert (reply.status_code, reply.json()["code"]) == (401, "UNAUTHENTICATED")
    assert reply.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/runs", "/metrics", "/api/no/such/thing"])
def test_every_address_of_the_interface_asks_for_a_caller(path: str) -> None:
    assert needs_caller(path)


@pytest.mark.parametrize("path", ["/", "/static/app.js", "/healthz", "/readyz", "/openapi.json", "/apiary"])
async def test_page_probes_and_description_are_open(path: str) -> None:
    reply = await asked(door(), path)

    assert (reply.status_code, reply.json()["caller"]) == (200, None)


async def test_without_keys_this_machine_is_local() -> None:
    assert (await asked(door(Keyring()))).json()["caller"] == "local"


@pytest.mark.parametrize("client", ["192.168.1.7", "10.0.0.1", "8.8.8.8", "fe80::1", "", "localhost.evil.example"])
async def test_without_keys_another_machine_is_refused(client: str) -> None:
    reply = await asked(door(Keyring(), client=client))

    assert (reply.status_code, reply.json()["code"]) == (403, "FORBIDDEN")


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8460", "localhost:8460", "localhost", "[::1]:8460", "127.0.0.2", "LOCALHOST"]
)
async def test_names_of_this_machine_are_served(host: str) -> None:
    assert (await asked(door(Keyring()), headers={"Host": host})).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8460",
        "127.0.0.1.evil.example",
        "localhost.evil.example:8460",
        "127.0.0.1@evil.example",
        "evil.example#127.0.0.1",
        "",
        "[::1",
        "0.0.0.0:8460",
        "10.0.0.1",
    ],
)
@pytest.mark.parametrize("path", ["/", "/api/runs", "/healthz", "/static/app.js"])
async def test_dns_rebinding_is_refused(host: str, path: str) -> None:
    reply = await asked(door(Keyring()), path, headers={"Host": host})

    assert (reply.status_code, reply.json()["code"]) == (403, "FORBIDDEN")


async def test_two_hosts_are_refused() -> None:
    gate = Gate(inside, Keyring(), rates())
    transport = httpx.ASGITransport(gate)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        reply = await client.get("/", headers=[("Host", "127.0.0.1"), ("Host", "evil.example")])

    assert reply.status_code == 403


@pytest.mark.parametrize("name", ["Forwarded", "X-Forwarded-For", "X-Real-IP"])
async def test_without_keys_a_proxy_is_refused(name: str) -> None:
    assert (await asked(door(Keyring()), headers={name: "8.8.8.8"})).status_code == 403


@pytest.mark.parametrize("ring", [Keyring(), RING], ids=["keys-off", "keys-on"])
@pytest.mark.parametrize(
    "sent",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Origin": "https://127.0.0.1:8460"},
        {"Origin": "http://localhost:8460"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://127.0.0.1:8460", "Sec-Fetch-Site": "cross-site"},
    ],
)
@pytest.mark.parametrize("method", ["POST", "DELETE", "PUT", "PATCH"])
async def test_a_page_of_another_origin_changes_nothing(ring: Keyring, sent: dict[str, str], method: str) -> None:
    reply = await asked(door(ring), "/api/chat", method, headers={**KNOWN, **sent})

    assert (reply.status_code, reply.json()["code"]) == (403, "FORBIDDEN")


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"Origin": "http://127.0.0.1:8460", "Sec-Fetch-Site": "same-origin"},
        {"Origin": "http://127.0.0.1:8460"},
        {"Sec-Fetch-Site": "none"},
    ],
)
async def test_its_own_page_and_programs_may_change_things(sent: dict[str, str]) -> None:
    assert (await asked(door(Keyring()), "/api/chat", "POST", headers=sent)).status_code == 200


async def test_a_configured_origin_may_change_things() -> None:
    allowed = door(origins=frozenset({"https://ops.example.com"}))
    sent = {"Origin": "https://ops.example.com", "Sec-Fetch-Site": "cross-site", **KNOWN}

    assert (await asked(allowed, "/api/chat", "POST", headers=sent)).status_code == 200


@pytest.mark.parametrize(
    ("path", "length", "status"),
    [
        ("/api/chat", str(MAX_BODY_BYTES), 200),
        ("/api/chat", str(MAX_BODY_BYTES + 1), 413),
        ("/api/documents", str(MAX_DOCUMENT_BYTES), 200),
        ("/api/documents", str(MAX_DOCUMENT_BYTES + 1), 413),
        ("/api/documents/x", str(MAX_BODY_BYTES + 1), 413),
        ("/api/chat", "9" * 400, 413),
        ("/api/chat", "-1", 413),
        ("/api/chat", "1e9", 413),
    ],
)
async def test_a_declared_length_is_checked_before_a_byte_is_read(path: str, length: str, status: int) -> None:
    reply = await asked(door(), path, "POST", headers={**KNOWN, "Content-Length": length})

    assert reply.status_code == status


async def test_an_unknown_key_learns_nothing_of_limits() -> None:
    reply = await asked(door(), "/api/chat", "POST", headers={"Content-Length": "9999999999"})

    assert reply.status_code == 401


async def test_one_key_is_limited_and_told_when_to_come_back() -> None:
    async with door(per_key=3) as client:
        replies = [await client.get("/api/runs", headers=KNOWN) for _ in range(4)]

    assert [reply.status_code for reply in replies] == [200, 200, 200, 429]
    assert replies[-1].json()["code"] == "RATE_LIMITED"
    assert 1 <= int(replies[-1].headers["Retry-After"]) <= 60


async def test_all_keys_together_are_limited() -> None:
    async with door(total=2) as client:
        replies = [await client.get("/api/runs", headers=KNOWN) for _ in range(3)]

    assert [reply.status_code for reply in replies] == [200, 200, 429]


async def test_probes_and_page_are_never_limited() -> None:
    async with door(per_key=1, total=1) as client:
        await client.get("/api/runs", headers=KNOWN)
        await client.get("/api/runs", headers=KNOWN)

        assert {(await client.get("/healthz")).status_code, (await client.get("/")).status_code} == {200}


async def test_guessing_keys_is_limited_and_locks_no_known_key_out() -> None:
    guess = {"Authorization": "Bearer guess-guess-guess-guess"}
    async with door() as client:
        replies = [await client.get("/api/runs", headers=guess) for _ in range(FAILED_KEYS_PER_MINUTE + 1)]
        known = await client.get("/api/runs", headers=KNOWN)

    assert {reply.status_code for reply in replies[:-1]} == {401}
    assert replies[-1].status_code == 429
    assert int(replies[-1].headers["Retry-After"]) >= 1
    assert known.status_code == 200


async def test_a_refusal_speaks_the_callers_language() -> None:
    reply = await asked(door(), headers={"Accept-Language": "zh-CN"})

    assert "密钥" in reply.json()["detail"]
    assert reply.headers["Content-Language"] == "zh"


@pytest.mark.parametrize(
    ("host", "name"), [("a:1", "a"), ("[::1]:8", "::1"), ("[::1", ""), ("", ""), ("A.b", "a.b"), ("a@b", "")]
)
def test_the_name_in_a_host_header(host: str, name: str) -> None:
    assert host_name(host) == name


@pytest.mark.parametrize(
    "host",
    [
        "evil@127.0.0.1",
        "evil.com\\@127.0.0.1",
        "localhost/evil",
        "localhost?evil.com",
        "localhost#.evil.com",
        "[::1%25e]",
    ],
)
def test_what_only_holds_a_name_of_this_machine_is_none(host: str) -> None:
    assert host_name(host) == ""
