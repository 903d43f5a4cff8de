"""What carries messages to one MCP server and back, and what it says when it cannot. Shared by both kinds of link."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from mcp_types import PARSE_ERROR, ErrorData, JSONRPCError

from state.model.enums import ToolCode
from state.model.errors import ToolFailed

MESSAGE_CAP_BYTES = 1024 * 1024
"""Most that one message, or one HTTP reply, may weigh on the wire: a result at its cap, said twice and escaped."""
TOO_LARGE = -32098
"""Code of the error that stands in for a message over the cap."""

Streams = tuple[Any, Any]
"""What ``mcp.ClientSession`` takes: messages from the server, and the way to it. The SDK exports no type for it."""
Link = Callable[[], AbstractAsyncContextManager[Streams]]
"""Opens a new connection; the context ends it, whatever the server does."""


@dataclass
class Trouble:
    """What went wrong with one request below the protocol."""

    what: str = ""
    """For the log: a status, an exception's name. Empty: nothing."""
    status: int = 0
    """HTTP status, where one came that is no success."""
    is_too_large: bool = False
    is_slow: bool = False
    is_unauthorized: bool = False
    is_gone: bool = False
    """The connection or the server's session is lost."""

    def failure(self, server: str, what: str) -> ToolFailed:
        """The error of the call, with the code that fits; ``what`` is for the log."""
        if self.is_too_large:
            return ToolFailed(ToolCode.RESULT_TOO_LARGE, log_detail=f"{server}: over the cap")
        refused = "credentials refused" if self.is_unauthorized else ""
        detail = "; ".join(part for part in (refused, what, self.what) if part)
        code = ToolCode.TOOL_TIMEOUT if self.is_slow else ToolCode.TOOL_EXECUTION_ERROR
        return ToolFailed(code, log_detail=f"{server}: {detail}"[:500])

    def clear(self) -> None:
        """Nothing is wrong with the next request yet."""
        self.what, self.status = "", 0
        self.is_too_large = self.is_slow = self.is_unauthorized = self.is_gone = False


TROUBLE: ContextVar[Trouble | None] = ContextVar("mcp_trouble", default=None)
"""Set by whoever sends a request; the HTTP link, which works in the sender's context, writes into it."""


def too_large(message_id: int | None) -> JSONRPCError:
    """The error in place of a message that was dropped."""
    return JSONRPCError(jsonrpc="2.0", id=message_id, error=ErrorData(code=TOO_LARGE, message="over the cap"))


def unreadable(message_id: int) -> JSONRPCError:
    """The error in place of a reply that is no JSON-RPC."""
    return JSONRPCError(jsonrpc="2.0", id=message_id, error=ErrorData(code=PARSE_ERROR, message="no message"))
