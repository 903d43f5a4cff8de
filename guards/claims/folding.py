"""The one form in which texts are compared: NFKC, plain dashes and quotes, nothing invisible. Quotes never use it."""

import re
import unicodedata

CJK = "\u2e80-\u2fff\u3005-\u3007\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
"""Character ranges written without spaces; a Latin word beside them is a word of its own."""

WORD = f"[^\\W{CJK}]"
"""One letter, digit or underscore of a spaced script, as a regular expression."""

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–−", "-"),
        **dict.fromkeys("—―", " "),
        **dict.fromkeys("‘’‚′", "'"),
        **dict.fromkeys("“”„″「」『』", '"'),
    }
)
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef]"
)
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_HAS_CJK = re.compile(f"[{CJK}]")


def fold(text: str) -> str:
    """The text as claims compare it; line feeds stay, other control characters become spaces."""
    visible = _INVISIBLE.sub("", text)
    return _CONTROL.sub(" ", unicodedata.normalize("NFKC", visible).translate(_PLAIN))


def fold_case(text: str) -> str:
    """The folded text without difference of case."""
    return fold(text).casefold()


def has_cjk(text: str) -> bool:
    """True if any character of an unspaced script occurs."""
    return _HAS_CJK.search(text) is not None
