"""Hostile agents through the real graph: real stores, gate, sources, guards and reviewer; only the model is hostile.

One process plays one run at a time, over one loopback endpoint, in one home folder; worlds are opened one by one.
"""

import json
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import SecretStr

from config.settings import Settings
from eval.adversary.agents.agent import AGENT_MODEL, REPAIR_MODEL, HostileAgent
from eval.adversary.agents.bodies import completion
from eval.adversary.agents.case import Case
from eval.adversary.agents.contract import Kept, judge_contract
from eval.adversary.agents.dead_records import LIFE, plant_record
from eval.adversary.agents.kinds import Kind
from eval.adversary.agents.oracle import Fault, Finding, WorldBytes, judge_content
from eval.adversary.agents.plan import Plan, plan_of
from eval.adversary.agents.wire import Json, Loopback, Sent, as_json, open_loopback
from graph.run import Runner
from graph.sources import OpenSources, open_sources
from graph.stores import Stores, open_stores
from graph.wiring import build_deps, build_runner
from models.roles import build_role_models
from nodes.deps import Deps
from state.model.draft import Draft
from state.model.enums import RedactionPolicy
from state.model.ids import RunId, ToolCallId
from state.model.placeholders import PlaceholderMap, unmask
from state.model.release import DiagnosisReport, RunResult
from state.model.tool_call import ToolTurn
from worlds import build_world, library_path
from worlds.answers import expected_answer

API_KEY = "sk-canary-5f1d0c2b7a9e4d63"
"""Key of the endpoint; must appear nowhere in public."""
_RUNS = uuid.UUID("6f4c2f0e-54b1-4a53-9c1b-0d6f2f6f4a10")


@dataclass(frozen=True)
class Cell:
    """One world to play in."""

    world: str
    variant: str | None
    seed: int
    redacted: bool = False


@dataclass(frozen=True)
class Played:
    """One run and what the oracle says of it."""

    seed: int
    world: str
    kind: Kind
    """The main lie that was told, or the attack on form; HONEST if nothing was falsified."""
    outcome: str
    """``RELEASED``, the fallback type, or the failure code."""
    findings: tuple[Finding, ...]
    seconds: float
    n_lies: int
    detail: Json = field(default_factory=dict)
    """For a false release: everything needed to look at it again."""


@dataclass
class Stage:
    """One process: home folder, endpoint and stores are open."""

    settings: Settings
    stores: Stores
    endpoint: Loopback
    folder: Path
    foreign_ids: tuple[str, ...] = ()

    @asynccontextmanager
    async def open_cell(self, cell: Cell) -> AsyncIterator["CellStage"]:
        """The world, its sources, the graph over the hostile endpoint, and the reference walk."""
        name = f"{cell.world}-{cell.variant}-{cell.seed}"
        path = self.folder / name
        if not path.exists():
            build_world(cell.world, path, seed=cell.seed, variant=cell.variant)
        policy = RedactionPolicy.ALWAYS if cell.redacted else RedactionPolicy.NEVER
        settings = self.settings.model_copy(update={"redaction": policy})
        async with open_sources(settings, path, self.stores.clock) as opened:
            case = await self._case(cell, settings, opened)
            models = build_role_models(hostile(settings, self.endpoint.base_url))
            deps = build_deps(settings, self.stores, models, opened.sources, opened.tools, "campaign")
            try:
                yield CellStage(
                    self, case, deps, build_runner(deps, self.stores.checkpoints), WorldBytes(path, library_path())
                )
            finally:
                await models.aclose()

    async def _case(self, cell: Cell, settings: Settings, opened: OpenSources) -> Case:
        """What the offline reasoner asked and handed in, read from the state of its run."""
        deps = build_deps(settings, self.stores, build_role_models(settings), opened.sources, opened.tools, "reference")
        runner = build_runner(deps, self.stores.checkpoints)
        answer = expected_answer(cell.world, seed=cell.seed, variant=cell.variant)
        run_id = RunId(str(uuid.uuid5(_RUNS, str(cell))))
        await runner.run({"query": answer.question, "run_id": run_id})
        snapshot = await runner.graph.aget_state({"configurable": {"thread_id": run_id}})
        turns = [turn for turn in snapshot.values["transcript"].turns if isinstance(turn, ToolTurn)]
        draft = snapshot.values["draft"]
        self.foreign_ids = tuple(record.tool_call_id for record in await self.stores.canonical.records(run_id))
        services = next((spec.catalogue_terms for spec in deps.boundary.specs if spec.name == "query_logs"), ())
        return Case(
            world=cell.world,
            variant=cell.variant,
            seed=cell.seed,
            answer=answer,
            services=tuple(services[1:]),
            walk=tuple((turn.call.name, json.loads(turn.call.arguments)["input"]) for turn in turns),
            draft=(draft if isinstance(draft, Draft) else Draft()).model_dump(mode="json"),
            redacted=cell.redacted,
        )


