"""Everything the agent role derives from one case, computed once a turn. Pure."""

from dataclasses import dataclass
from datetime import datetime

from models.offline.catalogue import Toolbox
from models.offline.causes import candidates
from models.offline.lexicon import CHANGE_NAMES
from models.offline.moments import parse_instant
from models.offline.question import Question, understand
from models.offline.ranking import Match, leader, rank, runner_up
from models.offline.reading import Case, Observation, asked_from
from models.offline.soundness import is_sound
from models.offline.symptoms import answers_question, find_symptom, shows_slowness
from models.offline.telemetry import Event, events
from models.offline.weighing import Scene


@dataclass(frozen=True)
class View:
    """One case as the rules see it."""

    case: Case
    toolbox: Toolbox
    question: Question
    events: tuple[Event, ...]
    scene: Scene
    matches: tuple[Match, ...]
    """All candidate causes, best first."""

    @property
    def symptom(self) -> Event | None:
        """The event that best is what the question asks about; None if nothing seen is."""
        return self.scene.symptom

    @property
    def onset(self) -> datetime | None:
        """When the symptom set in."""
        return self.scene.onset

    @property
    def leader(self) -> Match | None:
        """The cause that may be concluded: needs the symptom asked about, its rivals in view, no objection."""
        is_asked = self.symptom is not None or any(shows_slowness(event, self.question) for event in self.events)
        best = leader(self.matches) if is_asked and self.sees_rivals else None
        is_open = best is not None and is_sound(best, self.matches, self.scene, self.question.services)
        return best if is_open else None

    @property
    def sees_rivals(self) -> bool:
        """True if the last documents looked up are shown whole, so that no rival cause is out of sight."""
        lookups = [result for result in self.results("lookup_knowledge") if result.is_found]
        return bool(lookups) and (self.case.is_stopped or not lookups[-1].is_shortened)

    @property
    def rival(self) -> Match | None:
        """The best other cause."""
        return runner_up(self.matches) if self.matches else None

    def results(self, tool: str) -> tuple[Observation, ...]:
        """Executed calls of one tool."""
        return tuple(result for result in self.case.observations if result.tool == tool)


def build_view(case: Case, toolbox: Toolbox) -> View:
    """The view of a case."""
    question = understand(case, toolbox)
    seen = events(case.observations)
    symptom, onset = find_symptom(seen, question, asked_from(case))
    if symptom is None or not answers_question(symptom, question):
        symptom, onset = None, asked_from(case)
    causes = candidates(item for item in case.items if item.is_knowledge)
    searched = any(is_change_search(result) for result in case.observations)
    scene = Scene(seen, onset, symptom, searched, _windows(case))
    return View(
        case=case,
        toolbox=toolbox,
        question=question,
        events=seen,
        scene=scene,
        matches=rank(causes, scene),
    )


def is_change_search(result: Observation) -> bool:
    """True for a query that was meant to find changes."""
    return result.tool == "query_sql" and result.status != "ERROR" and CHANGE_NAMES.search(result.query) is not None


def _windows(case: Case) -> dict[str, tuple[datetime, datetime]]:
    """Window of each log search, by call."""
    read = {r.call_id: (parse_instant(r.window[0]), parse_instant(r.window[1])) for r in case.observations if r.window}
    return {call: (start, end) for call, (start, end) in read.items() if start is not None and end is not None}
