"""Which lines of a block begin records, and of which service and level: enough to count matches and to find the n-th.

Kept of every block, without text: a byte for each line, compressed. Pure.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tools.logs.levels import rank

Kind = tuple[str, str]
"""Service as shown, and level."""
MOST_KINDS = 255
"""More in one block cannot be told apart by a byte."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Of one block."""

    kinds: tuple[Kind, ...]
    """Each once."""
    counts: tuple[int, ...]
    """Records of each kind."""
    packed: bytes
    """A byte for each line, compressed: 0 where no record begins, else one more than the place of its kind."""

    def n_of(self, service: str | None, level: str | None) -> int:
        """Records of that service at that level or worse; None stands for any."""
        return sum(count for kind, count in zip(self.kinds, self.counts, strict=True) if _is_of(kind, service, level))

    def lines(self) -> npt.NDArray[np.uint8]:
        """The byte of each line."""
        return np.frombuffer(zlib.decompress(self.packed), np.uint8)

    def is_wanted(self, service: str | None, level: str | None) -> npt.NDArray[np.bool_]:
        """By the byte of a line: whether a record of that service at that level or worse begins there."""
        table = np.zeros(MOST_KINDS + 1, np.bool_)
        for place, kind in enumerate(self.kinds, 1):
            table[place] = _is_of(kind, service, level)
        return table


def pack_layout(kinds: Sequence[Kind], lines: bytes | bytearray) -> Layout | None:
    """The layout of a block; ``lines`` has a byte for each line, as unpacked. None: more kinds than a byte tells."""
    if len(kinds) > MOST_KINDS:
        return None
    # Two written services may be shown by one name.
    names = tuple(dict.fromkeys(kinds))
    table = bytearray(256)
    for place, kind in enumerate(kinds, 1):
        table[place] = names.index(kind) + 1
    told = bytes(lines).translate(table)
    counts = tuple(told.count(place) for place in range(1, len(names) + 1))
    return Layout(names, counts, zlib.compress(told, 1))


def _is_of(kind: Kind, service: str | None, level: str | None) -> bool:
    return (service is None or kind[0] == service) and (level is None or rank(kind[1]) >= rank(level))
