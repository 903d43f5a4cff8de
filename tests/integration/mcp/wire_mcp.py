"""An MCP server over HTTP that greets and lists as it should, and does with a call what a test says."""

import json
from collections.abc import Callable
from typing import Any

from tests.wire_server import Received, Reply, answers

TOOL = {"name": "deploys", "inputSchema": {"type": "object", "properties": {"service": {"type": "string"}}}}
GREETING = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "wire", "version": "1"},
}


def mcp_server(at_call: Callable[[Any], Reply]) -> Callable[[Received], Reply]:
    """For ``WireServer(respond=…)``; ``at_call`` gets the id of the request."""

    def respond(received: Received) -> Reply:
        message = json.loads(received.text) if received.text else {}
        match message.get("method"):
            case "initialize":
                return answers(result(message["id"], GREETING), headers={"mcp-session-id": "s1"})
            case "tools/list":
                return answers(result(message["id"], {"tools": [TOOL]}))
            case "tools/call":
                return at_call(message["id"])
            case _:
                return Reply(b"", status=202 if received.method == "POST" else 405)

    return respond


def result(ident: object, body: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": ident, "result": body}


def said(ident: object, text: str) -> dict[str, object]:
    """A call's reply."""
    return result(ident, {"content": [{"type": "text", "text": text}]})


def event(message: object) -> bytes:
    """One event of a stream."""
    return f"event: message\ndata: {json.dumps(message)}\n\n".encode()
