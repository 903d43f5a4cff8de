"""What must never leave: arguments of tools, what a source said and nobody cited, drafts, and words of errors."""

import json
from pathlib import Path

from state.model.enums import ToolCode
from state.model.errors import ToolFailed
from tests.graph.stage import PAGES, UNSUPPORTED, Cast, ask, gained, good_draft, submit
from tests.service.http.place import key, place

IN_ARGUMENTS, IN_EVIDENCE, IN_DRAFT, IN_ERROR, IN_REVIEW = (
    "page-marker-41", "evidence-marker-42", "draft-marker-43", "error-marker-44", "review-marker-45",
)  # fmt: skip
MARKERS = (IN_ARGUMENTS, IN_EVIDENCE, IN_DRAFT, IN_ERROR, IN_REVIEW)
REJECTED = {
    **good_draft(),
    "conclusion": {
        "kind": "ROOT_CAUSE",
        "text": f"HikariPool-1 Connection is not available {IN_DRAFT}.",
        "based_on_analysis_ids": ["a1"],
    },
}
CAST = Cast(
    agent=(
        ask(IN_ARGUMENTS),
        ask("broken", gained(f"call-{IN_ARGUMENTS}", "NO_GAIN")),
        ask("errors", None),
        submit(REJECTED),
    ),
    semantic=(UNSUPPORTED.replace("not carried", IN_REVIEW),) * 2,
    pages={
        **PAGES,
        IN_ARGUMENTS: [f"2026-03-02T14:06:00Z INFO payments {IN_EVIDENCE}"],
        "broken": ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail=IN_ERROR),
    },
)


async def test_what_was_rejected_and_what_went_wrong_never_leaves(tmp_path: Path) -> None:
    """A fallback may show what was observed; then no draft, no word of the review and none of an error is in it."""
    async with place(tmp_path, CAST) as served:
        heard = await served.ask()
        again = await served.watch(heard.run_id)
        played = set(served.play.notebook.executed)
    told = json.dumps([event.data for event in heard.events if event.type == "status"])

    assert {IN_ARGUMENTS, "broken", "errors"} <= played
    assert heard.events[-1].data["outcome"] == "FALLBACK"
    assert {mark for mark in (IN_DRAFT, IN_ERROR, IN_REVIEW) if mark.encode() in heard.raw + again.raw} == set()
    assert {mark for mark in MARKERS if mark in told} == set()


async def test_what_nobody_cited_never_leaves(tmp_path: Path) -> None:
    cast = Cast(agent=(ask(IN_ARGUMENTS), ask("errors", gained(f"call-{IN_ARGUMENTS}")), submit(good_draft())),
                pages=CAST.pages)  # fmt: skip
    async with place(tmp_path, cast) as served:
        heard = await served.ask()
        played = set(served.play.notebook.executed)

    assert IN_ARGUMENTS in played
    assert heard.events[-1].data["outcome"] == "SUCCESS"
    assert IN_EVIDENCE.encode() not in heard.raw
    assert f'"{IN_ARGUMENTS}"'.encode() not in heard.raw


async def test_a_status_has_configured_names_codes_and_counts_alone(tmp_path: Path) -> None:
    allowed = {
        "stage", "step", "round", "tool", "source", "window_start", "window_end", "service", "gain", "evidence_status",
        "code", "stop_reason", "outcome",
    }  # fmt: skip
    async with place(tmp_path, CAST) as served:
        heard = await served.ask()

    fields = {name for event in heard.events if event.type == "status" for name in event.data}
    assert {"stage", "tool"} <= fields
    assert fields - allowed == set()


async def test_a_question_is_never_logged(tmp_path: Path, capsys: object) -> None:
    async with place(tmp_path, Cast()) as served:
        await served.ask("Why do payments fail with question-marker-46 in notebook?")
        await served.client.get("/api/runs?q=question-marker-47", headers=key("ann"))

    written = "".join(capsys.readouterr())  # type: ignore[attr-defined]
    assert "path='/api/chat'" in written
    assert "question-marker" not in written
