"""Second looks at a candidate secret: checksums, words of prose, placeholders. Pure."""

import base64
import binascii
import re

_BENIGN = frozenset(
    "yes no true false null none nil undefined required incorrect invalid wrong missing empty expired is not must"
    " too was has changed reset for the and or denied failed unexpected authentication provided unset ok"
    " basic bearer digest negotiate ntlm".split()
)
_TEMPLATE = re.compile(
    r"\$\d{1,3}$|\$\{[A-Za-z_][\w.]{0,100}\}?$|\$[A-Z_][A-Z0-9_]{1,100}$|\$\([^)]{0,200}\)?$"
    r"|%[-+#0]?\d{0,3}[sdvqrxfi]$|%\([a-z_]{1,60}\)?s?$|%[A-Z_]{2,60}%$|\*{1,100}$|\?\d{0,3}$|:[a-z_]{1,60}\d{0,2}$"
    r"|\{\{|<[a-z_ -]{0,30}>|\[REDACTED"
)
"""Bind parameters, format directives, masks and the like: they stand for a value without telling it."""
_PATH = re.compile(
    r"(?:/[a-z][a-z0-9_.-]{0,60}){2,20}/?$|/(?:etc|run|srv|var|home|root|tmp|opt|usr|mnt|app|data|dev|secrets?|vault)/?$"
    r"|/?$"
)
_QUALIFIED_NAME = re.compile(
    r"(?i:(?:[a-z_]{1,60}\.){1,6}[a-z_]{0,60}(?:token|secret|pass(?:word|wd)?|pwd|key|hash)$"
    r"|(?:config|settings|env|self|this|process|os|request|req|args|params|excluded|values|environ|props)\.[a-z_.]{1,100}$)"
)
"""A column or property that itself is named like a secret."""
_SMALL_NUMBER = re.compile(r"\d{1,4}$|\d{0,9}\.\d{1,6}%?$|\d{1,3}%$")
_NO_PROSE_VALUE = re.compile(
    r"[A-Za-z_.]{1,60}[=(:\[]|[a-z]{1,30}(?:[-_][a-z]{1,30}){0,5}[-_]v?\d{1,3}$|\d{4}-\d\d"
    r"|(?i:sha|md|bcrypt|argon|scrypt|pbkdf|aes|rsa|utf|http|oauth)-?\d{1,4}"
)
_LONG_RUN = re.compile(r"[A-Za-z0-9_]{12,}")
_SYMBOLS = frozenset("!@#$%^&*+~?")


def is_value(text: str) -> bool:
    """Not a bind parameter, a placeholder, a path, a column name or a word such as YES or null."""
    bare = text.strip("\\\"' .)]}")
    return (
        bool(bare)
        and bare.lower() not in _BENIGN
        and not any(pattern.match(bare) for pattern in (_TEMPLATE, _PATH, _QUALIFIED_NAME))
    )


def is_short_key_value(text: str) -> bool:
    """A value after a key as short as ``pass`` or ``pw``: not a count or a rate either."""
    return is_value(text) and not _SMALL_NUMBER.match(text)


def is_prose_value(text: str) -> bool:
    """Stands after a word such as "password" and is no word itself: letters with digits or symbols."""
    bare = text.strip("\\\"' .)]}")
    is_mixed = any(char.isalpha() for char in bare) and any(char.isdigit() or char in _SYMBOLS for char in bare)
    return is_mixed and is_value(bare) and not _NO_PROSE_VALUE.match(bare)


def is_long_token(text: str) -> bool:
    """Holds a run of at least twelve letters and digits, both of them: no name made of words."""
    return any(is_random(run) for run in _LONG_RUN.findall(text))


def is_key_value(text: str) -> bool:
    """Holds a digit and is no version, path or placeholder: what may follow the words "api key"."""
    return any(char.isdigit() for char in text) and is_value(text) and not _NO_PROSE_VALUE.match(text)


def is_client_password(text: str) -> bool:
    """Not the port mapping that other programs write with the same letter."""
    return is_value(text) and not re.fullmatch(r"[\d.:]+(?:/tcp)?", text)


def iban_valid(text: str) -> bool:
    """True if the two check digits fit the rest."""
    bare = text.replace(" ", "")
    moved = bare[4:] + bare[:4]
    return 15 <= len(bare) <= 34 and int("".join(str(int(char, 36)) for char in moved)) % 97 == 1


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
    local, _, domain = text.replace("%40", "@").rpartition("@")
    *_, second, top = domain.split(".")
    is_public = top.lower() not in {"local", "internal", "svc", "lan"}
    return is_public and local not in {"git", "svn"} and any(char.isalpha() for char in second)
