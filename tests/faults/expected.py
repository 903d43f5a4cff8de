"""What each cell must come to, by the table of ends in the contracts; and why a cell cannot occur."""

from state.model.enums import FailureCode, FallbackType, ReleaseOutcome
from tests.faults.dimensions import JUMPS, MODELS, NODES, READS, SOURCES, STORES, WRITES, Kind, Part

Ending = FailureCode | FallbackType | ReleaseOutcome
"""A failure's code, a fallback's type, or SUCCESS."""

SUCCESS = ReleaseOutcome.SUCCESS
LOST = FailureCode.RUN_PERSISTENCE_FAILED
BUG = FailureCode.INTERNAL_FAILURE
FACTS = FallbackType.INSUFFICIENT_EVIDENCE
REJECTED = FallbackType.EVIDENCE_VALIDATION_FAILED
LATE = FailureCode.RUN_TIMED_OUT

TRUTH = frozenset({Part.CONTROL, Part.LEDGER, Part.CANONICAL})
"""Fail closed; the other stores fail open."""

_MODEL: dict[Part, Ending] = {
    Part.ROUTER: FailureCode.ROUTING_UNAVAILABLE,
    Part.AGENT: FACTS,
    Part.REPAIR: REJECTED,
    Part.REVIEW: FallbackType.SEMANTIC_UNAVAILABLE,
}


def impossible(node: str, part: Part, kind: Kind) -> str | None:
    """Why the cell cannot occur; None if it can."""
    if (part is Part.CLOCK) != (kind in JUMPS):
        return "a clock neither fails nor waits" if part is Part.CLOCK else "only a clock jumps"
    if part in MODELS:
        return None if MODELS[part] == node else "asks another model or none"
    if part in SOURCES:
        asks = node == "tool_gate" or (node, part) == ("answer_knowledge", Part.KNOWLEDGE)
        return None if asks else "reaches no source"
    if part in STORES:
        return _not_in_store(node, part, kind)
    if part is Part.CHECKPOINTS and kind is Kind.WRONG and node != "open_run":
        return "checkpoints are read once, before the first node"
    return None


def _not_in_store(node: str, part: Part, kind: Kind) -> str | None:
    if node not in READS[part] | WRITES[part]:
        return "does not use it"
    if kind in {Kind.HANG, Kind.PARTIAL} and node not in WRITES[part]:
        return "only reads: a reader of a SQLite file waits for nobody, and of servers see test_outages"
    if kind is Kind.WRONG and part in {Part.EVENTS, Part.RECORDING}:
        return "nothing is read back"
    if kind is Kind.WRONG and node not in READS[part]:
        return "only writes"
    return None


def expected(node: str, part: Part, kind: Kind) -> Ending:
    """The end by the contracts."""
    if (node, part, kind) in SPECIAL:
        return SPECIAL[node, part, kind]
    if part is Part.CLOCK or kind is Kind.SLOW:
        return SUCCESS
    if part in MODELS:
        return BUG if kind is Kind.BUG else _MODEL[part]
    if part in SOURCES:
        return SUCCESS
    if part is Part.CHECKPOINTS:
        return _after_checkpoint(node, kind)
    if part in TRUTH:
        return _without_truth(kind)
    return SUCCESS


def _after_checkpoint(node: str, kind: Kind) -> Ending:
    """Once the run is closed nothing depends on its last checkpoint."""
    if node == "close_run" or kind is Kind.WRONG:
        return SUCCESS
    return BUG if kind is Kind.BUG else LOST


def _without_truth(kind: Kind) -> Ending:
    match kind:
        case Kind.BUG:
            return BUG
        case Kind.WRONG:
            return SUCCESS
    return LOST


