"""Which key of a JSON object a place in its bytes belongs to, for many places of many objects at once. Pure."""

import numpy as np
import numpy.typing as npt

from tools.logs.block_lines import BlockLines, Mask, Places
from tools.logs.text_hits import Bytes, Hits, rows
from tools.logs.writing import WHOLE, Writing

UNSURE, OUT, IN = -1, 0, 1
_Told = npt.NDArray[np.int8]
_QUOTE, _BLANK, _COLON, _BACKSLASH = b'" :\\'
_BRACE, _BRACE_BIT = np.uint8(ord("{")), np.uint8(ord("{") ^ ord("["))
_MOST_KEYS = 16
"""Different keys that are told apart in one block; what stands under further ones stays unsure."""
_BEGINS_VALUE = np.isin(np.arange(256), list(b"-0123456789tf{["))
"""Signs with which a value begins that is neither a string nor null."""
_NEAR = (32, 256)
"""Bytes before a span in which its opening quote is looked for, all spans at once."""
_LINE_BYTES = 4096
"""Longer are no lines of which a block tells the keys."""


def judged_in_rows(lines: BlockLines, hits: Hits, on: Places, writing: Writing) -> _Told:
    """Of each hit: ``IN`` if it surely stands in the text of its record, ``OUT`` if it surely does not, or ``UNSURE``.

    ``on`` are the lines of the hits, each a JSON object; a hit holds neither quotes nor backslashes.
    """
    told = np.full(len(on), UNSURE, np.int8)
    if not writing.shown:
        return told
    opens = _quotes_before(lines.data, lines.values, hits.begins)
    is_value = _is_value(lines.values, opens)
    for places, judged in ((np.flatnonzero(is_value), _judged_values), (np.flatnonzero(~is_value), _judged_names)):
        told[places] = judged(lines, hits.at(places), on[places], opens[places], writing)
    return told


def _judged_values(lines: BlockLines, hits: Hits, on: Places, opens: Places, writing: Writing) -> _Told:
    """Of hits in strings that open there, behind a key."""
    values, told = lines.values, np.full(len(on), UNSURE, np.int8)
    left = np.flatnonzero(_is_unescaped(lines.data, values, opens, hits.ends))
    for _ in range(_MOST_KEYS):
        if not len(left):
            break
        head = _head_before(lines.data, int(opens[left[0]]))
        is_under = _stands_at(values, opens[left] - len(head), head)
        under, left = left[is_under], left[~is_under]
        key = head[1 : head.rindex(b'"')]
        under = under[_is_outer(lines, on[under], opens[under] - len(head), is_nested=key in writing.nested)]
        n_shown, behind = writing.shown.get(key, UNSURE), hits.ends[under] - opens[under] - 1
        told[under] = np.where(behind <= n_shown, IN, OUT if n_shown == 0 else UNSURE)
    return told


def _judged_names(lines: BlockLines, hits: Hits, on: Places, opens: Places, writing: Writing) -> _Told:
    """Of hits behind such quotes, if these open a key."""
    values, told = lines.values, np.full(len(on), UNSURE, np.int8)
    closes = np.array([lines.data.find(b'"', end) for end in hits.ends.tolist()], np.intp)
    left = np.flatnonzero((opens >= 0) & (closes >= 0) & (values[closes + 1] == _COLON))
    for _ in range(_MOST_KEYS):
        if not len(left):
            break
        name = lines.data[opens[left[0]] : closes[left[0]] + 1]
        is_same = _stands_at(values, opens[left], name)
        same, left = left[is_same], left[~is_same]
        key = name[1:-1]
        same = same[_is_outer(lines, on[same], opens[same], is_nested=key in writing.nested)]
        if writing.shown.get(key, UNSURE) in {0, WHOLE}:
            told[same] = OUT
        elif key in writing.shown:
            told[same[_has_value(values, closes[same] + 2)]] = IN
    return told


def _has_value(values: Bytes, begins: Places) -> Mask:
    """Of each place behind a key and its colon, whether a value stands there, perhaps behind one blank."""
    at = begins + (values[begins] == _BLANK)
    has_value: Mask = _BEGINS_VALUE[values[at]] | ((values[at] == _QUOTE) & (values[at + 1] != _QUOTE))
    return has_value


def _is_outer(lines: BlockLines, on: Places, keys: Places, *, is_nested: bool) -> Mask:
    """Of each quote before a key whether it opens a key of the outermost object of its line.

    ``is_nested``: objects within have that key too.
    """
    is_outer: Mask = lines.values[keys - 1] != _BACKSLASH
    if is_nested:
        brackets = np.flatnonzero((lines.values | _BRACE_BIT) == _BRACE)
        is_outer &= np.searchsorted(brackets, keys) - np.searchsorted(brackets, lines.begins[on]) == 1
    return is_outer


def _quotes_before(data: bytes, values: Bytes, begins: Places) -> Places:
    """The nearest quote before each place; -1: there is none."""
    quotes = np.full(len(begins), -1, np.intp)
    left = np.arange(len(begins))
    for width in _NEAR:
        left = left[begins[left] >= width]
        is_quote = rows(values, begins[left] - width, width)[:, ::-1] == _QUOTE
        back = is_quote.argmax(axis=1)
        is_found = is_quote[np.arange(len(left)), back]
        quotes[left[is_found]] = begins[left[is_found]] - 1 - back[is_found]
        left = left[~is_found]
    for place in np.flatnonzero(quotes < 0).tolist():
        quotes[place] = data.rfind(b'"', 0, begins[place])
    return quotes


def _is_value(values: Bytes, opens: Places) -> Mask:
    """Of each quote, whether it stands behind a key as most writers have it: ``"key":`` and perhaps one blank."""
    at = np.maximum(opens, 3)
    is_near = (values[at - 1] == _COLON) & (values[at - 2] == _QUOTE)
    is_apart = (values[at - 1] == _BLANK) & (values[at - 2] == _COLON) & (values[at - 3] == _QUOTE)
    is_value: Mask = (is_near | is_apart) & (opens >= 3)
    return is_value


def _is_unescaped(data: bytes, values: Bytes, opens: Places, ends: Places) -> Mask:
    """Of each string, whether it ends before the next backslash; ``ends`` lie in it."""
    is_free = np.ones(len(opens), np.bool_)
    if b"\\" not in data:
        return is_free
    escapes = np.append(np.flatnonzero(values == _BACKSLASH), len(data) + _LINE_BYTES)
    following = escapes[np.searchsorted(escapes, opens)]
    near = np.flatnonzero(following - opens < _LINE_BYTES)
    closes = [data.find(b'"', end) for end in ends[near].tolist()]
    is_free[near] = np.array(closes, np.intp) < following[near]
    return is_free


def _head_before(data: bytes, opens: int) -> bytes:
    """The key before the value that opens there, from its opening quote on."""
    closes = data.rindex(b'"', 0, opens)
    return data[max(data.rfind(b'"', 0, closes), 0) : opens]


def _stands_at(values: Bytes, begins: Places, text: bytes) -> Mask:
    """Of each place, whether these bytes stand there."""
    found = (begins >= 0) & (begins <= len(values) - len(text))
    found[found] = (rows(values, begins[found], len(text)) == np.frombuffer(text, np.uint8)).all(axis=1)
    return found
