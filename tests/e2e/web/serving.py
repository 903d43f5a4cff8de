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

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])


@contextlib.contextmanager
def serve(
    world: Path | None, home: Path, *words: str, env: Mapping[str, str] | None = None, port: int = 0
) -> Iterator[Served]:
    """The service until the block ends; it says where it is once it answers. Without a world: what ``words`` say."""
    over = ("--world", str(world)) if world else ()
    # Where no evidence lies: a folder with logs in it, as the home has, is a world.
    nowhere = home.parent / f"{home.name}-nowhere"
    nowhere.mkdir(exist_ok=True)
    process = subprocess.Popen(
        [sys.executable, "-c", "from service.cli import main; main()", "serve", "--port", str(port), *over, *words],
        cwd=nowhere,
        env={
            **os.environ,
            "ROOTPROOF_HOME": str(home),
            "PYTHONUNBUFFERED": "1",
            "PYTHONPATH": str(ROOT),
            **(env or {}),
        },  # fmt: skip
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
