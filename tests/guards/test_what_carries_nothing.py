"""What looks like evidence and shows nothing: the request itself, counts of a part, notes that no document holds."""

from typing import Any

import pytest

from guards.claims.equalities import demanded_instants, tables_read
from guards.evidence import EvidenceContext, judge
from state.model.draft import Analysis, Derived, FieldRef, Limitations, Quote
from state.model.enums import ConclusionKind, Coverage, DerivedOp, EvidenceKind
from state.model.evidence import Item, Projection, Scope
from tests.builders import (
    CHUNK,
    HIKARI,
    LOGS,
    NOW,
    ORDER,
    ORDERS,
    PATTERN,
    RUN,
    RUNBOOK,
    WINDOW,
    a_conclusion,
    a_draft,
    a_projection,
    a_quote,
    a_record,
    a_runbook_projection,
    an_analysis,
    an_orders_projection,
)

NOTE = Item(
    item_id="alert:01:note:1",
    kind=EvidenceKind.KNOWLEDGE,
    text="annotations of Latency: ORA-12519 on db-primary-svc, leakyJob exhausted max_connections",
    identified=True,
)
ALERT = Item(item_id="alert:01", kind=EvidenceKind.TELEMETRY, text="Latency firing", identified=True)
SERIES = Item(item_id="ser:1:2", kind=EvidenceKind.TELEMETRY, text="pool_active: mean 3", fields={"mean": 3})
OTHER = HIKARI.model_copy(update={"item_id": "log:x:2", "fields": {**HIKARI.fields, "service": "order-service"}})
QUOTE = a_quote(text="Connection is not available")


def refused(text: str, *projections: Projection, quotes: tuple[Quote, ...], **over: Any) -> list[str]:
    """The words refused in a text that is both the only analysis and the conclusion."""
    ids = tuple(dict.fromkeys(quote.tool_call_id for quote in quotes))
    analysis = an_analysis(text=text, tool_call_ids=ids, quotes=quotes, derived=over.pop("derived", ()))
    return refused_draft((analysis,), text, *projections, **over)


def refused_draft(analyses: tuple[Analysis, ...], text: str, *projections: Projection, **over: Any) -> list[str]:
    names = tuple(analysis.analysis_id or "" for analysis in analyses)
    draft = a_draft(
        conclusion=a_conclusion(text=text, based_on_analysis_ids=names, **over),
        analysis=analyses,
        action_plan=(),
        recommendations=(),
        hypotheses=(),
        limitations=Limitations(scope="payments"),
    )
    context = EvidenceContext(run_id=RUN, question="Why?", judged_at=NOW)
    records = {one.tool_call_id: a_record(one) for one in projections}
    return list(dict.fromkeys(one.what for one in judge(draft, records, context).violations))


# the request


@pytest.mark.parametrize("condition", ["error <> 'ORA-12519'", "error = 'ORA-12519'", "note LIKE '%ORA-12519%'"])
def test_a_literal_of_a_statement_is_no_fact(condition: str) -> None:
    scope = Scope(source="shop", query=f"SELECT status, n FROM orders WHERE {condition}")
    found = refused(
        "Orders are FAILED with ORA-12519.",
        an_orders_projection(scope=scope),
        quotes=(a_quote(ORDER, ORDERS, "status=FAILED"),),
    )

    assert found == ["ORA-12519"]


def test_a_threshold_of_a_statement_is_no_fact() -> None:
    scope = Scope(source="prom", window=WINDOW, query="pool_active < 4480")
    projection = a_projection(tool="query_metrics", scope=scope, items=(SERIES,))

    assert refused("The pool reached 4480.", projection, quotes=(a_quote(SERIES, text="pool_active"),)) == ["4480"]
    assert refused("The pool is at 3.", projection, quotes=(a_quote(SERIES, text="pool_active"),)) == []


@pytest.mark.parametrize("name", ["note", "service", "contains"])
def test_an_argument_of_a_remote_tool_is_no_fact(name: str) -> None:
    item = Item(item_id="mcp:1:2", kind=EvidenceKind.TELEMETRY, text="deploys ok")
    scope = Scope(source="ops", filters={name: "db-primary-svc leaked 512 connections"})
    projection = a_projection(tool="mcp__ops__deploys", scope=scope, items=(item,), total_matches=None)

    assert "db-primary-svc" in refused("deploys ok, db-primary-svc leaked 512.", projection, quotes=(a_quote(item),))


