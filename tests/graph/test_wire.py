"""Whole runs against a real OpenAI-compatible endpoint over HTTP: what providers do well, and what they do badly."""

import json
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from config.settings import Settings
from models.roles import build_role_models
from nodes.deps import Deps
from state.model.enums import FailureCode, FallbackType, ModelRole, ReleaseOutcome, StopReason
from state.model.release import DiagnosisReport, RunResult
from state.model.run import BudgetEntry
from tests.graph.stage import RUN_ID, SUPPORTED, TO_DIAGNOSIS, UNSUPPORTED, Cast, Stage, good_draft, stage
from tests.wire_server import Reply, WireServer, answers, call, completion, fails, usage

THOUGHT = "PRIVATE-THOUGHT of the provider"


def says(text: str) -> Reply:
    return answers(completion(text, usage=usage(100, 5)))


def calls(name: str, arguments: object, call_id: str) -> Reply:
    one = call(name, json.dumps(arguments), call_id)
    return answers(completion(calls=[one], usage=usage(900, 40), reasoning=THOUGHT))


ROUTED = says(TO_DIAGNOSIS)
ASKED = calls("read_notebook", {"previous_observation": None, "input": {"page": "errors"}}, "call-errors")
MISQUOTED = calls("submit_diagnosis", json.loads(json.dumps(good_draft()).replace("errors:0", "errors:9")), "s1")
SUBMITTED = calls("submit_diagnosis", good_draft(), "s1")
REPAIRED = says(json.dumps(good_draft()))
REVIEWED = says(SUPPORTED)
SLOW = replace(ASKED, delay_s=5.0)
CUT = replace(ASKED, cut_after=40)
DROPPED = replace(ASKED, drop=True)
LIMITED = fails(429, headers={"retry-after": "0"})
BROKEN = fails(500)


@dataclass
class Wire:
    """One process on the stage, whose models are behind the endpoint."""

    play: Stage
    server: WireServer

    async def run(self) -> RunResult:
        return await self.play.run()

    async def entries(self) -> tuple[BudgetEntry, ...]:
        return await self.play.stores.control.entries(RUN_ID)

    def bodies(self, role: ModelRole) -> list[dict[str, Any]]:
        """Requests of one role: they are told apart by the model name."""
        return [received.body for received in self.server.requests if received.body["model"] == f"fake-{role}"]


@asynccontextmanager
async def wire(home: Path, *replies: Reply, **settings: object) -> AsyncIterator[Wire]:
    """The endpoint plays its replies in order, whichever role asks."""
    with WireServer(*replies) as server:
        names = {f"model_{role.value}": f"openai:fake-{role.value}" for role in ModelRole}
        configured = Settings(home=home, model_base_url=server.base_url, **names, **settings)  # type: ignore[arg-type]
        models = build_role_models(configured)

        def rig(deps: Deps) -> Deps:
            return replace(deps, models=models)

        try:
            async with stage(home, Cast(settings=settings), rig=rig) as play:  # type: ignore[arg-type]
                yield Wire(play, server)
        finally:
            await models.aclose()


@pytest.fixture
def hosts(monkeypatch: pytest.MonkeyPatch) -> set[object]:
    """Every host that is looked up or connected to."""
    seen: set[object] = set()
    look_up, connect = socket.getaddrinfo, socket.socket.connect

    def noting_look_up(host: Any, *args: Any, **kwargs: Any) -> Any:
        seen.add(host)
        return look_up(host, *args, **kwargs)

    def noting_connect(self: socket.socket, address: Any) -> None:
        seen.add(address[0] if isinstance(address, tuple) else address)
        connect(self, address)

    monkeypatch.setattr(socket, "getaddrinfo", noting_look_up)
    monkeypatch.setattr(socket.socket, "connect", noting_connect)
    return seen


