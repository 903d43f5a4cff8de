"""Hypothesis strategies: drafts and records that are mostly valid with faults mixed in, and hostile text."""

from datetime import timedelta
from functools import cache
from typing import Any

from hypothesis import strategies as st

from state.model.draft import (
    Action,
    Analysis,
    Conclusion,
    Derived,
    Draft,
    FieldRef,
    Hypothesis,
    Limitations,
    Quote,
    Recommendation,
)
from state.model.enums import (
    AnalysisKind,
    ConclusionKind,
    Coverage,
    DerivedOp,
    EvidenceStatus,
    HypothesisStatus,
    InvocationStatus,
)
from state.model.evidence import CanonicalRecord
from state.model.ids import ToolCallId
from tests import builders as b

CALLS = (b.LOGS, b.ORDERS, b.RUNBOOK, b.EMPTY)
PIECES = (
    *("30000 ms", "30 s", "4.2 s", "812", "1,240", "92%", "14:05", "14:05:31", "2026-03-02", "22点05分", "约30秒"),
    *("payment-service", "HikariPool-1", "maximumPoolSize", "DEADLINE_EXCEEDED", "db-9", "5xx", "/api/v1/pay"),
    *(
        "because",
        "healthy",
        "all",
        "only",
        "正常",
        "导致",
        "全部",
        "runbook",
        "the pool was full",
        "连接池",
        "...",
        "\n",
    ),
)
hostile_text = st.one_of(
    st.text(max_size=60),
    st.text(alphabet="0123456789:-.,/ %smhTZ年月日点分秒万", max_size=60),
    st.text(alphabet=st.characters(categories=["Cc", "Cf", "Zs", "No", "Mn"]), max_size=30),
)
sentences = st.one_of(st.lists(st.sampled_from(PIECES), max_size=6).map(" ".join), hostile_text)
analysis_ids = st.sampled_from(["pool", "advice", "quiet", "ghost", ""])
call_ids = st.sampled_from([*CALLS, "call_ghost", ""])
item_ids = st.sampled_from([b.HIKARI.item_id, b.PATTERN.item_id, b.ORDER.item_id, b.CHUNK.item_id, "ghost", ""])
bases = st.lists(analysis_ids, max_size=3).map(tuple)


@cache
def quotes() -> st.SearchStrategy[Quote]:
    true = st.sampled_from([b.a_quote(), b.a_quote(b.ORDER, b.ORDERS), b.a_quote(b.CHUNK, b.RUNBOOK)])
    return st.one_of(true, st.builds(Quote, tool_call_id=call_ids, item_id=item_ids, text=sentences))


@cache
def derived_values() -> st.SearchStrategy[Derived]:
    refs = st.builds(
        FieldRef,
        tool_call_id=call_ids,
        item_id=item_ids,
        field=st.sampled_from(["count", "n", "first_ts", "ghost", ""]),
    )
    return st.builds(
        Derived,
        op=st.sampled_from(DerivedOp),
        inputs=st.lists(refs, max_size=3).map(tuple),
        value=st.floats(allow_nan=True, allow_infinity=True),
        rounding=st.one_of(st.none(), st.integers(-6, 9)),
    )


@cache
def analyses() -> st.SearchStrategy[Analysis]:
    wild = st.builds(
        Analysis,
        analysis_id=analysis_ids,
        kind=st.one_of(st.none(), st.sampled_from(AnalysisKind)),
        text=sentences,
        tool_call_ids=st.lists(call_ids, max_size=3).map(tuple),
        quotes=st.lists(quotes(), max_size=2).map(tuple),
        derived=st.lists(derived_values(), max_size=1).map(tuple),
    )
    return st.one_of(st.sampled_from([b.an_analysis(), b.a_runbook_analysis(), b.a_negative()]), wild)


@cache
def conclusions() -> st.SearchStrategy[Conclusion | None]:
    wild = st.builds(Conclusion, kind=st.sampled_from(ConclusionKind), text=sentences, based_on_analysis_ids=bases)
    return st.one_of(st.just(b.a_conclusion()), wild, st.none())