@dataclass(frozen=True)
class CellStage:
    """One open world with its graph."""

    stage: Stage
    case: Case
    deps: Deps
    runner: Runner
    world: WorldBytes

    async def play(self, seed: int) -> Played:
        """One run of the agent of this seed, judged.

        Raises:
            Exception: the agent itself is at fault; its run would prove nothing.
        """
        plan = plan_of(self.case, seed)
        run_id = RunId(str(uuid.uuid5(_RUNS, f"{self.case.name} {self.case.seed} {seed} {time.monotonic_ns()}")))
        foreign = tuple(f"{one}" for one in self.stage.foreign_ids)
        agent = HostileAgent(
            plan, self.case, plant=lambda kind, real: self._plant(run_id, kind, real), foreign_ids=foreign
        )
        self.stage.endpoint.answer = agent.answer
        started = time.monotonic()
        question = self.case.narrow_question(plan.service) if plan.narrow else self.case.question
        try:
            result = await self.runner.run({"query": question, "run_id": run_id})
        except Exception as error:  # noqa: BLE001 - a runner that raises is a finding, not the end of a campaign
            finding = Finding(Fault.CRASH, f"{type(error).__name__}: {error}"[:300])
            return self._played(plan, agent, "CRASH", (finding,), started)
        if agent.error is not None:
            raise agent.error
        findings = await self._judged(run_id, result, agent)
        return self._played(plan, agent, _outcome(result), findings, started, result)

    async def _judged(self, run_id: RunId, result: RunResult, agent: HostileAgent) -> tuple[Finding, ...]:
        stores = self.stage.stores
        kept = Kept(
            result=result,
            events=await stores.control.public_events(run_id),
            entries=await stores.control.entries(run_id),
            timeline=await stores.audit.events(run_id),
        )
        known = PlaceholderMap(entries=await stores.canonical.placeholders(run_id))
        content = judge_content(result, self.case, agent.lies, self.world, lambda text: unmask(text, known))
        secrets = (API_KEY, str(stores.home), f":{self.stage.endpoint.port}/")
        return (*content, *judge_contract(kept, agent.seen, self.deps.policy.limits, secrets))

    async def _plant(self, run_id: RunId, kind: Kind, real: str) -> str | None:
        lease = self.deps.keeper.lease_of(run_id)
        if lease is None:
            return None
        expires_at = None if kind is Kind.PROJECTING_ID else self.deps.clock.now() + LIFE
        return await plant_record(self.stage.stores.canonical, lease, ToolCallId(real), expires_at)

    def _played(
        self,
        plan: Plan,
        agent: HostileAgent,
        outcome: str,
        findings: tuple[Finding, ...],
        started: float,
        result: RunResult | None = None,
    ) -> Played:
        report = result.content if result is not None and isinstance(result.content, DiagnosisReport) else None
        shown = report.draft.model_dump(mode="json") if report is not None and findings else None
        return Played(
            seed=plan.seed,
            world=self.case.name,
            kind=_told(plan, agent),
            outcome=outcome,
            findings=findings,
            seconds=time.monotonic() - started,
            n_lies=len(agent.lies),
            detail={"changed": agent.changed, "released": shown} if findings else {},
        )


def _told(plan: Plan, agent: HostileAgent) -> Kind:
    """What the run counts as: the attack on form, several lies, or the one lie that found a handle."""
    if plan.lies and plan.kind is not plan.lies[0]:
        return plan.kind
    return agent.lies[0].kind if agent.lies else Kind.HONEST


def _outcome(result: RunResult) -> str:
    if isinstance(result.content, DiagnosisReport):
        return "RELEASED"
    if result.fallback_type is not None:
        return result.fallback_type.value
    return result.failure_code.value if result.failure_code else (result.content_type or result.outcome).value


def hostile(settings: Settings, base_url: str) -> Settings:
    """Agent and repair on the loopback endpoint; routing and review stay the product's own."""
    chosen = {
        "model": "offline",
        "model_agent": f"openai:{AGENT_MODEL}",
        "model_repair": f"openai:{REPAIR_MODEL}",
        "model_base_url": base_url,
        "model_api_key": SecretStr(API_KEY),
    }
    return settings.model_copy(update=chosen)


async def _nobody(_: Json) -> Sent:
    return as_json(completion("nobody plays"))


@asynccontextmanager
async def open_stage(folder: Path) -> AsyncIterator[Stage]:
    """Home and worlds below ``folder``; everything is closed at the end, nothing deleted."""
    settings = Settings(home=folder / "home", recording="off")
    async with open_stores(settings) as stores, open_loopback(_nobody) as endpoint:
        yield Stage(settings=settings, stores=stores, endpoint=endpoint, folder=folder)
