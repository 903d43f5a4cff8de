"""An Alertmanager webhook as the question of one run. Pure.

Labels come from outside: they are bounded, and stand in the question as quoted names, never as sentences. The alert
that fires first is the subject; what else fires is told beside it and never becomes the subject.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal

from annotated_types import Ge, Lt
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints

from state.model.alert import MAX_RISKS, MAX_SHOWN_CHARS, AlertOrigin, FiringAlert
from state.model.base import Value
from state.model.diagnosis import RunOptions
from state.model.enums import Language
from state.model.ids import digest
from state.model.language import Bilingual
from state.model.redaction import redact_text
from state.model.timewords import FIRST_INSTANT, LAST_INSTANT
from tools.valid_text import plain_text

MAX_ALERTS, MAX_LABELS = 1000, 64
BEFORE, AFTER = timedelta(minutes=30), timedelta(hours=1)
"""The window around the moment an alert began: what caused it came before."""
SHOWN = ("service", "job", "app", "component", "namespace", "cluster", "instance", "pod", "host", "severity")
"""Labels a question names, in this order; each where the alert has it."""
_NO_QUOTES = str.maketrans(dict.fromkeys('"“”„‟‘’‚‛«»‹›＂「」『』〝〞〟❝❞', " "))
_WHY = Bilingual(
    en='Why did the alert "{name}" begin to fire at {at}?{of}', zh="告警“{name}”为什么从 {at} 开始触发？{of}"
)
_OF = Bilingual(en=" It is about {labels}.", zh="它涉及{labels}。")
_LABEL = Bilingual(en='{name} "{value}"', zh="{name}“{value}”")
_JOINED = Bilingual(en=", ", zh="、")

LabelName = Annotated[str, StringConstraints(min_length=1, max_length=256)]
LabelValue = Annotated[str, StringConstraints(max_length=4096)]
Labels = Annotated[dict[LabelName, LabelValue], Field(max_length=MAX_LABELS)]


class _Sent(BaseModel):
    """What Alertmanager sends; a later version may say more."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


class SentAlert(_Sent):
    """One alert of a notification."""

    status: Literal["firing", "resolved"]
    labels: Annotated[Labels, Field(min_length=1)]
    starts_at: Annotated[AwareDatetime, Ge(FIRST_INSTANT), Lt(LAST_INSTANT)] = Field(alias="startsAt")


class AlertNotification(_Sent):
    """The body of a webhook, version 4."""

    version: Literal["4"]
    group_key: Annotated[str, StringConstraints(min_length=1, max_length=8192)] = Field(alias="groupKey")
    status: Literal["firing", "resolved"]
    alerts: tuple[SentAlert, ...] = Field(max_length=MAX_ALERTS)


class AlertGroup(Value):
    """What a notification asks: one run."""

    group: str
    """SHA-256 that names group, episode and key: the same again within half an hour joins the run."""
    subject: dict[str, str]
    """Labels of the alert that fired first."""
    started_at: datetime
    """When it began, UTC."""
    related_risks: tuple[dict[str, str], ...]
    """Labels of what else fires, oldest first, at most ``MAX_RISKS``; never part of the question."""
    origin: AlertOrigin
    """Subject and risks as the run keeps them: bounded, without secrets."""
    question: str
    options: RunOptions


def read_group(sent: AlertNotification, *, owner_key: str, language: Language | None) -> AlertGroup | None:
    """What the notification asks for; None where nothing of it fires. ``language`` None: English."""
    firing = sorted(
        (alert for alert in sent.alerts if alert.status == "firing"),
        key=lambda alert: (alert.starts_at, sorted(alert.labels.items())),
    )
    if not firing:
        return None
    subject, *others = firing
    began = subject.starts_at.astimezone(UTC)
    return AlertGroup(
        group=digest("\n".join((sent.group_key, began.isoformat(), owner_key))),
        subject=subject.labels,
        started_at=began,
        related_risks=tuple(alert.labels for alert in others[:MAX_RISKS]),
        origin=AlertOrigin(
            subject=firing_alert(subject),
            related_risks=tuple(map(firing_alert, others[:MAX_RISKS])),
            omitted=max(0, len(others) - MAX_RISKS),
        ),
        question=question_of(subject.labels, began, language or Language.EN),
        options=RunOptions(
            language=language or Language.EN,
            window_start=(began - BEFORE).isoformat(),
            window_end=(began + AFTER).isoformat(),
        ),
    )


def firing_alert(alert: SentAlert) -> FiringAlert:
    """The alert as a run keeps it: its name and the labels that say what it is about."""
    known = {label: _kept(alert.labels.get(label, "")) for label in SHOWN}
    return FiringAlert(
        name=_kept(alert.labels.get("alertname", "")),
        labels={label: value for label, value in known.items() if value},
        started_at=alert.starts_at.astimezone(UTC),
    )


def _kept(value: str) -> str:
    return redact_text(shown(value))[:MAX_SHOWN_CHARS]


def question_of(labels: Mapping[str, str], began: datetime, language: Language) -> str:
    """The question about one alert, from its labels alone; at most a few hundred characters."""
    name = shown(labels.get("alertname", "")) or "?"
    known = [(label, shown(labels.get(label, ""))) for label in SHOWN]
    parts = [_LABEL.text(language, name=label, value=value) for label, value in known if value]
    about = _OF.text(language, labels=_JOINED.text(language).join(parts)) if parts else ""
    at = began.strftime("%Y-%m-%d %H:%M UTC")
    return _WHY.text(language, name=name, at=at, of=about)


def shown(value: str) -> str:
    """A label's value as it may stand between quotation marks: one line, without them, bounded."""
    return " ".join(plain_text(value).translate(_NO_QUOTES).split())[:MAX_SHOWN_CHARS]
