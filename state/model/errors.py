"""Every exception of the project, grouped by who must act. Fields first; the message is built from them.

Expected outcomes (refused, nothing found, unsupported) are return values, never exceptions.
"""

from collections.abc import Sequence

from state.model.enums import CancellationReason, FailureCode, Language, ToolCode
from state.model.language import Bilingual


class RootproofError(Exception):
    """Base of all errors raised by Rootproof on purpose."""


class InvalidQuery(RootproofError):
    """The person must ask again: the question or an option cannot open a run."""

    def __init__(self, why: Bilingual) -> None:
        super().__init__(why.text(Language.EN))
        self.why = why
        """What is wrong and the way out, in both languages; nothing is left to fill in."""


class Misconfigured(RootproofError):
    """The operator must change a setting; the program refuses to start."""

    def __init__(self, key: str, why: str) -> None:
        super().__init__(f"{key}: {why}")
        self.key = key
        self.why = why


class SourceUnreachable(Misconfigured):
    """A configured system of evidence did not answer when it was opened; the others can be asked without it."""


class AccountCanWrite(Misconfigured):
    """The account of a configured database may do more than read: the operator must take rights away."""

    def __init__(self, key: str, findings: Sequence[tuple[str, str]]) -> None:
        more = f" (and {len(findings) - 1} more; rootproof doctor names them)" if len(findings) > 1 else ""
        way_out = "Use an account that can only read, as docs/sql-accounts.md describes."
        super().__init__(key, f"{findings[0][0]}{more} {way_out}")
        self.findings = tuple(findings)
        """What it may do, as a sentence, and the statement that takes it away; empty for an administrator's account."""


class ToolFailed(RootproofError):
    """The model adapts: a begun call ended in an error. Becomes a canonical ERROR record."""

    def __init__(self, code: ToolCode, *, log_detail: str = "") -> None:
        super().__init__(f"{code}: {log_detail}" if log_detail else str(code))
        self.code = code
        self.log_detail = log_detail
        """For the operator's log only; never reaches model, trace or person."""


class InvalidToolInput(RootproofError):
    """The model adapts: the request was refused before anything began."""

    def __init__(self, code: ToolCode, why: str) -> None:
        super().__init__(f"{code}: {why}")
        self.code = code
        self.why = why
        """One sentence written by code, safe to show the model."""


class ModelFailed(RootproofError):
    """The harness retries or gives up: a model call gave no usable reply."""

    def __init__(self, kind: str, *, retryable: bool, retry_after_s: float = 0.0) -> None:
        super().__init__(f"model call failed: {kind}")
        self.kind = kind
        """One of timeout, connect, transport, rate_limited, server_error, refused, unparsable."""
        self.retryable = retryable
        self.retry_after_s = retry_after_s


class TruthUnavailable(RootproofError):
    """The operator acts: a store that holds truth cannot be read or written. Fails closed."""

    def __init__(self, store: str, operation: str) -> None:
        super().__init__(f"{store} store: {operation} failed")
        self.store = store
        self.operation = operation


class LeaseLost(RootproofError):
    """Another holder executes this run now; this task stops and writes nothing."""

    def __init__(self, run_id: str) -> None:
        super().__init__(f"lease of run {run_id} lost")
        self.run_id = run_id


class RunStopped(RootproofError):
    """The run was told to stop; propagates unchanged to the closing."""

    def __init__(self, reason: CancellationReason) -> None:
        super().__init__(f"run stopped: {reason}")
        self.reason = reason


class RunRefused(RootproofError):
    """The caller acts: this run cannot be executed, resumed or replayed."""

    def __init__(self, run_id: str, why: str, *, code: FailureCode | None = None) -> None:
        super().__init__(f"run {run_id}: {why}")
        self.run_id = run_id
        self.why = why
        self.code = code


class ResultsGone(RunRefused):
    """The caller acts: a fork needs results of its parent that have expired or were never complete."""


class RecordingMissing(RootproofError):
    """Replay met a call that the recording does not hold: names the first diverging step."""

    def __init__(self, run_id: str, step: str) -> None:
        super().__init__(f"run {run_id}: the recording holds no reply for {step}")
        self.run_id = run_id
        self.step = step