SPECIAL: dict[tuple[str, Part, Kind], Ending] = {
    # A draft that quotes what no result holds is the guard's to refuse.
    ("agent", Part.AGENT, Kind.WRONG): REJECTED,
    ("guard_evidence", Part.CANONICAL, Kind.WRONG): REJECTED,
    # Evidence that reads otherwise at the end than where it was decided on.
    ("answer_knowledge", Part.CANONICAL, Kind.WRONG): LOST,
    ("release", Part.CANONICAL, Kind.WRONG): LOST,
    ("close_run", Part.CANONICAL, Kind.WRONG): LOST,
    # A row of another run is no row of this one.
    ("close_run", Part.CONTROL, Kind.WRONG): LOST,
    # The transaction that ends the run is done; only its reply was lost, and is read back.
    ("close_run", Part.CONTROL, Kind.PARTIAL): SUCCESS,
    # The documents did not answer, and nothing else is asked.
    ("answer_knowledge", Part.KNOWLEDGE, Kind.EXCEPTION): FailureCode.KNOWLEDGE_UNAVAILABLE,
    ("answer_knowledge", Part.KNOWLEDGE, Kind.BUG): FailureCode.KNOWLEDGE_UNAVAILABLE,
    ("answer_knowledge", Part.KNOWLEDGE, Kind.HANG): FailureCode.KNOWLEDGE_UNAVAILABLE,
    ("answer_knowledge", Part.KNOWLEDGE, Kind.WRONG): FailureCode.KNOWLEDGE_UNAVAILABLE,
    # Evidence is kept for 2 h 10 min: three hours later there is none to cite.
    ("track_progress", Part.CLOCK, Kind.AHEAD): REJECTED,
    ("guard_evidence", Part.CLOCK, Kind.AHEAD): REJECTED,
    ("repair_draft", Part.CLOCK, Kind.AHEAD): REJECTED,
    # An hour of active time is over the deadline: the row of the table that comes first.
    ("route", Part.CLOCK, Kind.ASLEEP): FailureCode.ROUTING_UNAVAILABLE,
    ("agent", Part.CLOCK, Kind.ASLEEP): LATE,
    ("tool_gate", Part.CLOCK, Kind.ASLEEP): FACTS,
    ("track_progress", Part.CLOCK, Kind.ASLEEP): FACTS,
    ("guard_evidence", Part.CLOCK, Kind.ASLEEP): FallbackType.SEMANTIC_UNAVAILABLE,
    ("repair_draft", Part.CLOCK, Kind.ASLEEP): REJECTED,
    ("guard_semantics", Part.CLOCK, Kind.ASLEEP): FallbackType.SEMANTIC_UNAVAILABLE,
}
"""Cells that follow no rule of a whole part, each by its own row of the table of ends."""
RECORDS: dict[Kind, str] = {
    Kind.EXCEPTION: "TOOL_EXECUTION_ERROR",
    Kind.BUG: "TOOL_EXECUTION_ERROR",
    Kind.HANG: "TOOL_TIMEOUT",
    Kind.SLOW: "COMPLETE",
    Kind.PARTIAL: "PARTIAL",
    Kind.WRONG: "OBSERVATION_CONTRACT_MISMATCH",
}
"""What becomes of the call: the code of its error, else the coverage of its result."""
RECORDS_OF: dict[tuple[Part, Kind], str] = {
    # Half a ranking is a ranking, and half a text a text: neither says that the rest is missing.
    (Part.KNOWLEDGE, Kind.PARTIAL): "COMPLETE",
    (Part.MCP, Kind.PARTIAL): "COMPLETE",
    # Found where it is: the index cannot be compared with, rows have another shape, an image is no text and left out.
    (Part.KNOWLEDGE, Kind.WRONG): "TOOL_EXECUTION_ERROR",
    (Part.SQL, Kind.WRONG): "PROJECTION_ERROR",
    (Part.MCP, Kind.WRONG): "PARTIAL",
}
UNOPENED = frozenset({Kind.EXCEPTION, Kind.BUG, Kind.HANG})
"""Of the control store while it opens the run: there is no row then, so nothing can be kept or closed."""
FALSIFIED = frozenset({("close_run", Part.LEDGER, Kind.WRONG), ("close_run", Part.AUDIT, Kind.WRONG)})
"""The trace itself is written from what is not so; that it is must be seen."""

TABLE = [(node, part, kind) for node in NODES for part in Part for kind in Kind if impossible(node, part, kind) is None]
