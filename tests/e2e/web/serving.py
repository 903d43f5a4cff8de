"""``rootproof serve`` in a process of its own."""

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]
PATIENCE_MS = 120_000
"""How long a page is waited for: a run on a busy machine takes its time, and nothing is asserted about it."""
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")


@dataclass(frozen=True)
class Served:
    """A service that answers."""

    url: str
    process: subprocess.Popen[str]


@contextlib.contextmanager
def serve(world: Path, home: Path, *, env: Mapping[str, str] | None = None) -> Iterator[Served]:
    """The service over that world until the block ends; it says where it is once it answers."""
    process = subprocess.Popen(
        [sys.executable, "-c", "from service.cli import main; main()", "serve", "--port", "0", "--world", str(world)],
        cwd=ROOT,
        env={**os.environ, "ROOTPROOF_HOME": str(home), "PYTHONUNBUFFERED": "1", **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield Served(_address(process), process)
    finally:
        process.terminate()
        process.communicate()


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if found := _ADDRESS.search(line):
            return found[0]
    raise AssertionError(f"the service ended before it answered: {''.join(said)}")
