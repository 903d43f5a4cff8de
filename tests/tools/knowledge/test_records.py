"""Document records."""

import pytest

from tools.knowledge.records import DocumentRecord, DocumentState, Records


def record(path="a.md", **changes):
    values = {"kb_scope": "s", "path": path, "doc_id": f"id-{path}", "sha256": "1", "settings": "{}", "state": "READY"}
    return DocumentRecord.model_validate(values | changes)


@pytest.fixture
def records(tmp_path):
    opened = Records(tmp_path / "r.db", "c1")
    yield opened
    opened.close()


def test_documents_come_back_by_path_as_they_were_put(records):
    records.put(record("b.md", title="B", category="db", attempts=2, problem="p"))
    records.put(record("a.md"))

    assert records.documents("s") == (record("a.md"), record("b.md", title="B", category="db", attempts=2, problem="p"))


def test_a_second_put_replaces_the_first(records):
    records.put(record(state="PROCESSING"))
    records.put(record())

    assert [found.state for found in records.documents()] == [DocumentState.READY]


def test_scopes_do_not_see_each_other(records):
    records.put(record(kb_scope="other"))

    assert records.documents("s") == ()
    assert len(records.documents()) == 1


def test_replacing_chunks_tells_which_texts_nobody_has_any_more(records):
    one, two = record("1.md", doc_id="d1"), record("2.md", doc_id="d2")
    records.bring_in_force([(one, {"d1#chunk-0": "t1", "d1#chunk-1": "t2"})])
    records.bring_in_force([(two, {"d2#chunk-0": "t2"})])

    assert records.bring_in_force([(one, {"d1#chunk-0": "t3"})]) == {"t1"}
    assert records.chunks("d1") == {"d1#chunk-0": "t3"}
    assert records.chunk_count() == 2


def test_removing_a_document_takes_its_chunks_along(records):
    records.bring_in_force([(record(), {"k": "t"})])

    assert records.remove(record()) == {"t"}
    assert (records.documents(), records.chunk_count()) == ((), 0)


def test_another_collection_in_the_same_file_is_untouched(tmp_path, records):
    other = Records(tmp_path / "r.db", "c2")
    other.bring_in_force([(record(), {"k": "t"})])

    records.clear()

    assert (len(other.documents()), other.chunk_count(), records.documents()) == (1, 1, ())
    other.close()
