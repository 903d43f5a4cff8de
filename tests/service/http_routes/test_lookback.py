"""Lists, results, traces and evidence over HTTP: what is there, and for whom."""

import sqlite3

import pytest

from config.settings import Settings
from graph.export import parse_export, replay_export
from graph.stores import AUDIT_FILE, CANONICAL_FILE
from state.model.errors import TruthUnavailable
from tests.contracts.samples import a_new_run, facts
from tests.contracts.samples import run_id as numbered
from tests.graph.stage import QUESTION, ask, good_draft, submit
from tests.service.http_routes.room import happy, room, with_service

UNKNOWN = "99999999-9999-4999-8999-999999999999"


def code(reply) -> tuple[int, str]:
    return reply.status_code, reply.json()["code"]


async def test_an_own_run_is_listed_and_told_in_full(place):
    run_id, session_id = await place.asked()

    (listed,) = (await place.get("/api/runs")).json()["runs"]
    shown = (await place.get(f"/api/runs/{run_id}")).json()
    assert (listed["run_id"], listed["owner_key"], listed["outcome"]) == (run_id, "ann", "SUCCESS")
    assert shown["report"]["conclusion"]["kind"] == "ROOT_CAUSE"
    assert (shown["session_id"], shown["query"], shown["language"]) == (session_id, QUESTION, "en")
    assert (shown["opened_at"], shown["closed_at"]) == (listed["opened_at"], listed["closed_at"])
    assert shown["notices"] == []
    assert len(shown["backed_actions"]) == len(shown["report"]["action_plan"])


async def test_filters_of_the_list(place):
    run_id, session_id = await place.asked()

    async def ids(**params):
        return [one["run_id"] for one in (await place.get("/api/runs", **params)).json()["runs"]]

    assert await ids(session_id=session_id) == await ids(outcome="SUCCESS") == await ids(q="PAYMENTS fail") == [run_id]
    assert await ids(session_id="other") == await ids(outcome="FAILED") == await ids(q="payments succeed") == []
    assert code(await place.get("/api/runs", outcome="MAYBE")) == (422, "INVALID_REQUEST")
    assert code(await place.get("/api/runs", limit=201)) == (422, "INVALID_REQUEST")
    assert code(await place.get("/api/runs", before="no run")) == (422, "INVALID_REQUEST")


async def test_a_run_is_found_behind_hundreds_of_others(place):
    """Whatever is looked for: by its outcome, by words of its question, or page by page."""
    run_id, session_id = await place.asked()
    for number in range(1, 206):
        later = facts(numbered(number), session=session_id, owner_key="ann", query="something else")
        await place.play.stores.control.open_run(a_new_run(later), "p1")

    async def pages(path="/api/runs", who="ann", **params):
        found, params = [], {"limit": 100, **params}
        while params["before"] if "before" in params else True:
            page = (await place.get(path, who, **params)).json()
            found.append([one["run_id"] for one in page["runs"]])
            params["before"] = page["next"]
        return found

    assert await pages(q="PAYMENTS fail") == await pages(outcome="SUCCESS", who="olga") == [[run_id]]
    assert [len(page) for page in await pages()] == [100, 100, 6]
    assert await pages(q="something", who="bob") == [[]]
    listed = await pages(f"/api/sessions/{session_id}/runs")
    assert [len(page) for page in listed] == [100, 100, 6]
    assert listed[-1][-1] == run_id


async def test_sessions_and_their_runs(place):
    run_id, session_id = await place.asked()

    (session,) = (await place.get("/api/sessions")).json()["sessions"]
    (run,) = (await place.get(f"/api/sessions/{session_id}/runs")).json()["runs"]
    assert (session["session_id"], session["runs"], session["last_query"]) == (session_id, 1, QUESTION)
    assert run["run_id"] == run_id


async def test_another_owners_run_is_as_if_it_did_not_exist(place):
    run_id, session_id = await place.asked("ann")

    assert (await place.get("/api/runs", "bob")).json() == {"runs": [], "next": None}
    assert (await place.get("/api/sessions", "bob")).json() == {"sessions": []}
    call = "call-errors"
    for path in (
        f"/api/runs/{run_id}",
        f"/api/runs/{run_id}/evidence/{call}",
        f"/api/sessions/{session_id}/runs",
        f"/api/diagnosis/{session_id}/trace",
    ):
        mine = await place.get(path, "bob")
        none = await place.get(path.replace(run_id, UNKNOWN).replace(session_id, UNKNOWN), "bob")
        assert code(mine) == code(none) == (404, "NOT_FOUND")
        assert {**mine.json(), "request_id": ""} == {**none.json(), "request_id": ""}


