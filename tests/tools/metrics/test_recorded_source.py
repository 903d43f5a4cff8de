"""The folder as a source: what it holds, finds, and could not read."""

import asyncio
import os
from datetime import UTC, datetime, timedelta

import pytest

from state.model.enums import ToolCode
from state.model.errors import Misconfigured, ToolFailed
from state.model.evidence import Window
from tests.tools.metrics.conftest import NOW, at, header, rows
from tools.metrics.expression import parse_expression
from tools.metrics.port import SeriesQuery
from tools.metrics.recorded import MAX_EXACT_POINTS


def search(metrics, expr: str = "m", *, start: str = "08:00:00", end: datetime = NOW, source=None):
    query = SeriesQuery(parse_expression(expr), Window(start=at(start), end=end), 60_000)
    return asyncio.run((source or metrics.source()).search(query))


def holdings(metrics):
    return asyncio.run(metrics.source().holdings())


def test_series_are_selected_by_name_and_labels(metrics):
    metrics.series("m", [1, 2], service="pay", zone="a")
    metrics.series("m", [3], service="orders", zone="a")
    metrics.series("other", [9])

    found = search(metrics, 'm{service="pay",zone!="b",nowhere=""}', end=at("08:02:00"))

    assert [(dict(one.labels), list(one.last)) for one in found.series] == [
        ({"service": "pay", "zone": "a"}, [1.0, 2.0])
    ]
    assert (found.is_known, found.holds_window, found.is_exact, found.unread) == (True, True, True, ())


def test_the_window_is_half_open(metrics):
    metrics.series("m", [1, 2, 3], start="08:00:00")

    assert list(search(metrics, start="08:00:00", end=at("08:02:00")).series[0].last) == [1.0, 2.0]


def test_a_series_may_go_on_in_another_file(metrics):
    metrics.series("m", [1, 2], start="08:00:00", service="pay")
    metrics.series("m", [2, 3], start="08:01:00", service="pay")

    assert list(search(metrics).series[0].last) == [1.0, 2.0, 3.0]


def test_many_samples_become_buckets_that_keep_extremes(metrics):
    values = [5.0] * 4000
    values[1234] = 99.0
    metrics.series("m", values, every_s=1)

    found = search(metrics)

    assert not found.is_exact
    assert max(found.series[0].high) == 99.0
    assert len(found.series[0].at) < MAX_EXACT_POINTS


def test_unknown_is_not_the_same_as_not_in_the_window(metrics):
    metrics.series("m", [1], start="06:00:00", service="pay")
    metrics.series("other", [1] * 300, start="06:00:00")

    assert search(metrics, start="08:00:00").is_known
    assert search(metrics, start="08:00:00").holds_window
    assert not search(metrics, 'm{service="orders"}').is_known
    assert not search(metrics, "nothing").is_known


def test_a_window_outside_of_all_records_is_not_held(metrics):
    metrics.series("m", [1], start="10:00:00")

    assert not search(metrics, start="10:30:00", end=at("11:30:00")).holds_window
    assert not search(metrics, start="06:00:00", end=at("09:00:00")).holds_window


def test_bad_rows_concern_their_metric_or_all(metrics):
    good = header() + rows("m", [1], start=at("08:00:00")) + rows("n", [1], start=at("08:00:00"))
    metrics.write("a.csv", good + "2026-11-30T09:00:00Z,n,much\n")

    assert search(metrics, "m").unread == ()
    assert [(one.name, one.why) for one in search(metrics, "n").unread] == [("a.csv: 1 rows", "bad_rows")]

    metrics.write("a.csv", good + "broken\n")

    assert search(metrics, "m").unread


def test_files_that_cannot_be_read_are_named(metrics):
    metrics.series("m", [1])
    metrics.write("binary.csv", b"\0\0")
    metrics.write("head.csv", "a,b\n")
    os.mkfifo(metrics.path / "pipe.csv")
    metrics.write("notes.txt", "ignored")

    assert [(one.name, one.why) for one in search(metrics).unread] == [
        ("binary.csv", "binary"),
        ("head.csv", "no_header"),
        ("pipe.csv", "unreadable"),
    ]


