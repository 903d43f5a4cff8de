"""What a survey tells of how the records of a block are written."""

import json

import pytest

from tools.logs.json_lines import MAX_VALUE_CHARS, places_of
from tools.logs.writing import NOWHERE, WHOLE, WritingSeen


def seen_of(*lines: str):
    seen, orders = WritingSeen(), {}
    for line in lines:
        row = json.loads(line)
        seen.take_row(row, line.encode())
        orders[tuple(row)] = places_of(tuple(row))
    return seen, seen.seen(orders)


def test_keys_tell_how_much_of_their_values_is_searched():
    _, writing = seen_of(
        '{"ts":"x","level":"x","message":"x","service":"x","kind":"x","tenant":"x","password":"x","a b":"x"}'
    )

    assert writing.shown == {
        b"ts": 0,
        b"level": 0,
        b"service": 0,
        b"kind": 0,
        b"message": WHOLE,
        b"tenant": MAX_VALUE_CHARS,
    }


def test_keys_of_objects_within_are_told_apart():
    _, writing = seen_of('{"ts":"x","message":"x","d":{"message":1,"other":[{"tenant":1}]},"tenant":"x"}')

    assert writing.nested == {b"message", b"tenant"}
    assert b"other" not in writing.shown


def test_of_a_key_that_is_the_message_of_some_records_only_nothing_is_told():
    _, writing = seen_of('{"ts":"x","msg":"x"}', '{"ts":"x","msg":"x","message":"x"}')

    assert set(writing.shown) == {b"ts", b"message"}


@pytest.mark.parametrize(
    ("line", "is_told"),
    [
        ('{"ts":"x","tenant":"a"}', True),
        ('{"ts":"x","tenant":"a \\"b\\" \\\\"}', True),
        ('{"ts":"x","tenant":"a","tenant":"b"}', False),
        ('{"ts":"x","tenant":1,"tenant":2}', False),
        ('{"ts":"x","tenant":"\\"","tenant":"b"}', False),
        ('{"ts":"x","d":{"v":"a","v":"b"}}', False),
        ('{"ts":"x","d":[{"v":"a"},["b",1.5,null]]}', True),
    ],
)
def test_a_key_that_stands_there_twice_tells_nothing(line, is_told):
    assert bool(seen_of(line)[1].shown) == is_told


@pytest.mark.parametrize(
    ("number", "is_faithful"), [("1.5", True), ("1.50", True), ("1e5", False), ("1.0e5", False), ("7", True)]
)
@pytest.mark.parametrize("form", ['{"n":%s}', '{"n":[{"m":%s}]}'])
def test_a_number_that_is_shown_otherwise_is_noticed(form, number, is_faithful):
    assert seen_of(form % number)[0].is_faithful == is_faithful


@pytest.mark.parametrize(
    ("line", "message", "text_from", "is_faithful"),
    [
        ("stamp the pool", "the pool", 6, True),
        ("stamp the pool", "stamp the pool", 0, True),
        ("a - [stamp] the pool", "a the pool", 11, True),
        ("a - [stamp]the pool", "athe pool", 11, False),
        ("stamp msg=pool x", "another x", 14, False),
        ("stamp msg=pool x=1", "pool", 18, True),
        ('stamp   File "a.py", line 3', '  File "a.py", line 3', NOWHERE, True),
    ],
)
def test_a_message_is_the_end_of_its_line_from_some_place_on(line, message, text_from, is_faithful):
    seen = WritingSeen()
    seen.take_text(line.encode(), line, message)

    assert (seen.seen({}).text_from, seen.seen({}).stamp_to) == (text_from, 0)
    assert seen.is_faithful == is_faithful


def test_of_several_stamps_the_longest_and_the_shortest_count():
    seen = WritingSeen()
    for n_bytes in (20, 24, 8):
        seen.take_prefix(n_bytes)

    assert (seen.seen({}).text_from, seen.seen({}).stamp_to) == (24, 8)
