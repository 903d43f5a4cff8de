"""Every request of the client as a value: what is sent, and what its reply is read as. Pure, shared by both clients."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from service.client import replies
from service.client.problem import UnexpectedReply, problem_of

T = TypeVar("T")
Model = TypeVar("Model", bound=BaseModel)
Json = dict[str, Any]


class AskOptions(BaseModel):
    """What a question may narrow. Limits can only lower those of the service."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    language: Literal["en", "zh"] | None = None
    since: str | None = None
    """Length of time before now, such as ``2h``."""
    window_start: str | None = None
    window_end: str | None = None
    deadline_s: float | None = Field(None, gt=0)
    """Active seconds."""
    max_model_calls: int | None = Field(None, ge=1)
    max_tool_calls: int | None = Field(None, ge=0)
    max_total_tokens: int | None = Field(None, ge=1000)


class ForkOptions(BaseModel):
    """Limits of a fork; they can only lower those of the service. Everything else is its parent's."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    deadline_s: float | None = Field(None, gt=0)
    """Active seconds."""
    max_model_calls: int | None = Field(None, ge=1)
    max_tool_calls: int | None = Field(None, ge=0)
    max_total_tokens: int | None = Field(None, ge=1000)


@dataclass(frozen=True)
class Request(Generic[T]):
    """One request and how its reply is read."""

    method: str
    path: str
    reply: Callable[[bytes], T]
    params: Mapping[str, str] = field(default_factory=dict)
    json: Json | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    file: tuple[str, bytes] | None = None
    """Name and bytes of a file that is sent along."""
    form: Mapping[str, str] | None = None

    @property
    def options(self) -> Json:
        """What an HTTP client is given beside method and path."""
        sent: Json = {"params": dict(self.params), "headers": dict(self.headers)}
        if self.json is not None:
            sent["json"] = self.json
        if self.file is not None:
            sent |= {"files": {"file": self.file}, "data": dict(self.form or {})}
        return sent

    def read(self, status: int, headers: Mapping[str, str], body: bytes) -> T:
        """The typed reply.

        Raises:
            UnexpectedReply: the reply has not the documented form; or its status is no success and it is no problem.
            RootproofProblem: the service refused.
        """
        if not 200 <= status < 300:
            refusal = problem_of(status, headers, body)
            raise refusal
        try:
            return self.reply(body)
        except ValidationError:
            why = f"the reply to {self.method} {self.path} does not have the documented form"
            raise UnexpectedReply(why, status=status, request_id=headers.get("x-request-id")) from None


def typed(model: type[Model]) -> Callable[[bytes], Model]:
    """Reads a reply as this model; fields it does not know are ignored."""
    return lambda body: model.model_validate_json(body, extra="ignore")


def nothing(_: bytes) -> None:
    """Reads a reply without a body, or one that is a stream."""


def ask(
    query: str, *, session_id: str | None, follow_up_of: str | None, detach: bool, options: AskOptions | None, key: str
) -> Request[None]:
    """A question. ``key`` makes sending it again harmless."""
    body: Json = {"query": query, "session_id": session_id, "follow_up_of": follow_up_of}
    if detach:
        body["detach"] = True
    if options is not None:
        body["options"] = options.model_dump(exclude_none=True)
    given = {name: value for name, value in body.items() if value is not None}
    return Request("POST", "/api/chat", nothing, json=given, headers={"Idempotency-Key": key})


def fork(run_id: str, at: int | str, *, detach: bool, options: ForkOptions | None, key: str) -> Request[None]:
    """A run that goes on from a step of another one. ``key`` makes sending it again harmless."""
    body: Json = {"at": at}
    if detach:
        body["detach"] = True
    if options is not None:
        body["options"] = options.model_dump(exclude_none=True)
    return Request("POST", f"/api/runs/{part(run_id)}/fork", nothing, json=body, headers={"Idempotency-Key": key})


def steps(run_id: str) -> Request[replies.ForkSteps]:
    """The steps from which another run can go on."""
    return Request("GET", f"/api/runs/{part(run_id)}/steps", typed(replies.ForkSteps))


def events(run_id: str, after: int) -> Request[None]:
    """The events of a run with a number above ``after``."""
    headers = {"Last-Event-ID": str(after)} if after else {}
    return Request("GET", f"/api/runs/{part(run_id)}/events", nothing, headers=headers)


def cancel(run_id: str) -> Request[replies.Cancelled]:
    """Stop the run."""
    return Request("POST", f"/api/runs/{part(run_id)}/cancel", typed(replies.Cancelled))


def detach(run_id: str) -> Request[replies.Detached]:
    """Let the run go on without a watcher."""
    return Request("POST", f"/api/runs/{part(run_id)}/detach", typed(replies.Detached))


def runs(
    limit: int | None, session_id: str | None, outcome: str | None, text: str | None, before: str | None
) -> Request[replies.Runs]:
    """Runs, newest first."""
    params = given(limit=limit, session_id=session_id, outcome=outcome, q=text, before=before)
    return Request("GET", "/api/runs", typed(replies.Runs), params=params)


def run(run_id: str) -> Request[replies.Run]:
    """One run with its result."""
    return Request("GET", f"/api/runs/{part(run_id)}", typed(replies.Run))


def sessions(limit: int | None) -> Request[replies.Sessions]:
    """Sessions, the one asked in last first."""
    return Request("GET", "/api/sessions", typed(replies.Sessions), params=given(limit=limit))


def trace(session_id: str, run_id: str | None) -> Request[replies.Trace]:
    """Everything kept about one run of a session."""
    path = f"/api/diagnosis/{part(session_id)}/trace"
    return Request("GET", path, typed(replies.Trace), params=given(run_id=run_id))


def evidence(run_id: str, tool_call_id: str) -> Request[replies.Evidence]:
    """One tool result of a run."""
    path = f"/api/runs/{part(run_id)}/evidence/{part(tool_call_id)}"
    return Request("GET", path, typed(replies.Evidence))


def feedback(session_id: str, run_id: str, verdict: str, correction: str | None) -> Request[replies.Judged]:
    """A judgement of a run."""
    body: Json = {"session_id": session_id, "run_id": run_id, "verdict": verdict}
    if correction is not None:
        body["correction"] = correction
    return Request("POST", "/api/feedback", typed(replies.Judged), json=body)


def upload(name: str, data: bytes, category: str | None) -> Request[replies.Uploaded]:
    """A document to ingest."""
    form = given(category=category)
    return Request("POST", "/api/documents", typed(replies.Uploaded), file=(name, data), form=form)


def task(task_id: str) -> Request[replies.Task]:
    """Where an ingest stands."""
    return Request("GET", f"/api/tasks/{part(task_id)}", typed(replies.Task))


def documents() -> Request[replies.Documents]:
    """Every document."""
    return Request("GET", "/api/documents", typed(replies.Documents))


def document(doc_id: str) -> Request[replies.Document]:
    """One document."""
    return Request("GET", f"/api/documents/{part(doc_id)}", typed(replies.Document))


def delete_document(doc_id: str) -> Request[None]:
    """Remove one document."""
    return Request("DELETE", f"/api/documents/{part(doc_id)}", nothing)


def search(question: str, category: str | None) -> Request[replies.Found]:
    """What the knowledge base has on a question."""
    params = {"q": question, **given(category=category)}
    return Request("GET", "/api/knowledge/search", typed(replies.Found), params=params)


def alerts(notification: Mapping[str, Any]) -> Request[replies.AlertRuns]:
    """An Alertmanager notification."""
    return Request("POST", "/api/alerts", typed(replies.AlertRuns), json=dict(notification))


def about() -> Request[replies.About]:
    """What the service is, and who the key is."""
    return Request("GET", "/api/about", typed(replies.About))


def part(identifier: str) -> str:
    """An identifier as one part of a path.

    Raises:
        ValueError: it is empty, or would name another path.
    """
    if identifier in {"", ".", ".."}:
        raise ValueError("an identifier is empty or made of dots")
    return quote(identifier, safe="")


def given(**values: str | int | None) -> dict[str, str]:
    """The parameters that have a value, as text."""
    return {name: str(value) for name, value in values.items() if value is not None}


def named(file: Path | bytes, name: str | None) -> tuple[str, bytes]:
    """Name and bytes of a file. Reads it; blocking.

    Raises:
        ValueError: bytes without a name.
        OSError: it cannot be read.
    """
    if isinstance(file, Path):
        return name or file.name, file.read_bytes()
    if not name:
        raise ValueError("bytes need a name, such as name='checkout.md'")
    return name, file
