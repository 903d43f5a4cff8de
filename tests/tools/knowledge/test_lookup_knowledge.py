"""The evidence tool, over the real index."""

import asyncio
import json
import time
from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from state.model.enums import Coverage, EvidenceKind, EvidenceStatus, ToolCode
from state.model.errors import InvalidToolInput, ModelFailed, ToolFailed
from state.model.evidence import Window, parse_projection, render_projection
from state.model.ids import ToolCallId
from tests.tools.knowledge.sample_docs import DOCS, SCOPE
from tools.boundary import keeps_contract
from tools.contract import CallContext, RawResult
from tools.knowledge.index_port import IndexUnavailable
from tools.knowledge.lookup_knowledge import LookupKnowledge, LookupKnowledgeInput
from tools.knowledge.selection import SearchPolicy

NOW = datetime(2026, 1, 1, tzinfo=UTC)
CONTEXT = CallContext(
    now=NOW, time_zone="UTC", default_window=Window(start=NOW - timedelta(hours=2), end=NOW), kb_scope=SCOPE
)
CALL = ToolCallId("call-1")
POLICY = SearchPolicy(precise_min=0.5, reference_min=0.2)


@pytest.fixture
def tool(base):
    return LookupKnowledge(base, POLICY, kb_scope=SCOPE)


def prepare(tool, query, category=None):
    return tool.prepare(LookupKnowledgeInput(query=query, category=category), CONTEXT)


async def look_up(tool, query, category=None, context=CONTEXT):
    prepared = prepare(tool, query, category)
    raw = await tool.execute(prepared, context)
    return raw, tool.project(CALL, prepared, raw)


async def test_a_passage_is_an_identified_knowledge_item_with_verbatim_text(tool):
    _, projection = await look_up(tool, "who never returns its connection to the pool?")

    item = projection.items[0]
    assert (item.kind, item.identified) == (EvidenceKind.KNOWLEDGE, True)
    assert item.item_id.endswith("#chunk-1")
    assert item.text in DOCS["database/pool.md"]
    assert item.fields == {
        "title": "Cause: leaked connection",
        "breadcrumb": "Connection pool runbook > Cause: leaked connection",
        "path": "database/pool.md",
        "category": "database",
        "relevance_level": "PRECISE",
    }


async def test_the_projection_keeps_the_contract_of_every_projection(tool):
    for query in ("the certificate expired", "zebra xylophone quartz"):
        _, projection = await look_up(tool, query)

        assert keeps_contract(projection, "lookup_knowledge", CALL)
        assert parse_projection(render_projection(projection)) == projection


async def test_nothing_found_is_no_evidence_with_a_total_of_zero(tool):
    _, projection = await look_up(tool, "zebra xylophone quartz")

    assert (projection.evidence_status, projection.coverage) == (EvidenceStatus.NO_EVIDENCE, Coverage.COMPLETE)
    assert (projection.items, projection.total_matches, projection.truncated) == ((), 0, False)


async def test_the_scope_says_what_was_really_searched(tool):
    _, kept = await look_up(tool, "the  certificate\texpired", " NETWORK ")
    _, given_up = await look_up(tool, "the certificate expired", "消息")

    assert (kept.scope.source, kept.scope.query, kept.scope.filters) == (
        "library",
        "the certificate expired",
        {"category": "network"},
    )
    assert given_up.scope.filters == {"category_given_up": "消息"}


async def test_another_scope_has_no_data(tool):
    other = CallContext(now=NOW, time_zone="UTC", default_window=CONTEXT.default_window, kb_scope="team-b")

    raw, projection = await look_up(tool, "the certificate expired", context=other)

    assert (raw.coverage, projection.items) == (Coverage.NO_DATA, ())


async def test_raw_scores_are_in_the_raw_payload_and_not_in_the_projection(tool):
    raw, projection = await look_up(tool, "the certificate expired")

    passage = raw.payload["passages"][0]
    assert 0 < passage["quality"] <= 1
    assert passage["fused_score"] > 0
    text = render_projection(projection)
    assert not any(name in text for name in ("quality", "score", "rank", "similarity", "candidate"))


async def test_the_audit_part_holds_neither_question_nor_text(tool):
    raw, _ = await look_up(tool, "the certificate expired", "消息")

    audit = raw.payload["audit"]
    assert (audit["trace_schema"], audit["selected_attempt"]) == ("rag_lookup_v1", "UNFILTERED_VECTOR_RETRY")
    assert audit["fallback_reason"] == "filtered_vector_low_quality"
    assert audit["category_filter"] == "消息"
    assert [attempt["usable"] for attempt in audit["attempts"]] == [False, True]
    assert "certificate" not in json.dumps(audit)


