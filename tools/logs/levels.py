"""Severity of a log record, whatever its writer calls it. Pure."""

import re

LEVELS = ("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL")
"""All levels this project knows, mildest first."""
DEFAULT_LEVEL = "INFO"
"""Level of a record that names none."""

_ALIASES = {
    "VERBOSE": "TRACE", "FINEST": "TRACE", "FINER": "TRACE", "FINE": "DEBUG", "CONFIG": "DEBUG", "DBG": "DEBUG",
    "INFORMATION": "INFO", "INFORMATIONAL": "INFO", "NOTICE": "INFO", "LOG": "INFO", "NOTE": "INFO", "DETAIL": "INFO",
    "HINT": "INFO", "STATEMENT": "INFO", "CONTEXT": "INFO", "SYSTEM": "INFO", "I": "INFO", "WARNING": "WARN",
    "W": "WARN", "ERR": "ERROR", "SEVERE": "ERROR", "FAILURE": "ERROR", "E": "ERROR", "CRITICAL": "FATAL",
    "CRIT": "FATAL", "PANIC": "FATAL", "EMERG": "FATAL", "EMERGENCY": "FATAL", "ALERT": "FATAL", "F": "FATAL",
    "警告": "WARN", "错误": "ERROR", "信息": "INFO", "严重": "ERROR", "致命": "FATAL", "调试": "DEBUG",
}  # fmt: skip
_NUMBERED = ((60, "FATAL"), (50, "ERROR"), (40, "WARN"), (30, "INFO"), (20, "DEBUG"), (10, "TRACE"))

_UPPER = "TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERR(?:OR)?|CRIT(?:ICAL)?|FATAL|PANIC|SEVERE|EMERG|ALERT"
_IN_LINE = re.compile(
    rf"(?<![\w.=/-])(?:(?P<u>{_UPPER}|LOG|NOTE)(?![\w/-])|\[(?P<b>{_UPPER.lower()}|{_UPPER}|Warning|Error|Note|System)\s*\]"
    rf"|(?i:level|severity|lvl)[=:]\"?(?P<k>(?i:{_UPPER}))\b)|[\[【](?P<z>警告|错误|信息|严重|致命|调试)[\]】]"
)
_HEAD_CHARS = 120
"""Levels stand near the start of a line."""


def parse_level(value: object) -> str | None:
    """The level a field names (``warning``, ``ERR``, bunyan's 40); None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return next((name for least, name in _NUMBERED if value >= least), None)
    name = str(value).strip().upper()
    return name if name in LEVELS else _ALIASES.get(name)


def rank(level: str) -> int:
    """Place in ``LEVELS``: higher is worse."""
    return LEVELS.index(level)


def names_below(level: str) -> tuple[str, ...]:
    """Every name that ``parse_level`` reads as milder than ``level``, in capitals, sorted; empty for the mildest."""
    written = {name: name for name in LEVELS} | _ALIASES
    return tuple(sorted(name for name, meant in written.items() if rank(meant) < rank(level)))


def all_names() -> tuple[str, ...]:
    """Every name that ``parse_level`` reads as a level, in capitals, sorted."""
    return tuple(sorted({*LEVELS, *_ALIASES}))


def detect_level(line: str) -> str | None:
    """The level named near the start of a line of text; None if there is none."""
    match = _IN_LINE.search(line, 0, _HEAD_CHARS)
    return parse_level(match["u"] or match["b"] or match["k"] or match["z"]) if match else None


def level_of_status(status: int) -> str:
    """Level of an access record that has only an HTTP status: 5xx ERROR, 4xx WARN, else INFO."""
    return "ERROR" if status >= 500 else "WARN" if status >= 400 else "INFO"
