"""The trace as people see it: derived from what the stores hold, and checked against what really happened."""

from pathlib import Path

import pytest

from config.settings import Settings
from graph.app import Records, RunTrace
from graph.run_trace import TraceDetail, path_of
from graph.trace_sentences import SentencePart
from state.model.enums import ReleaseOutcome
from state.model.ids import ToolCallId
from tests.graph.stage import (
    HAPPY,
    PAGES,
    RUN_ID,
    SUPPORTED,
    TO_DIAGNOSIS,
    UNSUPPORTED,
    Cast,
    Stage,
    ask,
    gained,
    good_draft,
    null_draft,
    stage,
    submit,
)

BAD_QUOTE = {**good_draft(), "analysis": [{**good_draft()["analysis"][0], "quotes": []}]}  # type: ignore[index]
STORIES = {
    "happy": Cast(),
    "small talk": Cast(question="hello", router=()),
    "what a runbook says": Cast(router=('{"intent":"KNOWLEDGE_QUERY"}',)),
    "two searches": Cast(agent=(ask("errors"), ask("deploys", gained("call-errors")), submit(good_draft()))),
    "a draft that is none": Cast(agent=(ask("errors"), submit({"conclusion": 7}), submit(good_draft()))),
    "two drafts that are none": Cast(agent=(ask("errors"), submit({"conclusion": 7}), submit({"conclusion": 7}))),
    "a broken envelope": Cast(
        agent=(ask("errors", gained("nobody"), call_id="call-1"), ask("errors"), submit(good_draft()))
    ),
    "an unknown tool": Cast(
        agent=(ask("errors", tool="read_mind", call_id="call-1"), ask("errors"), submit(good_draft()))
    ),
    "a search that fails": Cast(
        agent=(ask("errors"), submit(null_draft())), pages={**PAGES, "errors": RuntimeError("boom")}
    ),
    "nothing concluded": Cast(agent=(ask("empty"), submit(null_draft()))),
    "not carried": Cast(semantic=(UNSUPPORTED,)),
    "repaired in vain": Cast(agent=(ask("errors"), submit(BAD_QUOTE)), repair=("{}",)),
    "no router": Cast(router=("", "")),
}


def records(play: Stage, home: Path) -> Records:
    return Records(Settings(home=home), play.stores)


async def traced(play: Stage, home: Path) -> tuple[RunTrace, TraceDetail]:
    found = records(play, home)
    kept = await found.trace(RUN_ID)
    assert kept is not None
    return kept, await found.detail(kept)


@pytest.mark.parametrize("story", STORIES)
async def test_the_path_is_the_one_the_graph_took(tmp_path: Path, story: str) -> None:
    async with stage(tmp_path, STORIES[story]) as play:
        await play.run()
        kept, detail = await traced(play, tmp_path)

        assert [visit.name for visit in detail.path] == await play.visited()
        assert [visit.at for visit in detail.path] == sorted(visit.at for visit in detail.path)
        assert path_of(kept.timeline) == detail.path


@pytest.mark.parametrize("story", STORIES)
async def test_what_was_kept_and_what_was_returned_are_the_same(tmp_path: Path, story: str) -> None:
    async with stage(tmp_path, STORIES[story]) as play:
        result = await play.run()
        _, detail = await traced(play, tmp_path)

        assert detail.summary.persisted == detail.summary.returned
        assert detail.summary.persisted.outcome == result.outcome
        assert detail.summary.audit_lost == 0


async def test_tokens_are_counted_in_three_places(tmp_path: Path) -> None:
    async with stage(tmp_path) as play:
        await play.run()
        kept, detail = await traced(play, tmp_path)
        tokens = detail.summary.tokens

        assert tokens.traced == tokens.ledger == tokens.finished == sum(step.tokens or 0 for step in detail.steps)
        assert tokens.reconciled is True
        lost = kept.timeline[-1]
        assert lost.event.type == "RUN_FINISHED"


