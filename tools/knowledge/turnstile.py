"""Lets many threads through at once, or one alone."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Turnstile:
    """Whoever wants to be alone waits for those inside; those who come later wait for it. Not to be nested."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside = 0
        self._is_alone = False

    @contextmanager
    def together(self) -> Iterator[None]:
        """Inside, nobody is alone."""
        with self._changed:
            self._changed.wait_for(lambda: not self._is_alone)
            self._inside += 1
        try:
            yield
        finally:
            with self._changed:
                self._inside -= 1
                self._changed.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Inside, nobody else is."""
        with self._changed:
            self._changed.wait_for(lambda: not self._is_alone)
            self._is_alone = True
            self._changed.wait_for(lambda: not self._inside)
        try:
            yield
        finally:
            with self._changed:
                self._is_alone = False
                self._changed.notify_all()
