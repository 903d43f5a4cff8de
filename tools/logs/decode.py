"""Bytes of a log file to numbered lines: UTF-8, then GB18030, line by line where a file mixes them. Pure."""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass

MAX_LINE_CHARS = 64 * 1024
"""A longer line is cut there and says so."""
CUT_MARK = " …[cut]"
_SNIFFED_BYTES = 8192


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its line break."""

    number: int
    """From 1."""
    text: str | None
    """None: neither UTF-8 nor GB18030."""


def is_binary(data: bytes) -> bool:
    """True if the beginning holds NUL bytes and is not marked as UTF-16."""
    return b"\0" in data[:_SNIFFED_BYTES] and not is_utf16(data)


def decode_lines(data: bytes, *, first_number: int = 1) -> Iterator[Line]:
    """All lines that are not blank, numbered from ``first_number``, without CR before LF and byte order marks."""
    whole = _decode_whole(data)
    if whole is not None:
        for number, text in enumerate(whole.split("\n"), first_number):
            unmarked = text.removeprefix("\ufeff")
            if unmarked.strip():
                yield Line(number, _bounded(unmarked))
        return
    for number, raw in enumerate(data.split(b"\n"), first_number):
        decoded = decode_line(raw)
        if decoded is None or decoded.strip():
            yield Line(number, decoded)


def decode_line(raw: bytes) -> str | None:
    """One line, bounded, without its line break; None: neither UTF-8 nor GB18030."""
    decoded = _decode_line(raw)
    return None if decoded is None else _bounded(decoded)


def is_utf16(data: bytes) -> bool:
    """True if the beginning is marked as UTF-16."""
    return data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


def _decode_whole(data: bytes) -> str | None:
    if is_utf16(data):
        return data.decode("utf-16", errors="replace")
    try:
        return codecs.decode(data, "utf-8-sig")
    except UnicodeDecodeError:
        return None


def _decode_line(raw: bytes) -> str | None:
    for encoding in ("utf-8", "gb18030"):
        try:
            return raw.decode(encoding).removeprefix("\ufeff")
        except UnicodeDecodeError:
            continue
    return None


def _bounded(text: str) -> str:
    text = text.removesuffix("\r")
    return text if len(text) <= MAX_LINE_CHARS else text[:MAX_LINE_CHARS] + CUT_MARK