async def test_left_out_hits_make_the_result_truncated(base):
    one = LookupKnowledge(base, POLICY.model_copy(update={"return_n": 1}), kb_scope=SCOPE)

    _, projection = await look_up(one, "certificate handshake chain intermediate expired")

    assert (len(projection.items), projection.truncated) == (1, True)


@pytest.mark.parametrize(
    "query", ["The  CERTIFICATE expired", " the certificate expired ", "ｔｈｅ certificate expired"]
)
def test_requests_that_differ_in_case_width_or_white_space_are_the_same_search(tool, query):
    assert prepare(tool, query).scope_key == prepare(tool, "the certificate expired").scope_key


def test_the_question_itself_is_searched_as_written(tool):
    assert prepare(tool, "HikariPool  IS gone").normalised["query"] == "HikariPool IS gone"


def test_another_category_is_another_search(tool):
    assert prepare(tool, "a b", "x").scope_key != prepare(tool, "a b").scope_key
    assert prepare(tool, "a b", " ").scope_key == prepare(tool, "a b").scope_key


@pytest.mark.parametrize("query", ["   ", "?!", "\x00\x1b", "…"])
def test_a_query_without_letters_is_refused_before_anything_begins(tool, query):
    with pytest.raises(InvalidToolInput) as caught:
        prepare(tool, query)

    assert caught.value.code is ToolCode.INVALID_REQUEST


@pytest.mark.parametrize("arguments", [{"query": "x" * 501}, {"query": ""}, {"query": "a", "limit": 5}, {}])
def test_arguments_outside_the_schema_are_refused(arguments):
    with pytest.raises(ValidationError):
        LookupKnowledgeInput.model_validate(arguments)


def test_the_description_carries_the_catalogue(tool):
    assert "- [database] Connection pool runbook" in tool.description
    assert "- [消息] 消息堆积" in tool.description
    assert {"library", "database", "消息堆积"} <= set(tool.catalogue_terms)


class Failing:
    """A knowledge base whose search fails with a given error."""

    def __init__(self, base, error):
        self._base, self._error = base, error

    def __getattr__(self, name):
        return getattr(self._base, name)

    def query_vector(self, query):
        raise self._error


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (IndexUnavailable("search", detail="SECRET-HOST"), ToolCode.TOOL_EXECUTION_ERROR),
        (IndexUnavailable("search", timed_out=True), ToolCode.TOOL_TIMEOUT),
        (ModelFailed("timeout", retryable=True), ToolCode.TOOL_TIMEOUT),
        (ModelFailed("connect", retryable=True), ToolCode.TOOL_EXECUTION_ERROR),
    ],
)
async def test_a_source_that_fails_is_a_failed_tool(base, error, code):
    tool = LookupKnowledge(Failing(base, error), POLICY, kb_scope=SCOPE)

    with pytest.raises(ToolFailed) as caught:
        await tool.execute(prepare(tool, "anything"), CONTEXT)

    assert caught.value.code is code


class Slow(Failing):
    """A knowledge base that takes its time and notes when it is done."""

    done = False

    def query_vector(self, query):
        time.sleep(0.3)
        self.done = True
        return self._base.query_vector(query)


async def test_a_cancelled_call_ends_only_when_its_work_has_ended(base):
    slow = Slow(base, None)
    tool = LookupKnowledge(slow, POLICY, kb_scope=SCOPE)

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await tool.execute(prepare(tool, "anything"), CONTEXT)

    assert slow.done


async def test_a_call_cancelled_twice_still_waits_for_its_work(base):
    slow = Slow(base, None)
    tool = LookupKnowledge(slow, POLICY, kb_scope=SCOPE)
    task = asyncio.ensure_future(tool.execute(prepare(tool, "anything"), CONTEXT))
    for _ in range(2):
        await asyncio.sleep(0.05)
        task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task

    assert slow.done


async def test_nothing_of_a_call_blocks_the_event_loop(tool):
    blockbuster = pytest.importorskip("blockbuster")
    with blockbuster.blockbuster_ctx():
        with pytest.raises(blockbuster.BlockingError):
            time.sleep(0)

        _, projection = await look_up(tool, "证书过期 the certificate expired", "消息")

    assert projection.items


async def test_the_event_loop_goes_on_while_a_search_runs(base):
    tool = LookupKnowledge(Slow(base, None), POLICY, kb_scope=SCOPE)
    searching = asyncio.ensure_future(tool.execute(prepare(tool, "anything"), CONTEXT))
    ticks = 0

    while not searching.done():
        await asyncio.sleep(0.01)
        ticks += 1

    assert ticks > 10


def test_a_payload_of_another_shape_is_a_projection_error(tool):
    with pytest.raises(ToolFailed) as caught:
        tool.project(CALL, prepare(tool, "a b"), RawResult(payload={"hits": []}, coverage=Coverage.COMPLETE))

    assert caught.value.code is ToolCode.PROJECTION_ERROR
