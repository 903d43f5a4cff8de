"""An index that nobody asks anything for minutes: its engine must not take our pings for an attack, nor gRPC tell of it."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e

IDLE_S = 100
"""The engine hung up after about 80 s of pings."""
IDLE = """
import sys, time
from pathlib import Path
from tools.knowledge.index_port import IndexSpec
from tools.knowledge.milvus_index import MilvusIndex
from tools.knowledge.milvus_process import MilvusLite
engine = MilvusLite(Path(sys.argv[1]), timeout_s=30)
spec = IndexSpec(kb="idle", model="axis", dimension=16, precise_min=0.5, reference_min=0.2)
index = MilvusIndex(engine.address, spec)
time.sleep(float(sys.argv[2]))
print(index.count())
index.close()
engine.close()
"""


def test_an_idle_index_keeps_its_connection_and_says_nothing(tmp_path: Path) -> None:
    said = subprocess.run(
        [sys.executable, "-c", IDLE, str(tmp_path / "index.db"), str(IDLE_S)],
        # What the core says of a connection it lost.
        env={"PATH": "/usr/bin:/bin", "GRPC_VERBOSITY": "ERROR"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )

    assert said.stdout == "0\n"
    assert said.stderr == ""
