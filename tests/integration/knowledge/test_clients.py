"""Several processes on one engine that listens on TCP: they add, search and take turns at writing."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests import servers
from tests.integration.knowledge.rooms import room
from tools.knowledge.milvus_process import _engine_folder

pytestmark = pytest.mark.xdist_group("milvus-lite-tcp")

ROOT = Path(__file__).parents[3]
CLIENT = """
import json, sys, time
from pathlib import Path
from tests.integration.knowledge.rooms import room
from tests.tools.knowledge.library_room import SCOPE, add, found
home, uri, number = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
with room(home, uri, kb="shared", mode="hybrid") as (base, library):
    library._ids.uuid = iter([f"task-{number}-{n}" for n in range(100)]).__next__
    tasks = [add(library, f"# Pool {number}\\n\\ndocument{n} of client{number}\\n", f"{number}/{n}.md").task_id for n in range(6)]
    seen, until = 0, time.monotonic() + 60
    while time.monotonic() < until:
        library.run_due(2)
        seen = max(seen, len(found(base, "pool")))
        if all(library.task(task, kb_scope=SCOPE).state == "READY" for task in tasks):
            break
        time.sleep(0.02)
    print(json.dumps({"own": len([text for text in found(base, f"client{number}") if f"client{number}" in text])}))
"""


@pytest.fixture
def engine(tmp_path):
    port = servers.free_port()
    folder = tmp_path / "engine"
    folder.mkdir()
    program = _engine_folder() / "milvus"
    command = [
        "env",
        f"LD_LIBRARY_PATH={program.parent}",
        f"GOOGLE_LOG_DIR={folder}",
        str(program),
        str(folder / "i.db"),
        f"127.0.0.1:{port}",
        "ERROR",
    ]
    with servers.running(command, folder=folder, port=port):
        yield f"http://127.0.0.1:{port}"


def test_what_several_processes_add_at_once_is_all_there_for_all(engine, tmp_path):
    home = tmp_path / "home"
    with room(home, engine, kb="shared", mode="hybrid"):
        pass
    clients = [
        subprocess.Popen(
            [sys.executable, "-c", CLIENT, str(home), engine, str(number)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for number in range(3)
    ]
    outputs = [client.communicate(timeout=120) for client in clients]

    assert [client.returncode for client in clients] == [0, 0, 0], [error.decode()[-2000:] for _, error in outputs]
    assert [json.loads(output)["own"] for output, _ in outputs] == [6, 6, 6]
    with room(home, engine, kb="shared", mode="hybrid") as (base, library):
        assert {record.state.value for record in library.documents("team-a")} == {"READY"}
        assert base.index.count() == base.records.chunk_count() == 18
        assert base.records.hidden() == frozenset()


def test_a_writer_that_is_killed_leaves_its_work_to_the_next(engine, tmp_path):
    home = tmp_path / "home"
    dying = CLIENT.replace(
        "library.run_due(2)",
        "base.records.bring_in_force = None; type(base.records).bring_in_force = lambda *_: __import__('os')._exit(9)\n        library.run_due(2)",
    ).replace("base.records.bring_in_force = None; ", "")
    killed = subprocess.run(
        [sys.executable, "-c", dying, str(home), engine, "7"], cwd=ROOT, capture_output=True, timeout=120
    )

    assert killed.returncode == 9, killed.stderr.decode()[-2000:]
    with room(home, engine, kb="shared", mode="hybrid") as (base, library):
        assert base.index.count() == base.records.chunk_count() == 0
        while library.run_due():
            pass
        assert {record.state.value for record in library.documents("team-a")} == {"READY"}
        assert base.index.count() == 6
