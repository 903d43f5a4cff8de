"""What nodes work with: bound once when the graph is built, never carried in state or context."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from models.roles import RoleModels
from nodes.lease_keeper import LeaseKeeper
from state.model.alert import AlertOrigin
from state.model.diagnosis import RunOptions
from state.model.enums import Language, RedactionPolicy
from state.model.ids import RunId
from state.model.language import Bilingual
from state.model.limits import HeldBack, RunLimits
from state.model.run import Lease, RunFacts
from state.ports import AuditLog, CanonicalStore, Clock, ControlStore, RawLog, ReasoningLog, Recording
from tools.boundary import ToolDoor

LOCAL_OWNER = "local"
"""Key of whoever sits at this machine."""


@dataclass(frozen=True)
class Sources:
    """The evidence this process offers: what is configured, and the time it speaks of."""

    name: str | None
    """World folder, kept on the run so that resume finds it; None without one."""
    now: datetime | None
    """Fixed instant of a world; None = the clock."""
    time_zone: str
    kb_scope: str
    notices: tuple[Bilingual, ...]
    """Sentences by code that every report of these sources carries."""
    documents: tuple[str, ...]
    """Titles in the knowledge base, for KNOWLEDGE_META."""


@dataclass(frozen=True)
class RunPolicy:
    """Settings that open a run."""

    limits: RunLimits
    held_back: HeldBack
    language: Language | None
    """None: from the question."""
    redaction: RedactionPolicy
    max_prompt_chars: int
    """Characters of one agent prompt."""


@dataclass(frozen=True)
class Owners:
    """For which key, and from which alert, this process executes each run.

    Said by whoever starts it here, never by input or options.
    """

    default: str = LOCAL_OWNER
    _of: dict[RunId, str] = field(default_factory=dict, init=False, repr=False)
    _alerts: dict[RunId, AlertOrigin] = field(default_factory=dict, init=False, repr=False)

    def of(self, run_id: RunId) -> str:
        """The key the run belongs to."""
        return self._of.get(run_id, self.default)

    def alert_of(self, run_id: RunId) -> AlertOrigin | None:
        """The alert the run comes from; None: somebody asked."""
        return self._alerts.get(run_id)

    @contextmanager
    def raised_by(self, run_id: RunId, alert: AlertOrigin) -> Iterator[None]:
        """Meanwhile the run comes from this alert."""
        self._alerts[run_id] = alert
        try:
            yield
        finally:
            self._alerts.pop(run_id, None)

    @contextmanager
    def executing(self, run_id: RunId, owner_key: str) -> Iterator[None]:
        """Meanwhile the run belongs to this key."""
        self._of[run_id] = owner_key
        try:
            yield
        finally:
            self._of.pop(run_id, None)


@dataclass(frozen=True)
class Deps:
    """Everything live. One per process and set of sources."""

    control: ControlStore
    canonical: CanonicalStore
    audit: AuditLog
    recording: Recording
    boundary: ToolDoor
    models: RoleModels
    clock: Clock
    keeper: LeaseKeeper
    sources: Sources
    policy: RunPolicy
    owners: Owners = field(default_factory=Owners)
    reasoning: ReasoningLog | None = None
    """None: what providers return as thinking is not kept, as in a replay."""
    raws: RawLog | None = None
    """Where a full recording keeps raw results; None: it keeps none."""
    replayed: RunFacts | None = None
    """Set only in a replay: the facts of the run that is executed again."""

    @cached_property
    def tool_names(self) -> frozenset[str]:
        """Names of all registered evidence tools."""
        return frozenset(spec.name for spec in self.boundary.specs)

    @cached_property
    def catalogue_terms(self) -> frozenset[str]:
        """Every name that some source's catalogue vouches for."""
        return frozenset(term for spec in self.boundary.specs for term in spec.catalogue_terms)


@dataclass(frozen=True)
class Step:
    """One execution of one node: the dependencies, and the right to write for this run."""

    deps: Deps
    lease: Lease
    options: RunOptions
    wake: Callable[[object], None]
    """LangGraph's stream writer: wakes whoever follows the public events."""
