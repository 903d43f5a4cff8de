"""What a model that is not on this machine may see of hosts and addresses: placeholders, in every channel."""

import dataclasses
from pathlib import Path

from nodes.deps import Deps
from state.model.enums import ModelRole, ReleaseOutcome
from tests.fakes import NotebookTool
from tests.graph.stage import RUN_ID, Cast, Stage, ask, stage, submit

ADDRESS, HOST = "10.0.3.17", "db-7.pay.internal"
PAGES = {"errors": [f"2026-03-02T14:06:10Z ERROR payments cannot reach {HOST} at {ADDRESS}: Connection refused"]}
QUOTE = "Connection refused"
DRAFT: dict[str, object] = {
    "conclusion": {
        "kind": "OBSERVATION",
        "text": "payments cannot reach <ip-1>: Connection refused.",
        "based_on_analysis_ids": ["a1"],
    },
    "analysis": [
        {
            "analysis_id": "a1",
            "kind": "NORMAL",
            "text": "payments cannot reach <ip-1>: Connection refused",
            "tool_call_ids": ["call-errors"],
            "quotes": [{"tool_call_id": "call-errors", "item_id": "errors:0", "text": QUOTE}],
        }
    ],
    "limitations": {"scope": "notebook"},
}
CAST = Cast(
    agent=(ask("errors"), submit(DRAFT)),
    pages=PAGES,
    settings={"redaction": "always"},
    question=f"Is anything wrong with payments at {ADDRESS} in notebook?",
)


def with_address_in_catalogue(deps: Deps) -> Deps:
    """The tool's catalogue names the address too."""
    tool = deps.boundary.tools["read_notebook"]  # type: ignore[attr-defined]
    assert isinstance(tool, NotebookTool)
    named = dataclasses.replace(tool, description=f"Reads the notebook of {ADDRESS}.")
    boundary = dataclasses.replace(deps.boundary, tools={"read_notebook": named})  # type: ignore[type-var]
    return dataclasses.replace(deps, boundary=boundary)


def sent(play: Stage) -> str:
    """Everything any model was sent."""
    requests = [request for model in play.models.values() for request in model.requests]
    return "\n".join(f"{request.messages}{request.tools}" for request in requests)


async def test_no_model_sees_a_masked_identifier_and_the_owner_does(tmp_path: Path) -> None:
    async with stage(tmp_path, CAST, rig=with_address_in_catalogue) as play:
        result = await play.run()

        assert ADDRESS not in sent(play)
        assert HOST not in sent(play)
        assert result.outcome is ReleaseOutcome.SUCCESS
        assert ADDRESS in result.model_dump_json()


async def test_recording_and_checkpoints_hold_placeholders(tmp_path: Path) -> None:
    async with stage(tmp_path, CAST, rig=with_address_in_catalogue) as play:
        await play.run()
        taped = await play.stores.recording.get(RUN_ID, "tool:call-errors")
        state = await play.runner.graph.aget_state({"configurable": {"thread_id": RUN_ID}})

        assert taped is not None
        assert ADDRESS not in taped[1]
        assert ADDRESS not in str({**state.values, "result": None, "query": None})


async def test_without_the_policy_nothing_is_masked(tmp_path: Path) -> None:
    open_cast = dataclasses.replace(CAST, settings={"redaction": "never"})
    async with stage(tmp_path, open_cast, rig=with_address_in_catalogue) as play:
        await play.run()

        assert ADDRESS in sent(play)
        assert play.models[ModelRole.AGENT].n_calls > 0
