"""The reviewer as a whole: three sets of drafts, each wrong one made of words of its evidence."""

import pytest

from models.offline.review.case import read_case
from models.offline.review.reasons import Refusal
from models.offline.review.reviewing import judge, review
from tests.models.offline.review.incidents import GEO, GOOD, PLANTED, QUOTA, Draft
from tests.models.offline.review_last import GOOD_LAST, PLANTED_LAST
from tests.models.offline.review_more import GOOD_MORE, PLANTED_MORE
from tests.models.offline.review_set import GOOD as GOOD_SET
from tests.models.offline.review_set import LEAK, PLANTED_LATE
from tests.models.offline.review_set import PLANTED as PLANTED_SET

OTHERS_GOOD = [*((i, t) for _, i, t in (*GOOD_SET, *GOOD_MORE)), *GOOD_LAST]
OTHERS_PLANTED = [*((i, t) for _, i, t in (*PLANTED_SET, *PLANTED_LATE, *PLANTED_MORE)), *PLANTED_LAST]


def name_of(value: object) -> str:
    return value.name if isinstance(value, Draft) else ""


@pytest.mark.parametrize(("incident", "draft"), GOOD, ids=name_of)
def test_a_draft_that_holds_is_supported(incident, draft):
    assert judge(read_case(incident.request(draft))) is None


@pytest.mark.parametrize(("incident", "draft"), PLANTED, ids=name_of)
def test_a_draft_that_is_wrong_in_meaning_is_refused(incident, draft):
    assert judge(read_case(incident.request(draft))) is not None


def test_free_wording_is_supported():
    wrong = [text for incident, text in OTHERS_GOOD if review(incident.request(text))["verdict"] != "SUPPORTED"]

    assert len(OTHERS_GOOD) >= 50
    assert wrong == []


def test_few_planted_drafts_of_the_other_sets_pass():
    passed = [text for incident, text in OTHERS_PLANTED if review(incident.request(text))["verdict"] == "SUPPORTED"]

    assert len(OTHERS_PLANTED) >= 80
    assert len(passed) <= len(OTHERS_PLANTED) // 7


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("geo swapped", Refusal.SYMPTOM),
        ("mail late", Refusal.LATE),
        ("mail number", Refusal.AMOUNT),
        ("geo wide", Refusal.TOO_WIDE),
        ("quota turned", Refusal.AMOUNT),
        ("quota swapped", Refusal.REVERSED),
        ("quota alternative", Refusal.RIVAL),
    ],
)
def test_the_reason_names_the_defect(name, reason):
    incident, draft = next(pair for pair in PLANTED if pair[1].name == name)

    assert judge(read_case(incident.request(draft))) is reason


def test_reply_has_exactly_verdict_and_reason_in_the_language_of_the_question():
    english, chinese = (review(i.request(next(d for j, d in PLANTED if j is i))) for i in (GEO, QUOTA))

    assert set(english) == set(chinese) == {"verdict", "reason"}
    assert str(english["reason"]).isascii()
    assert not str(chinese["reason"]).isascii()


def test_cause_without_cited_telemetry_is_refused():
    request = GOOD[0][0].request(GOOD[0][1])
    request["evidence"] = [e for e in request["evidence"] if e["kind"] == "KNOWLEDGE"]

    assert judge(read_case(request)) is Refusal.NO_TELEMETRY


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("pay-api recorded “Connection is not available” at ERROR level until 10:10.", "SUPPORTED"),
        ("pay-api recorded errors because of a connection leak.", "UNSUPPORTED"),
        ("The deploy of pay-api broke the shop-web.", "UNSUPPORTED"),
        ("No error was found in pay-api.", "UNSUPPORTED"),
    ],
)
def test_an_observation_only_observes(text, verdict):
    assert review(LEAK.request(text, "OBSERVATION"))["verdict"] == verdict


@pytest.mark.parametrize(
    "request_", [{}, {"draft": None}, {"draft": {"conclusion": []}, "evidence": [1]}, {"draft": 7}]
)
def test_malformed_input_is_unsupported(request_):
    assert review(request_)["verdict"] == "UNSUPPORTED"
