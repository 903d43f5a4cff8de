"""Diagnoses scenarios with the real graph, sources and guards, one after another."""

import tempfile
import time
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

from config.settings import Settings
from eval.scenarios.model import Scenario
from eval.scenarios.scoring import Ended, Released, Score, score
from graph.alert_group import AlertNotification, read_group
from graph.app import App, open_app
from state.model.diagnosis import RunInput, RunOptions
from state.model.enums import ConclusionKind
from state.model.ids import RunId
from state.model.release import Answer, DiagnosisReport, RunResult
from worlds.generate.stamps import iso_z
from worlds.generate.writer import write_world

OWNER = "evaluation"


async def diagnosed(given: Iterable[Scenario], settings: Settings, *, options: RunOptions) -> AsyncIterator[Score]:
    """The score of each scenario, in order; its folder is gone afterwards, its run stays in the home of the settings.

    Raises:
        Misconfigured: a setting cannot be used.
    """
    for scenario in given:
        with tempfile.TemporaryDirectory(prefix="rootproof-scenario-") as folder:
            world = write_world(scenario.world, Path(folder) / "world")
            async with open_app(settings, world) as app:
                yield score(scenario, await _ended(app, scenario, options))


async def _ended(app: App, scenario: Scenario, options: RunOptions) -> Ended:
    question, options = _asked(scenario, options)
    request: RunInput = {"query": question, "run_id": app.new_run_id()}
    began = time.perf_counter()
    result = await app.diagnose(request, options, lambda _: None)
    seconds = time.perf_counter() - began
    run_id = request["run_id"]
    assert run_id is not None
    usage = await app.records.stores.control.usage(RunId(run_id))
    records = await app.records.stores.canonical.records(RunId(run_id))
    released, text = _released(result)
    return Ended(
        released=released,
        conclusion=text,
        cited=_cited(result),
        outcome=result.outcome,
        stop_reason=result.stop_reason or result.failure_code or "",
        tools=tuple(f"{record.tool} {record.scope_key}" for record in records),
        model_calls=usage.model_calls,
        tokens=usage.tokens,
        seconds=seconds,
    )


def _asked(scenario: Scenario, options: RunOptions) -> tuple[str, RunOptions]:
    """Question and options: an alert asks through the same door as one that Alertmanager sends."""
    if scenario.alert is None:
        return scenario.question, options
    alert = scenario.alert
    sent = {
        "version": "4",
        "groupKey": scenario.name,
        "status": "firing",
        "alerts": [
            {
                "status": "firing",
                "labels": {"alertname": alert.name, "service": alert.service, "severity": alert.severity},
                "startsAt": iso_z(alert.starts_at),
            }
        ],
    }
    group = read_group(AlertNotification.model_validate(sent), owner_key=OWNER, language=scenario.language)
    assert group is not None, "the alert fires"
    window = {"window_start": group.options.window_start, "window_end": group.options.window_end}
    return group.question, options.model_copy(update=window)


def _released(result: RunResult) -> tuple[Released, str]:
    """What people read, with its text."""
    content = result.content
    if isinstance(content, Answer):
        return Released.OBSERVATION, content.text
    conclusion = content.draft.conclusion if isinstance(content, DiagnosisReport) else None
    if conclusion is None:
        return Released.NONE, ""
    is_cause = conclusion.kind is ConclusionKind.ROOT_CAUSE
    return Released.CAUSE if is_cause else Released.OBSERVATION, conclusion.text


def _cited(result: RunResult) -> tuple[str, ...]:
    if not isinstance(result.content, DiagnosisReport):
        return ()
    items = (item for view in result.content.evidence for item in view.items)
    return tuple(f"{item.text} {' '.join(map(str, item.fields.values()))}" for item in items)
