"""The tests' side of ``player``: other processes that can be told to play, stopped, and asked how it went."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.e2e.player import Task

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Ended:
    """How a process ended."""

    exit_code: int
    """Negative: killed by that signal."""
    answer: dict[str, Any] | None
    """None: it died before it could answer."""

    @property
    def was_killed(self) -> bool:
        return self.exit_code == -signal.SIGKILL

    @property
    def result(self) -> dict[str, Any]:
        assert self.answer is not None, f"no answer, exit code {self.exit_code}"
        assert "result" in self.answer, self.answer
        found = self.answer["result"]
        assert isinstance(found, dict)
        return found


class Playhouse:
    """A fork server whose children play one task each, one after the other."""

    def __init__(self) -> None:
        self._playing: int | None = None
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.e2e.player"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        assert self._read() == "here"

    def play(self, task: Task) -> Ended:
        """The task to its end."""
        self.begin(task)
        return self.end()

    def begin(self, task: Task) -> int:
        """The pid of the process that plays it."""
        assert self._server.stdin is not None
        self._end_left_over()
        self._server.stdin.write(task.to_json() + "\n")
        self._playing = int(self._read()["pid"])
        return self._playing

    def end(self) -> Ended:
        """How the begun process ended; waits for it."""
        read = self._read()
        self._playing = None
        return Ended(read["exit"], read["answer"])

    def _end_left_over(self) -> None:
        """Of a story that failed before it waited for its process: one that is frozen would block all later ones."""
        if self._playing is not None:
            kill(self._playing)
            self.end()

    def close(self) -> None:
        self._end_left_over()
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.close()
        self._server.wait(timeout=20)
        self._server.stdout.close()

    def _read(self) -> Any:
        assert self._server.stdout is not None
        line = self._server.stdout.readline()
        assert line, "the fork server is gone"
        return json.loads(line)


def kill(pid: int) -> None:
    """kill -9."""
    os.kill(pid, signal.SIGKILL)


def go_on(pid: int) -> None:
    """Wake a frozen process."""
    os.kill(pid, signal.SIGCONT)
