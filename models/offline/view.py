"""Everything the agent role derives from one case, computed once a turn. Pure."""

import re
from dataclasses import dataclass, replace
from datetime import datetime

from models.offline.catalogue import Toolbox
from models.offline.causes import candidates, is_document
from models.offline.lexicon import CHANGE_NAMES
from models.offline.loose import texts
from models.offline.moments import parse_instant
from models.offline.question import Question, understand
from models.offline.ranking import Match, leader, rank, runner_up
from models.offline.reach import reached
from models.offline.reading import Case, Observation, asked_from
from models.offline.soundness import is_sound
from models.offline.symptoms import (
    answers_question,
    find_symptom,
    measured_symptom,
    row_symptom,
    shows_slowness,
    usual_rows,
)
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
    seen = events(case.observations)
    question = alerted(understand(case, toolbox), seen, toolbox)
    symptom, onset = find_symptom(seen, question, asked_from(case))
    if symptom is None or not answers_question(symptom, question):
        asked = {name.lower() for name in question.services}
        symptom, onset = measured_symptom(seen, question, asked_from(case), asked)
    usual = usual_rows(seen, asked_from(case), _windows(case))
    if symptom is None and not toolbox.has_logs:
        symptom, onset = row_symptom(seen, question, asked_from(case), usual)
    onset = onset or asked_from(case)
    named = (*question.services, symptom.service if symptom is not None else "", *_searched_services(case))
    causes = candidates(item for item in case.items if is_document(item))
    searched = any(is_change_search(result) for result in case.observations)
    chain = reached(seen, named, toolbox.entities)
    scene = Scene(seen, onset, symptom, searched, _windows(case), chain, vain_metrics(case), usual)
    return View(
        case=case,
        toolbox=toolbox,
        question=question,
        events=seen,
        scene=scene,
        matches=rank(causes, scene),
    )


def alerted(question: Question, seen: tuple[Event, ...], toolbox: Toolbox) -> Question:
    """The question with the service of the alert it asks about, where it names none itself."""
    if question.services or not question.is_about_alerts:
        return question
    firing = [event for event in seen if event.is_alert and event.is_notable and event.service]
    own = [event for event in firing if event.measure.alert == question.alert] if question.alert else firing
    services = dict.fromkeys(event.service for event in own)
    known = {name.lower(): name for name in toolbox.entities}
    return replace(question, services=tuple(known.get(n, n) for n in services)) if len(services) == 1 else question


def _searched_services(case: Case) -> tuple[str, ...]:
    named = (str(result.filters.get("service", "")) for result in case.observations if result.tool == "query_logs")
    return tuple(name for name in named if name)


def vain_metrics(case: Case) -> frozenset[str]:
    """Metrics that were read and whose series are shown no more: they were judged to tell nothing."""
    read = (r for r in case.observations if r.tool == "query_metrics" and r.is_found)
    return frozenset(re.split(r"[{\s]", r.query)[0] for r in read if r.is_shortened and not r.items)


def is_change_search(result: Observation) -> bool:
    """True for a query that was meant to find changes."""
    return result.tool == "query_sql" and result.status != "ERROR" and CHANGE_NAMES.search(result.query) is not None


def _windows(case: Case) -> dict[str, tuple[datetime, datetime]]:
    """Window of each search that has one, by call; of SQL the two instants it was bound to."""
    read = {r.call_id: (parse_instant(r.window[0]), parse_instant(r.window[1])) for r in case.observations if r.window}
    for asked in case.asked:
        times = [at for value in texts(asked.input.get("params")) if (at := parse_instant(value)) is not None]
        if asked.outcome is not None and asked.tool == "query_sql" and len(times) == 2:
            read[asked.outcome.call_id] = (times[0], times[1])
    return {call: (start, end) for call, (start, end) in read.items() if start is not None and end is not None}
