"""Faults put between a node and what it depends on. Later campaigns extend ``Fault`` and the table, not the driver."""

import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.config import get_config

from nodes.deps import Deps
from nodes.lease_keeper import LeaseKeeper
from state.model.enums import CancellationReason
from state.model.errors import TruthUnavailable
from state.model.ids import RunId
from tests.graph.stage import RUN_ID


class Fault(StrEnum):
    """What goes wrong."""

    EXCEPTION = "exception"
    CANONICAL_DOWN = "canonical down"
    CONTROL_DOWN = "control down"
    EVENTS_DOWN = "events down"
    AUDIT_DOWN = "audit down"
    CANCELLED = "cancelled"
    CHECKPOINT_FAILS = "checkpoint fails"


def running_node() -> str:
    """The node in which the caller runs; empty outside the graph."""
    try:
        return str(get_config()["metadata"].get("langgraph_node", ""))
    except RuntimeError:
        return ""


class Between:
    """A port with something in front of its methods: ``before(method)`` may raise, wait or do."""

    def __init__(self, inner: object, before: Callable[[str], Awaitable[None]]) -> None:
        self._inner = inner
        self._before = before

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._inner, name)

        async def call(*args: object, **kwargs: object) -> object:
            await self._before(name)
            return await method(*args, **kwargs)

        return call


@dataclass
class Sabotage:
    """One fault at one node."""

    node: str
    fault: Fault
    struck: int = 0

    def rig(self, deps: Deps) -> Deps:
        """The dependencies with the fault in between."""
        control, canonical, audit = deps.control, deps.canonical, deps.audit
        match self.fault:
            case Fault.EXCEPTION:
                control = Between(control, self._raise(RuntimeError("boom")))
                canonical = Between(canonical, self._raise(RuntimeError("boom")))
            case Fault.CANONICAL_DOWN:
                canonical = Between(canonical, self._raise(TruthUnavailable("canonical", "test")))
            case Fault.CONTROL_DOWN:
                error = TruthUnavailable("control", "test")
                control = Between(control, self._raise(error, but=frozenset({"offer_event"})))
            case Fault.EVENTS_DOWN:
                error = TruthUnavailable("control", "test")
                control = Between(control, self._raise(error, only=frozenset({"offer_event"})))
            case Fault.AUDIT_DOWN:
                audit = DeafAudit(audit, self)
            case Fault.CANCELLED:
                control = Between(control, self._cancel(deps))
                canonical = Between(canonical, self._cancel(deps))
            case Fault.CHECKPOINT_FAILS:
                pass
        keeper = LeaseKeeper(control, canonical, deps.clock, deps.keeper.owner, beat_s=0.02)
        boundary = replace(deps.boundary, canonical=canonical, control=control)  # type: ignore[type-var]
        return replace(deps, control=control, canonical=canonical, audit=audit, keeper=keeper, boundary=boundary)

    def _here(self) -> bool:
        here = running_node() == self.node
        self.struck += here
        return here

    def _raise(
        self, error: Exception, *, only: frozenset[str] | None = None, but: frozenset[str] = frozenset()
    ) -> Callable[[str], Awaitable[None]]:
        async def before(method: str) -> None:
            if method not in but and (only is None or method in only) and self._here():
                raise error

        return before

    def _cancel(self, deps: Deps) -> Callable[[str], Awaitable[None]]:
        async def before(method: str) -> None:
            if self._here():
                await deps.control.request_cancel(RunId(RUN_ID), CancellationReason.USER_REQUESTED)

        return before


class DeafAudit:
    """An audit that loses what this node records, as its port promises: without a word."""

    def __init__(self, inner: Any, sabotage: Sabotage) -> None:
        self._inner = inner
        self._sabotage = sabotage
        self._lost = 0

    async def record(self, lease: object, event: object) -> None:
        if self._sabotage._here():
            self._lost += 1
        else:
            await self._inner.record(lease, event)

    async def lost(self, run_id: object) -> int:
        return self._lost + int(await self._inner.lost(run_id))

    async def events(self, run_id: object) -> object:
        return await self._inner.events(run_id)


def failing_saver(saver: BaseCheckpointSaver[str], sabotage: Sabotage) -> BaseCheckpointSaver[str]:
    """The saver, which cannot write the checkpoint after the node."""
    write = saver.aput

    async def aput(config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> Any:
        if _follows(checkpoint, sabotage.node):
            sabotage.struck += 1
            raise sqlite3.OperationalError("disk I/O error")
        return await write(config, checkpoint, metadata, new_versions)

    saver.aput = aput  # type: ignore[method-assign]
    return saver


def _follows(checkpoint: Any, node: str) -> bool:
    """True if this checkpoint is the first one after the node ran: it has seen the node's trigger."""
    seen = checkpoint["versions_seen"].get(node, {})
    newest = max(checkpoint["channel_versions"].values(), default="")
    return bool(seen) and _step_of(max(seen.values())) + 1 == _step_of(newest)


def _step_of(version: object) -> int:
    return int(str(version).split(".")[0])
