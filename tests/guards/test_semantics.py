"""The isolated review: no id of ours, bounded evidence that keeps every quote, a verdict read strictly."""

import json
from typing import Any

import pytest

from guards.semantics import MAX_EVIDENCE_BYTES, build_review, parse_verdict
from state.model.draft import Draft, shown_texts
from state.model.enums import SemanticVerdict
from state.model.ids import RunId
from tests.builders import (
    CHUNK,
    HIKARI,
    OTHER_RUN,
    PATTERN,
    QUESTION,
    RUN,
    a_draft,
    a_projection,
    a_quote,
    a_record,
    an_analysis,
    the_records,
)


def review(draft: Draft | None = None, records: Any = None, run_id: RunId = RUN) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(
        build_review(QUESTION, draft or a_draft(), records or the_records(), run_id=run_id)
    )
    return parsed


def test_the_reviewer_sees_the_visible_draft() -> None:
    shown = review()["draft"]

    assert shown["conclusion"] == {
        "kind": "ROOT_CAUSE",
        "text": a_draft().conclusion.text,  # type: ignore[union-attr]
        "based_on": ["A1"],
    }
    assert [one["ref"] for one in shown["analysis"]] == ["A1", "A2", "A3"]
    assert shown["actions"] == [{"text": "Raise maximumPoolSize.", "based_on": ["A2"]}]
    assert shown["hypotheses"] == [{"text": a_draft().hypotheses[0].text, "status": "OPEN", "based_on": ["A1", "A2"]}]
    assert shown["limitations"] == a_draft().limitations.model_dump(mode="json")
    assert set(shown) == {"conclusion", "analysis", "actions", "recommendations", "hypotheses", "limitations"}


def test_the_reviewer_sees_every_text_that_a_person_will_see() -> None:
    draft = a_draft()
    shown = json.dumps(review(draft), ensure_ascii=False)

    assert [words for _, words in shown_texts(draft) if words not in shown] == []


def test_the_reviewer_sees_cited_items_only() -> None:
    evidence = review()["evidence"]

    assert [(one["ref"], one["text"]) for one in evidence] == [("E1", HIKARI.text), ("E2", CHUNK.text), ("E3", "")]
    assert PATTERN.text not in json.dumps(evidence)
    assert set(evidence[0]) == {"ref", "kind", "tool", "source", "window", "evidence_status", "text", "fields"}


def test_an_absence_shows_what_was_searched() -> None:
    shown = review()

    assert shown["draft"]["analysis"][2]["quotes"] == [{"evidence": "E3", "text": ""}]
    assert shown["evidence"][2]["evidence_status"] == "NO_EVIDENCE"
    assert shown["evidence"][2]["fields"] == {"service": "db-primary", "level": "ERROR"}


def test_no_id_of_ours_is_shown() -> None:
    text = build_review(QUESTION, a_draft(), the_records(), run_id=RUN)

    for ours in (RUN, *the_records(), HIKARI.item_id, CHUNK.item_id, '"pool"', '"quiet"'):
        assert ours not in text


def test_records_of_another_run_are_no_evidence() -> None:
    assert review(run_id=OTHER_RUN)["evidence"] == []


def test_large_evidence_is_cut_around_its_quotes() -> None:
    quotes = tuple(f"marker {n} of the failure" for n in range(12))
    items = tuple(
        HIKARI.model_copy(
            update={"item_id": f"log:{n}", "text": "长" * 3000 + quote + "x" * 3000, "fields": {"k": "v" * 500}}
        )
        for n, quote in enumerate(quotes)
    )
    analysis = an_analysis(quotes=tuple(a_quote(item, text=quote) for item, quote in zip(items, quotes, strict=True)))
    draft = a_draft(analysis=(analysis,))
    shown = review(draft, the_records(a_record(a_projection(items=items))))["evidence"]

    assert len(json.dumps({"evidence": shown}, ensure_ascii=False).encode()) <= MAX_EVIDENCE_BYTES
    assert all(quote in one["text"] for quote, one in zip(quotes, shown, strict=True))


def test_quotes_stay_even_where_they_alone_exceed_the_bound() -> None:
    long = "界" * 1000
    items = tuple(HIKARI.model_copy(update={"item_id": f"log:{n}", "text": long}) for n in range(12))
    analysis = an_analysis(quotes=tuple(a_quote(item) for item in items))
    shown = review(a_draft(analysis=(analysis,)), the_records(a_record(a_projection(items=items))))["evidence"]

    assert [one["text"] for one in shown] == [long] * 12


def test_several_quotes_of_one_item_keep_their_order() -> None:
    text = "first mark" + "-" * 20_000 + "second mark"
    item = HIKARI.model_copy(update={"text": text})
    analysis = an_analysis(quotes=(a_quote(item, text="second mark"), a_quote(item, text="first mark")))
    (shown, *_) = review(a_draft(analysis=(analysis,)), the_records(a_record(a_projection(items=(item,)))))["evidence"]

    assert shown["text"].index("first mark") < shown["text"].index("second mark")
    assert len(shown["text"]) < 2000


@pytest.mark.parametrize("verdict", SemanticVerdict)
def test_a_well_formed_verdict_is_read(verdict: SemanticVerdict) -> None:
    assert parse_verdict(f' {{"reason": "why", "verdict": "{verdict}"}}\n') == (verdict, "why")


def test_a_long_reason_is_bounded() -> None:
    parsed = parse_verdict(json.dumps({"verdict": "SUPPORTED", "reason": "x" * 50_000}))

    assert parsed is not None
    assert len(parsed[1]) == 2000


@pytest.mark.parametrize(
    "text",
    [
        "",
        "SUPPORTED",
        "{}",
        '{"verdict": "SUPPORTED"}',
        '{"verdict": "supported", "reason": ""}',
        '{"verdict": "MAYBE", "reason": ""}',
        '{"verdict": "SUPPORTED", "reason": null}',
        '{"verdict": ["SUPPORTED"], "reason": ""}',
        '{"verdict": "SUPPORTED", "reason": "", "score": 1}',
        '{"verdict": "UNSUPPORTED", "verdict": "SUPPORTED", "reason": ""}',
        '```json\n{"verdict": "SUPPORTED", "reason": ""}\n```',
        '{"verdict": "SUPPORTED", "reason": ""} trailing',
        '[{"verdict": "SUPPORTED", "reason": ""}]',
        "[" * 100_000,
    ],
)
def test_anything_else_is_no_verdict(text: str) -> None:
    assert parse_verdict(text) is None
