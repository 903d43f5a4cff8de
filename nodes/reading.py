"""Typed reads of the state: a missing fact is a bug and fails at once."""

from datetime import timedelta

from nodes.deps import Deps
from state.model.diagnosis import DiagnosisState
from state.model.evidence import Window
from state.model.run import RunFacts
from tools.contract import CallContext

FIRST_WINDOW = timedelta(hours=2)
"""Window of a search when neither question nor caller names a time."""


def facts_of(state: DiagnosisState) -> RunFacts:
    """What ``open_run`` fixed."""
    facts = state["run"]
    assert facts is not None, "open_run runs first"
    return facts


def call_context(facts: RunFacts, deps: Deps) -> CallContext:
    """What the run fixes for every tool call."""
    window = facts.window or Window(start=facts.now - FIRST_WINDOW, end=facts.now)
    return CallContext(now=facts.now, time_zone=facts.time_zone, default_window=window, kb_scope=deps.sources.kb_scope)