async def test_four_roles_over_http_publish_a_diagnosis(tmp_path: Path, hosts: set[object]) -> None:
    async with wire(tmp_path, ROUTED, ASKED, MISQUOTED, REPAIRED, REVIEWED) as it:
        result = await it.run()

        assert isinstance(result.content, DiagnosisReport)
        assert [len(it.bodies(role)) for role in ModelRole] == [1, 2, 1, 1]
        assert hosts == {"127.0.0.1"}


async def test_only_the_agent_is_given_tools_and_calls_one_at_a_time(tmp_path: Path) -> None:
    async with wire(tmp_path, ROUTED, ASKED, MISQUOTED, REPAIRED, REVIEWED) as it:
        await it.run()

        others = [body for role in set(ModelRole) - {ModelRole.AGENT} for body in it.bodies(role)]
        asked, submitted = it.bodies(ModelRole.AGENT)
        assert "submit_diagnosis" in {tool["function"]["name"] for tool in asked["tools"]}
        assert asked["parallel_tool_calls"] is False
        assert all("tools" not in body for body in others)
        assert [message["role"] for message in submitted["messages"]] == ["system", "user", "assistant", "tool"]
        assert submitted["messages"][3]["tool_call_id"] == "call-errors"


async def test_reported_usage_is_what_the_ledger_holds(tmp_path: Path) -> None:
    async with wire(tmp_path, ROUTED, ASKED, MISQUOTED, REPAIRED, REVIEWED) as it:
        await it.run()

        spent = await it.play.stores.control.usage(RUN_ID)
        assert (spent.model_calls, spent.tokens, spent.usage_unavailable) == (5, 3 * 105 + 2 * 940, 0)


async def test_usage_that_is_not_reported_is_unavailable_and_not_zero(tmp_path: Path) -> None:
    silent = answers(completion(TO_DIAGNOSIS))
    async with wire(tmp_path, silent, ASKED, SUBMITTED, REVIEWED) as it:
        await it.run()

        (router,) = [entry for entry in await it.entries() if entry.component == "router"]
        spent = await it.play.stores.control.usage(RUN_ID)
        assert (router.settled, spent.usage_unavailable) == (router.reserved, 1)


async def test_thoughts_of_the_provider_reach_no_state_and_no_public_event(tmp_path: Path) -> None:
    async with wire(tmp_path, ROUTED, ASKED, SUBMITTED, REVIEWED) as it:
        result = await it.run()

        graph = it.play.runner.graph
        states = [
            str(saved.values) async for saved in graph.aget_state_history({"configurable": {"thread_id": RUN_ID}})
        ]
        frames = await it.play.stores.control.public_events(RUN_ID)
        taped = await it.play.stores.recording.get(RUN_ID, "agent:1:1")
        assert taped is not None
        assert THOUGHT not in taped[1]
        assert THOUGHT not in str(states) + str(frames) + result.model_dump_json() + str(it.play.events)


async def test_with_recording_off_nothing_of_the_exchange_is_kept(tmp_path: Path) -> None:
    async with wire(tmp_path, ROUTED, ASKED, SUBMITTED, REVIEWED, recording="off") as it:
        result = await it.run()

        steps = ("tools", "router:1:1", "agent:1:1")
        kept = [await it.play.stores.recording.get(RUN_ID, step) for step in steps]
    assert is_reported(result)
    assert kept == [None, None, None]


def is_reported(result: RunResult) -> bool:
    return result.outcome is ReleaseOutcome.SUCCESS


