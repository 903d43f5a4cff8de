"""Calls for alerts, metrics and failing rows: when each is worth asking for. Pure."""

from collections.abc import Iterator

from models.offline.calls import MAX_PER_TOOL, Call
from models.offline.metric_probes import alert_probe, cause_probes, metric_probes, value_probe
from models.offline.row_probes import count_probes, sample_probe
from models.offline.view import View

MAX_METRICS = 4


def alerts_first(view: View) -> Iterator[Call]:
    """Alerts, where the question is about one or names no service: they say whose incident it is."""
    if view.question.is_about_alerts or not view.question.services or not view.toolbox.has_logs:
        yield from alerts(view)


def alerts_if_unseen(view: View) -> Iterator[Call]:
    """Alerts of the asked service, where nothing read so far is what the question asks about."""
    if view.symptom is None:
        yield from alerts(view)


def alerts(view: View) -> Iterator[Call]:
    """Alerts that are not resolved, once."""
    if not view.results("list_alerts"):
        for probe in alert_probe(view):
            yield Call("list_alerts", probe)


def metrics(view: View) -> Iterator[Call]:
    """Metrics that the question, leading causes or the symptom call for, one at a time."""
    if len(view.results("query_metrics")) < MAX_METRICS:
        for probe in metric_probes(view)[:1]:
            yield Call("query_metrics", probe)


def confirming_metric(view: View) -> Iterator[Call]:
    """What the shown cause should have moved: a series that did not refutes it."""
    if len(view.results("query_metrics")) < MAX_PER_TOOL:
        for probe in cause_probes(view)[:1]:
            yield Call("query_metrics", probe)


def row_counts(view: View) -> Iterator[Call]:
    """Failing rows by kind, where no logs can be searched."""
    if not view.toolbox.has_logs and view.symptom is None:
        yield from (Call("query_sql", probe) for probe in count_probes(view)[:1])


def row_samples(view: View) -> Iterator[Call]:
    """The first rows of the kind of failure that is the symptom: they say why in words."""
    probe = sample_probe(view)
    if probe is not None:
        yield Call("query_sql", probe)


def narrow_alert(view: View) -> Iterator[Call]:
    """The alerts a narrow question asks for, and nothing else."""
    if view.question.is_about_alerts:
        yield from alerts(view)


def narrow_metric(view: View) -> Iterator[Call]:
    """The metric a narrow question asks for, and nothing else."""
    if view.question.metric and not view.question.is_about_alerts and not view.results("query_metrics"):
        for probe in value_probe(view):
            yield Call("query_metrics", probe)
