"""Problems: one shape for every error, in the caller's language, with nothing of what was sent and nothing internal."""

from http import HTTPStatus

import pytest

from graph.executing import TooManyRuns
from service.http.codes import STATUS, ProblemCode
from service.http.problems import HttpProblem, accepted_language, answers, as_problem, field_name, problem_response
from service.texts.http import PROBLEM
from state.model.enums import Language
from state.model.errors import InvalidQuery, LeaseLost, Misconfigured, RunRefused, TruthUnavailable
from state.model.language import Bilingual


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", Language.EN),
        ("zh", Language.ZH),
        ("zh-CN,zh;q=0.9,en;q=0.8", Language.ZH),
        ("en-GB,en;q=0.9,zh;q=0.8", Language.EN),
        ("de, zh;q=0.3", Language.ZH),
        ("fr, *;q=0.1", Language.EN),
        ("zh;q=0", Language.EN),
        ("zh;q=nonsense", Language.EN),
        ("ZH-Hans", Language.ZH),
        (";,;q=,zh", Language.ZH),
        ("en;q=0.5, zh;q=0.5", Language.EN),
    ],
)
def test_the_preferred_language_is_spoken(header: str, language: Language) -> None:
    assert accepted_language(header) is language


def test_every_code_has_words_and_a_status() -> None:
    assert set(PROBLEM) == set(STATUS) == set(ProblemCode)
    assert {status for status in STATUS.values() if not 400 <= status < 600 or not HTTPStatus(status).phrase} == set()


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (
            InvalidQuery(Bilingual(en="Say {what}.", zh="请说明{what}。").filled(what="{more}")),
            ProblemCode.INVALID_QUERY,
        ),
        (RunRefused("r1", "another process executes it"), ProblemCode.RUN_REFUSED),
        (TruthUnavailable("control", "open_run"), ProblemCode.UNAVAILABLE),
        (TooManyRuns(), ProblemCode.TOO_MANY_RUNS),
        (LeaseLost("r1"), ProblemCode.INTERNAL_FAILURE),
        (Misconfigured("redis_url", "redis://secret@host"), ProblemCode.INTERNAL_FAILURE),
        (ValueError("secret internals"), ProblemCode.INTERNAL_FAILURE),
    ],
)
@pytest.mark.parametrize("language", Language)
def test_an_error_is_its_code_and_no_internal(error: Exception, code: ProblemCode, language: Language) -> None:
    reply = problem_response(as_problem(error, language), language=language, request_id="q1")

    assert as_problem(error, language).code is code
    assert reply.status_code == STATUS[code]
    assert reply.media_type == "application/problem+json"
    assert b"secret" not in bytes(reply.body)
    assert b'"request_id":"q1"' in bytes(reply.body)


def test_braces_of_a_question_stay_as_they_are() -> None:
    why = Bilingual(en="since {given} is no time", zh="{given}").filled(given="{x} {0}")
    problem = as_problem(InvalidQuery(why), Language.EN)

    assert b"since {x} {0} is no time" in bytes(problem_response(problem, language=Language.EN, request_id="").body)


@pytest.mark.parametrize("code", [ProblemCode.RATE_LIMITED, ProblemCode.TOO_MANY_RUNS, ProblemCode.UNAVAILABLE])
def test_what_passes_says_when_to_come_back(code: ProblemCode) -> None:
    problem = as_problem(
        TooManyRuns() if code is ProblemCode.TOO_MANY_RUNS else TruthUnavailable("a", "b"), Language.EN
    )

    assert int(problem.headers["Retry-After"]) >= 1


def test_a_missing_key_is_asked_for() -> None:
    reply = problem_response(HttpProblem(ProblemCode.UNAUTHENTICATED), language=Language.EN, request_id="q1")

    assert reply.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    ("place", "name"),
    [
        (("body", "options", "since"), "options.since"),
        (("query", "limit"), "limit"),
        (("body",), "body"),
        (("body", "<script>alert(1)</script>"), "?"),
        (("body", "a" * 200), "?"),
        (("body", "runs", 3, "id"), "runs.3.id"),
    ],
)
def test_a_field_is_named_plainly(place: tuple[object, ...], name: str) -> None:
    assert field_name(place) == name


def test_every_documented_problem_shows_an_example() -> None:
    shown = answers(ProblemCode.RUN_ENDED, ProblemCode.CASE_DECIDED, ProblemCode.NOT_FOUND)

    assert list(shown) == sorted(shown, key=int)
    assert set(shown[409]["content"]["application/problem+json"]["examples"]) == {"RUN_ENDED", "CASE_DECIDED"}
    assert {401, 403, 404, 429, 500, 503} <= set(shown)
