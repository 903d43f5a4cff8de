"""Shapes of names: what makes a word an identifier, an error code, a host or a service."""

import re

from guards.claims.vocabulary import ORDINARY_FIRST_PARTS, ORDINARY_WORDS, SERVICE_PARTS

_HUMP = re.compile(r"[a-z][A-Z]")
_CODE = re.compile(r"[A-Z]{6,}|E(?:CONN|HOST|NET|ADDR|TIMED|PIPE|AGAIN|ACCES|PERM|BUSY)[A-Z]*|SIG[A-Z]{2,}")
_HTTP_CLASS = re.compile(r"[1-5][xX]{2}")
_FAULT_ENDING = re.compile(r"(?:Exception|Error|Failure|Fault|Timeout)s?$")
_LETTER = re.compile(r"[^\W\d_]")
_LINK_WORDS = frozenset("to of the in by and up on at out over or for as a no".split())
_DIGIT = re.compile(r"\d")


def is_ordinary(word: str) -> bool:
    """True for product and technology words that claim nothing by themselves."""
    return word.lower() in ORDINARY_WORDS


def is_http_class(word: str) -> bool:
    """True for ``5xx`` and its like."""
    return _HTTP_CLASS.fullmatch(word) is not None


def has_digit(word: str) -> bool:
    """True for ``HikariPool-1``, ``ORA-12519``, ``10.0.3.17``, ``v2.14.3``, a hash."""
    return _DIGIT.search(word) is not None


def is_code(word: str) -> bool:
    """True for ``DEADLINE_EXCEEDED``, ``ECONNREFUSED``, ``UNAVAILABLE``."""
    return ("_" in word.strip("_") and word.isupper()) or _CODE.fullmatch(word) is not None


def is_fault(word: str) -> bool:
    """True for exception and error classes, with or without their package."""
    last = word.rsplit(".", 1)[-1]
    return bool(_HUMP.search(last) and _FAULT_ENDING.search(last))


def is_joined(word: str) -> bool:
    """True for words written together: ``maxLifetime``, ``max_connections``, ``PgConnection``."""
    return "_" in word.strip("_") or _HUMP.search(word) is not None


def is_dotted(word: str) -> bool:
    """True for ``db.internal`` and ``java.net.http``; not for ``e.g`` nor for a lost space after a full stop."""
    parts = word.split(".")
    if len(parts) < 2 or any(not part for part in parts) or all(len(part) == 1 for part in parts):
        return False
    missing_space = len(parts) == 2 and parts[1][0].isupper() and parts[0].islower()
    return not missing_space


def is_service_like(word: str) -> bool:
    """True for ``order-router-svc``; not for ``cross-service``, ``end-to-end`` or ``read-only``."""
    parts = word.lower().split("-")
    if len(parts) < 2 or parts[0] in ORDINARY_FIRST_PARTS or set(parts) & _LINK_WORDS:
        return False
    return parts[-1].rstrip("s") in SERVICE_PARTS or parts[-1] in SERVICE_PARTS


def is_hyphenated(word: str) -> bool:
    """True for two or more parts of letters: an ordinary compound, or a name one edit from a known one."""
    return "-" in word and len(word) >= 5 and _LETTER.search(word) is not None
