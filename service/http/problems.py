"""Every error as ``application/problem+json`` (RFC 9457): a stable code, one sentence, and never an internal.

What the caller sent is not echoed: a field is named, its value is not.
"""

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import orjson
import structlog
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from graph.executing import TooManyRuns
from service.http.codes import STATUS, ProblemCode
from service.reasons import reason_in
from service.texts import http as texts
from state.model.enums import Language
from state.model.errors import InvalidQuery, ResultsGone, RunRefused, TruthUnavailable
from state.model.language import Bilingual

log = structlog.get_logger("service.http")

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER_S = 5
"""What a caller is told to wait where nothing better is known."""

_HTTP_CODES = {
    400: ProblemCode.BAD_REQUEST,
    401: ProblemCode.UNAUTHENTICATED,
    404: ProblemCode.NOT_FOUND,
    405: ProblemCode.METHOD_NOT_ALLOWED,
    408: ProblemCode.REQUEST_TIMEOUT,
    413: ProblemCode.TOO_LARGE,
    415: ProblemCode.UNSUPPORTED_MEDIA_TYPE,
}
"""Statuses that the framework itself answers with."""
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_.-]{1,60}")
_LIMITS = ("min_length", "max_length", "ge", "gt", "le", "lt")
_NO_BODY = {"json_invalid", "missing"}


