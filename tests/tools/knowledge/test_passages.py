"""Payload and projection within their bounds."""

import json

import pytest

from state.model.enums import Coverage, RelevanceLevel
from state.model.evidence import render_projection
from state.model.ids import ToolCallId
from tools.contract import RawResult
from tools.knowledge.index_port import IndexHit
from tools.knowledge.passages import MAX_EXCERPT_CHARS, project_passages, raw_payload
from tools.knowledge.search import Attempt, Found, Tried
from tools.knowledge.selection import Graded, Selection


def graded(number, text):
    hit = IndexHit(f"d{number}#chunk-0", f"d{number}", "c", "p.md", "T" * 200, "B" * 500, text, 0.03, 0.7)
    return Graded(hit, number, 0.7, RelevanceLevel.PRECISE)


def found(contents, *, left_out=0):
    selection = Selection(tuple(graded(n, text) for n, text in enumerate(contents, 1)), left_out)
    tried = Tried(Attempt.UNFILTERED_VECTOR, len(contents), 0.7, usable=True, ms=1)
    return Found(selection, (tried,), None, None, Coverage.COMPLETE)


def project(contents, *, cap_bytes=16 * 1024, left_out=0):
    raw = RawResult(payload=raw_payload(found(contents, left_out=left_out), None), coverage=Coverage.COMPLETE)
    return project_passages(
        raw, tool="lookup_knowledge", tool_call_id=ToolCallId("c"), source="kb", query="q", cap_bytes=cap_bytes
    )


def test_short_passages_are_shown_whole_and_the_result_is_not_truncated():
    projection = project(["One. ", "Two."])

    assert [item.text for item in projection.items] == ["One. ", "Two."]
    assert projection.truncated is False


def test_a_long_passage_is_cut_at_a_sentence_and_says_so():
    text = "A sentence of some length here. " * 60

    projection = project([text])

    shown = projection.items[0].text
    assert text.startswith(shown)
    assert shown.endswith(".")
    assert MAX_EXCERPT_CHARS - 40 < len(shown) <= MAX_EXCERPT_CHARS
    assert projection.truncated is True


@pytest.mark.parametrize("char", ["连接池。", "x", '"', "\n"])
def test_eight_full_passages_stay_below_the_cap_in_any_script(char):
    texts = [f"{n}" + char * 1200 for n in range(8)]

    projection = project(texts)

    assert len(projection.items) == 8
    assert len(render_projection(projection).encode()) <= 16 * 1024
    assert all(text.startswith(item.text) and item.text for text, item in zip(texts, projection.items, strict=True))


def test_the_raw_payload_of_the_largest_chunks_stays_below_its_cap():
    payload = raw_payload(found(["连" * 65_000] * 8), None)

    assert len(json.dumps(payload, ensure_ascii=False).encode()) < 64 * 1024


def test_a_passage_longer_than_the_raw_payload_carries_is_truncated_too():
    assert project(["x" * 2401]).truncated is True


def test_hits_left_out_make_it_truncated():
    assert project(["One."], left_out=1).truncated is True
