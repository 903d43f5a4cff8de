"""Documents and their search over HTTP, on the real index."""

import pytest

from service.http.gate import MAX_DOCUMENT_BYTES
from service.http.routes_documents import plain_name
from tests.service.http.place import key
from tests.service.http_routes.room import room
from tools.knowledge.formats.kinds import MAX_FILE_BYTES

POOL = b"# Pool\n\n## Cause\n\nThe connection pool of checkout is exhausted; return leaked connections.\n"
DISK = b"# Disk\n\n## Cause\n\nThe disk of the broker is full because retention is off.\n"


def code(reply) -> tuple[int, str]:
    return reply.status_code, reply.json()["code"]


async def test_a_document_from_upload_to_deletion(place):
    added = await place.add(POOL, "pool.md", category="Database")
    task = await place.ready(added.json()["task_id"])
    doc_id = added.json()["doc_id"]
    assert (added.status_code, added.json()["state"]) == (202, "PENDING")
    assert (task["state"], task["name"], task["doc_id"], task["problem"]) == ("READY", "pool.md", doc_id, None)
    assert (task["embedded"], task["reused"]) == (1, 0)

    (listed,) = (await place.get("/api/documents")).json()["documents"]
    assert listed == (await place.get(f"/api/documents/{doc_id}")).json()
    assert (listed["name"], listed["title"], listed["category"], listed["state"], listed["chunks"]) == (
        "pool.md",
        "Pool",
        "database",
        "READY",
        1,
    )

    again = await place.add(POOL, "pool.md", category="Database")
    assert (again.status_code, again.json()) == (200, {"task_id": None, "doc_id": doc_id, "state": "READY"})

    found = (await place.get("/api/knowledge/search", q="connection pool exhausted")).json()
    hit = found["hits"][0]
    assert (hit["rank"], hit["path"], hit["doc_id"], hit["chunk"], hit["source"]) == (
        1,
        "pool.md",
        doc_id,
        0,
        "documents",
    )
    assert "bm25" in hit["found_by"]
    assert (found["question"], found["attempts"][0]["source"], found["dropped"]) == (
        "connection pool exhausted",
        "documents",
        0,
    )

    gone = await place.client.delete(f"/api/documents/{doc_id}", headers=key("olga"))
    assert (gone.status_code, gone.content) == (204, b"")
    assert (await place.get("/api/documents")).json() == {"documents": []}
    left = (await place.get("/api/knowledge/search", q="connection pool exhausted")).json()["hits"]
    assert {hit["source"] for hit in left} == {"library"}
    assert code(await place.get(f"/api/documents/{doc_id}")) == (404, "NOT_FOUND")
    assert code(await place.client.delete(f"/api/documents/{doc_id}", headers=key("olga"))) == (404, "NOT_FOUND")


async def test_the_same_name_in_another_category_moves_and_the_same_bytes_under_another_name_do_not(place):
    first = (await place.add(POOL, "pool.md", category="Database")).json()
    await place.ready(first["task_id"])
    copy = await place.add(POOL, "copy.md", category="Network")
    moved = await place.add(POOL, "pool.md", category="Network")
    await place.ready(moved.json()["task_id"])
    (listed,) = (await place.get("/api/documents")).json()["documents"]

    assert (copy.status_code, copy.json()) == (200, {"task_id": None, "doc_id": first["doc_id"], "state": "READY"})
    assert (moved.status_code, moved.json()["doc_id"]) == (202, first["doc_id"])
    assert (listed["name"], listed["category"], listed["chunks"]) == ("pool.md", "network", 1)


async def test_a_category_without_a_good_hit_is_given_up_and_that_is_said(place):
    added = await place.add(POOL, "pool.md", category="Database")
    await place.ready(added.json()["task_id"])

    async def tried(category):
        params = {"q": "connection pool exhausted", "category": category}
        found = (await place.get("/api/knowledge/search", **params)).json()
        return [(one["name"], one["usable"]) for one in found["attempts"]], [hit["path"] for hit in found["hits"]]

    assert await tried("database") == ([("FILTERED_VECTOR", True)], ["pool.md"])
    assert await tried("network") == (
        [("FILTERED_VECTOR", False), ("UNFILTERED_VECTOR_RETRY", True)],
        ["pool.md"],
    )


async def test_what_cannot_be_read_says_why(place):
    added = await place.add(b"%PDF-1.4 broken", "broken.pdf")
    task = await place.ready(added.json()["task_id"])
    (listed,) = (await place.get("/api/documents")).json()["documents"]

    assert task["state"] == listed["state"] == "FAILED"
    assert task["problem"] == listed["problem"] == "is no complete PDF"
    assert (listed["title"], listed["chunks"]) == ("", 0)


