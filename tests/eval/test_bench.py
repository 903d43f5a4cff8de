"""The benchmark does the work it times and says what it measured. Never a time: those belong to a machine."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from langchain_core.messages import HumanMessage, ToolMessage

from eval.bench.cost import Checkpointed, PortCost, RunCost, measure_cost
from eval.bench.crowd import Held, Throughput, hold_in_memory, measure_throughput
from eval.bench.machine import this_machine
from eval.bench.notebook import Gate
from eval.bench.page import Figures, render
from eval.bench.react_run import open_react
from eval.bench.rootproof_run import RootproofStage, WorkMissing, open_rootproof
from eval.bench.starting import OpenTime, measure_starts
from eval.bench.tally import Tally
from eval.bench.tokens import Prompts, WorldTokens
from models.token_estimate import estimate_tokens, text_tokens
from state.model.enums import ModelRole


async def test_a_timed_run_is_a_whole_diagnosis(tmp_path: Path) -> None:
    async with open_rootproof(tmp_path) as stage:
        run_id = await stage.run()
        usage = await stage.stores.control.usage(run_id)
        evidence = await stage.stores.control.published_evidence(run_id)

    assert (usage.model_calls, usage.tool_calls, stage.notebook.n_executed) == (5, 2, 2)
    assert [view.tool_call_id for view in evidence] == ["call-1"]


async def test_the_yardstick_reads_the_same_pages_and_gives_the_same_draft(tmp_path: Path) -> None:
    async with open_react(tmp_path) as stage:
        thread_id = await stage.run()
        config = {"configurable": {"thread_id": thread_id}}
        messages = (await stage.graph.aget_state(config)).values["messages"]  # type: ignore[arg-type]

    assert stage.notebook.n_executed == 2
    assert [message.type for message in messages] == ["human", "ai", "tool", "ai", "tool", "ai"]
    assert "HikariPool-1" in messages[-1].content


async def test_a_run_without_its_report_is_refused(tmp_path: Path) -> None:
    async with open_rootproof(tmp_path) as stage:
        models = stage.runner.deps.models
        models[ModelRole.SEMANTIC].model.reply = models[ModelRole.REPAIR].model.reply  # type: ignore[attr-defined]

        with pytest.raises(WorkMissing, match="FALLBACK"):
            await stage.run()


async def test_costs_name_every_store_and_both_contenders(tmp_path: Path) -> None:
    cost = await measure_cost(tmp_path, repetitions=1)

    assert all(spent.n_commits > 0 and spent.commits_ms > 0 for spent in cost.ports.values())
    assert cost.rootproof.n_checkpoints > cost.react.n_checkpoints > 5
    assert cost.rootproof.bytes > 10_000 < cost.react.bytes
    assert cost.rest_ms > 0
    assert cost.ratio > 0


async def test_a_run_stays_within_its_number_of_commits_and_reads(tmp_path: Path) -> None:
    async with open_rootproof(tmp_path) as stage:
        await stage.run()

    tally = stage.tally
    commits = {port: spent.n_commits for port, spent in tally.ports.items()}
    reads = {port: spent.n_reads for port, spent in tally.ports.items()}
    assert commits["control"] <= 30, "12 status events, 7 reservations, 7 settlements, opening, intent, closing"
    assert commits["canonical"] <= 5, "the fence, and begin and complete of two calls"
    assert reads["control"] <= 18
    assert reads["canonical"] <= 11
    assert commits["audit"] <= 20
    assert commits["checkpoints"] <= 29


async def test_tools_are_described_once_a_process(tmp_path: Path) -> None:
    async with open_rootproof(tmp_path) as stage:
        deps = stage.runner.deps

        assert deps.boundary.specs is deps.boundary.specs
        assert deps.catalogue_terms is deps.catalogue_terms


async def test_overlapping_calls_are_busy_once_and_counted_each() -> None:
    tally = Tally()

    async def wait() -> None:
        await asyncio.sleep(0.02)

    timed = tally.timed("control", wait, commits=True)
    await asyncio.gather(timed(), timed(), timed())

    assert tally.ports["control"].n_commits == 3
    assert tally.busy_s < tally.ports["control"].commits_s / 2


async def test_runs_at_once_all_end(tmp_path: Path) -> None:
    measured = await measure_throughput(tmp_path, concurrency=2, n_runs=4)

    assert measured.rootproof_per_s > 0 < measured.react_per_s


async def test_held_runs_wait_in_their_last_call_and_then_end(tmp_path: Path) -> None:
    async with open_rootproof(tmp_path) as stage:
        gate = Gate(2)
        stage.hold(gate)
        runs = [asyncio.create_task(stage.run()) for _ in range(2)]
        await asyncio.wait_for(gate.full(), 10)
        assert await _ready(stage, runs) == 0
        assert stage.notebook.n_executed == 2
        gate.open()
        await asyncio.gather(*runs)

    assert stage.notebook.n_executed == 4


async def _ready(stage: RootproofStage, runs: "list[asyncio.Task[object]]") -> int:
    await asyncio.sleep(0.05)
    return sum(run.done() for run in runs)


@pytest.mark.parametrize("name", ["rootproof", "react"])
async def test_memory_is_measured_while_runs_are_held(tmp_path: Path, name: str) -> None:
    held = await hold_in_memory(name, tmp_path, 1)

    assert held.traced_bytes > 1000
    assert held.base_bytes > 1024 * 1024


async def test_prompts_are_counted_as_sent_and_as_if_unprojected() -> None:
    prompts = Prompts()
    sent = [HumanMessage("why?"), ToolMessage("short", tool_call_id="c1"), ToolMessage("other", tool_call_id="c2")]
    tools = [{"type": "function", "function": {"name": "read"}}]
    await prompts.on_chat_model_start({}, [sent], run_id=None, invocation_params={"tools": tools})  # type: ignore[arg-type, list-item]

    assert prompts.whole() == estimate_tokens(sent, tools)
    assert prompts.results({}) == text_tokens("short") + text_tokens("other")
    assert prompts.results({"c1": 900}) == 900 + text_tokens("other")


def test_a_start_is_compared_with_the_first_command() -> None:
    nothing = ["true"]
    starts = measure_starts({"first": nothing, "second": nothing}, repetitions=2)

    assert [one.command for one in starts] == ["first", "second"]
    assert starts[0].ratio == 1.0


def figures() -> Figures:
    left = Checkpointed(n_checkpoints=15, n_writes=50, bytes=90_000)
    cost = RunCost(
        repetitions=3,
        rootproof_ms=100.0,
        react_ms=20.0,
        ratio=5.0,
        step_ratio=2.5,
        ports={"control": PortCost(29, 30.0, 15, 10.0)},
        rest_ms=40.0,
        rootproof=left,
        react=replace(left, n_checkpoints=5, bytes=45_000),
    )
    held = Held(n_runs=32, traced_bytes=90_000, resident_bytes=200_000, base_bytes=100 << 20)
    tokens = WorldTokens(
        "dry", "SUCCESS", 2, 3, sent=1000, schemas=500, results=200, raw=600, all_matches=2000, others=9
    )
    return Figures(
        machine=this_machine(),
        load=(0.1, 0.2),
        took_s=80.0,
        cost=cost,
        throughput=[Throughput(1, 10.0, 50.0)],
        held={"rootproof": held, "react": replace(held, traced_bytes=45_000)},
        tokens=[tokens],
        starts=[],
        opening=OpenTime("dry", cold_s=5.0, warm_s=1.0, yardstick_s=0.5),
    )


def test_the_page_shows_ratios_of_what_was_measured() -> None:
    page = render(figures())

    assert "| time of a run | 100 ms | 20 ms | 5.0× |" in page
    assert "| control | 29 | 30 % | 15 | 10 % | 40 ms |" in page
    assert "| a run | 87.9 KB | 43.9 KB | 2.0× |" in page
    assert "| dry | SUCCESS | 3 | 1000 | 0.71 | 0.33 | 0.10 | 50 % |" in page
    assert "| Python objects a run | 87.9 KB | 43.9 KB | 2.0× |" in page
    assert "10.0×" in page
    assert "$" not in page