@pytest.mark.parametrize("who", ["olga", "aude"])
async def test_operators_and_auditors_see_every_session(place, who):
    run_id, session_id = await place.asked("ann")

    assert [one["run_id"] for one in (await place.get("/api/runs", who)).json()["runs"]] == [run_id]
    assert (await place.get(f"/api/diagnosis/{session_id}/trace", who)).status_code == 200


async def test_the_trace_has_every_part_and_nothing_of_the_machine(place):
    run_id, session_id = await place.asked()

    reply = await place.get(f"/api/diagnosis/{session_id}/trace")
    kept = reply.json()
    assert set(kept) == {
        "run", "usage", "timeline", "published", "evidence", "steps", "tool_calls", "ledger", "path", "sentences",
        "summary", "feedback", "verification",
    }  # fmt: skip
    assert kept["run"]["run_id"] == run_id
    assert kept["run"]["limits"]["max_tool_calls"] > 0
    assert [step["role"] for step in kept["steps"]] == ["router", "agent", "agent", "semantic"]
    assert {call["tool_call_id"] for call in kept["tool_calls"]} == {"call-errors"}
    assert kept["sentences"][0]["cites"][0]["tool_call_id"] == "call-errors"
    row = await place.served.records.run(run_id)
    assert row.owner not in reply.text
    assert str(place.play.stores.home) not in reply.text


async def test_the_trace_says_whether_it_was_changed_since_the_run_ended(place):
    _, session_id = await place.asked()
    path = f"/api/diagnosis/{session_id}/trace"

    untouched = (await place.get(path)).json()
    with sqlite3.connect(place.play.stores.home / AUDIT_FILE) as audit:
        audit.execute("UPDATE trace_event SET node = 'agent' WHERE sequence_no = 2")
    audit.close()
    changed = (await place.get(path)).json()["verification"]

    assert untouched["verification"]["verdict"] == "VERIFIED"
    assert untouched["verification"]["recorded"] == untouched["verification"]["found"]
    assert untouched["verification"]["found"]["rows"] == len(untouched["timeline"])
    assert (changed["verdict"], changed["difference"]) == ("ALTERED", "CONTENT")
    assert changed["recorded"] == untouched["verification"]["recorded"]


async def test_the_trace_of_a_run_of_another_session_is_not_there(tmp_path):
    async with room(tmp_path, happy(2)) as place:
        run_id, _ = await place.asked()
        _, other = await place.asked()

        assert code(await place.get(f"/api/diagnosis/{other}/trace", run_id=run_id)) == (404, "NOT_FOUND")


async def test_evidence_is_whole_while_it_is_kept_and_cited_afterwards(place):
    run_id, _ = await place.asked()
    path = f"/api/runs/{run_id}/evidence/call-errors"

    whole = (await place.get(path)).json()
    _expire(place)
    cited = (await place.get(path)).json()
    assert (len(whole["items"]), whole["cited_item_ids"], whole["expired"]) == (2, ["errors:0"], False)
    assert ([item["item_id"] for item in cited["items"]], cited["expired"]) == (["errors:0"], True)
    assert code(await place.get(f"/api/runs/{run_id}/evidence/call-none")) == (404, "NOT_FOUND")


async def test_raw_evidence_is_for_auditors_and_each_access_is_on_record(place):
    run_id, _ = await place.asked()
    path = f"/api/runs/{run_id}/evidence/call-errors/raw"

    for who in ("ann", "olga"):
        assert code(await place.get(path, who)) == (403, "FORBIDDEN")
    shown = await place.get(path, "aude")
    _expire(place)
    gone = await place.get(path, "aude")

    assert "Connection is not available" in shown.json()["raw"]
    assert code(gone) == (410, "EVIDENCE_EXPIRED")
    kept = await place.play.stores.service.accesses()
    assert [(one.name, one.action, one.run_id) for one in kept] == [("aude", "raw", run_id)] * 2
    assert kept[1].request_id == shown.headers["X-Request-Id"]


FULL = {"recording": "full", "encryption_key": "a-key-of-the-operator"}


