"""Text of others made safe to show: nothing in it can move the cursor, colour the screen or reorder a line. Pure."""

import re
import unicodedata

_SUSPECT = re.compile(r"[^\n\x20-\x7e\u4e00-\u9fff\u3000-\u303f\uff00-\uff60]")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Control characters, invisible formats (bidirectional overrides among them), lone surrogates, line separators."""
TAB = "    "


def visible(text: str) -> str:
    """The text with tabs as four spaces and hidden characters written out as escapes; newlines stay."""
    return _SUSPECT.sub(_shown, text.replace("\r\n", "\n").replace("\t", TAB))


def one_line(text: str) -> str:
    """The same on a single line: runs of white space are one space."""
    return " ".join(visible(text).split())


def _shown(match: re.Match[str]) -> str:
    char = match.group()
    return escaped(char) if unicodedata.category(char) in _HIDDEN else char


def escaped(char: str) -> str:
    """The character as Python would write it in a string."""
    code = ord(char)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
