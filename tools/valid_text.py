"""Text that every encoder accepts, and names that are harmless to list. Pure."""

import re
import unicodedata

MAX_LISTED_CHARS = 60
MAX_IDENTIFIER_CHARS = 100
"""Of a name without spaces that only ASCII letters, digits and ``_:./-`` make up: cut, it could not be asked for."""
MAX_LISTED_WORDS = 6
_IDENTIFIER = re.compile(r"[A-Za-z0-9_:./-]+")
_READ_CHARS = 400
_TEMPLATE_TOKEN = re.compile(r"<\|[^<>|]{0,60}\|?>|\[/?(?:INST|SYS)\]|<</?SYS>>|</?[A-Za-z!?][^<>]{0,60}>")
_PASSES = 4
"""A token assembled from the rest of removed ones is removed too, that often."""
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def valid_text(text: str) -> str:
    """The text with lone surrogates (broken escapes, undecodable file names) as U+FFFD: it can always be stored."""
    return _LONE_SURROGATE.sub("\ufffd", text)


def listed_name(text: str) -> str:
    """A name of a source's data for a catalogue: one short line without markup or invisible characters.

    Empty if it is none: nothing is left, or it is prose, of more than six words, that nobody gives as a name.
    """
    text = plain_text(valid_text(text[:_READ_CHARS]))
    for _ in range(_PASSES):
        text = _TEMPLATE_TOKEN.sub("", text)
    words = text.split()
    if len(words) > MAX_LISTED_WORDS:
        return ""
    name = " ".join(words)
    return name[: MAX_IDENTIFIER_CHARS if _IDENTIFIER.fullmatch(name) else MAX_LISTED_CHARS]


def plain_text(text: str) -> str:
    """The text with a space for every blank or control character and nothing for what is not seen."""
    return "".join(_plain(char) for char in text)


def is_listed(text: str) -> bool:
    """True if a catalogue may list the name as it is."""
    return bool(text) and listed_name(text) == text


def _plain(char: str) -> str:
    """The character; a space for any blank or control character, nothing for one that is not seen."""
    category = unicodedata.category(char)
    if char.isspace() or category in {"Cc", "Zl", "Zp"}:
        return " "
    return "" if category in {"Cf", "Cn", "Co", "Cs"} else char
