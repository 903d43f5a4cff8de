"""Second looks at a candidate secret: checksums, words of prose, placeholders. Pure."""

import base64
import binascii
import re

_BENIGN = frozenset(
    "yes no true false null none nil undefined required incorrect invalid wrong missing empty expired is not must"
    " too was has changed reset for the and or denied failed unexpected authentication provided unset ok"
    " basic bearer digest negotiate ntlm".split()
)
_TEMPLATE = re.compile(r"[$%?*]|:[A-Za-z_]|\{\{|<[a-z_ -]{0,30}>|\[REDACTED|/[\w./-]*$")
_QUALIFIED_NAME = re.compile(r"[A-Za-z_]+(?:\.[A-Za-z_]+)+$")


def is_value(text: str) -> bool:
    """Not a bind parameter, a placeholder, a path, a column name or a word such as YES or null."""
    bare = text.strip("\\\"' .)]}")
    return bool(bare) and bare.lower() not in _BENIGN and not (_TEMPLATE.match(bare) or _QUALIFIED_NAME.match(bare))


def is_no_word(text: str) -> bool:
    """Anything but one of the words that follow such a key in prose."""
    return text.lower() not in _BENIGN


def is_random(text: str) -> bool:
    """Holds a digit and a letter: neither a word nor a number."""
    return any(char.isdigit() for char in text) and any(char.isalpha() for char in text)


def is_prose_secret(text: str) -> bool:
    """Long and random enough to be a secret after a mere colon."""
    return len(text) >= 8 and is_random(text) and is_value(text)


def is_session_id(text: str) -> bool:
    """Not the plain number that brokers call a session id."""
    return len(text) >= 12 and is_random(text)


def is_basic_pair(text: str) -> bool:
    """Base64 of ``user:password``."""
    try:
        return b":" in base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except binascii.Error:
        return False


def luhn_valid(digits: str) -> bool:
    """True if the check digit fits; anything but ASCII digits is skipped."""
    numbers = [int(char) for char in digits if char.isascii() and char.isdigit()]
    doubled = (value * 2 for value in numbers[-2::-2])
    return (sum(numbers[-1::-2]) + sum(value - 9 if value > 9 else value for value in doubled)) % 10 == 0


_ID_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


def chinese_id_valid(text: str) -> bool:
    """True if the last of the 18 characters is the check character of the first 17."""
    total = sum(int(char) * weight for char, weight in zip(text, _ID_WEIGHTS, strict=False))
    return "10X98765432"[total % 11] == text[-1].upper()


def is_address(text: str) -> bool:
    """A mail address, not a package version (``pkg@4.17.21.tgz``) or an internal service name."""
    local, _, domain = text.rpartition("@")
    *_, second, top = domain.split(".")
    is_public = top.lower() not in {"local", "internal", "svc", "lan"}
    return is_public and local not in {"git", "svn"} and any(char.isalpha() for char in second)
