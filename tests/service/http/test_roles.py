"""Who may call what: every address × every role, as docs/http-api.md says."""

from pathlib import Path

import pytest
from fastapi.routing import APIRoute

from config.settings import Settings
from service.http.app import ROUTERS, create_app
from service.http.context import Guarded, required_roles
from service.http.gate import needs_caller
from state.model.caller import Role
from tests.graph.stage import Cast
from tests.service.http.place import ROLES, key, place

USER, OPER, AUDIT = Role.USER, Role.OPERATOR, Role.AUDITOR
OPEN = {("GET", "/healthz"), ("GET", "/readyz")}
MAY: dict[tuple[str, str], Role] = {
    ("POST", "/api/chat"): USER,
    ("GET", "/api/runs/{run_id}/events"): USER,
    ("POST", "/api/runs/{run_id}/cancel"): USER,
    ("POST", "/api/runs/{run_id}/detach"): USER,
    ("GET", "/api/runs/{run_id}/steps"): USER,
    ("POST", "/api/runs/{run_id}/fork"): USER,
    ("GET", "/api/runs"): USER,
    ("GET", "/api/runs/{run_id}"): USER,
    ("GET", "/api/sessions"): USER,
    ("GET", "/api/sessions/{session_id}/runs"): USER,
    ("GET", "/api/diagnosis/{session_id}/trace"): USER,
    ("GET", "/api/diagnosis/{session_id}/trace/reasoning"): AUDIT,
    ("GET", "/api/runs/{run_id}/evidence/{tool_call_id}"): USER,
    ("GET", "/api/runs/{run_id}/evidence/{tool_call_id}/raw"): AUDIT,
    ("GET", "/api/runs/{run_id}/export"): AUDIT,
    ("GET", "/api/graph"): USER,
    ("POST", "/api/feedback"): USER,
    ("GET", "/api/cases"): OPER,
    ("POST", "/api/cases/{case_id}/approve"): OPER,
    ("POST", "/api/cases/{case_id}/decline"): OPER,
    ("POST", "/api/documents"): OPER,
    ("GET", "/api/documents"): USER,
    ("GET", "/api/documents/{doc_id}"): USER,
    ("DELETE", "/api/documents/{doc_id}"): OPER,
    ("GET", "/api/tasks/{task_id}"): USER,
    ("POST", "/api/knowledge/rebuild"): OPER,
    ("GET", "/api/knowledge/search"): USER,
    ("POST", "/api/alerts"): OPER,
    ("GET", "/metrics"): OPER,
    ("GET", "/api/about"): USER,
}
INCLUDED = {USER: {USER, OPER, AUDIT}, OPER: {OPER}, AUDIT: {AUDIT}}


def routes() -> list[APIRoute]:
    found = [route for router in ROUTERS for route in router.routes]
    assert all(isinstance(route, APIRoute) for route in found)
    return found  # type: ignore[return-value]


def test_every_address_is_in_the_table() -> None:
    assert {(method, route.path) for route in routes() for method in route.methods or ()} == set(MAY) | OPEN


@pytest.mark.parametrize("route", routes(), ids=lambda route: f"{sorted(route.methods)[0]} {route.path}")
def test_every_route_asks_for_its_role_before_it_reads_a_body(route: APIRoute) -> None:
    asked = [required.role for required in required_roles(route.dependant)]
    expected = [MAY[method, route.path] for method in route.methods or () if (method, route.path) in MAY]

    assert isinstance(route, Guarded)
    assert asked == expected
    assert needs_caller(route.path) == bool(asked)


async def test_every_address_times_every_role(tmp_path: Path) -> None:
    """The bodies are missing on purpose: who may not call learns nothing of what was wrong with them."""
    found, expected = {}, {}
    async with place(tmp_path, Cast(), settings={"requests_per_minute": 10_000}) as served:
        for (method, path), role in MAY.items():
            nobody = await served.client.request(method, filled(path))
            found[method, path, None] = (nobody.status_code, nobody.json()["code"])
            expected[method, path, None] = (401, "UNAUTHENTICATED")
            for name, own in ROLES.items():
                reply = await served.client.request(method, filled(path), headers=key(name))
                is_refused = reply.status_code in {401, 403}
                found[method, path, name] = (reply.status_code, reply.json()["code"]) if is_refused else "in"
                expected[method, path, name] = "in" if own in INCLUDED[role] else (403, "FORBIDDEN")

    assert found == expected


async def test_another_owners_run_does_not_exist(tmp_path: Path) -> None:
    async with place(tmp_path, Cast()) as served:
        run_id = (await served.ask()).run_id
        unknown = await served.client.get(f"/api/runs/{'0' * 8}-0000-4000-8000-{'0' * 12}/events", headers=key("bob"))
        others = await served.client.get(f"/api/runs/{run_id}/events", headers=key("bob"))
        told = [
            (await served.client.post(f"/api/runs/{run_id}/{what}", headers=key("bob"))).status_code
            for what in ("cancel", "detach")
        ]
        watched = {name: (await served.watch(run_id, who=name)).types[-1:] for name in ("ann", "olga", "aude")}

    assert unknown.status_code == others.status_code == 404
    assert {**unknown.json(), "request_id": ""} == {**others.json(), "request_id": ""}
    assert told == [404, 404]
    assert watched == {"ann": ["done"], "olga": ["done"], "aude": ["done"]}


async def test_who_may_stop_a_run(tmp_path: Path) -> None:
    """An auditor reads every run and stops none; an operator stops any."""
    async with place(tmp_path) as served, served.asking() as stream:
        auditor = await served.client.post(f"/api/runs/{stream.run_id}/cancel", headers=key("aude"))
        operator = await served.client.post(f"/api/runs/{stream.run_id}/cancel", headers=key("olga"))
        heard = await stream.all()

    assert (auditor.status_code, auditor.json()["code"]) == (403, "FORBIDDEN")
    assert operator.status_code == 202
    assert heard.events[-1].data == {"outcome": "CANCELLED"}


async def test_another_owners_session_takes_no_question(tmp_path: Path) -> None:
    async with place(tmp_path, Cast()) as served:
        first = await served.ask(session_id="s-ann")
        reply = await served.ask(who="bob", session_id="s-ann")

    assert first.status == 200
    assert (reply.status, reply.json["code"]) == (409, "RUN_REFUSED")
    assert "ann" not in reply.json["detail"].replace("another", "")


def test_the_application_names_its_key_in_its_description() -> None:
    document = create_app(None, Settings()).openapi()  # type: ignore[arg-type]
    keyed = {path for path, methods in document["paths"].items() if all(one["security"] for one in methods.values())}

    assert {path for _, path in MAY} == keyed
    assert "#/components/schemas/HTTPValidationError" not in str(document)


def filled(path: str) -> str:
    for name, value in {"run_id": "r", "session_id": "s", "tool_call_id": "t", "case_id": "c"}.items():
        path = path.replace(f"{{{name}}}", value)
    return path.replace("{doc_id}", "d").replace("{task_id}", "t")
