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
    return b"\0" in data[:_SNIFFED_BYTES] and not _is_utf16(data)


def decode_lines(data: bytes) -> Iterator[Line]:
    """All lines that are not blank. CR before LF is dropped, as is a byte order mark."""
    whole = _decode_whole(data)
    if whole is not None:
        for number, text in enumerate(whole.split("\n"), 1):
            if text.strip():
                yield Line(number, _bounded(text))
        return
    for number, raw in enumerate(data.split(b"\n"), 1):
        if raw.strip():
            decoded = _decode_line(raw)
            yield Line(number, None if decoded is None else _bounded(decoded))


def _decode_whole(data: bytes) -> str | None:
    if _is_utf16(data):
        return data.decode("utf-16", errors="replace")
    try:
        return codecs.decode(data, "utf-8-sig")
    except UnicodeDecodeError:
        return None


def _is_utf16(data: bytes) -> bool:
    return data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


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
