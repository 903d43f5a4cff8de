"""The one error of the client: what the service refused, or why there is no answer of the service. Pure."""

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, ValidationError

UNREACHABLE = "UNREACHABLE"
"""Code of the client's own: no connection, or it broke and could not be made again."""
UNEXPECTED_REPLY = "UNEXPECTED_REPLY"
"""Code of the client's own: something answered, but not as the service does."""


class RootproofProblem(Exception):
    """The service refused a request, or gave no answer that can be used."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        status: int | None = None,
        run_id: str | None = None,
        request_id: str | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        """A code of ``docs/http-api.md``, or ``UNREACHABLE`` or ``UNEXPECTED_REPLY``."""
        self.detail = detail
        """One sentence for a person, in the language the client asks for."""
        self.status = status
        """HTTP status; None if there was no reply."""
        self.run_id = run_id
        """The run concerned, where there is one."""
        self.request_id = request_id
        """Names the request in the service's log."""
        self.retry_after_s = retry_after_s
        """Seconds after which it may be tried again, where the service says so."""


class Unreachable(RootproofProblem):
    """No connection, or it broke and could not be made again."""

    def __init__(self, error: Exception) -> None:
        # The kind of fault, without the vendor's text: it may hold addresses of a proxy.
        super().__init__(UNREACHABLE, f"the service cannot be reached ({type(error).__name__})")


class UnexpectedReply(RootproofProblem):
    """Something answered, but not as the service does."""

    def __init__(self, why: str, *, status: int | None = None, request_id: str | None = None) -> None:
        super().__init__(UNEXPECTED_REPLY, why, status=status, request_id=request_id)


class _Document(BaseModel):
    model_config = ConfigDict(extra="ignore")

    code: str
    detail: str = ""
    run_id: str | None = None
    request_id: str | None = None


def problem_of(status: int, headers: Mapping[str, str], body: bytes) -> RootproofProblem:
    """What a reply that is no success says. Pure.

    A reply that is no problem document (of a proxy, say) is ``UNEXPECTED_REPLY``; its text is not repeated.
    """
    request_id = headers.get("x-request-id")
    try:
        said = _Document.model_validate_json(body)
    except ValidationError:
        detail = f"the reply has status {status} and is no problem document of Rootproof"
        return UnexpectedReply(detail, status=status, request_id=request_id)
    return RootproofProblem(
        said.code,
        said.detail,
        status=status,
        run_id=said.run_id,
        request_id=said.request_id or request_id,
        retry_after_s=retry_after(headers),
    )


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds of ``Retry-After``; None if absent or a date. Pure."""
    given = headers.get("retry-after", "")
    return float(given) if given.isascii() and given.isdigit() else None
