"""Documents into chunks."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.knowledge.reading import read_document
from tests.tools.knowledge.sample_docs import DOCS
from tools.knowledge.chunking import MAX_ATOMIC_BYTES, ChunkSettings, Document, document_id

PUBLIC_RUNBOOKS = os.environ.get("ROOTPROOF_TEST_RUNBOOKS", "")
"""A folder of other people's Markdown runbooks; the test that wants them says so where there are none."""


def read(text: str, *, path: str = "a/b.md", **settings_: int) -> Document:
    return read_document(text, path=path, kb_scope="s", settings=ChunkSettings(**settings_))


def test_each_heading_begins_a_chunk_that_names_its_way():
    document = read(DOCS["database/pool.md"])

    assert [(chunk.chunk_index, chunk.title, chunk.breadcrumb) for chunk in document.chunks] == [
        (0, "Connection pool runbook", "Connection pool runbook"),
        (1, "Cause: leaked connection", "Connection pool runbook > Cause: leaked connection"),
        (2, "Cause: pool too small", "Connection pool runbook > Cause: pool too small"),
    ]
    assert document.chunks[1].content.startswith("### Cause: leaked connection\n\nA branch")


def test_a_heading_closes_deeper_and_equal_ones():
    document = read("# A\na\n## B\nb\n### C\nc\n## D\nd\n# E\ne\n")

    assert [chunk.breadcrumb for chunk in document.chunks] == ["A", "A > B", "A > B > C", "A > D", "A > E"]


def test_a_heading_without_text_gives_no_chunk_of_its_own():
    assert [chunk.title for chunk in read("# A\n\n## B\n\ntext\n").chunks] == ["B"]


def test_a_document_of_headings_alone_is_one_chunk():
    assert [chunk.content for chunk in read("# A\n\n## B\n").chunks] == ["# A\n\n## B"]


def test_an_empty_document_has_no_chunk():
    assert read("---\ntitle: T\n---\n\n \n").chunks == ()


def test_a_long_section_goes_on_with_an_overlap_of_whole_words():
    text = " ".join(f"word{n:03}" for n in range(200))

    chunks = read(text, chunk_chars=400, overlap_chars=80).chunks

    for first, second in zip(chunks, chunks[1:], strict=False):
        overlap = next(
            n for n in range(len(second.content), 0, -1) if first.content.endswith(second.content[:n].rstrip())
        )
        assert 20 <= overlap <= 80
        assert second.content.startswith("word")


def test_a_chinese_paragraph_is_cut_at_its_full_stops():
    chunks = read("数据库连接池已经耗尽，请求都在排队。" * 60, chunk_chars=300, overlap_chars=0).chunks

    assert all(chunk.content.endswith("。") for chunk in chunks)
    assert len(chunks) > 3


@pytest.mark.parametrize(
    "block",
    ["```\n" + "line of code\n" * 200 + "```", "| a | b |\n| - | - |\n" + "| x | y |\n" * 200],
    ids=["code", "table"],
)
def test_a_long_table_or_code_block_stays_whole(block):
    chunks = read(f"# T\n\nBefore.\n\n{block}\n\nAfter.\n").chunks

    assert [block.strip() in chunk.content for chunk in chunks].count(True) == 1
    assert chunks[-1].content == "After."


def test_a_block_beyond_what_the_index_holds_is_cut_at_lines():
    chunks = read("```\n" + "0123456789\n" * 6000 + "```\n").chunks

    assert all(len(chunk.content.encode()) <= MAX_ATOMIC_BYTES for chunk in chunks)
    assert sum(chunk.content.count("0123456789") for chunk in chunks) == 6000


def test_line_ends_of_other_systems_are_read_alike():
    assert read("# A\r\n\r\nx\r\ny\r\n").chunks == read("# A\n\nx\ny\n").chunks


def test_plain_text_has_no_headings():
    document = read("# not a heading\n\nsecond paragraph\n", path="notes.txt")

    assert (document.title, [c.content for c in document.chunks]) == ("notes", ["# not a heading\n\nsecond paragraph"])


def test_a_document_id_is_readable_and_differs_by_path_and_scope():
    ids = {
        document_id("Data Base/连接池.md", "a"),
        document_id("Data Base/连接池.md", "b"),
        document_id("x/连接池.md", "a"),
    }

    assert len(ids) == 3
    assert document_id("Data Base/Pool 2.md", "a").startswith("data-base-pool-2-")


LINES = st.lists(
    st.sampled_from(
        ["## 二 {}", "### Three {}", "word " * 30 + "{}", "一句话。" * 40 + "{}", "", "", "- item {}", "```",
         "| a {} | b |", "| - | - |", "    code {}", "x" * 700 + "{}", "[r{}]: /u"]
    ),
    max_size=40,
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(LINES)
def test_chunks_are_verbatim_complete_and_bounded(lines):
    marked = [line.replace("{}", f"<{number}>") for number, line in enumerate(lines)]
    text = "\n".join(marked)

    chunks = read(text, chunk_chars=300, overlap_chars=50).chunks

    assert all(chunk.content in text and chunk.content.strip() for chunk in chunks)
    assert [chunk.chunk_index for chunk in chunks] == list(range(len(chunks)))
    kept = "\n".join(f"{chunk.breadcrumb}\n{chunk.content}" for chunk in chunks)
    lost = [
        n for n, line in enumerate(marked) if f"<{n}>" in line and not line.startswith("#") and f"<{n}>" not in kept
    ]
    assert lost == []
    plain = [c for c in chunks if "```" not in c.content and "|" not in c.content and "    code" not in c.content]
    assert all(len(chunk.content) <= 300 + 20 for chunk in plain)


@pytest.mark.skipif(not PUBLIC_RUNBOOKS, reason="ROOTPROOF_TEST_RUNBOOKS names no folder of Markdown runbooks")
def test_public_runbooks_lose_no_line():
    files = sorted(Path(PUBLIC_RUNBOOKS).rglob("*.md"))
    assert files

    for file in files[::7]:
        text = file.read_text(encoding="utf-8").replace("\r\n", "\n")
        document = read(text, path=file.name)
        kept = "\n".join(chunk.content for chunk in document.chunks)
        body = text.split("\n---\n", 1)[1] if text.startswith("---\n") else text
        missing = [ln for ln in body.split("\n") if len(ln) < 200 and ln.strip(" -=\t") and ln.rstrip() not in kept]
        assert [line for line in missing if not line.lstrip().startswith("#")] == []
