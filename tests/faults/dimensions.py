"""The dimensions of the fault table: every node, everything a node depends on, every way that can go wrong."""

from enum import StrEnum

NODES = (
    "open_run",
    "route",
    "answer_chat",
    "answer_knowledge",
    "agent",
    "tool_gate",
    "track_progress",
    "guard_evidence",
    "repair_draft",
    "guard_semantics",
    "release",
    "close_run",
)


class Part(StrEnum):
    """What a node may depend on."""

    ROUTER = "router model"
    AGENT = "agent model"
    REPAIR = "repair model"
    REVIEW = "review model"
    CANONICAL = "canonical store"
    CONTROL = "control store"
    LEDGER = "ledger"
    EVENTS = "public events"
    AUDIT = "audit"
    RECORDING = "recording"
    CHECKPOINTS = "checkpointer"
    KNOWLEDGE = "knowledge index"
    LOGS = "log source"
    SQL = "SQL source"
    METRICS = "metric source"
    ALERTS = "alert source"
    MCP = "MCP server"
    CLOCK = "clock"


class Kind(StrEnum):
    """What goes wrong with it, at every use of it in the node."""

    EXCEPTION = "exception"
    """The error the vendor gives: no connection, disk full, 503."""
    BUG = "bug"
    """An error nobody foresaw, with internals in its text."""
    HANG = "hang"
    """It never answers; what bounds the wait is part of the product."""
    SLOW = "slow"
    """It answers late, within its time."""
    PARTIAL = "partial"
    """A write is done and its reply lost; an answer ends in the middle."""
    WRONG = "wrong data"
    """It answers in the right form with what is not so."""
    AHEAD = "jumps ahead"
    """The wall clock is three hours later."""
    BACK = "jumps back"
    """The wall clock is three hours earlier."""
    ASLEEP = "was suspended"
    """The machine slept for an hour: the monotonic clock says so."""


MODELS = {Part.ROUTER: "route", Part.AGENT: "agent", Part.REPAIR: "repair_draft", Part.REVIEW: "guard_semantics"}
"""The one node that asks each role."""
SOURCES = (Part.KNOWLEDGE, Part.LOGS, Part.SQL, Part.METRICS, Part.ALERTS, Part.MCP)
STORES = (Part.CANONICAL, Part.CONTROL, Part.LEDGER, Part.EVENTS, Part.AUDIT, Part.RECORDING)
JUMPS = (Kind.AHEAD, Kind.BACK, Kind.ASLEEP)

_ASKS = frozenset({"route", "answer_knowledge", "agent", "tool_gate", "repair_draft", "guard_semantics"})
"""Nodes that ask a model or a source."""
READS: dict[Part, frozenset[str]] = {
    Part.CANONICAL: frozenset(NODES) - {"open_run", "route", "answer_chat", "track_progress"},
    Part.CONTROL: frozenset({"open_run", "close_run"}),
    Part.LEDGER: _ASKS | {"track_progress", "close_run"},
    Part.EVENTS: frozenset(),
    Part.AUDIT: frozenset({"close_run"}),
    Part.RECORDING: frozenset(),
}
"""Nodes that read the store. Measured against what really happens, as is the next table."""
WRITES: dict[Part, frozenset[str]] = {
    Part.CANONICAL: frozenset({"open_run", "answer_knowledge", "tool_gate"}),
    Part.CONTROL: frozenset({"open_run", "route", "close_run"}),
    Part.LEDGER: _ASKS,
    Part.EVENTS: frozenset(NODES) - {"track_progress", "repair_draft", "release", "close_run"},
    Part.AUDIT: frozenset(NODES),
    Part.RECORDING: _ASKS | {"open_run"},
}
"""Nodes that write to it."""
