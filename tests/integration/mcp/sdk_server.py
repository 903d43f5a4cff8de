"""An honest MCP server written with the SDK: ``stdio``, or ``http PORT [TOKEN]``."""

import sys

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations
from starlette.types import ASGIApp, Receive, Scope, Send

server = MCPServer("releases")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def deploys(service: str, limit: int = 3) -> list[dict[str, object]]:
    """Deployments of a service, newest first."""
    return [
        {"service": service, "version": f"4.2.{number}", "host": f"db-{number}.corp.internal"}
        for number in range(limit)
    ]


@server.tool()
def runbook(title: str) -> str:
    """A page of the handbook."""
    return f"# {title}\n\nRestart the pool.\n\nThen look at the logs."


class Guarded:
    """Lets nobody in without the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app, self.token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = dict(scope.get("headers", ())).get(b"authorization", b"").decode()
        if scope["type"] == "http" and given != f"Bearer {self.token}":
            await send({"type": "http.response.start", "status": 401, "headers": []})
            await send({"type": "http.response.body", "body": b"secret backend text"})
            return
        await self.app(scope, receive, send)


if sys.argv[1] == "stdio":
    server.run()
else:
    app: ASGIApp = server.streamable_http_app()
    uvicorn.run(
        Guarded(app, sys.argv[3]) if len(sys.argv) > 3 else app,
        host="127.0.0.1",
        port=int(sys.argv[2]),
        log_level="error",
    )
