"""Every sequence of model behaviour and tool outcome, to a depth that reaches each limit twice.

Sequences that lead to the same snapshot are continued once: the exploration covers all of them. The model side is
played through ``admit`` as the gate does it; an independent bookkeeper written from the table checks the counters.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from guards.progress import StopRules, advance, deliver_stop
from guards.tool_request import Admitted, admit
from state.model.enums import CollectionState, StopReason, ToolCode
from state.model.ids import ToolCallId
from state.model.progress import CallFailed, Empty, Found, ProgressEvent, ProgressSnapshot, RequestRefused
from state.model.tool_call import ModelCall

RULES = StopRules(no_gain=2, min_tools=2, violations=2, tool_errors=4)
TOOLS = frozenset({"query_logs", "query_sql"})
DEPTH = 9
"""Twice the largest limit (four tool errors), and one more."""

ENVELOPES = ("gained", "no_gain", "absent", "foreign", "not_json", "no_input", "unknown_tool")
OUTCOMES = ("found_new", "found_known", "empty", "duplicate", "refused", "failed")


@dataclass(frozen=True)
class Books:
    """What an independent reader of the table would have counted."""

    no_gain: int = 0
    violations: int = 0
    errors: int = 0
    tools: frozenset[str] = frozenset()
    stopped: StopReason | None = None
    stops_delivered: int = 0


def call_of(tool: str, envelope: str, snapshot: ProgressSnapshot) -> ModelCall:
    name = "no_such_tool" if envelope == "unknown_tool" else tool
    expected = snapshot.awaiting or "call-x"
    gain = {"gained": "GAINED", "no_gain": "NO_GAIN"}.get(envelope)
    previous = f'{{"tool_call_id":"{expected}","information_gain":"{gain}"}}' if gain else "null"
    if envelope == "foreign":
        previous = '{"tool_call_id":"other-run","information_gain":"GAINED"}'
    arguments = f'{{"previous_observation":{previous},"input":{{}}}}'
    if envelope == "not_json":
        arguments = '{"previous_observation":null,"input":'
    if envelope == "no_input":
        arguments = f'{{"previous_observation":{previous}}}'
    return ModelCall(tool_call_id=ToolCallId("c"), name=name, arguments=arguments)


def outcome_of(outcome: str, tool: str, call_id: str) -> ProgressEvent:
    id_ = ToolCallId(call_id)
    match outcome:
        case "found_new":
            return Found(tool_call_id=id_, tool=tool, item_keys=())
        case "found_known":
            return Found(tool_call_id=id_, tool=tool, item_keys=("known",))
        case "empty":
            return Empty(tool_call_id=id_, tool=tool)
        case "duplicate":
            return RequestRefused(code=ToolCode.DUPLICATE_SCOPE)
        case "refused":
            return RequestRefused(code=ToolCode.INVALID_REQUEST)
        case _:
            return CallFailed(tool_call_id=id_, code=ToolCode.TOOL_TIMEOUT)


def saturated_by(books: Books) -> Books:
    if books.stopped is not None:
        return books
    if books.no_gain >= RULES.no_gain and len(books.tools) >= RULES.min_tools:
        return replace(books, stopped=StopReason.INFORMATION_SATURATED)
    return books


def book_assessment(books: Books, envelope: str, *, was_due: bool) -> Books:
    if not was_due:
        return books
    books = replace(books, violations=0)
    if envelope == "gained":
        return replace(books, no_gain=0)
    return saturated_by(replace(books, no_gain=books.no_gain + 1))


def book_violation(books: Books) -> Books:
    books = replace(books, violations=books.violations + 1)
    if books.violations >= RULES.violations and books.stopped is None:
        return replace(books, stopped=StopReason.PROGRESS_PROTOCOL_VIOLATED)
    return books


def book_outcome(books: Books, outcome: str, tool: str) -> Books:
    books = replace(books, violations=0)
    if outcome in {"found_new", "found_known", "empty"}:
        books = replace(books, tools=books.tools | {tool}, errors=0)
    if outcome in {"found_known", "empty", "duplicate"}:
        return saturated_by(replace(books, no_gain=books.no_gain + 1))
    if outcome in {"refused", "failed"}:
        books = replace(books, errors=books.errors + 1)
        if books.errors >= RULES.tool_errors and books.stopped is None:
            return replace(books, stopped=StopReason.TOOLS_FAILING)
    return books


def turns(snapshot: ProgressSnapshot, books: Books) -> Iterator[tuple[ProgressSnapshot, Books]]:
    """Every continuation by one message of the model."""
    for tool in sorted(TOOLS):
        for envelope in ENVELOPES:
            ruling = admit(call_of(tool, envelope, snapshot), snapshot, RULES, tools=TOOLS)
            assert not (isinstance(ruling, Admitted) and snapshot.collection is CollectionState.SATURATED)
            due = snapshot.awaiting is not None and envelope in {"gained", "no_gain"}
            if not isinstance(ruling, Admitted):
                yield finish(snapshot, books, ruling.events, turned_back(books, ruling.feedback.tag, envelope, due=due))
                continue
            for outcome in OUTCOMES:
                event = outcome_of(outcome, tool, f"c-{tool}")
                booked = book_outcome(book_assessment(books, envelope, was_due=due), outcome, tool)
                yield finish(snapshot, books, (*ruling.events, event), booked)


def turned_back(books: Books, tag: str, envelope: str, *, due: bool) -> Books:
    if tag == "violated":
        return book_violation(books)
    return book_assessment(books, envelope, was_due=due and books.stopped is None)


def finish(
    before: ProgressSnapshot, books: Books, events: tuple[ProgressEvent, ...], booked: Books
) -> tuple[ProgressSnapshot, Books]:
    after = deliver_stop(advance(before, events, RULES))
    if after.stop_delivered and not before.stop_delivered:
        booked = replace(booked, stops_delivered=books.stops_delivered + 1)
    return after, booked


def test_every_sequence_keeps_the_protocol() -> None:
    start = ProgressSnapshot(seen_items=("known",))
    frontier = {(start, Books())}
    seen: set[tuple[ProgressSnapshot, Books]] = set(frontier)
    stops: set[StopReason] = set()
    for _ in range(DEPTH):
        reached = {step for snapshot, books in frontier for step in turns(snapshot, books)}
        for snapshot, books in reached:
            check(snapshot, books)
            stops |= {books.stopped} if books.stopped else set()
        frontier = reached - seen
        seen |= reached

    assert stops == {
        StopReason.INFORMATION_SATURATED,
        StopReason.PROGRESS_PROTOCOL_VIOLATED,
        StopReason.TOOLS_FAILING,
    }
    assert len(seen) > 200


def check(snapshot: ProgressSnapshot, books: Books) -> None:
    assert snapshot.stop_reason == books.stopped
    assert (snapshot.collection is CollectionState.SATURATED) == (books.stopped is not None)
    assert books.stops_delivered <= 1
    if books.stopped is None:
        counted = (snapshot.no_gain_run, snapshot.violation_run, snapshot.error_run)
        assert counted == (books.no_gain, books.violations, books.errors)
        assert frozenset(snapshot.answered_tools) == books.tools
