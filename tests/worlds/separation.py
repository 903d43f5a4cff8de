"""A plain yardstick: which causes of the library does the telemetry of a world point to?

A marker of a signature *emerges* when it is seen at least three times as often, an hour, from a
quarter before the onset on than earlier. Names of tables and columns are no markers. This knows
neither world nor runbook; it only shows that the telemetry separates the causes.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from tests.worlds.runbooks import Cause
from tests.worlds.telemetry import Record, tables

QUARTER = timedelta(minutes=15)
HOUR = timedelta(hours=1)
GROWTH = 3


@dataclass(frozen=True, slots=True)
class Finding:
    cause: Cause
    emerged: tuple[str, ...]
    n_markers: int

    @property
    def score(self) -> float:
        return len(self.emerged) ** 2 / self.n_markers if self.n_markers else 0.0


def rank_causes(
    folder: Path, records: list[Record], causes: list[Cause], *, begin: datetime, onset: datetime, now: datetime
) -> list[Finding]:
    """All causes, the best supported first."""
    split = onset - QUARTER
    dated = [record for record in records if record.at and begin <= record.at <= now]
    before = "\n\n".join(record.text for record in dated if record.at < split).casefold()
    after = "\n\n".join(record.text for record in dated if record.at >= split).casefold()
    hours = (split - begin) / HOUR, (now - split) / HOUR
    schema = _schema_names(folder)
    findings = [_finding(cause, schema, before, after, hours) for cause in causes]
    return sorted(findings, key=lambda finding: -finding.score)


def _finding(cause: Cause, schema: set[str], before: str, after: str, hours: tuple[float, float]) -> Finding:
    markers = [marker.casefold() for marker in cause.signature if marker.casefold() not in schema]
    emerged = [
        marker
        for marker in markers
        if marker in after and after.count(marker) / hours[1] > GROWTH * before.count(marker) / hours[0]
    ]
    return Finding(cause, tuple(emerged), len(markers))


def _schema_names(folder: Path) -> set[str]:
    held = tables(folder)
    return {name.casefold() for name in held} | {column for columns, _ in held.values() for column, _ in columns}
