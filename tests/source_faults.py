"""How an HTTP source of evidence can fail, and the tool error each failure must become. One table for all of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

from state.model.enums import ToolCode
from tests.servers import free_port
from tests.wire_server import Reply, WireServer


class Fault(StrEnum):
    """What is wrong with the source."""

    DOWN = "down"
    SLOW = "slow"
    HALF_ANSWER = "half answer"
    WRONG_CREDENTIALS = "wrong credentials"
    SCHEMA_CHANGE = "schema change"
    HUGE_ANSWER = "huge answer"
    MALFORMED_ANSWER = "malformed answer"


EXPECTED = {
    Fault.DOWN: ToolCode.TOOL_EXECUTION_ERROR,
    Fault.SLOW: ToolCode.TOOL_TIMEOUT,
    Fault.HALF_ANSWER: ToolCode.TOOL_EXECUTION_ERROR,
    Fault.WRONG_CREDENTIALS: ToolCode.TOOL_EXECUTION_ERROR,
    Fault.SCHEMA_CHANGE: ToolCode.TOOL_EXECUTION_ERROR,
    Fault.HUGE_ANSWER: ToolCode.RESULT_TOO_LARGE,
    Fault.MALFORMED_ANSWER: ToolCode.TOOL_EXECUTION_ERROR,
}
SLOW_S = 30.0
HUGE_BYTES = 64 * 1024 * 1024
"""Over every cap a client may sensibly have."""

_REPLIES = {
    Fault.SLOW: Reply(b"{}", delay_s=SLOW_S),
    Fault.HALF_ANSWER: Reply(b'{"status": "success", "data": {}}', cut_after=12),
    Fault.WRONG_CREDENTIALS: Reply(b'{"error": "secret backend text"}', status=401),
    Fault.SCHEMA_CHANGE: Reply(b'{"renamed": [{"everything": "is elsewhere"}]}'),
    Fault.MALFORMED_ANSWER: Reply(b'{"status": "success", "data": <html>'),
}


@contextmanager
def faulty_source(fault: Fault) -> Iterator[str]:
    """Address of a source that fails in this way at every request."""
    if fault is Fault.DOWN:
        yield f"http://127.0.0.1:{free_port()}"
        return
    reply = Reply(b'["' + b"x" * HUGE_BYTES + b'"]') if fault is Fault.HUGE_ANSWER else _REPLIES[fault]
    with WireServer(respond=lambda _: reply) as server:
        yield server.url