@pytest.mark.parametrize(
    ("settings", "is_kept"),
    [(FULL, True), ({**FULL, "recording": "redacted"}, False), ({"recording": "full"}, False)],
    ids=["full", "redacted", "full without a key"],
)
async def test_a_full_recording_keeps_raw_results_longer(tmp_path, settings, is_kept):
    async with room(tmp_path, happy(**settings)) as place:
        run_id, _ = await place.asked()
        path = f"/api/runs/{run_id}/evidence/call-errors/raw"
        first = (await place.get(path, "aude")).json()
        _expire(place)
        later = await place.get(path, "aude")
        exported = await place.get(f"/api/runs/{run_id}/export", "aude")
        await place.play.stores.recording.delete_runs([run_id])
        gone = await place.get(path, "aude")

    if is_kept:
        assert (later.status_code, later.json()) == (200, first)
    else:
        assert code(later) == (410, "EVIDENCE_EXPIRED")
    assert code(gone) == (410, "EVIDENCE_EXPIRED")
    assert "raw:" not in exported.text


async def test_an_exported_run_is_executed_again_from_the_file_alone(place, tmp_path):
    run_id, _ = await place.asked()
    path = f"/api/runs/{run_id}/export"

    for who in ("ann", "olga"):
        assert code(await place.get(path, who)) == (403, "FORBIDDEN")
    reply = await place.get(path, "aude")
    replayed = await replay_export(Settings(home=tmp_path / "elsewhere"), parse_export(reply.content))
    await place.play.stores.recording.delete_runs([run_id])

    assert replayed.identical
    assert reply.headers["Content-Disposition"] == f'attachment; filename="rootproof-run-{run_id}.json"'
    assert code(await place.get(path, "aude")) == (410, "RECORDING_EXPIRED")
    assert code(await place.get(path.replace(run_id, UNKNOWN), "aude")) == (404, "NOT_FOUND")
    assert [one.action for one in await place.play.stores.service.accesses()] == ["export", "export"]


class NoAccess:
    """A service store that keeps no access."""

    async def record_access(self, access):
        raise TruthUnavailable("service", "record_access")


async def test_what_cannot_be_recorded_is_not_shown(tmp_path):
    cast = happy(encryption_key="a-key-of-the-operator")
    async with room(tmp_path, cast, stores=lambda given: with_service(given, NoAccess())) as place:
        run_id, session_id = await place.asked()

        for path in (
            f"/api/runs/{run_id}/evidence/call-errors/raw",
            f"/api/diagnosis/{session_id}/trace/reasoning",
            f"/api/runs/{run_id}/export",
        ):
            refused = await place.get(path, "aude")
            assert code(refused) == (503, "UNAVAILABLE")
            assert set(refused.json()) == {"type", "title", "status", "detail", "code", "run_id", "request_id"}
            assert "Retry-After" in refused.headers


async def test_reasoning_is_for_auditors(tmp_path):
    thought = "PRIVATE-THOUGHT"
    thinks = ask("errors").model_copy(update={"reasoning": thought})
    cast = happy(encryption_key="a-key-of-the-operator")
    cast.agent = (thinks, submit(good_draft()))
    async with room(tmp_path, cast) as place:
        run_id, session_id = await place.asked()
        path = f"/api/diagnosis/{session_id}/trace/reasoning"

        for who in ("ann", "olga"):
            assert code(await place.get(path, who)) == (403, "FORBIDDEN")
        shown = (await place.get(path, "aude")).json()
        assert (shown["run_id"], shown["available"], shown["why"]) == (run_id, True, None)
        assert [(one["step"], one["text"]) for one in shown["entries"]][1] == ("agent:1:1", thought)
        for public in (f"/api/runs/{run_id}", f"/api/diagnosis/{session_id}/trace", f"/api/runs/{run_id}/events"):
            assert thought not in (await place.get(public, "aude")).text
        assert [one.action for one in await place.play.stores.service.accesses()] == ["reasoning"]


@pytest.mark.parametrize(
    ("language", "words"), [("en", "encryption_key is not set"), ("zh", "没有设置 encryption_key")]
)
async def test_no_reasoning_is_said_with_the_reason(place, language, words):
    _, session_id = await place.asked()
    place.client.headers["Accept-Language"] = language

    shown = (await place.get(f"/api/diagnosis/{session_id}/trace/reasoning", "aude")).json()
    assert (shown["available"], shown["entries"]) == (False, [])
    assert words in shown["why"]


def _expire(place) -> None:
    """What time does to records of tool calls."""
    with sqlite3.connect(place.play.stores.home / CANONICAL_FILE) as connection:
        tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%expires_at%'"
        for (table,) in connection.execute(tables).fetchall():
            connection.execute(f"DELETE FROM {table}")
    connection.close()
