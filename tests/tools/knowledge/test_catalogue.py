"""The catalogue in the tool's description."""

from tests.tools.knowledge.test_search import record
from tools.knowledge.catalogue import MAX_DESCRIPTION_BYTES, describe, terms


def test_documents_are_listed_by_category_and_title():
    records = [
        record(path="b.md").model_copy(update={"title": "B"}),
        record(path="a.md", category="app").model_copy(update={"title": "磁盘"}),
    ]

    assert describe("kb", records, return_n=5).split("\n")[1:] == [
        "Knowledge base kb: 2 documents.",
        "- [app] 磁盘",
        "- [db] B",
    ]


def test_a_document_that_is_not_searchable_is_not_promised():
    assert "0 documents" in describe("kb", [record("FAILED")], return_n=5)
    assert terms("kb", [record("FAILED")]) == ("kb",)


def test_many_documents_stay_within_four_kibibytes_and_the_rest_is_counted():
    records = [record(path=f"{n}.md").model_copy(update={"title": f"连接池手册 {n:04}"}) for n in range(500)]

    text = describe("kb", records, return_n=5)

    listed = text.count("- [db]")
    assert len(text.encode()) <= MAX_DESCRIPTION_BYTES
    assert text.endswith(f"- and {500 - listed} more")
    assert listed > 50


def test_terms_are_the_names_of_base_categories_and_documents():
    assert terms("kb", [record().model_copy(update={"title": "T"})]) == ("kb", "db", "T")
