"""A folder of logs as services write them, of any size, the same for the same seed.

Half of the bytes are JSON lines, half plain text with stack traces; each service has rotated files that follow each
other in time. Lines cover one day, in time order or, as several threads write them, out of it by some seconds.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random  # noqa: TID251 - seeded: the same lines for the same seed

FROM = datetime(2026, 3, 2, tzinfo=UTC)
UNTIL = FROM + timedelta(days=1)
LITERAL = "connection pool exhausted"
"""Stands in about one record of a thousand."""
COMMON = "answered 200"
"""Stands in three records of five."""
_JSON_SERVICES = ("orders", "payments", "gateway")
_TEXT_SERVICES = ("inventory", "scheduler")
_FILES_EACH = 4
_BYTES_A_LINE = {"jsonl": 245, "log": 150}
_SAID = (
    ("INFO", 60, "GET /api/v1/orders/{n} answered 200 in {ms} ms"),
    ("INFO", 20, "order {n} moved to state PAID by worker-{w}"),
    ("DEBUG", 14, "cache hit for key user:{n} on shard {w}"),
    ("WARN", 4, "retry {w} of 5 for call to billing, last error timeout after {ms} ms"),
    ("ERROR", 1.9, "request {n} failed: upstream closed the connection"),
    ("ERROR", 0.1, "Connection pool exhausted: pool=main active={w} waiting={ms}"),
)
_TRACE = "\n".join(
    ("java.io.IOException: broken pipe", *(f"\tat com.shop.io.Pipe.m{n}(Pipe.java:{n}2)" for n in range(6)))
)


@dataclass(frozen=True)
class Corpus:
    """What was written."""

    folder: Path
    n_bytes: int
    n_lines: int


def write_corpus(folder: Path, n_bytes: int, *, late_s: float = 0, seed: int = 7) -> Corpus:
    """About ``n_bytes`` of logs in ``folder``, which must be empty; writes files.

    Each record may stand up to ``late_s`` seconds behind its place in time.
    """
    lines, written = 0, 0
    for suffix, services in (("jsonl", _JSON_SERVICES), ("log", _TEXT_SERVICES)):
        n_files = len(services) * _FILES_EACH
        per_file = n_bytes // 2 // n_files
        for service in services:
            for part in range(_FILES_EACH):
                path = folder / service / f"{service}-2026-03-02.{part}.{suffix}"
                path.parent.mkdir(exist_ok=True)
                lines += _write_file(path, service, part, per_file, _Dice(f"{seed} {path.name}", late_s))
                written += path.stat().st_size
    return Corpus(folder, written, lines)


class _Dice:
    """Chances of one file: those of lateness apart, so that the other words of a line are the same without it."""

    def __init__(self, seed: str, late_s: float) -> None:
        self.words = Random(seed)
        self._late = Random(f"{seed} late")
        self._late_s = late_s

    def late(self) -> timedelta:
        """How long a record waited before it was written."""
        return timedelta(seconds=self._late.uniform(0, self._late_s)) if self._late_s else timedelta(0)


def _write_file(path: Path, service: str, part: int, n_bytes: int, dice: _Dice) -> int:
    n_lines = max(1, n_bytes // _BYTES_A_LINE[path.suffix[1:]])
    quarter = (UNTIL - FROM) / _FILES_EACH
    step = quarter / n_lines
    build = _json_line if path.suffix == ".jsonl" else _text_line
    with path.open("w", encoding="utf-8") as file:
        file.writelines(
            _lines(
                FROM + part * quarter, step, n_lines, lambda at: build(dice.words, service, max(at - dice.late(), FROM))
            )
        )
    return n_lines


def _lines(start: datetime, step: timedelta, n_lines: int, build: Callable[[datetime], str]) -> Iterator[str]:
    for place in range(n_lines):
        yield build(start + place * step)


def _said(rng: Random) -> tuple[str, str]:
    level, _, text = rng.choices(_SAID, _WEIGHTS)[0]
    return level, text.format(n=rng.randrange(10**6), ms=rng.randrange(3000), w=rng.randrange(40))


_WEIGHTS = [weight for _, weight, _ in _SAID]


def _json_line(rng: Random, service: str, at: datetime) -> str:
    level, message = _said(rng)
    row = {
        "ts": at.isoformat(timespec="milliseconds"),
        "service": service,
        "level": level,
        "message": message,
        "trace_id": f"{rng.getrandbits(64):016x}",
        "host": f"node-{rng.randrange(12)}",
        "duration_ms": rng.randrange(90000) / 100,
        "tenant": f"t{rng.randrange(500)}",
    }
    return json.dumps(row) + "\n"


def _text_line(rng: Random, _service: str, at: datetime) -> str:
    level, message = _said(rng)
    stamp = at.isoformat(sep=" ", timespec="milliseconds").removesuffix("+00:00").replace(".", ",")
    line = f"{stamp} {level:5} [worker-{rng.randrange(16)}] com.shop.{rng.randrange(30)}.Job - {message}\n"
    return f"{line}{_TRACE}\n" if level == "ERROR" and rng.random() < 0.2 else line
