"""Going on under langgraph-api: an input of null continues the run that stands there; anywhere else it is a fork.

langgraph-api keeps many runs in one thread and lets a client name any checkpoint of it, so it is decided here, before
the first node runs, whose run is executed. Whatever a client says, the run belongs to the authenticated user.
"""

from collections.abc import AsyncIterator
from typing import Any, Self

from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, StateSnapshot
from pydantic import TypeAdapter, ValidationError

from graph.fork import NODE_BEFORE
from graph.run import Graph
from graph.system import SystemIds
from nodes.deps import Deps
from nodes.forked import NODE, Fork, Origin, open_fork
from nodes.held import unrecorded
from state.model.diagnosis import DiagnosisState, RunInput, RunOptions, RunOutput
from state.model.enums import RunState
from state.model.errors import RunRefused
from state.model.ids import RunId, derive_run_id
from state.model.run import RunFacts, RunRow

DECIDED = ("evidence", "review", "decision")
"""What guards and ``release`` decide: a state in which a person changed it is not gone on from."""
UNBEGUN = {"__start__", NODE}
"""What is next before a run has a state of its own; the thread may still show that of another one."""


class StudioGraph(CompiledStateGraph[DiagnosisState, RunOptions, RunInput, RunOutput]):
    """The compiled graph as langgraph-api executes it."""

    def __init__(self, *, deps: Deps, **parts: Any) -> None:  # noqa: ANN401 - LangGraph's own parts, as ``copy`` gives them
        # ``copy`` hands it to a constructor that forgets it: then no type of ours came back from a strict server.
        allowed = parts.pop("_serde_allowlist", None)
        super().__init__(**parts)
        self._serde_allowlist = allowed
        self.deps = deps

    @classmethod
    def of(cls, graph: Graph, deps: Deps) -> Self:
        """The same graph over these dependencies."""
        return cls(deps=deps, **{name: part for name, part in vars(graph).items() if name != "__orig_class__"})

    async def astream(
        self,
        input: RunInput | Command[str] | None,
        config: RunnableConfig | None = None,
        **how: Any,  # noqa: ANN401 - handed on as it came
    ) -> AsyncIterator[Any]:
        """As LangGraph, for the right run; RunRefused where a client may not go on so."""
        if config is not None and (input is None or isinstance(input, Command)):
            # In the form of which the server shows the sentence; it hides that of other errors.
            with unrecorded():
                going = _Going(self, config, RunOptions.model_validate(how.get("context") or {}))
                config = await going.placed(input)
        async for chunk in super().astream(input, config, **how):
            yield chunk


