"""Errors of the engine become ours, here and nowhere else."""

from collections.abc import Iterator
from contextlib import contextmanager

from grpc import RpcError, StatusCode  # type: ignore[import-untyped]  # grpcio has no types
from pymilvus import MilvusException

from state.model.errors import Misconfigured
from tools.knowledge.index_port import IndexUnavailable

_REFUSED = "the server refused the credentials: check ROOTPROOF_MILVUS_TOKEN"
_AUTH_CODES = frozenset({1800, 1801})


@contextmanager
def translated(operation: str) -> Iterator[None]:
    """Inside, what the engine raises becomes an error of ours.

    Raises:
        IndexUnavailable: the wrapped call raised an error of the engine or of its transport.
        Misconfigured: the engine refused the credentials.
    """
    try:
        yield
    except (MilvusException, RpcError, ConnectionError, TimeoutError) as error:
        if _is_refusal(error):
            raise Misconfigured("knowledge index", _REFUSED) from error
        timed_out = isinstance(error, TimeoutError) or "DEADLINE_EXCEEDED" in repr(error) or "timeout" in str(error)
        raise IndexUnavailable(operation, timed_out=timed_out, detail=str(error)[:500]) from error


def _is_refusal(error: Exception) -> bool:
    """True if it, or what it was raised from, says that the credentials are wrong."""
    # The client may raise an error from itself: no way is followed further than that.
    seen = (error, error.__cause__, error.__cause__.__cause__ if error.__cause__ is not None else None)
    return any(map(_refuses, seen))


def _refuses(error: BaseException | None) -> bool:
    if isinstance(error, RpcError):
        return bool(error.code() in {StatusCode.UNAUTHENTICATED, StatusCode.PERMISSION_DENIED})
    return getattr(error, "code", 0) in _AUTH_CODES