@pytest.mark.parametrize(
    ("content", "why"), [(b"\0\0", "is no text"), ("a,b\n", "has no header"), (None, "cannot be read")]
)
def test_a_file_that_cannot_be_used_is_named_by_a_check(metrics, content, why):
    metrics.series("m", [1])
    if content is None:
        os.mkfifo(metrics.path / "bad.csv")
    else:
        metrics.write("bad.csv", content)

    with pytest.raises(Misconfigured, match=rf"bad\.csv: {why}"):
        metrics.source().check()


def test_a_check_passes_whole_files_and_single_bad_rows(metrics):
    metrics.write("a.csv", header() + rows("m", [1], start=at("08:00:00")) + "2026-11-30T09:00:00Z,m,much\nbroken\n")

    metrics.source().check()

    assert holdings(metrics).unread


def test_a_check_names_a_folder_that_is_gone(metrics):
    metrics.path.rmdir()

    with pytest.raises(Misconfigured, match=metrics.path.name):
        metrics.source().check()


def test_links_that_leave_the_folder_are_not_followed(metrics, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "x.csv"
    outside.write_text(header() + rows("m", [1], start=at("08:00:00")))
    metrics.series("other", [1])
    (metrics.path / "link.csv").symlink_to(outside)

    assert not search(metrics).is_known


def test_a_changed_file_is_read_again(metrics):
    source = metrics.source()
    query = SeriesQuery(parse_expression("m"), Window(start=at("08:00:00"), end=NOW), 60_000)
    file = metrics.write("a.csv", header() + rows("m", [1], start=at("08:00:00")))

    first = asyncio.run(source.search(query))
    file.write_text(header() + rows("m", [1, 7], start=at("08:00:00")))
    second = asyncio.run(source.search(query))

    assert (list(first.series[0].last), list(second.series[0].last)) == ([1.0], [1.0, 7.0])


def test_a_folder_that_is_gone_is_an_error(metrics):
    metrics.path.rmdir()

    with pytest.raises(ToolFailed) as failed:
        search(metrics)
    assert failed.value.code is ToolCode.TOOL_EXECUTION_ERROR


def test_an_expression_is_not_evaluated(metrics):
    with pytest.raises(ToolFailed) as failed:
        search(metrics, "rate(m[5m])")
    assert failed.value.code is ToolCode.INVALID_REQUEST


def test_holdings_name_metrics_labels_and_the_range(metrics):
    metrics.series("wait_seconds", [1, 2], service="pay", pod="p-1")
    metrics.series("done_total", [1], start="09:00:00", service="orders")
    metrics.series("x_sum", [1])
    metrics.series("x_count", [1])

    held = holdings(metrics)

    assert [(one.name, one.type, one.labels) for one in held.metrics] == [
        ("done_total", "", ("service",)),
        ("wait_seconds", "", ("pod", "service")),
        ("x_count", "summary", ()),
        ("x_sum", "summary", ()),
    ]
    assert (held.oldest, held.newest) == (at("08:00:00"), at("09:00:00"))
    assert held.label_values == {"service": ("orders", "pay")}


def test_an_empty_folder_holds_nothing(metrics):
    held = holdings(metrics)

    assert (held.metrics, held.oldest, held.newest) == ((), None, None)


async def test_a_cancelled_search_has_ended_its_thread(metrics):
    metrics.write("big.csv", header() + rows("m", range(60_000), start=datetime(2026, 1, 1, tzinfo=UTC), every_s=1))
    source = metrics.source()
    asking = asyncio.create_task(source.holdings())
    await asyncio.sleep(0.05)

    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking

    assert source._lock.acquire(timeout=1)


def test_too_many_series_are_an_error_not_a_cut(metrics):
    start = at("08:00:00")
    lines = [f"{start.isoformat()},m,{n},s{n}" for n in range(25_000)]
    metrics.write("many.csv", header("l") + "\n".join(lines))

    source = metrics.source()

    assert len(search(metrics, 'm{l="s7"}', source=source).series) == 1
    with pytest.raises(ToolFailed) as failed:
        search(metrics, source=source)
    assert failed.value.code is ToolCode.RESULT_TOO_LARGE


def test_the_oldest_sample_bounds_what_is_held(metrics):
    metrics.series("m", [1] * 60, start="10:00:00")

    assert search(metrics, start="08:00:00").oldest == at("10:00:00")
    assert search(metrics, start="08:00:00").oldest + timedelta(hours=2) == NOW
