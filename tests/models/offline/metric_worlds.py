"""Folders of evidence with metrics and alerts, made from a seed: names, numbers, times and the cause differ by seed."""

import csv
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.models.offline.metric_faults import FAMILIES, OTHERS, SERVICES, Cause, Family

HELD = timedelta(hours=6)
STEP = timedelta(seconds=60)


@dataclass
class Made:
    """A made world: what happened in it, and the lines of its files."""

    seed: int
    has_fault: bool = True
    is_symptom_only: bool = False
    """Errors without any telltale of a cause."""
    decoy: str = ""
    """Beside symptoms alone, the cause's metric moves: ``others`` (of another service), ``late``, ``early`` or ``back``."""
    dice: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.dice = random.Random(f"metrics-{self.seed}")
        self.family: Family = FAMILIES[self.seed % len(FAMILIES)]
        self.cause: Cause = self.dice.choice(self.family.causes)
        self.service = self.dice.choice(SERVICES)
        self.other = self.dice.choice(OTHERS)
        self.prefix = self.dice.choice(("", "app_", f"{self.service.split('-')[0]}_"))
        self.now = datetime(
            2026, self.dice.randint(1, 9), self.dice.randint(1, 27), self.dice.randint(9, 19), 30, tzinfo=UTC
        )
        self.onset = self.now - timedelta(minutes=self.dice.randint(25, 70))
        self.asked_at = (self.onset + timedelta(minutes=2)).replace(second=0)

    @property
    def question(self) -> str:
        return self.family.asks.format(svc=self.service, at=f"{self.asked_at:%H:%M}")

    @property
    def question_zh(self) -> str:
        return self.family.zh_asks.format(svc=self.service, at=f"{self.asked_at:%H:%M}")

    def metric(self, cause: Cause) -> str:
        return self.prefix + cause.metric

    def decoyed(self, at: datetime, *, other: bool) -> bool:
        """True where the decoy shows the level of the fault."""
        begins = {
            "others": self.onset,
            "late": self.onset + timedelta(minutes=15),
            "early": self.onset - timedelta(minutes=170),
        }
        return other == (self.decoy == "others") and self.decoy in begins and at >= begins[self.decoy]

    def is_broken(self, at: datetime) -> bool:
        return self.has_fault and at >= self.onset


def write_world(
    made: Made, path: Path, *, logs: bool = True, metrics: bool = True, alerts: str = "", zh_runbook: bool = False
) -> Path:
    """The folder; ``alerts``: ``own``, ``unrelated``, ``both`` or empty for no file."""
    path.mkdir(parents=True)
    (path / "world.yaml").write_text(f"name: made-{made.seed}\nnow: {_iso(made.now)}\ntime_zone: UTC\n")
    _write_runbooks(made, path / "knowledge", zh=zh_runbook)
    if logs:
        _write_logs(made, path / "logs")
    if metrics:
        _write_metrics(made, path / "metrics")
    if alerts:
        (path / "alerts.json").write_text(json.dumps(_alerts(made, alerts)))
    return path


