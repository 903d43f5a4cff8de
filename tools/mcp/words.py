"""Text that an MCP server wrote, made harmless to show: no control characters, no markup, bounded. Pure.

What stays is still the server's own word: it is shown as such, and never as an instruction.
"""

import re

from tools.fitting import cut
from tools.valid_text import valid_text

_INVISIBLE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
_ANY_TAG = re.compile(r"</?[A-Za-z!?|][^<>]{0,300}>")
_TEMPLATE_TOKEN = re.compile(r"<\|[^<>|\n]{0,60}\|>|\[/?(?:INST|SYS)\]|<</?SYS>>")
_COMMENT, _COMMENT_END = "<!--", "-->"
_MAX_COMMENT_CHARS = 4000
"""What is further apart is no comment: evidence must not vanish between two arrows of a log."""
_KNOWN_TAG = re.compile(
    r"</?(?:a|b|i|u|p|br|hr|em|div|img|svg|pre|code|span|body|head|html|link|meta|form|input|button|strong|style|script"
    r"|iframe|object|embed|table|thead|tbody|tr|td|th|ul|ol|li|h[1-6]|blockquote|details|summary"
    r"|system|assistant|user|human|instructions?|important|tool_result|function_results?|function_calls?)"
    r"(?=[\s/>])[^<>]{0,300}>",
    re.IGNORECASE,
)
_MARKDOWN_LINK = re.compile(r"!?\[([^\[\]\n]{0,200})\]\([^()\n]{0,500}\)")
_MARKDOWN_SIGNS = re.compile(r"[`*#~|]+|^[>\s]+|_{2,}", re.MULTILINE)
_PASSES = 4
"""A tag assembled from the rest of removed ones is removed too, that often."""


def plain_words(text: str, max_chars: int) -> str:
    """One line of plain words for a description: markup, line breaks and invisible characters gone, cut and marked."""
    text = visible(text[: 4 * max_chars])
    text = _settled(text, (_TEMPLATE_TOKEN, _ANY_TAG))
    text = _MARKDOWN_SIGNS.sub(" ", _MARKDOWN_LINK.sub(r"\1", text))
    return cut(" ".join(text.split()), max_chars)


def evidence_text(text: str) -> str:
    """The text of a result with its line breaks; invisible characters and tags that a reader would render are gone.

    Words in angle brackets that are no known tag stay: log lines are full of them.
    """
    text = visible(text.replace("\r\n", "\n").replace("\r", "\n"))
    return _settled(text, (_TEMPLATE_TOKEN, _KNOWN_TAG))


def visible(text: str) -> str:
    """The text without control and invisible characters; tabs and line breaks stay."""
    return _INVISIBLE.sub("", valid_text(text))


def is_plain(text: str) -> bool:
    """True if the text holds nothing that ``plain_words`` would remove from the middle of it."""
    return not _INVISIBLE.search(text) and not _ANY_TAG.search(text) and "\n" not in text and text == valid_text(text)


def _settled(text: str, patterns: tuple[re.Pattern[str], ...]) -> str:
    for _ in range(_PASSES):
        before, text = text, _without_comments(text)
        for pattern in patterns:
            text = pattern.sub("", text)
        if text == before:
            break
    return text


def _without_comments(text: str) -> str:
    """One walk over the text, because a search that starts over at every opening takes hours on many of them."""
    kept: list[str] = []
    done, end = 0, -1
    start = text.find(_COMMENT)
    while start >= 0:
        inside = start + len(_COMMENT)
        if end < inside:
            end = text.find(_COMMENT_END, inside)
        if end < 0:
            break
        if end - inside <= _MAX_COMMENT_CHARS:
            kept.append(text[done:start])
            inside = done = end + len(_COMMENT_END)
        start = text.find(_COMMENT, inside)
    return "".join((*kept, text[done:]))