class _Going:
    """One execution without an input of its own."""

    def __init__(self, graph: StudioGraph, config: RunnableConfig, options: RunOptions) -> None:
        self._graph, self._deps = graph, graph.deps
        self._config, self._options = config, options
        self._place: dict[str, Any] = config.get("configurable", {})
        self._thread_id = str(self._place.get("thread_id", ""))

    async def placed(self, command: Command[str] | None) -> RunnableConfig:
        """Where to execute from: as the client says if the run stands there, else from a new fork of it.

        Raises:
            RunRefused: there is no such run of this user, its state is none to go on from, or the command would
                change it past what judges it.
            ResultsGone: a result that the state rests on has expired.
        """
        new_id = self._new_run_id()
        if command is not None and (command.update is not None or command.goto):
            raise RunRefused(new_id, "commands that change the state or jump are not taken")
        if await self._deps.control.get_run(new_id) is not None:
            return self._at(None)  # this very execution was tried before, and goes on from where it stands
        snapshot = await self._graph.aget_state(self._config)
        row = await self._row_of(snapshot) if snapshot.next else None
        if row is None:
            return self._config
        state = await self._state_of(snapshot, row)
        if row.run_state is RunState.RUNNING and await self._stands_there(snapshot, row):
            _check_facts(state, row)
            return self._at(await self._planted(snapshot, state)) if _is_by_hand(snapshot) else self._config
        return self._at(await self._forked(snapshot, row, state, new_id))

    def _new_run_id(self) -> RunId:
        serving = self._config.get("run_id") or self._place.get("run_id")
        return derive_run_id(self._thread_id, str(serving)) if serving else RunId(SystemIds().uuid())

    def _at(self, checkpoint_id: str | None) -> RunnableConfig:
        named = {"checkpoint_id", "checkpoint_ns", "checkpoint_map"}
        place = {name: value for name, value in self._place.items() if name not in named}
        if checkpoint_id is not None:
            place |= {"checkpoint_id": checkpoint_id, "checkpoint_ns": ""}
        return {**self._config, "configurable": place}

    async def _row_of(self, snapshot: StateSnapshot) -> RunRow | None:
        """The run whose state this is; None where no run has begun yet, so that a new one does.

        Raises:
            RunRefused: there is none, or it is another user's; nobody can tell which.
        """
        if snapshot.next[0] in UNBEGUN:
            serving = (snapshot.metadata or {}).get("run_id")
            known = await self._own(derive_run_id(self._thread_id, str(serving))) if serving else None
            return known if known is not None and known.run_state is not RunState.RUNNING else None
        run_id = RunId(str(snapshot.values.get("run_id") or ""))
        # A fork whose process died before its row was written: its parent is gone on from once more.
        row = await self._own(run_id) or await self._own(RunId(str(snapshot.values.get("parent_run_id") or "")))
        if row is None:
            raise RunRefused(run_id, "there is no such run")
        return row

    async def _own(self, run_id: RunId) -> RunRow | None:
        row = await self._deps.control.get_run(run_id)
        return row if row is not None and row.owner_key == self._deps.owners.of(run_id) else None

    async def _state_of(self, snapshot: StateSnapshot, row: RunRow) -> DiagnosisState:
        """The state, typed: what a person wrote is plain JSON.

        Raises:
            RunRefused: it cannot be read, or a person changed what guards had decided.
        """
        if snapshot.next[0] in UNBEGUN:
            return {}
        written = await self._written_by_node(snapshot)
        was_unbegun = bool(written.next) and written.next[0] in UNBEGUN
        if not was_unbegun and not isinstance(written.values.get("run"), RunFacts):
            raise RunRefused(row.run_id, "this server does not give its state back as it was kept")
        state = _typed(snapshot, row)
        decided = {} if was_unbegun else _typed(written, row)
        if any(state.get(name) != decided.get(name) for name in DECIDED):
            raise RunRefused(row.run_id, "what guards and release decided was changed by hand; change what leads to it")
        return state

    async def _written_by_node(self, snapshot: StateSnapshot) -> StateSnapshot:
        """The last checkpoint before it that no person wrote, or the snapshot itself."""
        while _is_by_hand(snapshot) and snapshot.parent_config is not None:
            snapshot = await self._graph.aget_state(snapshot.parent_config)
        return snapshot

    async def _stands_there(self, snapshot: StateSnapshot, row: RunRow) -> bool:
        """True if the run has not gone on from this checkpoint."""
        if snapshot.values.get("run_id") != row.run_id:
            return False
        if not self._place.get("checkpoint_id"):
            return True
        place: RunnableConfig = {"configurable": {"thread_id": self._thread_id}}
        async for newest in self._graph.aget_state_history(place):
            begun = not newest.next or newest.next[0] not in UNBEGUN
            if begun and newest.values.get("run_id") == row.run_id:
                return _id(newest.config) == _id(snapshot.config)
        return False

    async def _forked(self, snapshot: StateSnapshot, row: RunRow, state: DiagnosisState, new_id: RunId) -> str:
        """The checkpoint at which the fork, opened now, begins.

        Raises:
            RunRefused: as ``open_fork``, and where this graph does not go on so.
            ResultsGone: as ``open_fork``.
        """
        node = NODE if snapshot.next[0] in UNBEGUN else snapshot.next[0]
        planted: list[str] = []

        async def plant(begins_with: DiagnosisState) -> None:
            planted.append(await self._planted(snapshot, begins_with))

        origin = Origin(row, _id(snapshot.config), node, state)
        await open_fork(self._deps, origin, Fork(new_id, self._thread_id, self._options), plant, lambda _: None)
        return planted[0]

    async def _planted(self, snapshot: StateSnapshot, state: DiagnosisState) -> str:
        """The checkpoint of this state behind the snapshot, at which the same node is next.

        Raises:
            RunRefused: this graph does not go on so.
        """
        node = "route" if snapshot.next[0] in UNBEGUN else snapshot.next[0]
        if node not in NODE_BEFORE:
            raise RunRefused(str(state.get("run_id")), "this version of the graph does not go on so")
        here = self._at(_id(snapshot.config))
        return _id(await self._graph.aupdate_state(here, state, as_node=NODE_BEFORE[node]))


def _is_by_hand(snapshot: StateSnapshot) -> bool:
    """True if no node wrote it: a person did, or it is where a fork begins."""
    return (snapshot.metadata or {}).get("source") == "update"


def _typed(snapshot: StateSnapshot, row: RunRow) -> DiagnosisState:
    """The state. Pure.

    Raises:
        RunRefused: it is none.
    """
    try:
        return TypeAdapter(DiagnosisState).validate_python(snapshot.values)
    except ValidationError as error:
        raise RunRefused(row.run_id, "its state was changed so that it cannot be read") from error


def _check_facts(state: DiagnosisState, row: RunRow) -> None:
    """Return if the state holds the run as it was opened. Pure.

    Raises:
        RunRefused: a person changed it.
    """
    facts = state.get("run")
    if facts is not None and facts.mask_identifiers:
        facts = facts.model_copy(update={"query": row.facts.query})
    if facts != row.facts:
        raise RunRefused(row.run_id, "what was fixed when it was opened was changed by hand")


def _id(config: RunnableConfig) -> str:
    return str(config["configurable"]["checkpoint_id"])
