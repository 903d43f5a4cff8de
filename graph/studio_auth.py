"""Who may use langgraph-api and Studio: the keys of the same settings, each seeing its own threads alone.

langgraph-api shows state, and with it drafts that were never released, so it asks for the role ``operator``. Named in
``langgraph.json``; the server calls it for every request. Whatever has no rule here is refused.
"""

import asyncio
import hashlib
import hmac
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from langgraph_sdk import Auth
from langgraph_sdk.auth.exceptions import HTTPException
from langgraph_sdk.auth.types import AuthContext
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from config.keys import read_keys
from config.load import load_settings
from config.settings import Settings
from state.model.caller import LOCAL_CALLER, Caller, Role
from state.model.this_machine import is_this_machine

STUDIO_ORIGIN = "https://smith.langchain.com"
"""The page of Studio, which a developer's browser loads from there and which calls this machine."""
SHUT = ("/internal", "/deploy", "/metrics")
_FORWARDED = frozenset({"forwarded", "x-forwarded-for", "x-real-ip"})
_ASSISTANT_READS = frozenset({"read", "search"})


class Door:
    """The declared keys, read once, by the first request."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._digests: tuple[tuple[bytes, Caller], ...] | None = None

    async def caller(self, scope: Mapping[str, Any]) -> Caller:
        """Who asks.

        Raises:
            HTTPException: 401, no declared key; 403, keys are off and the request was not made on this machine.
            Misconfigured: the settings cannot be used.
        """
        digests = await self._known()
        headers = _headers(scope)
        if digests:
            return _bearer(headers.get("authorization", ""), digests)
        if not is_local(scope, headers):
            raise HTTPException(status_code=403, detail="without keys only this machine is served; see docs/studio.md")
        return LOCAL_CALLER

    async def _known(self) -> tuple[tuple[bytes, Caller], ...]:
        async with self._lock:
            if self._digests is None:
                self._digests = await asyncio.to_thread(_declared)
            return self._digests


def is_local(scope: Mapping[str, Any], headers: Mapping[str, str]) -> bool:
    """True if a program or a page of this machine, or Studio's page in its browser, asks this machine. Pure.

    Not by the peer's address alone: a page elsewhere can lead a browser here (its ``Origin`` says so, or after DNS
    rebinding the ``Host``), and what a proxy passes on was not made here.
    """
    client, origin = scope.get("client"), headers.get("origin")
    return (
        bool(client)
        and is_this_machine(str(client[0] if client else ""))
        and is_this_machine(_host(f"//{headers.get('host', '')}"))
        and (origin is None or origin == STUDIO_ORIGIN or is_this_machine(_host(origin)))
        and not _FORWARDED & headers.keys()
    )


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _headers(scope: Mapping[str, Any]) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope.get("headers", ())}


def _declared() -> tuple[tuple[bytes, Caller], ...]:
    """Digest of each secret, with whom it names. Reads settings and secrets; blocking."""
    settings: Settings = load_settings()
    secrets = read_keys(settings.keys)
    return tuple(
        (_digest(secrets[name]), Caller(name=name, roles=key.roles)) for name, key in sorted(settings.keys.items())
    )


def _bearer(authorization: str, digests: tuple[tuple[bytes, Caller], ...]) -> Caller:
    """Who sent the key. Every declared one is compared, so that the time tells nothing.

    Raises:
        HTTPException: 401, nobody.
    """
    scheme, _, secret = authorization.partition(" ")
    sent = _digest(secret.strip())
    fitting = [caller for digest, caller in digests if hmac.compare_digest(sent, digest)]
    if scheme.lower() != "bearer" or not fitting:
        raise HTTPException(status_code=401, detail="send a key of this service as Authorization: Bearer KEY")
    return fitting[0]


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


class ShutAdministration:
    """The server's own administration (raw threads, emptying, deploying, metrics) asks for no key: here it is shut."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on everything else untouched."""
        if scope["type"] == "http" and str(scope["path"]).startswith(SHUT):
            await JSONResponse({"detail": "Not Found"}, status_code=404)(scope, receive, send)
            return
        await self._app(scope, receive, send)


app = Starlette(middleware=[Middleware(ShutAdministration)])
auth = Auth()
_door = Door()


@auth.authenticate
async def authenticate(scope: dict[str, Any]) -> Auth.types.MinimalUserDict:
    """The user: the name of the key.

    Raises:
        HTTPException: 401 or 403 as ``Door.caller``; 403, the key is no operator's.
    """
    caller = await _door.caller(scope)
    if not caller.may(Role.OPERATOR):
        raise HTTPException(status_code=403, detail="the role operator is needed: threads show what was never released")
    return {"identity": caller.name, "permissions": sorted(role.value for role in caller.roles)}


@auth.on
async def refuse(ctx: AuthContext, value: dict[str, Any]) -> bool:
    """Everything without a rule of its own: assistants are the repository's, schedules and the store are not used."""
    return ctx.resource == "assistants" and ctx.action in _ASSISTANT_READS


@auth.on.threads
async def own_threads(ctx: AuthContext, value: dict[str, Any]) -> dict[str, str]:
    """Threads and runs carry the name of the key that made them, and only that key finds them."""
    owner = {"owner": ctx.user.identity}
    if ctx.action in {"create", "create_run", "update"}:
        metadata = value.get("metadata")
        if not isinstance(metadata, dict):
            value["metadata"] = metadata = {}
        metadata.update(owner)
    return owner
