"""One CSV file: read what is a sample, count what is not."""

from datetime import UTC, datetime

import pytest

from tools.metrics.csv_rows import MAX_ROWS, ReadCsv, ReadingStopped, read_csv

TEN = datetime(2026, 11, 30, 10, tzinfo=UTC).timestamp()


def read(text: str | bytes, zone: str = "UTC") -> ReadCsv:
    return read_csv(text.encode() if isinstance(text, str) else text, zone)


def samples(file: ReadCsv, metric: str = "m", **labels: str) -> list[tuple[float, float]]:
    held = file.series[metric][tuple(sorted(labels.items()))]
    return list(zip(held.at, held.values, strict=True))


def test_columns_stand_in_any_place_and_the_others_are_labels():
    file = read("service,value,ts,metric,region\npay,1.5,2026-11-30T10:00:00Z,m,\npay,2,2026-11-30T10:01:00Z,m,eu\n")

    assert samples(file, service="pay") == [(TEN, 1.5)]
    assert samples(file, service="pay", region="eu") == [(TEN + 60, 2.0)]
    assert not file.bad_rows


@pytest.mark.parametrize(
    ("ts", "zone"),
    [
        ("2026-11-30T10:00:00Z", "UTC"),
        ("2026-11-30T18:00:00+08:00", "UTC"),
        ("2026-11-30 18:00:00", "Asia/Shanghai"),
        ("2026/11/30 10:00", "UTC"),
        (str(int(TEN)), "Asia/Shanghai"),
        (f"{TEN:.3f}", "UTC"),
        (str(int(TEN * 1000)), "UTC"),
    ],
)
def test_a_time_is_read_in_every_usual_form(ts, zone):
    assert samples(read(f"ts,metric,value\n{ts},m,1\n", zone)) == [(TEN, 1.0)]


def test_samples_are_put_in_order_and_the_last_of_one_instant_counts():
    file = read("ts,metric,value\n1796032860,m,3\n1796032800,m,1\n1796032860,m,4\n")

    assert [value for _, value in samples(file)] == [1.0, 4.0]


@pytest.mark.parametrize("value", ["NaN", "+Inf", "-Inf", "inf", "nan"])
def test_a_value_that_is_no_finite_number_is_kept_as_it_is(value):
    ((_, kept),) = samples(read(f"ts,metric,value\n1796032800,m,{value}\n"))

    assert str(kept) == str(float(value))


@pytest.mark.parametrize(
    ("row", "metric"),
    [
        ("soon,m,1,x", "m"),
        ("1796032800,m,much,x", "m"),
        ("1796032800,m,,x", "m"),
        ("1796032800,m,1_000,x", "m"),
        ("1796032800,m,=1+1,x", "m"),
        ("1796032800,,1,x", ""),
        ("1796032800,m,1", ""),
        ("1796032800,m,1,x,y", ""),
        ("99999999999999999,m,1,x", "m"),
        ("0001-01-01,m,1,x", "m"),
        (f"1796032800,{'m' * 201},1,x", ""),
        (f"1796032800,m,1,{'x' * 1001}", "m"),
        ('1796032800,m,1,"x"y', ""),
        ("x" * 70_000, ""),
        ("1796032800,m,1," + ",".join(["x"] * 1_000_000), ""),
        ("1796032800,m,1," + "x" * 10_000_000, ""),
    ],
    ids=str,
)  # fmt: skip
def test_a_bad_row_is_counted_under_its_metric_and_the_rest_is_read(row, metric):
    file = read(f"ts,metric,value,l\n{row}\n1796032800,m,2,x\n")

    assert dict(file.bad_rows) == {metric: 1}
    assert samples(file, l="x") == [(TEN, 2.0)]


def test_text_that_looks_like_a_formula_or_an_order_is_a_label_value():
    file = read('ts,metric,value,l\n1796032800,m,1,"=cmd|\' /C calc\'!A0, ""ignore all rules"""\n')

    assert samples(file, l="=cmd|' /C calc'!A0, \"ignore all rules\"") == [(TEN, 1.0)]


def test_a_label_value_may_hold_a_line_break_in_quotes():
    assert samples(read('ts,metric,value,l\n1796032800,m,1,"a\nb"\n'), l="a\nb") == [(TEN, 1.0)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_every_usual_encoding_is_read(encoding):
    file = read("ts,metric,value,服务\r\n1796032800,m,1,支付\r\n".encode(encoding))

    assert samples(file, 服务="支付") == [(TEN, 1.0)]


def test_lines_that_are_no_text_are_bad_rows():
    file = read(b"ts,metric,value\n1796032800,m,1\n\xff\xff\xff,m,2\n")

    assert dict(file.bad_rows) == {"": 1}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no_header"),
        ("a,b,c\n1,2,3\n", "no_header"),
        ("ts,metric\n1796032800,m\n", "no_header"),
        ("ts,ts,metric,value\n", "no_header"),
        ("ts,metric,value,a,a\n", "no_header"),
        ("ts,metric,value,\n", "no_header"),
        ("ts,metric,value," + ",".join(f"l{n}" for n in range(1_000_000)), "no_header"),
        ("ts,metric,value\0\n", "binary"),
        ("a" * 10_000_000, "no_header"),
    ],
)
def test_a_file_without_the_columns_is_named_as_such(text, problem):
    assert read(text).problem == problem


def test_an_open_quote_does_not_swallow_the_file_unnoticed():
    file = read('ts,metric,value,l\n1796032800,m,1,"open\n' + "1796032860,m,2,x\n" * 20_000)

    assert file.bad_rows[""] >= 1
    assert len(samples(file, l="x")) == 1


def test_more_rows_than_are_read_is_a_problem_not_a_cut():
    data = b"ts,metric,value\n" + b"1796032800,m,1\n" * (MAX_ROWS + 1)

    assert read(data).problem == "too_many_rows"


def test_reading_ends_when_it_is_cancelled():
    with pytest.raises(ReadingStopped):
        read_csv(b"ts,metric,value\n1796032800,m,1\n", "UTC", is_cancelled=lambda: True)
