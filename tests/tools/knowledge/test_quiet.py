"""gRPC's C core writes to stderr by itself; below the index it keeps silent unless somebody asks for it."""

import os
import subprocess
import sys

import pytest

REFUSED = """
import socket
import tools.knowledge.milvus_index
import grpc
from concurrent.futures import ThreadPoolExecutor
taken = socket.create_server(("127.0.0.1", 0))
server = grpc.server(ThreadPoolExecutor(1), options=[("grpc.so_reuseport", 0)])
try:
    server.add_insecure_port(f"127.0.0.1:{taken.getsockname()[1]}")
except RuntimeError:
    print("refused")
"""
"""An address that is taken: the core writes a line of its own, and raises as well."""


@pytest.mark.parametrize(("asked", "says"), [(None, False), ("ERROR", True)])
def test_what_fails_is_raised_and_written_only_where_it_was_asked_for(asked: str | None, says: bool) -> None:
    env = {name: value for name, value in os.environ.items() if name != "GRPC_VERBOSITY"}

    said = subprocess.run(
        [sys.executable, "-c", REFUSED],
        env={**env, **({"GRPC_VERBOSITY": asked} if asked else {})},
        capture_output=True,
        text=True,
        check=True,
    )

    assert said.stdout == "refused\n"
    assert ("Failed to add port" in said.stderr) is says
