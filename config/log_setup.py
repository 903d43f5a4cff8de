"""Logging of the process: structured lines on stderr, secrets removed before a line is written."""

import logging
import sys
from collections.abc import Callable
from typing import TextIO

import structlog
from structlog.typing import EventDict, WrappedLogger

MAX_VALUE_CHARS = 2000
"""A longer value in a log line is cut."""

_SECRET_KEYS = frozenset({"api_key", "authorization", "cookie", "encryption_key", "password", "secret", "token"})


def configure_logging(level: str, style: str, redact: Callable[[str], str], stream: TextIO | None = None) -> None:
    """Make every later log line of the process structured, filtered and written to ``stream`` (stderr).

    ``level``: debug, info, warning or error. ``style``: json, console, or auto (console on a terminal).
    ``redact``: text in, the same text without secrets out; applied to every string of a line, tracebacks
    included. Libraries that use ``logging`` are heard from warning on: their debug lines carry prompts.
    """
    target = stream or sys.stderr
    console = style == "console" or (style == "auto" and target.isatty())
    renderer = (
        structlog.dev.ConsoleRenderer(colors=False)
        if console
        else structlog.processors.JSONRenderer(ensure_ascii=False)
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            SecretFilter(redact),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.WriteLoggerFactory(file=target),
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(handlers=[_Bridge()], level=logging.WARNING, force=True)
    logging.captureWarnings(True)


class _Bridge(logging.Handler):
    """Lines of libraries that log through ``logging`` take the same way out, filter included."""

    def emit(self, record: logging.LogRecord) -> None:
        write = structlog.get_logger().error if record.levelno >= logging.ERROR else structlog.get_logger().warning
        write(record.getMessage(), logger=record.name, exc_info=record.exc_info or None)


class SecretFilter:
    """Structlog processor: every string of the line without secrets and bounded, however deep it lies."""

    def __init__(self, redact: Callable[[str], str]) -> None:
        self._redact = redact

    def __call__(self, logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
        """The line, cleaned."""
        return {key: self._clean(key, value) for key, value in event.items()}

    def _clean(self, key: str, value: object) -> object:
        if key.lower() in _SECRET_KEYS and value is not None:
            return "[removed]"
        match value:
            case None | bool() | int() | float():
                return value
            case dict():
                return {str(name): self._clean(str(name), part) for name, part in value.items()}
            case list() | tuple() | set() | frozenset():
                return [self._clean(key, part) for part in value]
            case _:
                text = self._redact(str(value))
                return text if len(text) <= MAX_VALUE_CHARS else f"{text[:MAX_VALUE_CHARS]}…"