async def test_tokens_that_differ_are_not_reconciled(tmp_path: Path) -> None:
    async with stage(tmp_path) as play:
        await play.run()
        found = records(play, tmp_path)
        kept = await found.trace(RUN_ID)
        assert kept is not None
        without_agent = tuple(one for one in kept.timeline if one.event.details.get("attempt") != "agent:1:1")
        without_end = kept.timeline[:-1]

        assert (await found.detail(changed(kept, without_agent))).summary.tokens.reconciled is False
        assert (await found.detail(changed(kept, without_end))).summary.tokens.reconciled is None


def changed(kept: RunTrace, timeline: tuple[object, ...]) -> RunTrace:
    return RunTrace(kept.row, kept.usage, timeline, kept.published, kept.evidence)  # type: ignore[arg-type]


async def test_each_model_step_is_named_as_in_the_ledger(tmp_path: Path) -> None:
    async with stage(tmp_path, STORIES["a draft that is none"]) as play:
        await play.run()
        _, detail = await traced(play, tmp_path)

        assert [(step.step, step.outcome) for step in detail.steps] == [
            ("router:1:1", "ok"),
            ("agent:1:1", "ask"),
            ("agent:2:1", "draft"),
            ("agent:3:1", "handed_in"),
            ("semantic:1:1", "ok"),
        ]
        keys = [line.key for line in detail.ledger if line.kind == "MODEL_CALL"]
        assert keys == [step.step for step in detail.steps]


async def test_tool_calls_say_what_was_searched_and_what_was_made_of_it(tmp_path: Path) -> None:
    turns = (ask("errors"), ask("deploys", gained("call-errors", "NO_GAIN")), submit(good_draft()))
    async with stage(tmp_path, Cast(agent=turns)) as play:
        await play.run()
        _, detail = await traced(play, tmp_path)
        first, second = detail.tool_calls

        assert (first.tool_call_id, first.status, first.items, first.gain) == ("call-errors", "READY", 2, "NO_GAIN")
        assert first.scope is not None
        assert first.scope.filters == {"page": "errors"}
        assert first.duration_ms is not None
        assert (second.tool_call_id, second.gain) == ("call-deploys", None)
        assert [line.key for line in detail.ledger if line.kind == "TOOL_CALL"] == ["call-errors", "call-deploys"]


async def test_a_search_that_left_no_event_is_told_from_its_record(tmp_path: Path) -> None:
    async with stage(tmp_path) as play:
        await play.run()
        found = records(play, tmp_path)
        kept = await found.trace(RUN_ID)
        assert kept is not None
        lost = tuple(one for one in kept.timeline if one.event.type != "TOOL_INVOCATION")
        line, whole = (await found.detail(changed(kept, lost))).tool_calls[0], (await found.detail(kept)).tool_calls[0]

        assert line == whole.model_copy(update={"duration_ms": None})


async def test_a_refused_request_is_a_line_too(tmp_path: Path) -> None:
    async with stage(tmp_path, STORIES["an unknown tool"]) as play:
        await play.run()
        _, detail = await traced(play, tmp_path)

        assert (detail.tool_calls[0].status, detail.tool_calls[0].tool) == ("REFUSED", "unknown")
        assert detail.tool_calls[0].scope is None


async def test_every_sentence_of_a_report_names_what_proves_it(tmp_path: Path) -> None:
    draft = {
        **good_draft(),
        "action_plan": [{"action": "Look at HikariPool-1 of payments.", "based_on_analysis_ids": ["a1"]}],
    }
    async with stage(tmp_path, Cast(agent=(ask("errors"), submit(draft)))) as play:
        result = await play.run()
        kept, detail = await traced(play, tmp_path)
        assert result.outcome is ReleaseOutcome.SUCCESS

        by_id = {sentence.id: sentence for sentence in detail.sentences}
        proved = {(view.tool_call_id, item.item_id): item.text for view in kept.evidence for item in view.items}
        cite = by_id["a1"].cites[0]
        assert set(by_id) == {"conclusion", "a1", "action:1", "limitation:1"}
        assert cite.quote is not None
        assert cite.quote in proved[cite.tool_call_id, cite.item_id]  # type: ignore[index]
        assert by_id["conclusion"].cites == by_id["action:1"].cites == by_id["a1"].cites
        assert by_id["limitation:1"].cites == ()


