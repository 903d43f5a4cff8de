"""Our side of the parsing process: started on first need, killed when it takes too long, replaced after a while.

Whatever a hostile file does to the process (hang, crash, grow) ends that file, and only that file.
"""

import json
import os
import selectors
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO

from pydantic import ValidationError

from tools.knowledge.formats.extracted import Extracted
from tools.knowledge.formats.kinds import DocumentFormat, Unreadable

TIMEOUT_S = 60.0
FILES_A_PROCESS = 50
"""Afterwards it is replaced: what one file left behind reaches few others."""
MAX_REPLY_BYTES = 64 * 1024 * 1024
TOO_SLOW = "takes too long to read"
CRASHED = "cannot be read: its parser ended"
_ROOT = Path(__file__).parents[3]
_BLOCK = 65536


class ParsingProcess:
    """At most one child at a time; thread-safe. Blocking."""

    def __init__(self, *, timeout_s: float = TIMEOUT_S) -> None:
        self._timeout_s = timeout_s
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._served = 0

    def extract(self, format_: DocumentFormat, content: bytes) -> Extracted:
        """The document.

        Raises:
            Unreadable: its parser refused it, took longer than the timeout, ran out of memory or crashed.
        """
        with self._lock:
            try:
                return _read_reply(self._ask(format_, content))
            except TimeoutError:
                self._end()
                raise Unreadable(TOO_SLOW) from None
            except (OSError, EOFError, ValidationError, json.JSONDecodeError):
                self._end()
                raise Unreadable(CRASHED) from None

    def close(self) -> None:
        """Ends the child; idempotent."""
        with self._lock:
            self._end()

    def _ask(self, format_: DocumentFormat, content: bytes) -> bytes:
        if self._served >= FILES_A_PROCESS or (self._child is not None and self._child.poll() is not None):
            self._end()
        child = self._child or _start()
        self._child = child
        self._served += 1
        assert child.stdin is not None
        assert child.stdout is not None
        until = time.monotonic() + self._timeout_s
        request = json.dumps({"format": format_, "size": len(content)}).encode() + b"\n" + content
        _send(child.stdin, request, until)
        return _receive(child.stdout, until)

    def _end(self) -> None:
        child, self._child, self._served = self._child, None, 0
        if child is None:
            return
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                pipe.close()


def _start() -> subprocess.Popen[bytes]:
    begin = f"import sys; sys.path.insert(0, {str(_ROOT)!r}); from tools.knowledge.formats.child import main; main()"
    child = subprocess.Popen(
        [sys.executable, "-I", "-c", begin],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"LANG": "C.UTF-8"},
        cwd="/",
        bufsize=0,
    )
    for pipe in (child.stdin, child.stdout):
        assert pipe is not None
        os.set_blocking(pipe.fileno(), False)
    return child


def _send(pipe: IO[bytes], content: bytes, until: float) -> None:
    """Writes everything.

    Raises:
        TimeoutError: not before ``until``.
        OSError: the child is gone.
    """
    view = memoryview(content)
    while view:
        _await(pipe, selectors.EVENT_WRITE, until)
        view = view[os.write(pipe.fileno(), view[:_BLOCK]) :]


def _receive(pipe: IO[bytes], until: float) -> bytes:
    """One line.

    Raises:
        TimeoutError: not before ``until``.
        EOFError: the child is gone or says too much.
    """
    blocks: list[bytes] = []
    size = 0
    while not blocks or not blocks[-1].endswith(b"\n"):
        _await(pipe, selectors.EVENT_READ, until)
        block = os.read(pipe.fileno(), _BLOCK)
        size += len(block)
        if not block or size > MAX_REPLY_BYTES:
            raise EOFError
        blocks.append(block)
    return b"".join(blocks)


def _await(pipe: IO[bytes], event: int, until: float) -> None:
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, event)
        if not selector.select(max(0.0, until - time.monotonic())):
            raise TimeoutError


def _read_reply(line: bytes) -> Extracted:
    """The document of the reply.

    Raises:
        Unreadable: the parser refused the file.
        ValidationError: the reply is none.
    """
    reply = json.loads(line)
    if "why" in reply:
        raise Unreadable(str(reply["why"])[:300])
    return Extracted.model_validate(reply["extracted"])
