"""What each configured system says when it is asked, one by one, so that a broken one hides no other."""

import asyncio
from dataclasses import dataclass
from enum import StrEnum

from config.settings import Settings
from graph.configured_sources import open_configured
from graph.telemetry import ask_holdings
from state.model.errors import AccountCanWrite, Misconfigured
from state.ports import Clock


class SourceState(StrEnum):
    """What a configured system said."""

    ANSWERS = "ANSWERS"
    UNREACHABLE = "UNREACHABLE"
    """No answer, a refusal of the credentials, or one that cannot be understood; the log has its words."""
    MISCONFIGURED = "MISCONFIGURED"
    CAN_WRITE = "CAN_WRITE"
    """Its account may do more than read: it is not used."""


@dataclass(frozen=True)
class SourceFact:
    """One configured system."""

    name: str
    kind: str
    state: SourceState
    why: str = ""
    """What is wrong, in one line."""
    findings: tuple[tuple[str, str], ...] = ()
    """Of CAN_WRITE: what the account may do, and the statement that takes it away."""

    @property
    def is_usable(self) -> bool:
        """True if a process can start with it."""
        return self.state in {SourceState.ANSWERS, SourceState.UNREACHABLE}


async def examine_sources(settings: Settings, zone: str, clock: Clock) -> tuple[SourceFact, ...]:
    """One fact a source, in configured order; all are asked at once."""
    return tuple(await asyncio.gather(*(_examine(settings, name, zone, clock) for name in settings.sources)))


async def _examine(settings: Settings, name: str, zone: str, clock: Clock) -> SourceFact:
    kind = settings.sources[name].kind
    alone = settings.model_copy(update={"sources": {name: settings.sources[name]}})
    try:
        async with open_configured(alone, zone, clock) as configured:
            held = await ask_holdings(configured.telemetry)
            if configured.unreachable:
                return SourceFact(name, kind, SourceState.UNREACHABLE, configured.unreachable[0].why)
            if held.silent:
                return SourceFact(name, kind, SourceState.UNREACHABLE, "it did not say what it holds")
            return SourceFact(name, kind, SourceState.ANSWERS)
    except AccountCanWrite as error:
        return SourceFact(name, kind, SourceState.CAN_WRITE, error.why, error.findings)
    except Misconfigured as error:
        return SourceFact(name, kind, SourceState.MISCONFIGURED, f"{error.key}: {error.why}")
