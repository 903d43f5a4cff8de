"""Which files of a folder are logs, and under which name they are shown."""

from pathlib import Path

from state.model.redaction import redact_text
from tools.regular_file import leads_out
from tools.valid_text import valid_text

SUFFIXES = frozenset({".jsonl", ".log", ".txt"})


def log_files(folder: Path) -> tuple[list[str], tuple[str, ...]]:
    """Names of all log files below the folder in order, and of links that leave it."""
    root = folder.resolve()
    names: list[str] = []
    ignored: list[str] = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        is_log = path.suffix.lower() in SUFFIXES and not path.is_dir()
        if path.is_symlink() and leads_out(path, root, unresolved=False):
            ignored.append(name)
        elif is_log:
            names.append(name)
    return names, tuple(map(shown, ignored))


def shown(name: str) -> str:
    """The name as it is told: a file name may hold a secret, or bytes that are no text."""
    return valid_text(redact_text(name))
