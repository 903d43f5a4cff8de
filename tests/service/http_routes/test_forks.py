"""Forks over HTTP: the steps of a run, and a new run that goes on from one, for its owner alone."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.graph.stage import HAPPY, SUPPORTED, TO_DIAGNOSIS, Cast
from tests.service.http.place import key
from tests.service.http_routes.room import Room, room

UNKNOWN = "99999999-9999-4999-8999-999999999999"
CAST = Cast(agent=(*HAPPY, HAPPY[1], HAPPY[1]), router=(TO_DIAGNOSIS,), semantic=(SUPPORTED,) * 3)
"""One diagnosis, and what two forks behind its search say."""


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Room]:
    async with room(tmp_path / "home", CAST) as opened:
        yield opened


async def forked(place: Room, run_id: str, body: dict[str, Any], who: str = "ann", **headers: str) -> Any:
    return await place.client.post(f"/api/runs/{run_id}/fork", json=body, headers=key(who) | headers)


def frames(reply: Any) -> list[tuple[str, Any]]:
    blocks = [block for block in reply.text.replace("\r\n", "\n").split("\n\n") if "event: " in block]
    fields = [dict(line.split(": ", 1) for line in block.splitlines()) for block in blocks]
    return [(one["event"], json.loads(one["data"])) for one in fields]


def problem(reply: Any) -> tuple[int, str]:
    return reply.status_code, reply.json()["code"]


async def test_the_steps_of_a_run(place: Room) -> None:
    run_id, _ = await place.asked()
    steps = (await place.get(f"/api/runs/{run_id}/steps")).json()["steps"]

    assert [(step["number"], step["node"]) for step in steps[:3]] == [(1, "open_run"), (2, "route"), (3, "agent")]
    assert set(steps[0]) == {"number", "node", "checkpoint_id", "at"}


@pytest.mark.parametrize("at", [6, "6", "agent"])
async def test_a_fork_is_answered_like_a_question(place: Room, at: int | str) -> None:
    run_id, session_id = await place.asked()
    reply = await forked(place, run_id, {"at": at})
    new_id = reply.headers["X-Run-Id"]
    shown = (await place.get(f"/api/runs/{new_id}")).json()
    steps = (await place.get(f"/api/runs/{run_id}/steps")).json()["steps"]

    heard = frames(reply)
    assert heard[0] == ("metadata", {"session_id": session_id, "run_id": new_id})
    assert [type_ for type_, _ in heard[-2:]] == ["content", "done"]
    assert heard[-1][1] == {"outcome": "SUCCESS"}
    assert new_id != run_id
    assert (shown["parent_run_id"], shown["fork_checkpoint"]) == (run_id, steps[5]["checkpoint_id"])
    assert shown["report"]["conclusion"]["kind"] == "ROOT_CAUSE"
    assert run_id in shown["notices"][-1]


async def test_its_trace_names_where_results_come_from(place: Room) -> None:
    run_id, session_id = await place.asked()
    new_id = (await forked(place, run_id, {"at": "agent:2"})).headers["X-Run-Id"]
    trace = (await place.get(f"/api/diagnosis/{session_id}/trace", run_id=new_id)).json()
    evidence = await place.get(f"/api/runs/{new_id}/evidence/call-errors")
    listed = (await place.get("/api/runs")).json()["runs"]

    (call,) = trace["tool_calls"]
    assert (call["tool_call_id"], call["copied_from"]) == ("call-errors", run_id)
    assert (trace["run"]["parent_run_id"], bool(trace["run"]["fork_checkpoint"])) == (run_id, True)
    assert trace["verification"]["verdict"] == "VERIFIED"
    assert evidence.json()["cited_item_ids"] == ["errors:0"]
    assert [(one["run_id"], one["parent_run_id"]) for one in listed] == [(new_id, run_id), (run_id, None)]


@pytest.mark.parametrize("who", ["bob", "olga", "aude"])
async def test_another_owners_run_is_as_if_it_did_not_exist(place: Room, who: str) -> None:
    run_id, _ = await place.asked("ann")

    assert problem(await forked(place, run_id, {"at": 6}, who)) == (404, "NOT_FOUND")
    assert problem(await forked(place, UNKNOWN, {"at": 6}, who)) == (404, "NOT_FOUND")
    assert len((await place.get("/api/runs", "olga")).json()["runs"]) == 1


async def test_steps_are_read_by_whoever_may_read_the_run(place: Room) -> None:
    run_id, _ = await place.asked("ann")

    assert (await place.get(f"/api/runs/{run_id}/steps", "bob")).status_code == 404
    assert (await place.get(f"/api/runs/{run_id}/steps", "aude")).status_code == 200


async def test_a_result_that_has_expired_is_said_to_be_gone(place: Room, tmp_path: Path) -> None:
    run_id, _ = await place.asked()
    with closing(sqlite3.connect(tmp_path / "home" / "canonical.db")) as file, file:
        file.execute("UPDATE canonical_record SET expires_at = 1")
    reply = await forked(place, run_id, {"at": 6}, **{"Accept-Language": "zh"})

    assert problem(reply) == (410, "EVIDENCE_EXPIRED")
    assert "call-errors" in reply.json()["detail"]
    assert "已不在记录中" in reply.json()["detail"]
    assert len((await place.get("/api/runs")).json()["runs"]) == 1


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"at": 99}, (409, "RUN_REFUSED")),
        ({"at": "agent:9"}, (409, "RUN_REFUSED")),
        ({"at": 0}, (422, "INVALID_REQUEST")),
        ({"at": ""}, (422, "INVALID_REQUEST")),
        ({"at": True}, (422, "INVALID_REQUEST")),
        ({"at": None}, (422, "INVALID_REQUEST")),
        ({}, (422, "INVALID_REQUEST")),
        ({"at": 6, "query": "another question"}, (422, "INVALID_REQUEST")),
        ({"at": 6, "options": {"language": "zh"}}, (422, "INVALID_REQUEST")),
        ({"at": 6, "options": {"max_model_calls": 0}}, (422, "INVALID_REQUEST")),
    ],
)
async def test_what_cannot_be_forked_is_refused_before_the_stream(
    place: Room, body: dict[str, Any], expected: tuple[int, str]
) -> None:
    run_id, _ = await place.asked()

    assert problem(await forked(place, run_id, body)) == expected
    assert len((await place.get("/api/runs")).json()["runs"]) == 1


async def test_limits_are_the_forks_own(place: Room) -> None:
    run_id, session_id = await place.asked()
    new_id = (await forked(place, run_id, {"at": 6, "options": {"max_tool_calls": 2}})).headers["X-Run-Id"]
    limits = (await place.get(f"/api/diagnosis/{session_id}/trace", run_id=new_id)).json()["run"]["limits"]

    assert limits["max_tool_calls"] == 2


async def test_the_same_key_and_body_watch_the_same_fork(place: Room) -> None:
    run_id, _ = await place.asked()
    first = await forked(place, run_id, {"at": 6}, **{"Idempotency-Key": "k"})
    again = await forked(place, run_id, {"at": 6}, **{"Idempotency-Key": "k"})
    other = await forked(place, run_id, {"at": 7}, **{"Idempotency-Key": "k"})

    assert first.headers["X-Run-Id"] == again.headers["X-Run-Id"]
    assert frames(first) == frames(again)
    assert problem(other) == (409, "IDEMPOTENCY_MISMATCH")


async def test_a_detached_fork_goes_on_without_a_stream(place: Room) -> None:
    run_id, _ = await place.asked()
    new_id = (await forked(place, run_id, {"at": 6, "detach": True})).headers["X-Run-Id"]
    row = await place.served.records.run(new_id)

    assert row is not None
    assert row.detached


async def test_forks_at_once_do_not_mix(place: Room) -> None:
    run_id, _ = await place.asked()
    replies = await asyncio.gather(forked(place, run_id, {"at": 6}), forked(place, run_id, {"at": 7}))

    ids = [reply.headers["X-Run-Id"] for reply in replies]
    assert len({*ids, run_id}) == 3
    assert [frames(reply)[-1][1] for reply in replies] == [{"outcome": "SUCCESS"}] * 2
    assert all(
        {data.get("run_id") for _, data in frames(reply)} <= {None, one}
        for reply, one in zip(replies, ids, strict=True)
    )


def test_the_document_shows_how_to_fork(place: Room) -> None:
    paths = place.client._transport.app.openapi()  # type: ignore[attr-defined]
    fork = paths["paths"]["/api/runs/{run_id}/fork"]["post"]

    assert {"404", "409", "410", "422", "429"} <= set(fork["responses"])
    assert "EVIDENCE_EXPIRED" in fork["responses"]["410"]["content"]["application/problem+json"]["examples"]
    assert {"at": 7} in paths["components"]["schemas"]["ForkBody"]["examples"]
