"""Where the log lines of a command go: a file in the home folder, so that they never run over the progress."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import TextIO

from config.log_setup import configure_logging
from config.settings import Settings
from service.problems import UnusableCommand
from service.texts import errors as texts
from state.model.redaction import redact_text
from state.private_folder import make_private_folder

MAX_BYTES = 10 * 1024 * 1024
"""A larger file is put aside as ``rootproof.log.1``; an older one of that name is replaced."""


def log_path(settings: Settings) -> Path:
    """The log file of that home folder."""
    return settings.home / "logs" / "rootproof.log"


@contextmanager
def logging_to_file(settings: Settings, *, verbose: bool) -> Iterator[str]:
    """Inside, log lines go to the file, private to the user, or with ``verbose`` to stderr; yields which.

    Raises:
        UnusableCommand: the home folder cannot be written.
    """
    if verbose:
        configure_logging(settings.log_level, settings.log_format, redact_text, sys.stderr)
        yield "stderr"
        return
    path = log_path(settings)
    with _open(path) as stream:
        configure_logging(settings.log_level, "json", redact_text, stream)
        try:
            yield str(path)
        finally:
            # What libraries say while the process ends has no reader.
            configure_logging("error", "json", redact_text, StringIO())


def _open(path: Path) -> TextIO:
    """The file for appending, line by line.

    Raises:
        UnusableCommand: it cannot be opened.
    """
    try:
        make_private_folder(path.parent)
        if path.exists() and path.stat().st_size > MAX_BYTES:
            path.replace(path.with_name(f"{path.name}.1"))
        path.touch(mode=0o600)
        return path.open("a", encoding="utf-8", errors="backslashreplace", buffering=1)
    except OSError as error:
        raise UnusableCommand(texts.NO_HOME, path=path.parent, why=error.strerror) from error
