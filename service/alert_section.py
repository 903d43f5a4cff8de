"""What a page says of the alert a run came from: its subject, and what else fired and was not looked into. Pure."""

from collections.abc import Iterator
from datetime import tzinfo

from service.page import Block, Entry, Heading, Paragraph
from service.run_view import RunView
from service.speech import Speech
from service.texts import report as texts
from service.times import moment
from state.model.alert import FiringAlert


def alert_blocks(view: RunView, say: Speech) -> Iterator[Block]:
    """The section; nothing where somebody asked."""
    alert = view.kept.row.facts.alert if view.kept else None
    if alert is None:
        return
    yield Heading(say(texts.ALERT))
    yield Entry(_line(alert.subject, view.zone, say), remark=say(texts.ALERT_SUBJECT))
    for risk in alert.related_risks:
        yield Entry(_line(risk, view.zone, say), remark=say(texts.ALERT_RISK))
    if alert.omitted:
        yield Entry(say(texts.ALERT_OMITTED, count=alert.omitted))
    yield Paragraph(say(texts.ALERT_UNTRUSTED), quiet=True)


def _line(alert: FiringAlert, zone: tzinfo, say: Speech) -> str:
    labels = [f"{name}={value}" for name, value in alert.labels.items()]
    return say(texts.SEPARATOR).join(
        [alert.name or "?", *labels, say(texts.ALERT_SINCE, at=moment(alert.started_at, zone))]
    )
