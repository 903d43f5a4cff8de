"""Bytes of text files into text: UTF-8, UTF-16 and UTF-32 with a mark, what a page declares, else GB18030. Pure."""

import codecs
import re

from tools.knowledge.formats.kinds import Unreadable
from tools.valid_text import valid_text

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""UTF-32 first: its little-endian mark begins like that of UTF-16."""
_DECLARED = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([A-Za-z0-9_-]{1,20})", re.IGNORECASE)
_DECLARED_WITHIN = 4096
_ALLOWED = frozenset({"gb2312", "gbk", "gb18030", "big5", "iso8859-1", "cp1252", "shift_jis", "euc_jp", "euc_kr"})


def decode_text(content: bytes) -> str:
    """The text, any half characters replaced.

    Raises:
        Unreadable: it holds zero bytes, or no encoding fits.
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return valid_text(_decoded(content, encoding, "is not the Unicode text that its first bytes announce"))
    if b"\0" in content:
        raise Unreadable("is not text")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        why = "is neither UTF-8 nor GB18030 text"
        return valid_text(_decoded(content, _declared(content) or "gb18030", why))


def _decoded(content: bytes, encoding: str, why: str) -> str:
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        raise Unreadable(why) from None
    if "\0" in text:
        raise Unreadable("is not text")
    return text


def _declared(content: bytes) -> str | None:
    match = _DECLARED.search(content[:_DECLARED_WITHIN])
    if match is None:
        return None
    try:
        name = codecs.lookup(match[1].decode("ascii")).name
    except LookupError:
        return None
    # A page that says GB2312 is written with the characters of its successor.
    return ("gb18030" if name.startswith("gb") else name) if name in _ALLOWED else None
