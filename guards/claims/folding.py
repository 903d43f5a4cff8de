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
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e01ef]"
)
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_HAS_CJK = re.compile(f"[{CJK}]")
_COMBINING = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
_BETWEEN_CJK = re.compile(rf"(?<=[{CJK}])\s+(?=[{CJK}])")
_LOOK_ALIKE = str.maketrans(
    "АВЕКМНОРСТУХІЈЅԚԜавекмнорстухгпіјѕԛԝһԁӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεγηικνορτυχωıɑɡɩօսհո",
    "ABEKMHOPCTYXIJSQWabekmhopctyxrnijsqwhdlABEZHIKMNOPTYXabeynikvoptuxwiagiouhn",
)
"""Cyrillic, Greek, Armenian and phonetic letters that look like Latin ones."""
_SIMPLIFIED = str.maketrans(
    "導緻於爲為於發誘觸歸責誰禍從無沒問題響穩鍵務統運體異檢測總計個條僅獨絕對數據庫連線請應該時間斷線圖錄"
    "關閉開啟環節點錯誤結論證實現狀態壓慮種恆終續業順暢損壞處點證檔冊預識規說",
    "导致于为为于发诱触归责谁祸从无没问题响稳键务统运体异检测总计个条仅独绝对数据库连线请应该时间断线图录"
    "关闭开启环节点错误结论证实现状态压虑种恒终续业顺畅损坏处点证档册预识规说",
)
"""Traditional characters of the words that the word lists hold, and their neighbours."""


def fold(text: str) -> str:
    """The text as claims compare it; line feeds stay, other control characters become spaces."""
    visible = _INVISIBLE.sub("", text)
    composed = _COMBINING.sub("", unicodedata.normalize("NFKC", visible))
    return _CONTROL.sub(" ", composed.translate(_PLAIN))


def fold_case(text: str) -> str:
    """The folded text without difference of case."""
    return fold(text).casefold()


def fold_words(text: str) -> str:
    """The text as word lists read it: no difference of case, accents, look-alike letters or old character forms.

    Spaces between unspaced characters are left out. Never shown, and never compared with a quote.
    """
    bare = _COMBINING.sub("", unicodedata.normalize("NFD", fold(text)))
    plain = unicodedata.normalize("NFC", bare).translate(_LOOK_ALIKE).casefold().translate(_LOOK_ALIKE)
    return _BETWEEN_CJK.sub("", plain.translate(_SIMPLIFIED))


def has_cjk(text: str) -> bool:
    """True if any character of an unspaced script occurs."""
    return _HAS_CJK.search(text) is not None
