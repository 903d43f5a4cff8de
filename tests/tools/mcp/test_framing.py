"""Lines come out whole however they arrive, and one over the bound never grows memory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.mcp.framing import BoundedLines, TooLong


def _fed(lines: BoundedLines, data: bytes, size: int) -> list[bytes | TooLong]:
    return [line for start in range(0, len(data), size) for line in lines.feed(data[start : start + size])]


@given(st.lists(st.binary(max_size=40).filter(lambda line: b"\n" not in line), max_size=8), st.integers(1, 50))
def test_lines_are_the_same_however_they_arrive(lines: list[bytes], size: int) -> None:
    data = b"".join(line + b"\n" for line in lines)

    found = _fed(BoundedLines(20), data, size)

    expected = [line if len(line) <= 20 else TooLong(None) for line in lines if line.strip() or len(line) > 20]
    assert found == expected


@pytest.mark.parametrize(
    ("head", "tail", "found"),
    [
        (b'{"jsonrpc":"2.0","id":7,"result":"', b'"}', 7),
        (b'{"id": 8, "jsonrpc":"2.0","result":"', b'"}', 8),
        (b'{"result":"', b'","jsonrpc":"2.0","id":9}', 9),
        (b'{"result":"', b'","id": 10,"jsonrpc":"2.0"}', 10),
        (b'{"result":{"id":3,"x":"', b'"},"jsonrpc":"2.0"}', None),
    ],
)
def test_a_dropped_message_is_known_by_its_edges(head: bytes, tail: bytes, found: int | None) -> None:
    line = head + b"x" * 10_000 + tail + b"\n"

    assert _fed(BoundedLines(1000), line, 300) == [TooLong(found)]


def test_a_dropped_line_is_counted_not_kept() -> None:
    lines = BoundedLines(1000)
    for _ in range(100):
        lines.feed(b"x" * 10_000)

    assert lines.dropped_bytes == 1_000_000
    assert len(lines._kept) == 0
    assert lines.feed(b"\nnext\n") == [TooLong(None), b"next"]
