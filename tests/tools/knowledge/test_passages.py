"""Payload and projection within their bounds."""

import json

import pytest

from state.model.enums import Coverage, RelevanceLevel
from state.model.evidence import render_projection
from state.model.ids import ToolCallId
from tools.contract import RawResult
from tools.knowledge.fusion import Candidate
from tools.knowledge.index_port import IndexHit
from tools.knowledge.neighbours import Neighbour
from tools.knowledge.packing import MAX_EXCERPT_CHARS
from tools.knowledge.passages import project_passages, raw_payload
from tools.knowledge.search import Attempt, Found, Tried
from tools.knowledge.selection import Graded, SearchPolicy, Selection

POLICY = SearchPolicy(precise_min=0.5, reference_min=0.2)


def graded(number, text):
    hit = IndexHit(f"d{number}#chunk-0", f"d{number}", "c", "p.md", "T" * 200, "B" * 500, text, 0.03, 0.7)
    return Graded(hit, number, 0.7, RelevanceLevel.PRECISE)


def found(contents, *, left_out=0, beside=()):
    hits = tuple(graded(n, text) for n, text in enumerate(contents, 1))
    tried = Tried(Attempt.UNFILTERED_VECTOR, len(contents), 0.7, usable=True, ms=1)
    return Found(
        Selection(hits, left_out),
        (tried,),
        None,
        None,
        Coverage.COMPLETE,
        candidates=tuple(Candidate(item.hit, item.rank, 1, None, None) for item in hits),
        neighbours=tuple(Neighbour(graded(90 + n, text), "d1#chunk-0") for n, text in enumerate(beside)),
    )


def project(contents, *, cap_bytes=16 * 1024, **more):
    raw = RawResult(payload=raw_payload(found(contents, **more), POLICY, None), coverage=Coverage.COMPLETE)
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


def test_the_best_passage_is_whole_when_the_last_one_must_be_short():
    shown = [item.text for item in project(["连接池。" * 300] * 8).items]

    assert len(shown[0]) == MAX_EXCERPT_CHARS
    assert len(shown[-1]) == 200


def test_passages_without_room_for_a_beginning_are_left_out_and_the_result_says_so():
    projection = project(["word " * 200] * 8, cap_bytes=4 * 1024)

    assert 1 <= len(projection.items) < 8
    assert projection.items[0].item_id == "d1#chunk-0"
    assert projection.truncated is True


def test_neighbours_follow_the_hits_and_say_whose_they_are():
    projection = project(["One.", "Two."], beside=["Beside."])

    assert [item.text for item in projection.items] == ["One.", "Two.", "Beside."]
    assert [item.fields.get("neighbour_of") for item in projection.items] == [None, None, "d1#chunk-0"]


def test_the_raw_payload_of_the_largest_chunks_stays_below_its_cap():
    payload = raw_payload(found(["连" * 65_000] * 5, beside=["连" * 65_000] * 3), POLICY, None)

    assert len(json.dumps(payload, ensure_ascii=False).encode()) < 64 * 1024


def test_a_passage_longer_than_the_raw_payload_carries_is_truncated_too():
    assert project(["x" * 1501]).truncated is True


def test_hits_left_out_make_it_truncated():
    assert project(["One."], left_out=1).truncated is True
