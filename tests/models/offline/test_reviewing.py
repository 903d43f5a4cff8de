"""The offline reviewer: refuses drafts whose words all occur in the evidence, accepts correct ones in free wording."""

import pytest

from models.offline.reviewing import review
from tests.models.offline.review_last import GOOD_LAST, PLANTED_LAST
from tests.models.offline.review_more import GOOD_MORE, PLANTED_MORE
from tests.models.offline.review_set import GOOD, LEAK, PLANTED, PLANTED_LATE, Incident, ev

CORRECT = [*((i, t) for _, i, t in (*GOOD, *GOOD_MORE)), *GOOD_LAST]
WRONG = [*((i, t) for _, i, t in (*PLANTED, *PLANTED_LATE, *PLANTED_MORE)), *PLANTED_LAST]
QUIET = Incident(
    "Is there any error in mailer?",
    (
        ev("TELEMETRY", "", level="ERROR") | {"evidence_status": "NO_EVIDENCE", "fields": {"service": "mailer"}},
        ev("TELEMETRY", "delivered 40 messages", service="mailer", ts="2026-05-06T10:00:00+00:00"),
    ),
)


def verdict(incident, text, kind="ROOT_CAUSE"):
    return review(incident.request(text, kind))["verdict"]


@pytest.mark.parametrize(("incident", "text"), CORRECT, ids=lambda value: value[:60] if isinstance(value, str) else "")
def test_correct_draft_is_supported(incident, text):
    assert verdict(incident, text) == "SUPPORTED"


@pytest.mark.parametrize(("incident", "text"), WRONG, ids=lambda value: value[:60] if isinstance(value, str) else "")
def test_planted_draft_is_refused(incident, text):
    assert verdict(incident, text) == "UNSUPPORTED"


def test_sets_are_large_enough_to_mean_something():
    assert len(CORRECT) >= 50
    assert len(WRONG) >= 80


def test_reply_has_exactly_verdict_and_reason_in_the_language_of_the_question():
    english = review(LEAK.request("Payments time out because shop-web leaks connections."))
    chinese = review(Incident("为什么支付超时？", LEAK.evidence).request("支付超时导致连接泄漏。"))

    assert set(english) == set(chinese) == {"verdict", "reason"}
    assert english["reason"].isascii()
    assert not chinese["reason"].isascii()


def test_cause_without_cited_telemetry_is_refused():
    documents = Incident(LEAK.question, tuple(e for e in LEAK.evidence if e["kind"] == "KNOWLEDGE"))

    assert verdict(documents, GOOD[0][2]) == "UNSUPPORTED"


def test_observation_without_causal_word_is_supported():
    text = "pay-api recorded “Connection is not available” at ERROR level."

    assert verdict(LEAK, text, "OBSERVATION") == "SUPPORTED"


def test_observation_that_names_a_cause_is_refused():
    text = "pay-api recorded errors because of a connection leak."

    assert verdict(LEAK, text, "OBSERVATION") == "UNSUPPORTED"


def test_absence_is_supported_by_an_empty_search_only():
    assert verdict(QUIET, "No error was found in mailer.", "OBSERVATION") == "SUPPORTED"
    assert verdict(LEAK, "No error was found in pay-api.", "OBSERVATION") == "UNSUPPORTED"


def test_analysis_that_names_another_service_than_its_quote_is_refused():
    request = LEAK.request(GOOD[0][2])
    request["draft"]["analysis"][2]["text"] = "shop-web recorded that no connection is available"

    assert review(request)["verdict"] == "UNSUPPORTED"


@pytest.mark.parametrize(
    "request_", [{}, {"draft": None}, {"draft": {"conclusion": []}, "evidence": [1]}, {"draft": 7}]
)
def test_malformed_input_is_unsupported(request_):
    assert review(request_)["verdict"] == "UNSUPPORTED"
