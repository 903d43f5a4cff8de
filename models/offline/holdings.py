"""Catalogues of metrics and alerts in the descriptions of their tools. Pure and tolerant of wording."""

import re
from dataclasses import dataclass, field

_SOURCE = re.compile(r"^source (?P<name>\S+?)(?: \([^)]*\))?: (?P<rest>.*)$")
_LABEL = re.compile(r"^ {2}label (?P<name>\S+): (?P<values>.+)$")
_METRIC = re.compile(r"^ {2}(?P<name>[A-Za-z_:][\w:.]*)(?: \((?P<facts>[^)]*)\))?(?:: (?P<labels>.+))?$")
_ALERTS = re.compile(r"labels: (?P<labels>[^;]*); alert names: (?P<names>.*)$")
_MORE = re.compile(r"(?:,| and)? ?(?:and )?\d+ more$")
OWNER_LABELS = ("service", "service_name", "app", "application", "component", "svc", "job")
"""Labels that name a service, the surest first."""


@dataclass(frozen=True)
class MetricEntry:
    """One catalogued metric."""

    source: str
    name: str
    labels: tuple[str, ...]
    """Names of its labels."""
    values: dict[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    """Values held of labels, as far as the catalogue shows them."""

    def own_label(self, service: str) -> str:
        """The label that can hold the service, as the catalogue shows it; empty if none does."""
        held = (
            n for n in OWNER_LABELS if n in self.labels and service.lower() in map(str.lower, self.values.get(n, ()))
        )
        return next(held, "")


@dataclass(frozen=True)
class AlertSource:
    """One source of alerts."""

    source: str
    labels: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def own_label(self) -> str:
        """The label that names the service; empty if there is none."""
        return next((name for name in OWNER_LABELS if name in self.labels), "")


def read_metrics(description: str) -> tuple[MetricEntry, ...]:
    """Metrics in the order of the catalogue; empty if it lists none."""
    found: list[MetricEntry] = []
    source = ""
    values: dict[str, tuple[str, ...]] = {}
    for line in description.splitlines():
        head, label, metric = _SOURCE.match(line), _LABEL.match(line), _METRIC.match(line)
        if head:
            source, values = head.group("name"), {}
        elif label and source:
            values[label.group("name")] = _listed(label.group("values"))
        elif metric and source:
            found.append(MetricEntry(source, metric.group("name"), _listed(metric.group("labels") or ""), values))
    return tuple(found)


def read_alerts(description: str) -> tuple[AlertSource, ...]:
    """Alert sources in the order of the catalogue; empty if it lists none."""
    found: list[AlertSource] = []
    for line in description.splitlines():
        head = _SOURCE.match(line)
        told = _ALERTS.search(head.group("rest")) if head else None
        if head and told:
            found.append(AlertSource(head.group("name"), _listed(told.group("labels")), _listed(told.group("names"))))
    return tuple(found)


def _listed(text: str) -> tuple[str, ...]:
    names = (name.strip() for name in _MORE.sub("", text.strip()).split(","))
    return tuple(name for name in names if name and name != "none")