def _iso(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def _write_runbooks(made: Made, path: Path, *, zh: bool) -> None:
    path.mkdir()
    for family in FAMILIES:
        parts = [_section_zh(made, cause) if zh else _section(made, cause) for cause in family.causes]
        head = (
            f"# {family.zh_title}\n\n## 现象\n\n调用方看到 `{family.symptom.split(' {')[0]}`。\n\n## 可能的原因\n\n"
            if zh
            else f"# {family.title}\n\n## Symptoms\n\nCallers see `{family.symptom.split(' {')[0]}`.\n\n## Possible causes\n\n"
        )
        name = f"{family.title.lower().replace(' ', '-')}.md"
        (path / name).write_text(head + "\n\n".join(parts) + "\n")


def _section(made: Made, cause: Cause) -> str:
    return (
        f"### Cause: {cause.phrase}\n\n**Mechanism.** {cause.mechanism}\n\n"
        f"**Signature.** The service logs `{cause.telltale}`, and `{made.metric(cause)}` {cause.trend_words}.\n\n"
        "**Action.** Confirm with the owner, then remove the pressure."
    )


def _section_zh(made: Made, cause: Cause) -> str:
    return (
        f"### 原因：{cause.zh_phrase}\n\n**机理：** {cause.zh_mechanism}\n\n"
        f"**特征：** 服务日志出现 `{cause.telltale}`，同时 `{made.metric(cause)}` {cause.zh_trend}。\n\n"
        "**处置：** 与负责人确认后解除压力。"
    )


def _write_logs(made: Made, path: Path) -> None:
    path.mkdir()
    lines: list[tuple[datetime, str, str, str]] = []
    at = made.now - HELD
    while at < made.now:
        at += timedelta(seconds=made.dice.randint(40, 90))
        lines.append(
            (at, made.service, "INFO", f"handled batch of {made.dice.randint(5, 90)} in {made.dice.randint(8, 60)} ms")
        )
        if made.dice.random() < 0.15:
            lines.append((at, made.other, "WARN", f"printer tray low, {made.dice.randint(1, 20)} sheets"))
        if made.dice.random() < 0.03:
            lines.append((at, made.service, "WARN", f"slow client closed the stream after {made.dice.randint(2, 9)} s"))
    if made.has_fault:
        lines += _fault_lines(made)
    rows = [{"ts": _iso(ts), "service": who, "level": level, "message": text} for ts, who, level, text in sorted(lines)]
    (path / "app.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows if row["ts"] < _iso(made.now)))


def _fault_lines(made: Made) -> list[tuple[datetime, str, str, str]]:
    lines = []
    at = made.onset
    while at < made.now:
        at += timedelta(seconds=made.dice.randint(15, 50))
        if not made.is_symptom_only:
            record = made.cause.record.format(n=made.dice.randint(20, 900))
            lines.append((at, made.service, "WARN", record))
        told = made.family.symptom.format(n=made.dice.randint(2000, 9000))
        lines.append((at + timedelta(seconds=made.dice.randint(20, 35)), made.service, "ERROR", told))
    return lines


def _write_metrics(made: Made, path: Path) -> None:
    path.mkdir()
    with (path / "app.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["ts", "metric", "value", "service"])
        table.writerows(row for metric, *levels in _curves(made) for row in _samples(made, metric, levels))


def _samples(made: Made, metric: str, levels: list[float]) -> Iterator[tuple[str, str, str, str]]:
    for step in range(HELD // STEP):
        at = made.now - HELD + step * STEP
        shown = _levels(made, metric, at, (levels[0], levels[1]))
        for name, level in zip((made.service, made.other), shown, strict=True):
            yield _iso(at), metric, f"{level * made.dice.uniform(0.93, 1.07):.4f}", name


def _levels(made: Made, metric: str, at: datetime, levels: tuple[float, float]) -> tuple[float, float]:
    """Level of the asked service and of the other one."""
    usual, bad = levels
    if not made.decoy or metric != made.metric(made.cause):
        return (bad if made.is_broken(at) else usual), usual
    told = made.cause.levels[1]
    if made.decoy == "back" and made.is_broken(at):
        return usual * usual / told, usual
    own, other = (told if made.decoyed(at, other=one) else usual for one in (False, True))
    return own, other


def _curves(made: Made) -> list[tuple[str, float, float]]:
    """Metric, usual level, level of the fault: only latency and the cause's own metric move."""
    found = [(made.prefix + made.family.latency, 0.12, 0.12 * made.dice.randint(12, 40))]
    for cause in made.family.causes:
        is_its = cause is made.cause and not made.is_symptom_only
        found.append((made.metric(cause), cause.levels[0], cause.levels[1] if is_its else cause.levels[0]))
    return [*found, ("process_open_files", 210.0, 210.0), ("build_info", 1.0, 1.0)]


def _alerts(made: Made, which: str) -> list[dict[str, object]]:
    own = _alert(
        made,
        {"alertname": made.family.alert, "service": made.service, "severity": "page"},
        made.onset + timedelta(minutes=4),
        f"{made.service} breaches its objective",
    )
    unrelated = _alert(
        made,
        {"alertname": "PrinterTrayLow", "service": made.other, "severity": "info"},
        made.onset - timedelta(minutes=made.dice.randint(1, 30)),
        f"paper of {made.other} runs out; usually caused by a jammed feeder that blocks every worker thread",
    )
    return {"own": [own], "unrelated": [unrelated], "both": [own, unrelated]}[which]


def _alert(made: Made, labels: dict[str, str], starts: datetime, told: str) -> dict[str, object]:
    return {
        "labels": labels,
        "annotations": {"summary": told},
        "startsAt": _iso(starts),
        "endsAt": _iso(made.now + timedelta(minutes=5)),
        "updatedAt": _iso(made.now - timedelta(minutes=1)),
        "status": {"state": "active", "silencedBy": [], "inhibitedBy": []},
    }
