"""Who may use langgraph-api and Studio: the keys of the same settings, each seeing its own threads alone.

langgraph-api shows state, and with it drafts that were never released, so it asks for the role ``operator``. Named in
``langgraph.json``; the server calls it for every request. Whatever has no rule here is refused.
"""

import asyncio
from collections.abc import Mapping
from typing import Any

from langgraph_sdk import Auth
from langgraph_sdk.auth.exceptions import HTTPException
from langgraph_sdk.auth.types import AuthContext
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from config.keyring import Keyring, make_keyring
from config.keys import read_keys
from config.load import load_settings
from state.model.caller import LOCAL_CALLER, Caller, Role
from state.model.this_machine import host_name, is_made_here, is_this_machine

STUDIO_ORIGIN = "https://smith.langchain.com"
"""The page of Studio, which a developer's browser loads from there and which calls this machine."""
SHUT = ("/internal", "/deploy", "/metrics")
_ASSISTANT_READS = frozenset({"read", "search"})


class Door:
    """The declared keys, read once, by the first request."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._keyring: Keyring | None = None

    async def caller(self, scope: Mapping[str, Any]) -> Caller:
        """Who asks.

        Raises:
            HTTPException: 401, no declared key; 403, keys are off and the request was not made on this machine.
            Misconfigured: the settings cannot be used.
        """
        keyring = await self._known()
        headers = _headers(scope)
        if not keyring.is_on:
            if is_local(scope, headers):
                return LOCAL_CALLER
            raise HTTPException(status_code=403, detail="without keys only this machine is served; see docs/studio.md")
        caller = keyring.caller_of(headers.get("authorization", ""))
        if caller is None:
            raise HTTPException(status_code=401, detail="send a key of this service as Authorization: Bearer KEY")
        return caller

    async def _known(self) -> Keyring:
        async with self._lock:
            if self._keyring is None:
                self._keyring = await asyncio.to_thread(_declared)
            return self._keyring


def is_local(scope: Mapping[str, Any], headers: Mapping[str, str]) -> bool:
    """True if a program or a page of this machine, or Studio's page in its browser, asks this machine. Pure."""
    client, origin = scope.get("client"), headers.get("origin")
    hosts = [value.decode("latin-1") for name, value in scope.get("headers", ()) if name.lower() == b"host"]
    is_own_page = origin is None or origin == STUDIO_ORIGIN or is_this_machine(host_name(origin.partition("://")[2]))
    return is_own_page and is_made_here(str(client[0]) if client else "", hosts, headers.keys())


def _headers(scope: Mapping[str, Any]) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope.get("headers", ())}


def _declared() -> Keyring:
    """The keys of the settings. Reads settings and secrets; blocking."""
    settings = load_settings()
    return make_keyring(settings.keys, read_keys(settings.keys))


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
