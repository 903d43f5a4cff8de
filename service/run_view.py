"""What a command knows about an ended run: its result, and what the records keep beside it. Pure."""

from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import TYPE_CHECKING

from service.times import zone_of
from state.model.enums import TraceEventType
from state.model.evidence import Window
from state.model.release import Answer, DiagnosisReport, EvidenceView, RunResult, SafeFallback

if TYPE_CHECKING:
    from graph.app import RunTrace


@dataclass(frozen=True)
class RunView:
    """One ended run, ready to be shown."""

    result: RunResult
    kept: "RunTrace | None"
    """None: the records cannot be read; then only the result is shown."""
    backed_actions: tuple[bool, ...] = ()
    """One per action of a report: does a quoted document stand behind it."""
    elsewhere: str = ""
    """The world, if it is not the one that a command without ``--world`` would search."""
    log_file: str = ""
    """Where internals are written; named when a run failed."""

    @property
    def zone(self) -> tzinfo:
        """The zone in which the run shows times."""
        return zone_of(self.kept.row.facts.time_zone if self.kept else None)

    @property
    def zone_name(self) -> str:
        """Its IANA name; UTC where it is not known."""
        return str(getattr(self.zone, "key", "UTC")) if self.zone is not UTC else "UTC"

    @property
    def evidence(self) -> tuple[EvidenceView, ...]:
        """What the content cites; empty without content."""
        match self.result.content:
            case DiagnosisReport(evidence=evidence) | SafeFallback(evidence=evidence):
                return evidence
            case Answer(quotes=quotes):
                return quotes
            case None:
                return ()

    @property
    def asked_window(self) -> Window | None:
        """What the question or an option asked for."""
        return self.kept.row.facts.window if self.kept else None

    @property
    def searched_window(self) -> Window | None:
        """From the earliest start to the latest end of what the content cites; None where time played no part."""
        windows = [view.scope.window for view in self.evidence if view.scope.window]
        if not windows:
            return None
        return Window(start=min(one.start for one in windows), end=max(one.end for one in windows))

    @property
    def wall_ms(self) -> int | None:
        """Milliseconds from opening to closing; None if unknown."""
        closed = self.kept.row.closed_at if self.kept else None
        if self.kept is None or closed is None:
            return None
        return max(0, round((closed - self.kept.row.opened_at).total_seconds() * 1000))

    @property
    def steps(self) -> int | None:
        """Turns of the agent; None if the records cannot be read."""
        if self.kept is None:
            return None
        return sum(stored.event.type is TraceEventType.AGENT_MODEL_STEP for stored in self.kept.timeline)
