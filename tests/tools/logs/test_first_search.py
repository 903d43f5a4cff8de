"""A first search that cannot survey the whole folder in time answers with what it read, and says so."""

import asyncio
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from state.model.enums import Coverage
from state.model.evidence import Window
from tests.opened_tools import open_query_logs
from tests.tools.logs.conftest import NOW
from tools.contract import CallContext
from tools.logs import covering, cutting, folder_source
from tools.logs.folder_source import FolderLogSource
from tools.logs.port import LogQuery
from tools.logs.request import QueryLogsInput

T0 = datetime(2026, 11, 30, 8, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _all_large(monkeypatch):
    monkeypatch.setattr(folder_source, "WHOLE_FILE_BYTES", 0)
    monkeypatch.setattr(folder_source, "COUNTED_BYTES", 0)
    monkeypatch.setattr(folder_source, "GLIMPSE_S", 10_000.0)
    monkeypatch.setattr(cutting, "BLOCK_BYTES", 1000)


def lines(first: int, n_lines: int, text: str = "INFO one") -> str:
    return "".join(
        f"{T0 + timedelta(seconds=second):%Y-%m-%d %H:%M:%S} {text} {second}\n"
        for second in range(first, first + n_lines)
    )


def asked(start: int, end: int, **filters: str) -> LogQuery:
    return LogQuery(window=Window(start=T0 + timedelta(seconds=start), end=T0 + timedelta(seconds=end)), **filters)


def ticking(logs, per_look: float) -> FolderLogSource:
    """A source whose clock goes on by so many seconds whenever it is looked at."""
    looks = count()
    return FolderLogSource("logs", logs.path, time_zone="UTC", now=NOW, monotonic=lambda: next(looks) * per_look)


def search(source: FolderLogSource, query: LogQuery):
    return asyncio.run(source.search(query))


def test_a_folder_surveyed_in_time_is_complete(logs):
    logs.write("app.log", lines(0, 1000))

    assert search(ticking(logs, 0.0), asked(500, 510)).is_complete


def test_the_window_is_found_behind_what_was_surveyed_and_the_file_is_named(logs):
    logs.write("app.log", lines(0, 5000))

    page = search(ticking(logs, 0.5), asked(4000, 4010))

    assert [event.origin for event in page.events] == [f"app.log:{number}" for number in range(4001, 4011)]
    assert page.total == 10
    assert page.holds_window
    assert not page.is_complete
    assert [(one.name, one.why) for one in page.unread] == [("app.log", "timed_out")]
    assert page.oldest == T0


def test_nothing_is_counted_twice_where_the_survey_reaches_into_the_window(logs):
    logs.write("app.log", lines(0, 5000))

    page = search(ticking(logs, 0.5), asked(0, 5000))

    assert len({event.origin for event in page.events}) == len(page.events) == page.total


def test_the_next_searches_go_on_until_the_answer_is_complete(logs):
    logs.write("app.log", lines(0, 3000))
    source = ticking(logs, 0.5)

    pages = [search(source, asked(2000, 2010)) for _ in range(20)]

    assert [page.total for page in pages] == [10] * 20
    assert [page.is_complete for page in (pages[0], pages[-1])] == [False, True]
    assert pages[-1] == search(logs.source(), asked(2000, 2010))


def test_files_that_should_hold_the_window_come_first(logs):
    for part in range(6):
        logs.write(f"{part}.log", lines(part * 1000, 1000))

    page = search(ticking(logs, 0.15), asked(2000, 2500))

    assert page.total == 500
    assert "2.log" not in {one.name for one in page.unread}
    assert {one.why for one in page.unread} == {"timed_out"}


def test_a_record_out_of_order_is_found_once_the_survey_is_done(logs):
    logs.write("app.log", lines(0, 2000) + lines(5, 1, "ERROR astray") + lines(2001, 2000))
    source = ticking(logs, 0.5)

    first = search(source, asked(3000, 3001))
    pages = [search(source, asked(0, 10, level="ERROR")) for _ in range(20)]

    assert not first.is_complete
    assert pages[-1].is_complete
    assert [event.message for event in pages[-1].events] == ["ERROR astray 5"]


def test_no_time_at_all_still_answers_and_names_the_file(logs, monkeypatch):
    monkeypatch.setattr(folder_source, "GLIMPSE_S", covering.GLIMPSE_S)
    logs.write("app.log", lines(0, 3000))

    page = search(ticking(logs, covering.SURVEY_S), asked(2000, 2010))

    assert page.total == 0
    assert [(one.name, one.why) for one in page.unread] == [("app.log", "timed_out")]


async def test_the_tool_calls_such_an_answer_partial(logs):
    logs.write("app.log", lines(0, 5000))
    tool = await open_query_logs({"logs": ticking(logs, 0.5)}, time_zone="UTC")
    window = Window(start=T0 + timedelta(seconds=4000), end=T0 + timedelta(seconds=4010))
    context = CallContext(now=NOW, time_zone="UTC", default_window=window, kb_scope="x")

    raw = await tool.execute(tool.prepare(QueryLogsInput.model_validate({"source": "logs"}), context), context)

    assert raw.coverage is Coverage.PARTIAL
    assert raw.payload["unread"] == [{"name": "app.log", "why": "timed_out"}]