async def test_the_facts_of_a_fallback_name_their_results(tmp_path: Path) -> None:
    async with stage(tmp_path, STORIES["not carried"]) as play:
        await play.run()
        _, detail = await traced(play, tmp_path)
        facts = [one for one in detail.sentences if one.part is SentencePart.ANALYSIS]

        assert facts
        assert all(cite.tool_call_id == "call-errors" for fact in facts for cite in fact.cites)
        assert not [one for one in detail.sentences if one.part is SentencePart.CONCLUSION]


async def test_nothing_published_proves_nothing(tmp_path: Path) -> None:
    async with stage(tmp_path, STORIES["no router"]) as play:
        await play.run()
        _, detail = await traced(play, tmp_path)

        assert detail.sentences == ()
        assert detail.summary.persisted.failure_code == "ROUTING_UNAVAILABLE"


async def test_evidence_is_whole_while_it_is_kept_and_what_was_cited_afterwards(tmp_path: Path) -> None:
    async with stage(tmp_path) as play:
        await play.run()
        found = records(play, tmp_path)
        whole = await found.evidence(RUN_ID, ToolCallId("call-errors"))
        raw = await found.raw_evidence(RUN_ID, ToolCallId("call-errors"))
    (tmp_path / "canonical.db").unlink()
    for beside in tmp_path.glob("canonical.db-*"):
        beside.unlink()
    async with stage(tmp_path) as play:
        found = records(play, tmp_path)
        cited = await found.evidence(RUN_ID, ToolCallId("call-errors"))
        _, detail = await traced(play, tmp_path)

        assert whole is not None
        assert cited is not None
        assert ([item.item_id for item in whole.items], whole.expired) == (["errors:0", "errors:1"], False)
        assert raw is not None
        assert "PAY-503" in raw
        assert ([item.item_id for item in cited.items], cited.expired) == (["errors:0"], True)
        assert whole.cited_item_ids == cited.cited_item_ids == ("errors:0",)
        assert cited.scope == whole.scope == detail.tool_calls[0].scope
        assert await found.raw_evidence(RUN_ID, ToolCallId("call-errors")) is None
        assert detail.tool_calls[0].duration_ms is None


async def test_an_uncited_result_that_has_expired_is_told_as_such(tmp_path: Path) -> None:
    async with stage(tmp_path, Cast(agent=(ask("errors"), ask("deploys", gained("call-errors")), HAPPY[1]))) as play:
        await play.run()
    (tmp_path / "canonical.db").unlink()
    for beside in tmp_path.glob("canonical.db-*"):
        beside.unlink()
    async with stage(tmp_path) as play:
        gone = await records(play, tmp_path).evidence(RUN_ID, ToolCallId("call-deploys"))

        assert gone is not None
        assert (gone.tool, gone.evidence_status, gone.items, gone.expired) == (
            "read_notebook",
            "EVIDENCE_FOUND",
            (),
            True,
        )


async def test_a_failed_call_and_one_that_was_never_made(tmp_path: Path) -> None:
    async with stage(tmp_path, STORIES["a search that fails"]) as play:
        await play.run()
        failed = await records(play, tmp_path).evidence(RUN_ID, ToolCallId("call-errors"))

        assert failed is not None
        assert (failed.evidence_status, failed.items, failed.expired) == ("ERROR", (), False)
        assert await records(play, tmp_path).evidence(RUN_ID, ToolCallId("call-other")) is None


async def test_a_masked_run_shows_its_owner_what_placeholders_stand_for(tmp_path: Path) -> None:
    pages = {
        "errors": ["2026-03-02T14:06:10Z ERROR payments Connection is not available, request timed out on 10.9.8.7"]
    }
    settings = {"redaction": "always"}
    cast = Cast(agent=HAPPY, semantic=(SUPPORTED,), router=(TO_DIAGNOSIS,), pages=pages, settings=settings)
    async with stage(tmp_path, cast) as play:
        await play.run()
        found = records(play, tmp_path)
        shown = await found.evidence(RUN_ID, ToolCallId("call-errors"))
        stored = (await play.stores.canonical.records(RUN_ID))[0].projection_json or ""

        assert shown is not None
        assert "10.9.8.7" not in stored
        assert "10.9.8.7" in shown.items[0].text
