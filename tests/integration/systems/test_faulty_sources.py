"""A configured system that fails in any way costs one tool call, never the run."""

import time
from pathlib import Path

import pytest

from config.settings import Settings
from graph.app import Records
from graph.configured_sources import open_configured
from graph.stores import open_stores
from graph.telemetry import ask_holdings, build_tools
from graph.wiring import build_deps, build_runner
from models.roles import given_models
from models.scripted import ScriptedModel
from models.turns import WrittenCall, WrittenTurn
from nodes.deps import Sources
from state.model.enums import FallbackType, InvocationStatus, ModelRole, RunState
from state.model.ids import RunId
from tests.graph.stage import RUN_ID, TO_DIAGNOSIS, null_draft, submit
from tests.source_faults import EXPECTED, Fault, faulty_source

TIMEOUT_S = 1.0
NOWHERE = Sources(name=None, now=None, time_zone="UTC", kb_scope="local", notices=(), documents=())
KINDS = {
    "loki": ("query_logs", {"source": "bad"}, {"selector": {"env": "prod"}}),
    "elasticsearch": ("query_logs", {"source": "bad"}, {"index": "logs-*"}),
    "opensearch": ("query_logs", {"source": "bad"}, {"index": "logs-*"}),
    "prometheus": ("query_metrics", {"source": "bad", "metric": "up"}, {}),
    "alertmanager": ("list_alerts", {"source": "bad"}, {}),
}


@pytest.mark.parametrize("fault", list(Fault))
@pytest.mark.parametrize("kind", list(KINDS))
async def test_the_call_is_a_documented_error_and_the_run_goes_on(kind: str, fault: Fault, tmp_path: Path) -> None:
    tool, arguments, extra = KINDS[kind]
    began = time.monotonic()

    with faulty_source(fault) as url:
        source = {"kind": kind, "url": url, "timeout_s": TIMEOUT_S, **extra}
        settings = Settings(home=tmp_path, sources={"bad": source})  # type: ignore[dict-item]
        call = WrittenCall(id="call-1", name=tool, arguments={"previous_observation": None, "input": arguments})
        agent = ScriptedModel(turns=(WrittenTurn(calls=(call,)), submit(null_draft())))
        models = {role: ScriptedModel(turns=(TO_DIAGNOSIS,)) for role in ModelRole} | {ModelRole.AGENT: agent}
        given = given_models(models, settings, name="scripted")
        async with open_stores(settings) as stores, open_configured(settings, "UTC", stores.clock) as configured:
            held = await ask_holdings(configured.telemetry)
            tools = build_tools(configured.telemetry, held, time_zone="UTC")
            deps = build_deps(settings, stores, given, NOWHERE, tools, "process-1")
            request = {"query": "payments is slow since 14:00", "run_id": RUN_ID, "session_id": "s1"}
            result = await build_runner(deps, stores.checkpoints).run(request)  # type: ignore[arg-type]
            (record,) = await stores.canonical.records(RunId(RUN_ID))
            trace = await Records(settings, stores).trace(RunId(RUN_ID))

    assert (record.status, record.error_code) == (InvocationStatus.ERROR, EXPECTED[fault])
    assert (result.run_state, result.fallback_type) == (RunState.SUCCESS, FallbackType.MISSING_REQUIRED_CONTEXT)
    assert agent.n_calls == 2
    assert held.silent == ("bad",)
    assert trace is not None and "secret backend text" not in repr(trace)
    assert time.monotonic() - began < 30
