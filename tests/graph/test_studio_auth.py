"""Who gets in to langgraph-api, judged on what the server hands the handler. The whole of it: tests/e2e/test_langgraph_dev.py."""

from pathlib import Path
from typing import Any, cast

import pytest
from langgraph_sdk.auth.exceptions import HTTPException

from graph.picture import draw
from graph.studio_auth import STUDIO_ORIGIN, Door, auth, authenticate, is_local
from graph.topology import build_topology
from nodes.deps import Deps
from state.model.caller import LOCAL_CALLER, Role
from state.model.errors import Misconfigured

SECRET = "a-secret-of-thirty-two-characters"
KEYS = "keys:\n  ops: {secret: env:OPS_KEY, roles: [operator]}\n  reader: {secret: env:READER_KEY, roles: [user]}\n"


def scope(client: str = "127.0.0.1", **headers: str) -> dict[str, Any]:
    given = {"host": "127.0.0.1:2024", **headers}
    sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in given.items()]
    return {"type": "http", "client": (client, 50000), "headers": sent}


def local(asked: dict[str, Any]) -> bool:
    return is_local(asked, {name.decode(): value.decode() for name, value in asked["headers"]})


@pytest.mark.parametrize(
    "asked",
    [
        scope(),
        scope("::1", host="[::1]:2024"),
        scope(host="localhost:2024"),
        scope(origin=STUDIO_ORIGIN),
        scope(origin="http://localhost:3000"),
    ],
)
def test_this_machine_is_served(asked: dict[str, Any]) -> None:
    assert local(asked)


@pytest.mark.parametrize(
    "asked",
    [
        scope("192.0.2.1"),
        scope(host="rebound.example:2024"),
        scope(host=""),
        scope(host="[::1"),
        scope(origin="https://elsewhere.example"),
        scope(origin="null"),
        scope(origin=f"{STUDIO_ORIGIN}.elsewhere.example"),
        scope(x_forwarded_for="127.0.0.1"),
        {**scope(), "client": None},
    ],
)
def test_nobody_else_is(asked: dict[str, Any]) -> None:
    assert not local(asked)


@pytest.fixture
def settings_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "rootproof.yaml"
    file.write_text(KEYS)
    monkeypatch.setenv("ROOTPROOF_CONFIG", str(file))
    monkeypatch.setenv("OPS_KEY", SECRET)
    monkeypatch.setenv("READER_KEY", SECRET.upper())
    return file


async def test_a_declared_key_is_its_caller(settings_file: Path) -> None:
    caller = await Door().caller(scope("192.0.2.1", authorization=f"Bearer {SECRET}"))

    assert (caller.name, caller.roles) == ("ops", {Role.OPERATOR})


@pytest.mark.parametrize("sent", ["", "Bearer", "Bearer ", f"Basic {SECRET}", SECRET, f"Bearer {SECRET}x", "Bearer é"])
async def test_anything_else_is_nobody(settings_file: Path, sent: str) -> None:
    with pytest.raises(HTTPException) as refused:
        await Door().caller(scope(authorization=sent))

    assert refused.value.status_code == 401
    assert SECRET not in str(refused.value.detail)


async def test_a_key_keeps_this_machine_out_too(settings_file: Path) -> None:
    with pytest.raises(HTTPException):
        await Door().caller(scope())


async def test_without_keys_this_machine_has_every_role(settings_file: Path) -> None:
    settings_file.write_text("")

    assert await Door().caller(scope()) == LOCAL_CALLER
    with pytest.raises(HTTPException):
        await Door().caller(scope("192.0.2.1"))


async def test_a_secret_that_cannot_be_read_lets_nobody_in(
    settings_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("READER_KEY")
    door = Door()

    for _ in range(2):
        with pytest.raises(Misconfigured):
            await door.caller(scope(authorization=f"Bearer {SECRET}"))


def test_every_request_goes_through_the_handler() -> None:
    assert auth._authenticate_handler is authenticate
    assert auth._global_handlers


def test_the_page_shows_the_graph() -> None:
    page = (Path(__file__).parents[2] / "docs" / "studio.md").read_text(encoding="utf-8")

    assert f"```mermaid\n{draw(build_topology(cast(Deps, None)))}\n```" in page
