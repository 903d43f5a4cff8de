"""How the records of a block are written: which of their bytes stand in the text of a record as they are. Pure."""

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from state.model.redaction import is_sensitive_key
from tools.logs.json_lines import MAX_VALUE_CHARS, Places

WHOLE = 1 << 20
"""More bytes than a value has of which anything is told here: the value is the message."""
NOWHERE = 1 << 30
"""A place behind the end of any line."""
_UNSURE = -1
_MOST_KEYS = 100
"""Of more in one block nothing is told, so that what is kept of a block stays small."""
_NAME = re.compile(r"[\w@.-]+")
"""Keys that cannot be taken for what stands between two strings."""
_Keys = tuple[Mapping[bytes, int], frozenset[bytes]]
"""``shown`` and ``nested`` of a block."""
_ESCAPED = re.compile(rb"\\(.)", re.DOTALL)
_APART = (b" ", b'"', b":")
"""Signs that are part of no word."""
_PYTHON_FRAME = 'File "'
"""A first line that begins so may be dropped with the tail of a stack."""


@dataclass(frozen=True, slots=True)
class Writing:
    """Of all records of one block whose words stand in the bytes as they stand in its text."""

    shown: Mapping[bytes, int] = field(default_factory=dict)
    """Key of a JSON record → so many bytes of a string under it surely stand in the text of the record, if no escape
    is among them; 0: surely none do. A key of which neither is sure is absent. The key itself stands in the text too,
    if it has a value and this is neither 0 nor ``WHOLE``."""
    nested: frozenset[bytes] = frozenset()
    """Those of these keys that objects within the records have too, of which nothing is told."""
    text_from: int = NOWHERE
    """Of a record not written as JSON, the bytes of its first line from there on stand in its message."""
    stamp_to: int = 0
    """Of such a record, the bytes of its first line before that do not stand in its text."""
    may_redact: bool = True
    """A secret may be removed from a record and a remark be put in its place."""


class WritingSeen:
    """Collects it over the lines of one block."""

    def __init__(self) -> None:
        self.is_faithful = True
        """So far words stand in the bytes as in the text; False is final, and then no more need be taken."""
        self._is_sure = True
        self._nested: set[str] = set()
        self._has_parts = False
        self._text_from = 0
        self._stamp_to = NOWHERE

    def take_row(self, row: Mapping[str, object], raw: bytes) -> None:
        """A JSON object and the line it was read from."""
        n_strings = len(row)
        for value in row.values():
            kind = type(value)
            if kind is str:
                n_strings += 1
            elif kind is float:
                self._take_number(value, raw)
            elif kind is dict or kind is list:
                self._has_parts = True
                n_strings += self._take_nested(value, raw)
        # Of a key that stands there twice one string is missing.
        if raw.count(b'"') != 2 * n_strings and raw.count(b'"') - _n_escaped(raw) != 2 * n_strings:
            self._is_sure = False

    def take_prefix(self, n_bytes: int) -> None:
        """The text of a record that is not JSON, and begins with no stack frame, is what follows so many bytes."""
        if n_bytes > self._text_from:
            self._text_from = n_bytes
        if n_bytes < self._stamp_to:
            self._stamp_to = n_bytes

    def take_text(self, raw: bytes, text: str, message: str) -> None:
        """The first line of any other record of plain text, as it is and as it was decoded, and the message."""
        line, told = text.encode(), message.encode()
        n_common = _n_common(line, told)
        is_frame = message.lstrip().startswith(_PYTHON_FRAME)
        self.take_prefix(NOWHERE if is_frame else len(raw.removesuffix(b"\r")) - n_common)
        self._stamp_to = 0
        head, tail = told[: len(told) - n_common], told[len(told) - n_common :]
        # Two parts of the line may make one message, if no word goes from one to the other.
        if told not in line and not (head in line and tail.startswith(_APART)):
            self.is_faithful = False

    def seen(self, orders: Mapping[tuple[str, ...], Places]) -> Writing:
        """The same for the whole block, whose JSON objects have their keys in these orders."""
        shown, nested = _shown(orders, self._nested) if self._is_sure else ({}, frozenset())
        may_redact = self._has_parts or any(is_sensitive_key(key) for keys in orders for key in keys)
        return Writing(shown, nested, self._text_from, self._stamp_to, may_redact)

    def _take_number(self, value: object, raw: bytes) -> None:
        if repr(value).encode() not in raw:
            self.is_faithful = False

    def _take_nested(self, value: object, raw: bytes) -> int:
        """So many strings it is made of, keys among them."""
        if isinstance(value, str):
            return 1
        if isinstance(value, dict):
            self._nested.update(value)
            return len(value) + sum(self._take_nested(part, raw) for part in value.values())
        if isinstance(value, list):
            return sum(self._take_nested(part, raw) for part in value)
        if isinstance(value, float):
            self._take_number(value, raw)
        return 0


def _n_escaped(raw: bytes) -> int:
    """Quotes that are part of a string."""
    return _ESCAPED.findall(raw).count(b'"')


def _n_common(line: bytes, told: bytes) -> int:
    """Bytes at the end that are the same in both."""
    return bisect_left(range(1, min(len(line), len(told)) + 1), x=True, key=lambda n: line[-n:] != told[-n:])


def _shown(orders: Mapping[tuple[str, ...], Places], nested: set[str]) -> _Keys:
    found: dict[str, int] = {}
    for keys, places in orders.items():
        for key in keys:
            n_bytes = _shown_under(key, places)
            if found.setdefault(key, n_bytes) != n_bytes:
                found[key] = _UNSURE
    sure = {key: n for key, n in found.items() if n != _UNSURE and _NAME.fullmatch(key)}
    if len(sure) > _MOST_KEYS:
        return {}, frozenset()
    return _shared(frozenset(sure.items()), frozenset(nested & sure.keys()))


def _shown_under(key: str, places: Places) -> int:
    if key in {places.time, places.level, places.service, "kind"}:
        return 0
    if key == places.message:
        return WHOLE
    return _UNSURE if is_sensitive_key(key) else MAX_VALUE_CHARS


@lru_cache(maxsize=256)
def _shared(sure: frozenset[tuple[str, int]], nested: frozenset[str]) -> _Keys:
    """One for all blocks that are written alike."""
    return {key.encode(): n_bytes for key, n_bytes in sure}, frozenset(key.encode() for key in nested)