@cache
def drafts() -> st.SearchStrategy[Draft]:
    wild = st.builds(
        Draft,
        conclusion=conclusions(),
        analysis=st.lists(analyses(), max_size=4).map(tuple),
        action_plan=st.lists(st.builds(Action, action=sentences, based_on_analysis_ids=bases), max_size=1).map(tuple),
        recommendations=st.lists(
            st.builds(Recommendation, text=sentences, based_on_analysis_ids=bases), max_size=1
        ).map(tuple),
        hypotheses=st.lists(
            st.builds(
                Hypothesis, text=sentences, status=st.sampled_from(HypothesisStatus), based_on_analysis_ids=bases
            ),
            max_size=2,
        ).map(tuple),
        limitations=st.builds(
            Limitations,
            scope=sentences,
            missing_info=st.lists(sentences, max_size=2).map(tuple),
            next_check=st.one_of(st.none(), sentences),
        ),
    )
    nearly = st.fixed_dictionaries(
        {},
        optional={
            "conclusion": conclusions(),
            "analysis": st.lists(analyses(), min_size=1, max_size=4).map(tuple),
            "hypotheses": st.just(()),
            "action_plan": st.just(()),
            "recommendations": st.just(()),
        },
    ).map(lambda over: b.a_draft(**over))
    return st.one_of(nearly, wild)


def _orders() -> Analysis:
    text = "1240 orders FAILED after 4.2 s on average."
    return b.an_analysis(
        analysis_id="orders", text=text, tool_call_ids=(b.ORDERS,), quotes=(b.a_quote(b.ORDER, b.ORDERS),)
    )


@cache
def true_drafts() -> st.SearchStrategy[Draft]:
    """Drafts made of true parts in any order and number: each passes against ``the_records()``."""
    extra = st.lists(
        st.sampled_from([b.a_runbook_analysis(), b.a_negative(), _orders()]), unique_by=lambda a: a.analysis_id
    )
    analysis = extra.flatmap(lambda more: st.permutations([b.an_analysis(), *more])).map(tuple)
    texts = st.sampled_from(
        [
            "HikariPool-1 had no free connection.",
            "payment-service waited 30 s for HikariPool-1.",
            "连接池HikariPool-1已耗尽。",
        ]
    )
    conclusion = texts.map(lambda text: b.a_conclusion(text=text))
    rest = {"action_plan": (), "recommendations": b.a_draft().recommendations, "hypotheses": ()}
    return st.builds(lambda a, c: b.a_draft(analysis=a, conclusion=c, **rest), analysis, conclusion)


@cache
def records() -> st.SearchStrategy[CanonicalRecord]:
    """One of the four results, sound or with one thing wrong."""
    sound = st.sampled_from(tuple(b.the_records().values()))
    faults: list[dict[str, Any]] = [
        {},
        {"run_id": b.OTHER_RUN},
        {"status": InvocationStatus.PROJECTING, "evidence_status": None},
        {"status": InvocationStatus.ERROR, "evidence_status": EvidenceStatus.ERROR},
        {"projection_json": None},
        {"projection_sha256": "0" * 64},
        {"expires_at": b.NOW - timedelta(seconds=1)},
        {"tool_call_id": ToolCallId("call_other")},
    ]
    return st.builds(lambda record, over: record.model_copy(update=over), sound, st.sampled_from(faults))


@cache
def record_maps() -> st.SearchStrategy[dict[ToolCallId, CanonicalRecord]]:
    """Records by call id: often all four, sometimes fewer, sometimes with a fault or a cut result."""
    sound = b.the_records()
    cut = [b.a_record(b.a_projection(**over)) for over in ({"truncated": True}, {"coverage": Coverage.PARTIAL})]
    changed = st.lists(records(), max_size=2).map(lambda found: {CALLS[i]: one for i, one in enumerate(found)})
    return st.one_of(
        st.just(sound),
        st.sampled_from([{**sound, b.LOGS: one} for one in cut]),
        changed.map(lambda over: {**sound, **over}),
        changed,
    )
