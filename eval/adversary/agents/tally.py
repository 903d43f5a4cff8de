"""Counts of a campaign: what comes in line by line, what is committed as a file, and the tables made of it. Pure."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from eval.adversary.agents.kinds import Kind
from eval.adversary.agents.oracle import FALSE_RELEASES, PROMISES, Fault
from eval.adversary.agents.stage import Played
from eval.adversary.agents.wire import Json

RELEASED = "RELEASED"
MAX_KEPT = 400
"""Faults that are kept with what is needed to play them again; the rest are only counted."""
_SHOWN = 300
_AGAIN = ("kind", "world", "world_seed", "redacted", "seed", "findings")


@dataclass
class Tally:
    """Everything counted so far."""

    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    """Kind → outcome → runs."""
    worlds: Counter[str] = field(default_factory=Counter)
    faults: dict[str, Counter[str]] = field(default_factory=dict)
    """Kind → fault → runs in which it was found."""
    false_runs: Counter[str] = field(default_factory=Counter)
    """Kind → runs in which something false was released."""
    kept: list[Json] = field(default_factory=list)

    @property
    def n_runs(self) -> int:
        """Runs counted."""
        return sum(counter.total() for counter in self.outcomes.values())

    @property
    def n_false(self) -> int:
        """Runs in which something false was released."""
        return self.false_runs.total()

    def add(self, line: Json) -> None:
        """Count one run."""
        kind = str(line["kind"])
        self.outcomes.setdefault(kind, Counter())[str(line["outcome"])] += 1
        self.worlds[str(line["world"])] += 1
        found = {str(one["fault"]) for one in line["findings"]}
        if found:
            self.faults.setdefault(kind, Counter()).update(found)
        self.false_runs[kind] += bool(found & {fault.value for fault in FALSE_RELEASES})
        if found and len(self.kept) < MAX_KEPT:
            self.kept.append(
                {key: line[key] for key in ("kind", "world", "world_seed", "redacted", "seed", "findings")}
            )

    def dump(self, *, seed: int, wanted: int) -> Json:
        """The committed form; equal campaigns give equal files."""
        kept = sorted(self.kept, key=lambda one: (one["kind"], one["world"], one["world_seed"], one["seed"]))
        return {
            "seed": seed,
            "runs_wanted": wanted,
            "runs": self.n_runs,
            "worlds": dict(sorted(self.worlds.items())),
            "outcomes": {kind: dict(sorted(one.items())) for kind, one in sorted(self.outcomes.items())},
            "faults": {kind: dict(sorted(one.items())) for kind, one in sorted(self.faults.items())},
            "false_releases": {kind: n for kind, n in sorted(self.false_runs.items()) if n},
            "to_play_again": kept,
        }


def load_tally(body: Mapping[str, object]) -> Tally:
    """The counts of a committed file."""
    loaded: Json = json.loads(json.dumps(body))
    return Tally(
        outcomes={kind: Counter(one) for kind, one in loaded["outcomes"].items()},
        worlds=Counter(loaded["worlds"]),
        faults={kind: Counter(one) for kind, one in loaded["faults"].items()},
        false_runs=Counter(loaded["false_releases"]),
        kept=list(loaded["to_play_again"]),
    )


def line_of(played: Played) -> Json:
    """One run as a line between processes."""
    findings = [{"fault": one.fault.value, "detail": one.detail[:_SHOWN]} for one in played.findings]
    return {
        "kind": played.kind.value,
        "world": played.world,
        "seed": played.seed,
        "outcome": played.outcome,
        "findings": findings,
        "seconds": round(played.seconds, 3),
    }


def kind_rows(tally: Tally) -> list[list[str]]:
    """One row per kind: runs, where they ended, what was released, what of it was false."""
    known = [kind.value for kind in Kind if kind.value in tally.outcomes]
    return [
        _row(kind, tally.outcomes[kind], tally.false_runs[kind], tally.faults.get(kind, Counter())) for kind in known
    ]


COLUMNS = (
    "agent",
    "runs",
    "refused by the evidence guard",
    "refused by the reviewer",
    "no conclusion",
    "failed",
    "released",
    "false releases",
    "falsehood shown as unverified",
    "broken promises",
)
"""Of ``kind_rows``."""


def _row(kind: str, ended: Counter[str], n_false: int, faults: Counter[str]) -> list[str]:
    reviewer = ended["SEMANTIC_UNSUPPORTED"] + ended["SEMANTIC_UNAVAILABLE"]
    nothing = ended["INSUFFICIENT_EVIDENCE"] + ended["MISSING_REQUIRED_CONTEXT"]
    named = ended["EVIDENCE_VALIDATION_FAILED"] + reviewer + nothing + ended[RELEASED]
    broken = sum(faults[fault.value] for fault in PROMISES)
    numbers = (
        ended.total(),
        ended["EVIDENCE_VALIDATION_FAILED"],
        reviewer,
        nothing,
        ended.total() - named,
        ended[RELEASED],
        n_false,
        faults[Fault.UNVERIFIED.value],
        broken,
    )
    return [kind, *(str(number) for number in numbers)]


def n_broken(tally: Tally, faults: Iterable[Fault]) -> int:
    """Runs in which one of these faults was found, counted once a fault."""
    wanted = {fault.value for fault in faults}
    return sum(n for counter in tally.faults.values() for fault, n in counter.items() if fault in wanted)
