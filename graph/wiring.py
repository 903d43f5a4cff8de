"""The composition root: settings, stores, sources and models become one compiled graph."""

import socket
from collections.abc import Mapping

from langgraph.checkpoint.base import BaseCheckpointSaver

from config.limits import held_back, run_limits
from config.settings import Settings
from graph.run import Graph, Runner
from graph.stores import Stores
from graph.topology import build_topology
from models.roles import RoleModels
from nodes.deps import Deps, RunPolicy, Sources
from nodes.lease_keeper import LeaseKeeper
from state.model.enums import Language
from state.stores.raw_sealed import SealedRawResults
from state.stores.reasoning_sealed import SealedReasoning
from state.stores.recording_off import NoRecording
from tools.boundary import Boundary
from tools.contract import EvidenceTool


def build_policy(settings: Settings) -> RunPolicy:
    """What the settings say about opening a run."""
    return RunPolicy(
        limits=run_limits(settings),
        held_back=held_back(settings),
        language=settings.language if isinstance(settings.language, Language) else None,
        redaction=settings.redaction,
        max_prompt_chars=settings.max_prompt_chars,
    )


def build_deps(
    settings: Settings,
    stores: Stores,
    models: RoleModels,
    sources: Sources,
    tools: Mapping[str, EvidenceTool],
    owner: str,
) -> Deps:
    """Everything live, for one process and one set of sources."""
    return Deps(
        control=stores.control,
        canonical=stores.canonical,
        audit=stores.audit,
        recording=NoRecording() if settings.recording == "off" else stores.recording,
        boundary=Boundary(tools, stores.canonical, stores.control, stores.clock),
        models=models,
        clock=stores.clock,
        keeper=LeaseKeeper(stores.control, stores.canonical, stores.clock, owner),
        sources=sources,
        policy=build_policy(settings),
        reasoning=build_reasoning(settings, stores),
        raws=build_raws(settings, stores),
    )


def build_reasoning(settings: Settings, stores: Stores) -> SealedReasoning:
    """Where thinking of models is kept, as long as the run; nowhere without ``encryption_key``."""
    return SealedReasoning(stores.recording.lasting(settings.retention_days * 86_400.0), settings.encryption_key)


def build_raws(settings: Settings, stores: Stores) -> SealedRawResults | None:
    """Where a full recording keeps raw results, as long as the recording; None: it is not full, or has no key."""
    if settings.recording != "full" or settings.encryption_key is None:
        return None
    return SealedRawResults(stores.recording, settings.encryption_key)


def owner_name(unique: str) -> str:
    """Name of this process as lease holder: host and a fresh id, so that a restarted process is another owner."""
    return f"{socket.gethostname()[:40]}-{unique}"


def compile_graph(deps: Deps, checkpointer: BaseCheckpointSaver[str] | None) -> Graph:
    """The compiled graph. None: langgraph-api brings its own checkpointer."""
    return build_topology(deps).compile(checkpointer=checkpointer, name="rootproof")


def build_runner(deps: Deps, checkpointer: BaseCheckpointSaver[str]) -> Runner:
    """What runs and resumes diagnoses in this process."""
    return Runner(deps, compile_graph(deps, checkpointer))
