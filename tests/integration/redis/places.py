"""Where a test server is."""

from tests.servers import Server


def address(server: Server) -> str:
    return f"redis://{server.host}:{server.port}/0"
