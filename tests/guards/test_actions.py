"""An action is verified only where an analysis it rests on quotes a document of this run."""

import pytest

from guards.actions import quotes_document, verified_action
from guards.citations import cited_items, evidence_views, verify_all
from state.model.draft import Action
from tests.builders import (
    CHUNK,
    RUN,
    RUNBOOK,
    a_draft,
    a_negative,
    a_quote,
    a_record,
    a_runbook_analysis,
    a_runbook_projection,
    an_analysis,
    an_error_record,
    the_records,
)

RAISE = Action(action="Raise maximumPoolSize.", based_on_analysis_ids=("advice",))


def test_an_action_on_a_runbook_quote_is_verified() -> None:
    assert verified_action(RAISE, a_draft(), the_records(), run_id=RUN)


def test_an_action_on_telemetry_alone_is_only_proposed() -> None:
    action = RAISE.model_copy(update={"based_on_analysis_ids": ("pool", "quiet")})

    assert not verified_action(action, a_draft(), the_records(), run_id=RUN)


def test_an_action_on_nothing_is_only_proposed() -> None:
    assert not verified_action(Action(action="Wait."), a_draft(), the_records(), run_id=RUN)


def test_a_quote_that_is_not_in_the_document_verifies_nothing() -> None:
    wrong = a_runbook_analysis(quotes=(a_quote(CHUNK, RUNBOOK, text="restart everything"),))
    draft = a_draft(analysis=(an_analysis(), wrong, a_negative()))

    assert not verified_action(RAISE, draft, the_records(), run_id=RUN)


def test_a_document_that_cannot_be_read_verifies_nothing() -> None:
    assert not verified_action(RAISE, a_draft(), {RUNBOOK: an_error_record(RUNBOOK)}, run_id=RUN)


def test_an_action_in_words_that_no_passage_holds_is_only_proposed() -> None:
    action = RAISE.model_copy(update={"action": "Drop the orders table and restart everything."})

    assert not verified_action(action, a_draft(), the_records(), run_id=RUN)


@pytest.mark.parametrize("words", ["Do it now or then.", "", "!"])
def test_an_action_that_names_nothing_is_only_proposed(words: str) -> None:
    action = RAISE.model_copy(update={"action": words})

    assert not verified_action(action, a_draft(), the_records(), run_id=RUN)


@pytest.mark.parametrize(
    ("passage", "words", "is_verified"),
    [
        ("Raise the pool. Do not restart the database.", "Restart the database.", False),
        ("Raise the pool. Do not restart the database.", "Do not restart the database.", True),
        ("Raise the pool. Do not restart the database.", "Raise the pool.", True),
        ("先检查长事务。不要直接重启数据库。", "直接重启数据库", False),
        ("先检查长事务。不要直接重启数据库。", "不要直接重启数据库", True),
        ("先检查长事务。不要直接重启数据库。", "检查长事务", True),
    ],
)
def test_a_passage_that_forbids_a_step_does_not_stand_behind_it(passage: str, words: str, is_verified: bool) -> None:
    chunk = CHUNK.model_copy(update={"text": passage})
    records = the_records(a_record(a_runbook_projection(items=(chunk,))))
    draft = a_draft(analysis=(a_runbook_analysis(quotes=(a_quote(chunk, RUNBOOK),)),))
    action = RAISE.model_copy(update={"action": words})

    assert verified_action(action, draft, records, run_id=RUN) is is_verified


def test_published_evidence_says_the_same_as_records() -> None:
    verified = verify_all(the_records(), RUN)
    views = evidence_views(cited_items(a_draft(), verified), verified)

    assert quotes_document(RAISE, a_draft(), views)
    assert not quotes_document(RAISE, a_draft(), ())
