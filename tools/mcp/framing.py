"""Lines of JSON-RPC out of a byte stream, each bounded before it is kept. Pure.

A line over the bound is dropped as it arrives: only its first and last bytes stay, in which the id of the message
usually stands, so that whoever waits for it can be told.
"""

import re
from dataclasses import dataclass, field

EDGE_BYTES = 256
"""Of a line at either end, where its id is looked for."""
_ID_FIRST = re.compile(rb'\A\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15})\s*[,}]')
_ID_EARLY = re.compile(rb'\A\s*\{\s*"id"\s*:\s*(\d{1,15})\s*,')
_ID_LAST = re.compile(rb'"id"\s*:\s*(\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*\Z')


@dataclass(frozen=True)
class TooLong:
    """A line over the bound was dropped."""

    message_id: int | None
    """Id of the JSON-RPC message, where its edges show one."""


@dataclass
class BoundedLines:
    """Splits chunks into lines of at most ``cap_bytes``."""

    cap_bytes: int
    _kept: bytearray = field(default_factory=bytearray)
    _dropped: int = 0
    _head: bytes = b""
    _tail: bytes = b""

    @property
    def dropped_bytes(self) -> int:
        """Bytes of the line that is being dropped so far; 0 if none is."""
        return self._dropped

    @property
    def dropped_id(self) -> int | None:
        """Id of the message that is being dropped, where its beginning shows one."""
        return message_id(self._head, b"")

    def feed(self, chunk: bytes) -> list[bytes | TooLong]:
        """The lines that end in this chunk, in order, without their line break."""
        *whole, rest = chunk.split(b"\n")
        lines = [line for part in whole if (line := self._end(part))]
        self._add(rest)
        return lines

    def _end(self, part: bytes) -> bytes | TooLong | None:
        """The line that ends with this part; None if it is blank."""
        self._add(part)
        if self._dropped:
            line: bytes | TooLong = TooLong(message_id(self._head, self._tail))
        else:
            line = bytes(self._kept)
        self._kept.clear()
        self._dropped, self._head, self._tail = 0, b"", b""
        return line if isinstance(line, TooLong) or line.strip() else None

    def _add(self, part: bytes) -> None:
        if not self._dropped and len(self._kept) + len(part) <= self.cap_bytes:
            self._kept += part
            return
        if not self._dropped:
            self._head = bytes(self._kept[:EDGE_BYTES]) + part[: max(0, EDGE_BYTES - len(self._kept))]
            self._tail = bytes(self._kept[-EDGE_BYTES:])
            self._dropped = len(self._kept)
            self._kept.clear()
        self._dropped += len(part)
        self._tail = (self._tail + part[-EDGE_BYTES:])[-EDGE_BYTES:]


def message_id(head: bytes, tail: bytes) -> int | None:
    """The id that the beginning or the end of a message shows; None if neither does."""
    found = _ID_FIRST.search(head) or _ID_EARLY.search(head) or _ID_LAST.search(tail)
    return int(found[1]) if found else None
