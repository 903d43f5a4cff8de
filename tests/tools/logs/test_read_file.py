"""Bytes of one file become records; what cannot be read is named and placed in time."""

from datetime import UTC, datetime
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.logs.decode import CUT_MARK, MAX_LINE_CHARS
from tools.logs.read_file import MAX_MESSAGE_CHARS, ReadingStopped, read_file, service_of
from tools.logs.stamps import Reference

REFERENCE = Reference(UTC, datetime(2026, 11, 30, 13, tzinfo=UTC))


def read(content: str | bytes, name: str = "app.log"):
    data = content.encode() if isinstance(content, str) else content
    return read_file(data, PurePosixPath(name), REFERENCE)


def messages(content: str | bytes, name: str = "app.log") -> list[str]:
    return [event.message for event in read(content, name).events]


def minute(number: int) -> datetime:
    return datetime(2026, 11, 30, 12, number, tzinfo=UTC)


def test_lines_without_a_stamp_continue_the_record_and_long_traces_are_cut():
    frames = "\n".join(f"\tat a.b.C.m{n}(C.java:{n})" for n in range(6))

    (event,) = read(f"2026-11-30 12:00:01 ERROR failed\njava.io.IOException: no\n{frames}\n").events

    assert event.message.startswith("ERROR failed\njava.io.IOException: no\n\tat a.b.C.m0")
    assert event.message.endswith("... 3 frames dropped")


def test_json_lines_take_any_usual_key_and_keep_the_rest_as_fields():
    row = '{"@timestamp":"2026-11-30T12:00:01Z","severity":"warning","msg":"slow","app":"pay","took":3,"x":{"a":[1]}}'

    (event,) = read(row, "x.jsonl").events

    assert (event.service, event.level, event.message, event.extra) == ("pay", "WARN", "slow", 'took=3 x={"a":[1]}')


@pytest.mark.parametrize("ts", ["1796040001", "1796040001000", "1796040001000000", "1796040001000000000"])
def test_epoch_times_are_read_by_their_size(ts):
    assert read(f'{{"ts":{ts},"message":"x"}}', "x.jsonl").events[0].at == datetime(2026, 11, 30, 12, 0, 1, tzinfo=UTC)


def test_sensitive_fields_are_removed_before_they_become_text():
    (event,) = read('{"ts":"2026-11-30T12:00:01Z","message":"x","password":"a b c"}', "x.jsonl").events

    assert event.extra == "password=[REDACTED:key]"


def test_postgres_details_belong_to_the_record_before_them():
    text = (
        "2026-11-30 12:00:01 UTC [7] a@b ERROR:  duplicate key\n"
        "2026-11-30 12:00:01 UTC [7] a@b DETAIL:  Key (id)=(1) already exists.\n"
        "2026-11-30 12:00:02 UTC [8] a@b DETAIL:  of another process\n"
    )

    assert messages(text) == ["duplicate key\nDETAIL: Key (id)=(1) already exists.", "DETAIL: of another process"]


def test_crlf_bom_and_blank_lines():
    assert messages(b"\xef\xbb\xbf2026-11-30 12:00:01 one\r\n\r\n2026-11-30 12:00:02 two\r\n") == ["one", "two"]


def test_gb18030_is_read_and_may_be_mixed_with_utf8():
    data = "2026-11-30 12:00:01 连接池耗尽\n".encode("gb18030") + "2026-11-30 12:00:02 支付超时\n".encode()

    assert messages(data) == ["连接池耗尽", "支付超时"]


def test_utf16_with_its_mark_is_read():
    assert messages("2026-11-30 12:00:01 支付\n".encode("utf-16")) == ["支付"]


def test_binary_is_named():
    assert read(b"\x7fELF\0\0\1").problem == "binary"


def test_an_undecodable_line_is_a_gap_between_its_neighbours():
    file = read(b"2026-11-30 12:01:00 a\n2026-11-30 12:02:00 \xff\xff\xff\n2026-11-30 12:03:00 b\n")

    assert file.problem == "undecodable"
    assert (file.gaps[0].after, file.gaps[0].before) == (minute(1), minute(3))


def test_broken_json_lines_count_only_where_they_may_lie():
    rows = [f'{{"ts":"2026-11-30T12:0{n}:00Z","message":"m{n}"}}' for n in (1, 3, 5)]
    file = read("\n".join([rows[0], rows[1], '{"ts":"2026-', rows[2]]), "x.jsonl")

    assert file.broken_between(minute(3), minute(5)) == 1
    assert file.broken_between(minute(0), minute(2)) == 0
    assert file.broken_between(minute(6), minute(9)) == 0


def test_a_file_without_any_stamp_is_named():
    assert read("just\nwords\n").problem == "no_timestamps"


def test_an_empty_file_has_no_problem():
    file = read("")

    assert (file.events, file.gaps, file.problem) == ([], [], None)


def test_huge_lines_and_endless_continuations_are_bounded():
    long_line = read("2026-11-30 12:00:01 " + "x" * 1_000_000).events[0].message
    many_lines = read("2026-11-30 12:00:01 x\n" + "continued\n" * 100_000).events[0].message

    assert long_line.endswith(CUT_MARK)
    assert len(long_line) <= MAX_LINE_CHARS + len(CUT_MARK)
    assert len(many_lines) <= MAX_MESSAGE_CHARS


def test_records_out_of_order_are_sorted_by_time():
    assert messages("2026-11-30 12:00:02 b\n2026-11-30 12:00:01 a\n2026-11-30 12:00:02 c\n") == ["a", "b", "c"]


def test_json_and_text_may_share_a_file():
    text = '2026-11-30 12:00:01 banner\n{"ts":"2026-11-30T12:00:02Z","message":"json"}\n'

    assert messages(text) == ["banner", "json"]
    assert messages(text, "x.jsonl") == ["banner", "json"]


def test_a_cancelled_reader_stops():
    with pytest.raises(ReadingStopped):
        read_file(b"2026-11-30 12:00:01 x\n", PurePosixPath("a.log"), REFERENCE, is_cancelled=lambda: True)


@pytest.mark.parametrize(
    ("name", "service"),
    [
        ("payments.log", "payments"),
        ("payments-2026-11-30.log", "payments"),
        ("payments/app.log", "payments"),
        ("app.log", "app"),
        ("nginx/access.log", "nginx"),
        ("a/b/orders.jsonl", "orders"),
        ("2026-11-30.log", "2026-11-30"),
    ],
)
def test_a_file_names_its_service(name, service):
    assert service_of(PurePosixPath(name)) == service


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300) | st.text(max_size=200).map(str.encode), st.sampled_from(["a.log", "a.jsonl"]))
def test_any_bytes_are_survived(data, name):
    file = read_file(data, PurePosixPath(name), REFERENCE)

    assert [event.at for event in file.events] == sorted(file.times)


@settings(max_examples=100, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3)
    )
)
def test_any_json_value_in_any_role_is_survived(value):
    import json

    row = json.dumps({"ts": value, "time": "2026-11-30T12:00:00Z", "level": value, "service": value, "message": value})

    read(row, "x.jsonl")