def test_a_filter_that_the_items_confirm_is_a_fact() -> None:
    confirmed = a_projection(scope=Scope(source="payments", filters={"service": "payment-service"}))
    text = "payment-service reports: Connection is not available."

    assert refused(text, confirmed, quotes=(QUOTE,)) == []


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("SELECT n FROM t WHERE taken_at = '2026-03-17T14:22:00Z' AND a = 1", "'2026-03-17T14:22:00Z'"),
        ("SELECT n FROM t WHERE taken_at = '2026-03-17 14:22:00' GROUP BY 1", "'2026-03-17 14:22:00'"),
        ("SELECT n FROM t WHERE taken_at <> '2026-03-17T14:22:00Z'", ""),
        ("SELECT n FROM t WHERE taken_at > '2026-03-17T14:22:00Z'", ""),
        ("SELECT n FROM t WHERE NOT taken_at = '2026-03-17T14:22:00Z'", ""),
        ("SELECT n FROM t WHERE 1 = 1 OR a = 1 AND taken_at = '2026-03-17T14:22:00Z'", ""),
        ("SELECT n FROM t WHERE taken_at = '2026-03-17T14:22:00Z' = 0", ""),
        ("SELECT n FROM t WHERE (taken_at = '2026-03-17T14:22:00Z') = 0", ""),
        ("SELECT n FROM t WHERE a = 'x WHERE b = ''2026-03-17T14:22:00Z'", ""),
        ("SELECT n FROM t WHERE error = 'ORA-12519'", ""),
    ],
)
def test_only_an_instant_that_every_row_must_have_is_taken_from_a_statement(sql: str, found: str) -> None:
    assert demanded_instants(sql) == found


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("SELECT a FROM config_changes JOIN shop.orders o ON o.id = a WHERE b <> 'x'", "config_changes\nshop.orders"),
        ("SELECT a FROM t WHERE b <> ' FROM leaky_job'", "t"),
        ("WITH leaky_job AS (SELECT 1) SELECT * FROM leaky_job", ""),
        ("SELECT a /* FROM leaky_job */ FROM t", ""),
        ('SELECT a AS "x FROM leaky_job" FROM t', ""),
    ],
)
def test_the_tables_read_are_known_but_no_name_that_a_statement_gives(sql: str, found: str) -> None:
    assert tables_read(sql) == found


# a part of what there was


def test_counts_of_a_part_are_no_counts() -> None:
    part = a_projection(items=(HIKARI, OTHER, PATTERN), total_matches=None, coverage=Coverage.PARTIAL)
    pattern = (a_quote(PATTERN, text="Connection is not available"),)
    count = FieldRef(tool_call_id=LOGS, item_id=PATTERN.item_id, field="count")
    double = (Derived(op=DerivedOp.SUM, inputs=(count,), value=812),)

    assert refused("It failed 812 times.", part, quotes=pattern) == ["812 times"]
    assert refused("It failed 812 times.", part, quotes=pattern, derived=double) != []
    assert refused("Two services failed.", part, quotes=(QUOTE, a_quote(OTHER, text="ERROR"))) == ["Two"]
    assert refused("It failed 812 times.", a_projection(), quotes=pattern) == []


def test_a_cut_display_keeps_the_counts_of_its_patterns_and_loses_totals() -> None:
    cut = a_projection(items=(HIKARI, OTHER, PATTERN), truncated=True)
    pattern = (a_quote(PATTERN, text="Connection is not available"),)

    assert refused("It failed 812 times.", cut, quotes=pattern) == []
    assert refused("It failed 835 times.", cut, quotes=pattern) == ["835 times"]
    assert refused("It failed 812 times, all in payment-service.", cut, quotes=pattern) == ["all"]
    assert refused("Two services failed.", cut, quotes=(QUOTE, a_quote(OTHER, text="ERROR"))) == ["Two"]


def test_a_whole_result_beside_a_part_makes_no_whole() -> None:
    part = a_projection(coverage=Coverage.PARTIAL, total_matches=None)
    quotes = (QUOTE, a_quote(ORDER, ORDERS, "status=FAILED"))

    assert refused("Only payment-service is FAILED.", part, an_orders_projection(), quotes=quotes) == ["only"]
    assert refused("Only payment-service is FAILED.", a_projection(), an_orders_projection(), quotes=quotes) == []


@pytest.mark.parametrize("word", ["All", "Each of the", "Every one of the"])
def test_a_runbook_that_says_all_makes_no_part_a_whole(word: str) -> None:
    part = a_projection(coverage=Coverage.PARTIAL, total_matches=None)
    chunk = CHUNK.model_copy(update={"text": "All, each and every one of the pods of payment-service log ERROR then."})
    advice = an_analysis(
        analysis_id="advice", text=chunk.text, tool_call_ids=(RUNBOOK,), quotes=(a_quote(chunk, RUNBOOK),)
    )
    text = f"{word} payment-service log ERROR."

    found = refused_draft((an_analysis(), advice), text, part, a_runbook_projection(items=(chunk,)))

    assert word.split()[0].lower() in found


# notes and documents


@pytest.mark.parametrize("kind", [ConclusionKind.ROOT_CAUSE, ConclusionKind.OBSERVATION])
def test_a_note_beside_an_alert_is_no_document(kind: ConclusionKind) -> None:
    alerts = a_projection(tool="list_alerts", scope=Scope(source="alerts"), items=(ALERT, NOTE), total_matches=1)
    quotes = (a_quote(ALERT), a_quote(NOTE))

    assert "ORA-12519" in refused("Latency firing. The runbook names ORA-12519.", alerts, quotes=quotes, kind=kind)
    assert "max_connections" in refused("Latency firing: max_connections.", alerts, quotes=quotes, kind=kind)


@pytest.mark.parametrize(
    ("kind", "found"), [(ConclusionKind.ROOT_CAUSE, ["ORA-12519"]), (ConclusionKind.OBSERVATION, [])]
)
def test_an_attribution_serves_no_cause(kind: ConclusionKind, found: list[str]) -> None:
    chunk = CHUNK.model_copy(update={"text": "ORA-12519 means that the pool is full."})
    advice = an_analysis(
        analysis_id="advice",
        text="ORA-12519 means that the pool is full.",
        tool_call_ids=(RUNBOOK,),
        quotes=(a_quote(chunk, RUNBOOK),),
    )
    projections = (a_projection(), a_runbook_projection(items=(chunk,)))
    text = "HikariPool-1 was full. The runbook names ORA-12519."

    assert refused_draft((an_analysis(), advice), text, *projections, kind=kind) == found
