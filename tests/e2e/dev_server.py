"""``langgraph dev`` as a developer starts it, in a working folder of its own, and its HTTP API."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.e2e.processes import ROOT

OFFLINE = {"LANGGRAPH_CLI_NO_ANALYTICS": "1", "LANGGRAPH_NO_VERSION_CHECK": "true", "LANGSMITH_TRACING": "false"}
UNLINKED = {".git", ".venv", ".langgraph_api"}
START_S, RUN_S = 60.0, 120.0
GRAPH = "rootproof"


@dataclass
class DevServer:
    """A running server."""

    api: httpx.Client
    log_file: Path
    process: "subprocess.Popen[bytes]"

    @property
    def log(self) -> str:
        return self.log_file.read_text(errors="replace")

    def stop(self) -> None:
        """As Ctrl-C does; returns once it is gone."""
        self.process.terminate()
        self.process.wait(timeout=30)

    def assistant(self) -> str:
        return str(self.get("/assistants/search", json={})[0]["assistant_id"])

    def new_thread(self) -> str:
        return str(self.post("/threads", {})["thread_id"])

    def wait(self, thread: str, query: str | None, **more: object) -> Any:
        """The output of a run, once it has ended. None: the thread goes on from where it stands."""
        given = {"query": query} if query is not None else None
        return self.post(f"/threads/{thread}/runs/wait", {"assistant_id": GRAPH, "input": given, **more})

    def begin(self, thread: str, query: str) -> str:
        """Id of a run in the background, as the server names it."""
        return str(self.post(f"/threads/{thread}/runs", {"assistant_id": GRAPH, "input": {"query": query}})["run_id"])

    def state(self, thread: str) -> dict[str, Any]:
        found = self.get(f"/threads/{thread}/state")["values"]
        assert isinstance(found, dict)
        return found

    def visited(self, thread: str) -> list[str]:
        """Nodes in the order in which they ran."""
        history = self.get(f"/threads/{thread}/history?limit=200")
        return [name for snapshot in reversed(history) for name in snapshot["next"] if name != "__start__"]

    def get(self, path: str, **options: Any) -> Any:
        method = "POST" if "json" in options else "GET"
        return self.api.request(method, path, **options).raise_for_status().json()

    def post(self, path: str, body: Mapping[str, object]) -> Any:
        return self.api.post(path, json=dict(body)).raise_for_status().json()


@contextmanager
def dev_server(folder: Path, **environment: str) -> Iterator[DevServer]:
    """The server over the repository's own ``langgraph.json``, without ``--allow-blocking``; stopped at the end."""
    checkout = folder / "checkout"
    checkout.mkdir(parents=True)
    for entry in ROOT.iterdir():
        if entry.name not in UNLINKED:
            (checkout / entry.name).symlink_to(entry)
    with serving(checkout, folder / "dev.log", environment) as found:
        yield found


@contextmanager
def serving(checkout: Path, log_file: Path, environment: Mapping[str, str]) -> Iterator[DevServer]:
    """``langgraph dev`` in that folder."""
    port = free_port()
    command = [str(Path(sys.executable).with_name("langgraph")), "dev", "--no-browser", "--no-reload"]
    settings = {key: value for key, value in os.environ.items() if not key.startswith("ROOTPROOF_")}
    settings.pop("LANGGRAPH_STRICT_MSGPACK", None)
    with log_file.open("w") as log:
        process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", str(port)],
            cwd=checkout,
            env={**settings, **OFFLINE, "NO_COLOR": "1", **environment},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=RUN_S, trust_env=False) as api:
            await_start(process, api, log_file)
            yield DevServer(api, log_file, process)
    finally:
        process.terminate()
        process.wait(timeout=30)


def await_start(process: "subprocess.Popen[bytes]", api: httpx.Client, log_file: Path) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        assert process.poll() is None, log_file.read_text()[-3000:]
        try:
            if api.get("/ok").is_success:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError(f"not started within {START_S} s: {log_file.read_text()[-3000:]}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def a_blocking_graph(folder: Path) -> None:
    """A graph whose only node blocks the event loop, to show that the server notices."""
    folder.mkdir(parents=True)
    (folder / "blocking.py").write_text(BLOCKING)
    config = {"dependencies": ["."], "graphs": {GRAPH: "./blocking.py:graph"}}
    (folder / "langgraph.json").write_text(json.dumps(config))


BLOCKING = """
import time
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

class State(TypedDict, total=False):
    query: str

async def sleeps(state: State) -> State:
    time.sleep(0.2)
    return {"query": "done"}

builder = StateGraph(State)
builder.add_node("sleeps", sleeps)
builder.add_edge(START, "sleeps")
builder.add_edge("sleeps", END)
graph = builder.compile()
"""
