"""Judgements and cases over HTTP."""

import asyncio

import pytest

from tests.service.http_routes.room import happy, room


def code(reply) -> tuple[int, str]:
    return reply.status_code, reply.json()["code"]


async def judged(place, run_id, session_id, who="ann", **more):
    body = {"session_id": session_id, "run_id": run_id, "verdict": "useful", **more}
    return await place.post("/api/feedback", body, who)


async def test_a_useful_result_offers_its_case_once(place):
    run_id, session_id = await place.asked()

    first = (await judged(place, run_id, session_id)).json()
    again = (await judged(place, run_id, session_id)).json()
    assert first == again == {"run_id": run_id, "verdict": "useful", "case_id": first["case_id"]}
    (case,) = (await place.get("/api/cases", "olga", state="PENDING")).json()["cases"]
    assert (case["case_id"], case["kind"], case["state"]) == (first["case_id"], "confirmed", "PENDING")
    (said,) = (await place.get(f"/api/diagnosis/{session_id}/trace")).json()["feedback"]
    assert (said["verdict"], said["owner_key"]) == ("useful", "ann")
    assert (await place.get(f"/api/runs/{run_id}")).json()["outcome"] == "SUCCESS"


async def test_an_approved_correction_is_found_and_an_undecided_one_is_not(place):
    run_id, session_id = await place.asked()
    correction = "The zebracorn certificate had expired."
    offered = (await judged(place, run_id, session_id, verdict="not_useful", correction=correction)).json()
    case_id = offered["case_id"]

    async def found():
        hits = (await place.get("/api/knowledge/search", q="zebracorn certificate expired")).json()["hits"]
        return [hit["path"] for hit in hits if "zebracorn" in hit["text"]]

    assert await found() == []
    approved = (await place.post(f"/api/cases/{case_id}/approve", who="olga")).json()
    assert (approved["state"], approved["decided_by"]) == ("APPROVED", "olga")
    while (document := (await place.get(f"/api/documents/{approved['doc_id']}")).json())["state"] != "READY":
        await asyncio.sleep(0.02)
    assert (document["category"], await found()) == ("case", [document["name"]])
    assert code(await place.post(f"/api/cases/{case_id}/decline", who="olga")) == (409, "CASE_DECIDED")
    assert code(await place.post(f"/api/cases/{case_id}/approve", who="olga")) == (409, "CASE_DECIDED")


async def test_a_declined_case_stays_out(place):
    run_id, session_id = await place.asked()
    case_id = (await judged(place, run_id, session_id)).json()["case_id"]

    declined = (await place.post(f"/api/cases/{case_id}/decline", who="olga")).json()
    assert (declined["state"], declined["doc_id"]) == ("DECLINED", None)
    assert code(await place.post(f"/api/cases/{case_id}/approve", who="olga")) == (409, "CASE_DECIDED")
    assert (await place.get("/api/documents")).json() == {"documents": []}


async def test_only_the_owner_judges_and_only_operators_decide(tmp_path):
    async with room(tmp_path, happy(2)) as place:
        run_id, session_id = await place.asked("ann")
        _, other = await place.asked("bob")
        case_id = (await judged(place, run_id, session_id)).json()["case_id"]

        assert code(await judged(place, run_id, session_id, "bob")) == (404, "NOT_FOUND")
        assert code(await judged(place, run_id, other, "bob")) == (404, "NOT_FOUND")
        assert code(await judged(place, run_id, other, "ann")) == (404, "NOT_FOUND")
        assert code(await judged(place, run_id, session_id, "aude")) == (403, "FORBIDDEN")
        for who in ("ann", "aude"):
            assert code(await place.get("/api/cases", who)) == (403, "FORBIDDEN")
            assert code(await place.post(f"/api/cases/{case_id}/approve", who=who)) == (403, "FORBIDDEN")
        assert code(await place.post("/api/cases/none/approve", who="olga")) == (404, "NOT_FOUND")
        assert code(await place.post("/api/cases/none/decline", who="olga")) == (404, "NOT_FOUND")


@pytest.mark.parametrize(
    "more", [{"verdict": "great"}, {"correction": "x" * 4001}, {"run_id": 3}, {"also": "this"}], ids=str
)
async def test_a_judgement_that_cannot_be_read_is_refused(place, more):
    more = {key: value[:4001] if isinstance(value, str) else value for key, value in more.items()}
    body = {"session_id": "s", "run_id": "r", "verdict": "useful", **more}

    assert code(await place.post("/api/feedback", body)) == (422, "INVALID_REQUEST")
