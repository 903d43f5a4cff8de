"""Of many matches an even selection is kept; what was not parsed yet is parsed at the end."""

from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.logs.conftest import NOW
from tools.logs.kept import Kept, Unparsed
from tools.logs.port import LogEvent
from tools.logs.read_file import ReadFile, read_pieces
from tools.logs.stamps import Reference

T0 = datetime(2026, 11, 30, 10, tzinfo=UTC)
REFERENCE = Reference(ZoneInfo("UTC"), NOW)


def event_of(number: int) -> LogEvent:
    return LogEvent(T0 + timedelta(seconds=number), "a", "INFO", str(number), "", f"a.log:{number}")


class File:
    """Counts the records of it that are parsed."""

    def __init__(self, name: str = "a.log") -> None:
        self.name = name
        self.n_read = 0

    def read(self, pieces) -> ReadFile:
        pieces = list(pieces)
        self.n_read += len(pieces)
        return read_pieces(pieces, PurePosixPath(self.name), REFERENCE)

    def match(self, number: int, text: str = "") -> Unparsed:
        line = text or f"{T0 + timedelta(seconds=number):%Y-%m-%d %H:%M:%S} {number}"
        return Unparsed(line.encode(), number, self.read, self.name)


@given(
    counts=st.lists(st.tuples(st.integers(0, 40), st.booleans()), max_size=8),
    max_kept=st.integers(1, 30),
    is_expected=st.booleans(),
)
def test_kept_are_all_places_of_one_step(counts, max_kept, is_expected):
    kept, file, n = Kept(max_kept=max_kept), File(), 0
    if is_expected:
        kept.expect(sum(count for count, _ in counts))
    for count, is_taken in counts:
        first = n
        if is_taken:
            kept.take(count, lambda places, first=first: [file.match(first + place) for place in places])
        else:
            for number in range(first, first + count):
                kept.add(event_of(number))
        n += count
    numbers = [int(event.message) for event in kept.in_time()]

    assert kept.total == n
    assert len(numbers) <= max_kept
    step = numbers[1] - numbers[0] if len(numbers) > 1 else max(n, 1)
    assert numbers == list(range(0, n, step))
    assert n <= max_kept * step
    assert step == 1 or 2 * len(numbers) >= max_kept - 1


def test_only_what_is_kept_at_the_end_is_parsed():
    kept, file = Kept(max_kept=4), File()
    for _ in range(10):
        kept.take(10, lambda places: [file.match(place) for place in places])

    assert len(kept.in_time()) == file.n_read == 4


def test_records_of_one_instant_keep_the_order_of_the_files():
    kept, files = Kept(), (File("a.log"), File("b.log"))
    for file in files:
        kept.take(2, lambda places, file=file: [file.match(place, f"{T0:%Y-%m-%d %H:%M:%S} x") for place in places])
        kept.add(LogEvent(T0, "a", "INFO", "x", "", f"{file.name}:9"))

    assert [event.origin for event in kept.in_time()] == [
        "a.log:0",
        "a.log:1",
        "a.log:9",
        "b.log:0",
        "b.log:1",
        "b.log:9",
    ]


@pytest.mark.parametrize("text", ["no record at all", f"{T0:%Y-%m-%d %H:%M:%S} x\n{T0:%Y-%m-%d %H:%M:%S} y"])
def test_a_file_of_which_kept_bytes_are_no_record_is_named(text):
    kept, good, bad = Kept(), File("good.log"), File("bad.log")
    kept.take(1, lambda _: [good.match(0)])
    kept.take(1, lambda _: [bad.match(0, text)])

    kept.in_time()

    assert kept.changed == ["bad.log"]
