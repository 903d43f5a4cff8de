"""Services and what they say: joins a message of a technology with who said it, where and when."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeAlias

from worlds.generate.dice import Dice, arrivals, dice_for, draw_hex, draw_word
from worlds.generate.model import Event, Scalar
from worlds.generate.timeline import Timeline

ROLLOUT_STEP_S = 45
"""Seconds between two pods of one rollout."""


@dataclass(frozen=True, slots=True)
class Said:
    """A message of some technology, not yet attributed."""

    level: str
    message: str
    logger: str = ""
    """Logger or component name; empty where the technology has none."""
    fields: tuple[tuple[str, Scalar], ...] = ()


@dataclass(frozen=True, slots=True)
class Service:
    """One service with its pods and the versions it runs."""

    name: str
    pods: tuple[str, ...]
    """Stable names, as a stateful set gives them; they survive rollouts and restarts."""
    nodes: tuple[str, ...]
    """The node of each pod."""
    version: str
    next_version: str
    """Version after the rollout; equal to `version` when there is none."""
    rolled_out_at: datetime
    """Start of the rollout; meaningless when the versions are equal."""

    def version_at(self, pod: str, at: datetime) -> str:
        """Return the version `pod` runs at `at`; pods are replaced one after another."""
        delay = timedelta(seconds=ROLLOUT_STEP_S * self.pods.index(pod))
        return self.next_version if at >= self.rolled_out_at + delay else self.version

    def say(self, at: datetime, said: Said, dice: Dice, *, pod: str | None = None) -> Event:
        """Return `said` as a record of this service, from `pod` or a drawn one."""
        speaker = pod or draw_word(dice, self.pods)
        origin: list[tuple[str, Scalar]] = [
            ("pod", speaker),
            ("node", self.nodes[self.pods.index(speaker)]),
            ("version", self.version_at(speaker, at)),
        ]
        if said.logger:
            origin.append(("logger", said.logger))
        return Event(at, self.name, said.level, said.message, (*origin, *said.fields))


@dataclass(frozen=True, slots=True)
class Habit:
    """Something a service says again and again, independent of any incident."""

    per_hour: float
    say: Callable[[Dice], Said]


Habits: TypeAlias = Sequence[Habit]


def chatter(service: Service, habits: Habits, times: Timeline, *, seed: int) -> list[Event]:
    """Return all that `service` says out of habit between first telemetry and now."""
    events: list[Event] = []
    for rank, habit in enumerate(habits):
        dice = dice_for(seed, "chatter", service.name, str(rank))
        events.extend(
            service.say(at, habit.say(dice), dice)
            for at in arrivals(dice, times.begin_at, times.now_at, per_hour=habit.per_hour)
        )
    return events


def draw_service(
    dice: Dice, names: Sequence[str], times: Timeline, *, n_pods: int = 2, is_rolled_out: bool = False
) -> Service:
    """Return a service with a drawn name, pods and version; rolled out at the change if asked."""
    name = draw_word(dice, names)
    major, minor, patch = dice.randrange(1, 9), dice.randrange(3, 60), dice.randrange(0, 12)
    version = f"{major}.{minor}.{patch}"
    return Service(
        name=name,
        pods=tuple(f"{name}-{rank}" for rank in range(n_pods)),
        nodes=tuple(f"node-{draw_hex(dice, 4)}" for _ in range(n_pods)),
        version=version,
        next_version=f"{major}.{minor + 1}.0" if is_rolled_out else version,
        rolled_out_at=times.change_at,
    )
