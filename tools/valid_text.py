"""Text that every encoder accepts. Pure."""

import re

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def valid_text(text: str) -> str:
    """The text with lone surrogates (broken escapes, undecodable file names) as U+FFFD: it can always be stored."""
    return _LONE_SURROGATE.sub("\ufffd", text)
