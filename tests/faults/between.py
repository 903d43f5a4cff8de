"""A port with something in front of its methods, for tests that need one fault at one place."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langgraph.config import get_config

from nodes.deps import Deps
from nodes.lease_keeper import LeaseKeeper


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
class Before:
    """Something that happens before every use of the named ports in one node; the heartbeat goes by the clock."""

    node: str
    ports: Sequence[str]
    happens: Callable[[], Awaitable[None]]
    struck: int = 0

    def rig(self, deps: Deps) -> Deps:
        """The dependencies with it in between."""
        changed: dict[str, Any] = {name: Between(getattr(deps, name), self._before) for name in self.ports}
        control, canonical = changed.get("control", deps.control), changed.get("canonical", deps.canonical)
        keeper = LeaseKeeper(control, canonical, deps.clock, deps.keeper.owner, beat_s=0.02)
        boundary = replace(deps.boundary, canonical=canonical, control=control)  # type: ignore[type-var]
        return replace(deps, **changed, keeper=keeper, boundary=boundary)

    async def _before(self, method: str) -> None:
        if running_node() == self.node and method not in {"heartbeat", "offer_event"}:
            self.struck += 1
            await self.happens()


def failing(node: str, error: Exception, *ports: str) -> Before:
    """Every use of the ports in the node raises this error."""

    async def fail() -> None:
        raise error

    return Before(node, ports, fail)
