"""A small MCP server over standard input and output: one reading tool, with the words it was started with."""

import json
import sys


def answer(message: dict[str, object], tool: str, described: str, answered: str) -> dict[str, object] | None:
    """The result for one request; None for a notification. Pure."""
    params = message.get("params")
    match message.get("method"):
        case "initialize":
            version = params.get("protocolVersion") if isinstance(params, dict) else None
            return {
                "protocolVersion": version,
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "changes", "version": "1"},
            }
        case "tools/list":
            schema = {"type": "object", "properties": {"service": {"type": "string"}}}
            shown = {"name": tool, "description": described, "inputSchema": schema}
            return {"tools": [{**shown, "annotations": {"readOnlyHint": True}}]}
        case "tools/call":
            return {"content": [{"type": "text", "text": answered}]}
        case "ping":
            return {}
        case _:
            return None


def main() -> None:
    """Serve until standard input ends."""
    tool, described, answered = sys.argv[1:4]
    for line in sys.stdin:
        message = json.loads(line)
        result = answer(message, tool, described, answered)
        if "id" not in message:
            continue
        body = {"result": result} if result is not None else {"error": {"code": -32601, "message": "no such method"}}
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], **body}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