class ProblemBody(BaseModel):
    """What a caller reads instead of a result."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    type: str = "about:blank"
    title: str
    """The phrase of the status."""
    status: int
    detail: str
    """One sentence for a person, in the language of `Accept-Language`."""
    code: ProblemCode
    """For programs; never changes."""
    run_id: str | None = None
    request_id: str
    """Under this id the log has it; the same as `X-Request-Id`."""


class HttpProblem(Exception):
    """A handler answers with a problem; ``values`` fill the sentence."""

    def __init__(
        self,
        code: ProblemCode,
        why: Bilingual | None = None,
        /,
        *,
        run_id: str | None = None,
        headers: Mapping[str, str] | None = None,
        **values: object,
    ) -> None:
        super().__init__(code.value)
        self.code = code
        self.why = why or texts.PROBLEM[code]
        self.run_id = run_id
        self.headers = dict(headers or {})
        self.values = values


def limited(code: ProblemCode, seconds: int, why: Bilingual | None = None, /, *, most: int = 0) -> HttpProblem:
    """A problem that says when to come back; ``seconds`` at least 1, ``most`` the limit where the sentence names it."""
    wait = max(1, seconds)
    return HttpProblem(code, why, headers={"Retry-After": str(wait)}, seconds=wait, most=most)


def as_problem(error: Exception, language: Language) -> HttpProblem:
    """The problem that this error is to its caller; anything unforeseen is INTERNAL_FAILURE without its text. Pure."""
    match error:
        case HttpProblem():
            return error
        case InvalidQuery(why=why):
            return HttpProblem(ProblemCode.INVALID_QUERY, why)
        case ResultsGone(why=reason):
            said = reason_in(language, reason)
            return HttpProblem(ProblemCode.EVIDENCE_EXPIRED, texts.PROBLEM[ProblemCode.RUN_REFUSED], why=said)
        case RunRefused(run_id=run_id, why=reason):
            return HttpProblem(ProblemCode.RUN_REFUSED, run_id=run_id or None, why=reason_in(language, reason))
        case TooManyRuns(of_key=int() as most):
            return limited(ProblemCode.TOO_MANY_RUNS, RETRY_AFTER_S, texts.RUNS_OF_KEY, most=most)
        case TooManyRuns():
            return limited(ProblemCode.TOO_MANY_RUNS, RETRY_AFTER_S)
        case TruthUnavailable():
            return limited(ProblemCode.UNAVAILABLE, RETRY_AFTER_S)
        case RequestValidationError():
            return invalid_request(error, ProblemCode.INVALID_REQUEST)
        case HTTPException(status_code=status) if status in _HTTP_CODES:
            kept = {name: value for name, value in (error.headers or {}).items() if name.lower() == "allow"}
            return HttpProblem(_HTTP_CODES[status], headers=kept, expected="application/json")
        case _:
            return HttpProblem(ProblemCode.INTERNAL_FAILURE)


def invalid_request(error: RequestValidationError, code: ProblemCode) -> HttpProblem:
    """The first fault by the name of its field; what was sent there is not repeated. Pure."""
    fault = error.errors()[0]
    place = tuple(fault["loc"])
    if place[:1] == ("body",) and fault["type"] in _NO_BODY and not any(isinstance(part, str) for part in place[1:]):
        return HttpProblem(ProblemCode.BAD_REQUEST)
    field = field_name(place)
    limits = {name: fault.get("ctx", {}).get(name) for name in _LIMITS}
    limit = ", ".join(f"{name} {value}" for name, value in limits.items() if isinstance(value, int | float))
    match str(fault["type"]):
        case "missing":
            return HttpProblem(code, texts.FIELD_MISSING, field=field)
        case "extra_forbidden":
            return HttpProblem(code, texts.FIELD_UNKNOWN, field=field)
        case "enum" | "literal_error":
            return HttpProblem(code, texts.FIELD_CHOICE, field=field, limit=fault.get("ctx", {}).get("expected", ""))
        case _ if limit:
            return HttpProblem(code, texts.FIELD_LIMIT, field=field, limit=limit)
        case _:
            return HttpProblem(code, texts.FIELD_UNUSABLE, field=field)


def field_name(place: tuple[Any, ...]) -> str:
    """The dotted name of a field, such as ``options.since``; a part that is no plain name is ``?``. Pure."""
    parts = [str(part) for part in place[1:]] or [str(part) for part in place]
    return ".".join(part if _PLAIN_NAME.fullmatch(part) else "?" for part in parts)


def problem_response(problem: HttpProblem, *, language: Language, request_id: str) -> Response:
    """The reply; ``WWW-Authenticate`` stands beside a 401 and ``Content-Language`` beside every sentence."""
    status = STATUS[problem.code]
    body = ProblemBody(
        title=HTTPStatus(status).phrase,
        status=status,
        detail=problem.why.text(language, **problem.values),
        code=problem.code,
        run_id=problem.run_id,
        request_id=request_id,
    )
    headers = {"Content-Language": language.value, "Cache-Control": "no-store", **problem.headers}
    if problem.code is ProblemCode.UNAUTHENTICATED:
        headers["WWW-Authenticate"] = 'Bearer realm="rootproof"'
    if problem.code is ProblemCode.REQUEST_TIMEOUT:
        # The rest of the request is still to come, and nobody reads it.
        headers["Connection"] = "close"
    return Response(orjson.dumps(body.model_dump(mode="json")), status, headers, MEDIA_TYPE)


async def answer_problem(request: Request, error: Exception) -> Response:
    """The reply to an error that a handler raised."""
    if isinstance(error, TruthUnavailable):
        log.warning("store cannot be used", store=error.store, operation=error.operation)
    spoken = accepted_language(request.headers.get("accept-language", ""))
    known = str(request.scope.get("rootproof.request_id", ""))
    return problem_response(as_problem(error, spoken), language=spoken, request_id=known)


def accepted_language(header: str) -> Language:
    """The one of our languages that ``Accept-Language`` prefers; English where it names none. Pure."""
    best, chosen = 0.0, Language.EN
    for part in header[:1000].split(","):
        tag, *rest = (word.strip().lower() for word in part.split(";"))
        language = _LANGUAGES.get(tag.split("-")[0])
        weight = _weight(rest)
        if language is not None and weight > best:
            best, chosen = weight, language
    return chosen


_LANGUAGES = {"en": Language.EN, "zh": Language.ZH}


def _weight(words: list[str]) -> float:
    found = next((word[2:] for word in words if word.startswith("q=")), "1")
    return float(found) if re.fullmatch(r"[01](\.\d{0,3})?", found) else 0.0


def answers(*codes: ProblemCode) -> dict[int | str, dict[str, Any]]:
    """``responses`` of a route for OpenAPI: these problems, and those that every route may answer with. Pure."""
    shown: dict[int | str, dict[str, Any]] = {}
    for code in (*codes, *_EVERYWHERE):
        described = shown.setdefault(STATUS[code], {"description": HTTPStatus(STATUS[code]).phrase, "content": {}})
        examples = described["content"].setdefault(MEDIA_TYPE, {"schema": _SCHEMA, "examples": {}})["examples"]
        examples[code.value] = {"value": _example(code)}
    return dict(sorted(shown.items(), key=lambda item: int(item[0])))


_EVERYWHERE = (
    ProblemCode.UNAUTHENTICATED,
    ProblemCode.FORBIDDEN,
    ProblemCode.RATE_LIMITED,
    ProblemCode.INTERNAL_FAILURE,
    ProblemCode.UNAVAILABLE,
)
_SCHEMA = {"$ref": "#/components/schemas/ProblemBody"}
_SHOWN = {
    "role": "operator",
    "why": "another process executes it",
    "seconds": RETRY_AFTER_S,
    "most": 100,
    "expected": "application/json",
}


def _example(code: ProblemCode) -> dict[str, object]:
    body = ProblemBody(
        title=HTTPStatus(STATUS[code]).phrase,
        status=STATUS[code],
        detail=texts.PROBLEM[code].text(Language.EN, **_SHOWN),
        code=code,
        request_id="5f1c8c0e-6d2b-4e0e-9f0a-8f6b3a1f3b7d",
    )
    return body.model_dump(mode="json")
