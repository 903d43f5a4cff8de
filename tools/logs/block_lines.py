"""The lines and records of one block of which the layout is known, as arrays. Pure."""

from collections.abc import Callable, Iterator
from functools import cached_property

import numpy as np
import numpy.typing as npt

from state.model.stack_tail import KEPT_FRAMES
from tools.logs.file_index import FileChanged
from tools.logs.layout import Layout

Places = npt.NDArray[np.intp]
"""Of records among all of the block, of lines or of bytes, from 0, in the order of the file."""
Mask = npt.NDArray[np.bool_]
"""Which of them; a byte for each."""
_BREAK, _BACKSLASH, _BRACE = b"\n\\{"


class BlockLines:
    """The bytes of a block and its layout; each array is made when it is first asked for."""

    def __init__(self, layout: Layout, first_line: int, load: Callable[[], bytes]) -> None:
        """``load`` gives the bytes of the block, asked for at most once; ``first_line`` numbers its first line."""
        self.layout = layout
        self.first_line = first_line
        self._load = load

    @cached_property
    def data(self) -> bytes:
        """The bytes of the block."""
        return self._load()

    @cached_property
    def values(self) -> npt.NDArray[np.uint8]:
        """The same."""
        return np.frombuffer(self.data, np.uint8)

    @cached_property
    def marks(self) -> npt.NDArray[np.uint8]:
        """Of each line, as the layout has them: 0 where no record begins."""
        return self.layout.lines()

    @cached_property
    def firsts(self) -> Places:
        """The line on which each record begins."""
        return np.flatnonzero(self.marks)

    @cached_property
    def records(self) -> Places:
        """The record each line belongs to; -1 before the first."""
        return np.cumsum(self.marks != 0) - 1

    @cached_property
    def begins(self) -> Places:
        """Where each line begins, and the end of the block.

        Raises:
            FileChanged: the bytes are no longer those of which the layout was made.
        """
        breaks = np.flatnonzero(self.values == _BREAK)
        if len(breaks) + 1 != len(self.marks):
            raise FileChanged("a block was rewritten after it was surveyed")
        return np.concatenate(([0], breaks + 1, [len(self.data)]))

    def wanted(self, service: str | None, level: str | None) -> Mask:
        """Of each record, whether it is of that service and at that level or worse."""
        return self.layout.is_wanted(service, level)[self.marks[self.firsts]]

    @cached_property
    def may_drop_frames(self) -> Mask:
        """Of each record, whether reading may drop frames of a stack from it and add a remark."""
        may_drop: Mask = np.diff(self.firsts, append=len(self.marks)) > KEPT_FRAMES
        if b"\\" in self.data:
            on = np.searchsorted(self.begins, np.flatnonzero(self.values == _BACKSLASH), side="right") - 1
            escaped = self.records[on[self.records[on] >= 0]]
            may_drop[escaped[self.values[self.begins[self.firsts[escaped]]] == _BRACE]] = True
        return may_drop

    def pieces(self, places: Places) -> Iterator[tuple[bytes, int]]:
        """The bytes of each of these records with the number of its first line.

        Raises:
            FileChanged: as ``begins``.
        """
        begins, firsts = self.begins, self.firsts[places]
        behind = np.append(self.firsts[1:], len(self.marks))[places]
        spans = zip(firsts.tolist(), begins[firsts].tolist(), begins[behind].tolist(), strict=True)
        for line, begin, end in spans:
            yield self.data[begin:end], self.first_line + line
