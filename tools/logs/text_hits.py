"""Where a text stands in the bytes of a block, many hits at once. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tools.logs.block_lines import Mask, Places
from tools.logs.literal import Fragment

Bytes = npt.NDArray[np.uint8]
_AT_ONCE = 128 * 1024
"""Bytes that are looked through in one step: so few that they stay near the processor."""
_COMPARED = 16 * 1024
"""Hits that are compared with the whole text in one step, so that memory stays bounded."""
_LOOKED_FOR = 4
"""Bytes of a fragment that are looked for everywhere; the others are compared where these stand."""
_NUMERIC = re.compile(rb"-?\d*\.?\d*(?:e-?\d*)?")
_FIRST, _N_LETTERS, _CASE_BIT = np.uint8(ord("a")), np.uint8(26), np.uint8(0x20)


@dataclass(frozen=True, slots=True)
class Sought:
    """A text as it is looked for in bytes."""

    fragment: Fragment
    """Stands in the bytes of every record that contains the text."""
    whole: bytes
    """The whole text in lower case; empty: where it stands in the bytes cannot be judged."""
    offset: int
    """Of the fragment in it."""
    is_quoted: bool
    """It holds signs that JSON writes otherwise or between its strings."""
    is_numeric: bool
    """The fragment may be part of a number, which may be shown otherwise than it is written."""


@dataclass(frozen=True, slots=True)
class Hits:
    """Of the fragment, at least one in each line that has any; arrays of one length."""

    begins: Places
    ends: Places
    """Of the whole text where it stands there, else of the fragment."""
    is_whole: Mask

    def at(self, places: Places) -> "Hits":
        """Some of them."""
        return Hits(self.begins[places], self.ends[places], self.is_whole[places])

    def of_fragment(self, text: Sought) -> "Hits":
        """The same, each of the fragment alone."""
        begins = self.begins + np.where(self.is_whole, text.offset, 0)
        return Hits(begins, begins + len(text.fragment.needle), np.zeros_like(self.is_whole))


def sought(contains: str, fragment: Fragment) -> Sought:
    """The text, to be found by one of its fragments."""
    text = contains.lower()
    # What is not printed may be stripped or rewritten by reading.
    whole = text.encode() if text.isprintable() else b""
    return Sought(
        fragment,
        whole,
        whole.find(fragment.needle),
        is_quoted='"' in text or "\\" in text,
        is_numeric=bool(_NUMERIC.fullmatch(fragment.needle)),
    )


def hits_of(values: Bytes, text: Sought) -> Hits:
    """All hits in the bytes, in order."""
    heads = np.concatenate([np.empty(0, np.intp), *_head_hits(values, text.fragment.needle)])
    is_whole = _stands_at(values, heads - text.offset, text.whole)
    is_hit = is_whole.copy()
    is_hit[~is_whole] = _stands_at(values, heads[~is_whole], text.fragment.needle)
    hits, is_whole = heads[is_hit], is_whole[is_hit]
    begins = hits - text.offset
    return Hits(
        begins=np.where(is_whole, begins, hits),
        ends=np.where(is_whole, begins + len(text.whole), hits + len(text.fragment.needle)),
        is_whole=is_whole,
    )


def fragment_hits(values: Bytes, fragment: Fragment) -> Iterator[Places]:
    """All offsets of the fragment, in order, some for each step."""
    for heads in _head_hits(values, fragment.needle):
        yield heads[_stands_at(values, heads, fragment.needle)]


def _head_hits(values: Bytes, needle: bytes) -> Iterator[Places]:
    """All offsets of the beginning of ``needle``, in order, some for each step."""
    head, bits = np.frombuffer(needle, np.uint8)[:_LOOKED_FOR], _case_bits(needle)
    for start in range(0, len(values), _AT_ONCE):
        some = values[start : start + _AT_ONCE + len(head) - 1]
        folded = some | _CASE_BIT
        n_places = max(len(some) - len(head) + 1, 0)
        is_head = np.ones(n_places, np.bool_)
        for place, (value, bit) in enumerate(zip(head, bits, strict=False)):
            is_head &= (folded if bit else some)[place : place + n_places] == value
        yield np.flatnonzero(is_head) + start


def rows(values: Bytes, begins: Places, n_bytes: int) -> Bytes:
    """So many bytes from each of these places on, a row for each; all of them exist."""
    overlapping: npt.NDArray[np.void] = np.ndarray(
        (max(len(values) - n_bytes + 1, 0),), dtype=f"V{n_bytes}", buffer=values.data, strides=(1,)
    )
    return overlapping[begins].view(np.uint8).reshape(len(begins), n_bytes)


def _stands_at(values: Bytes, begins: Places, text: bytes) -> Mask:
    """Of each place, whether the text stands there, whatever the case of its ASCII letters; of none if it is empty."""
    found = np.zeros(len(begins), np.bool_)
    if text:
        inside = np.flatnonzero((begins >= 0) & (begins <= len(values) - len(text)))
        for start in range(0, len(inside), _COMPARED):
            some = inside[start : start + _COMPARED]
            standing = rows(values, begins[some], len(text)) | _case_bits(text)
            found[some] = np.all(standing == np.frombuffer(text, np.uint8), axis=1)
    return found


def _case_bits(text: bytes) -> Bytes:
    """For each byte of a text in lower case, what a letter in upper case lacks to be the same."""
    return np.where((np.frombuffer(text, np.uint8) - _FIRST) < _N_LETTERS, _CASE_BIT, np.uint8(0))
