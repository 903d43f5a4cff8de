"""``rootproof serve`` as an operator starts it, in a process of its own."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

START_S, STOP_S = 120.0, 60.0
SECRETS = {name: name.ljust(32, "-") for name in ("user", "operator", "auditor")}
_URL = re.compile(r"http://127\.0\.0\.1:\d+")


@dataclass
class ServeProcess:
    """A running service."""

    url: str
    pid: int
    log_file: Path

    @property
    def log(self) -> str:
        return self.log_file.read_text(errors="replace")


@contextmanager
def serve_process(folder: Path, world: Path | None = None, **settings: object) -> Iterator[ServeProcess]:
    """The service with one key a role, stopped at the end as Ctrl-C does; it must have left in order."""
    folder.mkdir(parents=True, exist_ok=True)
    log_file = folder / "serve.log"
    command = [str(Path(sys.executable).with_name("rootproof")), "serve", "--port", "0"]
    with log_file.open("w") as log:
        process = subprocess.Popen(
            [*command, *(["--world", str(world)] if world else [])],
            cwd=folder,
            env=_environment({"home": folder / "home", "log_format": "json", **settings}),
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        yield ServeProcess(_address(process, log_file), process.pid, log_file)
    finally:
        process.terminate()
        code = process.wait(timeout=STOP_S)
    assert code == 0, log_file.read_text()[-3000:]


def _environment(settings: Mapping[str, object]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ROOTPROOF_")}
    keys = {name: {"secret": f"env:KEY_OF_{name}", "roles": [name]} for name in SECRETS}
    named = {f"ROOTPROOF_{name.upper()}": str(value) for name, value in settings.items()}
    root = str(Path(__file__).parents[2])
    secrets = {f"KEY_OF_{name}": secret for name, secret in SECRETS.items()}
    return {**kept, **secrets, **named, "ROOTPROOF_KEYS": json.dumps(keys), "PYTHONPATH": root}


def _address(process: "subprocess.Popen[bytes]", log_file: Path) -> str:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        if found := _URL.search(log_file.read_text(errors="replace")):
            return found.group()
        assert process.poll() is None, log_file.read_text()[-3000:]
        time.sleep(0.05)
    raise AssertionError(f"not started within {START_S} s: {log_file.read_text()[-3000:]}")