@pytest.mark.parametrize(
    ("replies", "attempts"),
    [
        ((ROUTED, LIMITED, ASKED, SUBMITTED, REVIEWED), {"agent:1:1": 0, "agent:1:2": 940}),
        ((ROUTED, BROKEN, ASKED, SUBMITTED, REVIEWED), {"agent:1:2": 940}),
        ((CUT, ROUTED, ASKED, SUBMITTED, REVIEWED), {"router:1:2": 105}),
        ((says("to the agent, I think"), ROUTED, ASKED, SUBMITTED, REVIEWED), {"router:1:1": 105, "router:1:2": 105}),
        ((ROUTED, ASKED, SUBMITTED, BROKEN, REVIEWED), {"semantic:1:2": 105}),
    ],
    ids=["429", "500", "cut while routing", "no routing answer", "500 while reviewing"],
)
async def test_what_passes_is_asked_once_more(
    tmp_path: Path, replies: Sequence[Reply], attempts: dict[str, int]
) -> None:
    async with wire(tmp_path, *replies) as it:
        result = await it.run()

        settled = {entry.key: entry.settled for entry in await it.entries()}
        assert is_reported(result)
        assert attempts.items() <= settled.items()


@pytest.mark.parametrize(
    ("replies", "code"),
    [
        ((BROKEN, BROKEN), FailureCode.ROUTING_UNAVAILABLE),
        ((fails(401),), FailureCode.ROUTING_UNAVAILABLE),
        ((ROUTED, BROKEN, BROKEN), FailureCode.DIAGNOSIS_UNAVAILABLE),
        ((ROUTED, CUT), FailureCode.DIAGNOSIS_UNAVAILABLE),
        ((ROUTED, DROPPED), FailureCode.DIAGNOSIS_UNAVAILABLE),
        ((ROUTED, SLOW), FailureCode.DIAGNOSIS_UNAVAILABLE),
        ((ROUTED, fails(429, "insufficient_quota")), FailureCode.DIAGNOSIS_UNAVAILABLE),
        ((ROUTED, fails(429, headers={"retry-after": "3600"})), FailureCode.DIAGNOSIS_UNAVAILABLE),
    ],
    ids=["500s", "no key", "500s", "cut", "dropped", "slow", "no quota", "wait an hour"],
)
async def test_a_model_that_stays_away_before_any_evidence_ends_in_a_failure(
    tmp_path: Path, replies: Sequence[Reply], code: FailureCode
) -> None:
    async with wire(tmp_path, *replies, agent_timeout_s=2.0) as it:
        result = await it.run()

        assert (result.outcome, result.failure_code) == (ReleaseOutcome.FAILED, code)
        assert len(it.server.requests) == len(replies)
        assert "secret backend text" not in result.model_dump_json() + str(it.play.events)


@pytest.mark.parametrize("gone", [CUT, SLOW, fails(400)], ids=["cut", "slow", "400"])
async def test_a_model_that_goes_away_leaves_what_is_verified(tmp_path: Path, gone: Reply) -> None:
    async with wire(tmp_path, ROUTED, ASKED, gone, agent_timeout_s=2.0) as it:
        result = await it.run()

        assert (result.fallback_type, result.stop_reason) == (
            FallbackType.INSUFFICIENT_EVIDENCE,
            StopReason.MODEL_UNAVAILABLE,
        )
        assert "Connection is not available" in result.model_dump_json()


@pytest.mark.parametrize(
    ("replies", "fallback"),
    [
        ((BROKEN, BROKEN), FallbackType.SEMANTIC_UNAVAILABLE),
        ((says("fine by me"), says("really")), FallbackType.SEMANTIC_UNAVAILABLE),
        ((says(UNSUPPORTED),), FallbackType.SEMANTIC_UNSUPPORTED),
    ],
    ids=["500s", "no verdict", "unsupported"],
)
async def test_a_review_that_does_not_carry_the_draft_publishes_none_of_it(
    tmp_path: Path, replies: Sequence[Reply], fallback: FallbackType
) -> None:
    async with wire(tmp_path, ROUTED, ASKED, SUBMITTED, *replies) as it:
        result = await it.run()

        assert result.fallback_type is fallback
        assert "could not get a connection" not in result.model_dump_json()


async def test_a_slow_provider_is_left_at_once(tmp_path: Path) -> None:
    async with wire(tmp_path, ROUTED, SLOW, agent_timeout_s=2.0) as it:
        await it.run()

        assert it.server.client_left.wait(1.0)
