"""What a scenario is, and what a right diagnosis of it says. Plain values; nothing here draws or writes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from state.model.enums import Language
from worlds.generate.change_tables import Rollout, Setting
from worlds.generate.model import Alert, Event, Line, Sample, Table, World


class Variant(StrEnum):
    """What was done to the plain incident of a family."""

    FAULT = "fault"
    """The incident itself."""
    NO_FAULT = "no_fault"
    """The same everyday telemetry and the same question; nothing is wrong."""
    HERRING = "herring"
    """The incident, and a suspicious change elsewhere that explains nothing."""
    MISSING_SOURCE = "missing_source"
    """The symptoms alone: what would prove the cause was never collected."""
    DUAL = "dual"
    """The incident, and another fault in a service nobody asked about."""
    ALERT = "alert"
    """The incident, asked by an alert instead of a person."""
    NARROW = "narrow"
    """The incident, but only a count of errors is asked for; a cause would be too much."""


class Expected(StrEnum):
    """What a right diagnosis comes to."""

    CAUSE = "cause"
    OBSERVATION = "observation"
    NO_CAUSE = "no_cause"


@dataclass(frozen=True)
class Cause:
    """One cause as a right conclusion names it; alternatives in any letter case."""

    entities: tuple[str, ...]
    """Names of the component at fault; one of them must stand in the conclusion."""
    mechanism: tuple[tuple[str, ...], ...]
    """Groups of alternatives in both languages; one of each group must stand in the conclusion."""
    runbook: str
    """Page of the library that describes it, relative to the library."""
    section: str
    """Heading on that page, without its marks."""


@dataclass(frozen=True)
class Milestone:
    """One step of the proof; met when a cited item holds one of the markers."""

    name: str
    """``symptom``, ``telltale`` or ``change``."""
    markers: tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """What a right diagnosis says, and must not say."""

    expected: Expected
    cause: Cause | None = None
    """None unless a cause is expected."""
    forbidden: tuple[str, ...] = ()
    """Terms of other causes and names of innocent components: a right conclusion holds none, in any letter case."""
    milestones: tuple[Milestone, ...] = ()
    """Empty unless a cause is expected."""


@dataclass(frozen=True)
class Part:
    """Some of the telemetry of a world; parts are merged."""

    events: tuple[Event, ...] = ()
    lines: Mapping[str, tuple[Line, ...]] = field(default_factory=dict)
    """Plain-text records by file name."""
    tables: tuple[Table, ...] = ()
    samples: tuple[Sample, ...] = ()
    alerts: tuple[Alert, ...] = ()
    rollouts: tuple[Rollout, ...] = ()
    settings: tuple[Setting, ...] = ()


@dataclass(frozen=True)
class Scenario:
    """One incident to be diagnosed."""

    family: str
    variant: Variant
    seed: int
    language: Language
    question: str
    world: World = field(repr=False)
    answer: Answer = field(repr=False)
    alert: Alert | None = None
    """Whoever asks by an alert sends this one; None: a person asks."""

    @property
    def name(self) -> str:
        """Unique among all scenarios."""
        return f"{self.family}/{self.variant}/{self.seed}/{self.language}"