async def test_users_search_and_list_and_operators_add_and_delete(place):
    assert code(await place.add(POOL, who="ann")) == (403, "FORBIDDEN")
    assert code(await place.add(POOL, who="aude")) == (403, "FORBIDDEN")
    assert code(await place.client.delete("/api/documents/x", headers=key("ann"))) == (403, "FORBIDDEN")
    assert code(await place.post("/api/knowledge/rebuild?confirm=REBUILD", who="ann")) == (403, "FORBIDDEN")
    assert (await place.get("/api/documents")).json() == {"documents": []}
    assert (await place.get("/api/knowledge/search", q="connection pool")).json()["hits"]
    assert code(await place.get("/api/tasks/x")) == (404, "NOT_FOUND")


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        (b"", "a.md", (422, "INVALID_REQUEST")),
        (b"x", "..", (422, "INVALID_REQUEST")),
        (b"x", "n" * 301, (422, "INVALID_REQUEST")),
        (b"x" * (MAX_FILE_BYTES + 1), "a.md", (413, "TOO_LARGE")),
        (b"x" * (MAX_DOCUMENT_BYTES + 1), "a.md", (413, "TOO_LARGE")),
    ],
    ids=["empty", "no name", "long name", "large file", "large body"],
)
async def test_what_can_never_be_a_document_is_refused(place, content, name, expected):
    assert code(await place.add(content, name)) == expected
    assert (await place.get("/api/documents")).json() == {"documents": []}


async def test_a_body_of_unknown_length_is_bounded_while_it_is_read(place):
    async def endless():
        head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\n'
        yield head
        for _ in range(MAX_DOCUMENT_BYTES // 2**20 + 2):
            yield b"x" * 2**20
        yield b"\r\n--b--\r\n"

    headers = {**key("olga"), "Content-Type": "multipart/form-data; boundary=b"}
    assert code(await place.client.post("/api/documents", content=endless(), headers=headers)) == (413, "TOO_LARGE")


async def test_a_file_larger_than_other_bodies_is_taken(place):
    added = await place.add(POOL + b"\n\nfiller line of a long file\n" * 60_000, "long.txt")

    assert added.status_code == 202


@pytest.mark.parametrize(
    "sent",
    [{"json": {"file": "x"}}, {"content": b"x", "headers": {"Content-Type": "text/plain"}}],
    ids=["json", "text"],
)
async def test_another_type_of_body_is_refused(place, sent):
    headers = {**key("olga"), **sent.pop("headers", {})}

    assert code(await place.client.post("/api/documents", **sent, headers=headers)) == (415, "UNSUPPORTED_MEDIA_TYPE")


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("a.md", "a.md"),
        ("C:\\runbooks\\a.md", "a.md"),
        ("/etc/../a.md", "a.md"),
        ("x/", ""),
        ("数据库.md", "数据库.md"),
    ],
)
def test_folders_before_a_name_are_dropped(sent, kept):
    assert plain_name(sent) == kept


async def test_a_name_is_stored_harmless(place):
    added = await place.add(POOL, "..\\..\\evil\u202e\x07name.md")
    await place.ready(added.json()["task_id"])

    (listed,) = (await place.get("/api/documents")).json()["documents"]
    assert listed["name"].isprintable()
    assert "/" not in listed["name"]


async def test_a_rebuild_asks_for_its_word_and_keeps_what_is_there(place):
    added = await place.add(POOL)
    await place.ready(added.json()["task_id"])
    assert code(await place.post("/api/knowledge/rebuild", who="olga")) == (422, "INVALID_REQUEST")
    assert code(await place.post("/api/knowledge/rebuild?confirm=yes", who="olga")) == (422, "INVALID_REQUEST")

    begun = await place.post("/api/knowledge/rebuild?confirm=REBUILD", who="olga")
    assert (begun.status_code, begun.json()) == (202, {"state": "RUNNING"})
    while place.served.documents.is_rebuilding:
        assert (await place.get("/api/knowledge/search", q="connection pool exhausted")).json()["hits"]
    assert (await place.get("/api/knowledge/search", q="connection pool exhausted")).json()["hits"]


async def test_changes_during_a_rebuild_are_refused(place, monkeypatch):
    added = await place.add(POOL)
    await place.ready(added.json()["task_id"])
    monkeypatch.setattr(place.served.documents, "_is_rebuilding", True)

    doc_id = added.json()["doc_id"]
    for refused in (
        await place.add(DISK, "disk.md"),
        await place.client.delete(f"/api/documents/{doc_id}", headers=key("olga")),
        await place.post("/api/knowledge/rebuild?confirm=REBUILD", who="olga"),
    ):
        assert code(refused) == (409, "E_REBUILD_IN_PROGRESS")


@pytest.mark.parametrize("params", [{}, {"q": ""}, {"q": "x" * 501}, {"q": "x", "category": "c" * 101}])
async def test_a_search_needs_a_bounded_question(place, params):
    assert code(await place.get("/api/knowledge/search", **params)) == (422, "INVALID_REQUEST")


async def test_an_embedding_model_that_does_not_answer_is_503_without_internals(tmp_path):
    from tests.service.http_routes.room import happy

    cast = happy(
        embedder="openai:none", embedder_base_url="http://127.0.0.1:9/v1", embedder_timeout_s=1,
        embedder_precise_min=0.5, embedder_reference_min=0.2,
    )  # fmt: skip
    async with room(tmp_path, cast) as place:
        reply = await place.get("/api/knowledge/search", q="connection pool")

    assert code(reply) == (503, "UNAVAILABLE")
    assert "127.0.0.1:9" not in reply.text
    assert reply.headers["Retry-After"] == "5"
