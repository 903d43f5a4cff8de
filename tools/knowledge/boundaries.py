"""Where a text may be cut so that what is left reads on: line, sentence, word. English and Chinese. Pure."""

import re

_SENTENCE_END = re.compile(r"[。！？；](?=[^”」』）])|[.!?;](?=\s)|\n")


def cut_back(text: str, start: int, limit: int) -> int:
    """The largest good end in (start, limit]: after a line or sentence, else after a word, else ``limit``.

    Looks no further back than half the span, so that a cut never wastes more than that.
    """
    if limit >= len(text):
        return len(text)
    floor = start + max(1, (limit - start) // 2)
    # One further character is seen, so that a sentence may end exactly at the limit.
    ends = [match.end() for match in _SENTENCE_END.finditer(text, floor, limit + 1) if match.end() <= limit]
    if ends:
        return ends[-1]
    space = text.rfind(" ", floor, limit)
    return space + 1 if space >= floor else limit


def begin_at(text: str, earliest: int, end: int) -> int:
    """The smallest good start in [earliest, end]: after a line or sentence, else after a space, else ``earliest``."""
    match = _SENTENCE_END.search(text, earliest, end)
    if match and match.end() < end:
        return _skip_blank(text, match.end(), end)
    space = text.find(" ", earliest, end)
    return space + 1 if 0 <= space < end - 1 else earliest


def excerpt(text: str, max_chars: int) -> str:
    """The longest verbatim beginning of at most ``max_chars`` that ends at a good place."""
    return text if len(text) <= max_chars else text[: cut_back(text, 0, max_chars)].rstrip()


def _skip_blank(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    return start
