"""The thread of a serving process that works off tasks, whoever added them."""

import logging
import sqlite3
import threading
from typing import Self

from state.model.errors import RootproofError
from tools.knowledge.document_library import DocumentLibrary

POLL_S = 0.5
"""How soon a task of another process is seen; own ones wake the thread."""
_log = logging.getLogger(__name__)


class TaskRunner:
    """One thread from ``start`` to ``stop``."""

    def __init__(self, library: DocumentLibrary, *, poll_s: float = POLL_S) -> None:
        self._library = library
        self._poll_s = poll_s
        self._awake = threading.Event()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="knowledge-tasks", daemon=True)

    def start(self) -> None:
        """Begins to work."""
        self._thread.start()

    def wake(self) -> None:
        """Something was added: look now."""
        self._awake.set()

    def stop(self) -> None:
        """Returns when the tasks under way are done; the rest waits in its rows."""
        self._ending.set()
        self._awake.set()
        self._thread.join()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _run(self) -> None:
        while not self._ending.is_set():
            try:
                worked = self._library.run_due()
            except (RootproofError, sqlite3.Error, OSError) as error:
                # Index, records or disk cannot be used: rows stay as they are until they can, and the thread lives.
                _log.warning("knowledge tasks wait: %s", error)
                worked = 0
            if not worked:
                self._awake.wait(self._poll_s)
                self._awake.clear()
