"""Importing and calling a model on this machine asks for no other host, and building one touches no file.

Run in a fresh interpreter: an audit hook cannot be removed, and imports happen once.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.wire_server import WireServer, answers, call, completion, usage

ROOT = Path(__file__).parents[2]

PROGRAM = """
import asyncio, json, sys

hosts, opened = [], []
building = False

def hook(event, args):
    if event in ("socket.getaddrinfo", "socket.gethostbyname"):
        hosts.append(str(args[0]))
    elif event == "socket.connect" and isinstance(args[1], tuple):
        hosts.append(str(args[1][0]))
    elif event in ("open", "os.listdir", "subprocess.Popen") and building:
        opened.append(str(args[0]))

sys.addaudithook(hook)

import config.limits, config.load, config.log_setup, config.prompts
import models.endpoint, models.prompts, models.replay, models.roles, models.scripted, models.tool_schemas
from config.settings import Settings
from langchain_core.messages import HumanMessage
from models.chat import ask
from models.roles import build_role_models
from state.model.enums import ModelRole

async def main():
    global building
    building = True
    built = build_role_models(Settings(model="m", model_base_url=sys.argv[1]))
    building = False
    agent = built[ModelRole.AGENT]
    tools = models.tool_schemas.tool_schemas([])
    reply = await ask(agent.model, [HumanMessage("q")], tools=tools, timeout_s=20, max_output_tokens=10)
    await built.aclose()
    return reply

reply = asyncio.run(main())
print(json.dumps({"hosts": hosts, "opened": opened, "calls": len(reply.calls), "heavy": "tiktoken" in sys.modules}))
"""

OFFLINE_PROGRAM = """
import sys
from config.settings import Settings
from models.roles import build_role_models
build_role_models(Settings())
print([name for name in ("openai", "langchain_openai", "tiktoken") if name in sys.modules])
"""


def run(program: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error::ResourceWarning", "-c", program, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def observed() -> dict[str, Any]:
    body = completion(calls=[call("submit_diagnosis", "{}")], usage=usage(1, 1))
    with WireServer(answers(body)) as server:
        return json.loads(run(PROGRAM, server.base_url))


def test_only_the_endpoint_is_contacted_and_no_file_is_read_while_building() -> None:
    seen = observed()

    assert seen["calls"] == 1
    assert set(seen["hosts"]) == {"127.0.0.1"}
    assert seen["opened"] == []


def test_offline_models_do_not_load_the_vendor_libraries() -> None:
    assert run(OFFLINE_PROGRAM).strip() == "[]"
