"""Which key of a JSON object a place in its bytes belongs to, for many places of many objects at once. Pure."""

import numpy as np
import numpy.typing as npt

from tools.logs.block_lines import BlockLines, Mask, Places
from tools.logs.text_hits import Bytes, Hits, rows
from tools.logs.writing import Writing

UNSURE, OUT, IN = -1, 0, 1
_QUOTE, _BLANK, _COLON, _BACKSLASH = b'" :\\'
_BRACE, _BRACE_BIT = ord("{"), np.uint8(ord("{") ^ ord("["))
_MOST_HEADS = 16
"""Different keys that are told apart in one block; what stands under further ones stays unsure."""
_NEAR = (32, 256)
"""Bytes before a span in which its opening quote is looked for, all spans at once."""
_LINE_BYTES = 4096
"""Longer are no lines of which a block tells the keys."""


def judged_in_rows(lines: BlockLines, hits: Hits, on: Places, writing: Writing) -> npt.NDArray[np.int8]:
    """Of each hit: ``IN`` if it surely stands in the text of its record, ``OUT`` if it surely does not, or ``UNSURE``.

    ``on`` are the lines of the hits, each a JSON object; a hit holds neither quotes nor backslashes.
    """
    told = np.full(len(on), UNSURE, np.int8)
    if not writing.shown:
        return told
    values = lines.values
    opens = _quotes_before(lines.data, values, hits.begins)
    left = np.flatnonzero(_is_value(values, opens))
    left = left[_is_unescaped(lines.data, values, opens[left], hits.ends[left])]
    for _ in range(_MOST_HEADS):
        if not len(left):
            break
        head = _head_before(lines.data, int(opens[left[0]]))
        is_under = _stands_before(values, opens[left], head)
        under, left = left[is_under], left[~is_under]
        under = under[values[opens[under] - len(head) - 1] != _BACKSLASH]
        key = head[1 : head.rindex(b'"')]
        if key in writing.nested:
            under = under[_is_outermost(values, lines.begins[on[under]], opens[under])]
        told[under] = _told_under(writing.shown.get(key, UNSURE), hits.ends[under] - opens[under] - 1)
    return told


def _told_under(n_shown: int, behind: Places) -> npt.NDArray[np.int8]:
    """Of hits that end so many bytes behind the beginning of a value, of which so many bytes are shown."""
    return np.where(behind <= n_shown, IN, OUT if n_shown == 0 else UNSURE).astype(np.int8)


def _is_outermost(values: Bytes, begins: Places, opens: Places) -> Mask:
    """Of each value, whether no other object or list opens between the beginning of its line and the value."""
    brackets = np.flatnonzero((values | _BRACE_BIT) == _BRACE)
    is_outermost: Mask = np.searchsorted(brackets, opens) - np.searchsorted(brackets, begins) == 1
    return is_outermost


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


def _stands_before(values: Bytes, opens: Places, head: bytes) -> Mask:
    """Of each place, whether these bytes stand before it."""
    found = opens >= len(head)
    begins = opens[found] - len(head)
    found[found] = (rows(values, begins, len(head)) == np.frombuffer(head, np.uint8)).all(axis=1)
    return found
