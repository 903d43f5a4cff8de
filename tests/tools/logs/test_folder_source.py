"""A folder of files as a log source."""

import asyncio
import json
import os
import time

import pytest

import tools.logs.folder_source as folder_source
from state.model.enums import ToolCode
from state.model.errors import ToolFailed
from tests.tools.logs.source_contract import ROWS, LogSourceContract, moment, query
from tools.logs.folder_source import FolderLogSource

LINE = "2026-11-30 10:00:01 INFO one\n"


def as_json(row: dict) -> str:
    return json.dumps(
        {"ts": moment(row["minute"]).isoformat(), **{key: row[key] for key in ("service", "level", "message")}}
    )


class TestContract(LogSourceContract):
    @pytest.fixture
    def source(self, logs) -> FolderLogSource:
        logs.write("a/first.jsonl", "\n".join(as_json(row) for row in ROWS[::2]))
        logs.write("second.jsonl", "\n".join(as_json(row) for row in ROWS[1::2]))
        return logs.source()


async def test_other_files_are_ignored(logs):
    logs.write("app.log", LINE)
    logs.write("app.log.gz", b"\x1f\x8b\0\0")
    logs.write("notes.md", "2026-11-30 10:00:01 no log")

    page = await logs.source().search(query())

    assert [event.message for event in page.events] == ["INFO one"]
    assert page.is_complete


async def test_an_empty_folder_holds_nothing(logs):
    source = logs.source()

    assert not (await source.search(query())).holds_window
    assert (await source.holdings()).newest is None


async def test_a_folder_that_is_gone_is_an_error_without_its_path(logs, tmp_path):
    source = FolderLogSource("logs", tmp_path / "gone", time_zone="UTC", now=moment(60))

    with pytest.raises(ToolFailed) as failed:
        await source.search(query())

    assert failed.value.code is ToolCode.TOOL_EXECUTION_ERROR


@pytest.mark.parametrize(
    ("content", "why"), [(b"\0\1\2", "binary"), (b"\xff\xff\xff\n", "undecodable"), (b"words only\n", "no_timestamps")]
)
async def test_what_cannot_be_read_is_named_and_makes_the_search_incomplete(logs, content, why):
    logs.write("app.log", LINE)
    logs.write("bad.log", content)

    page = await logs.source().search(query())

    assert not page.is_complete
    assert [(unread.name, unread.why) for unread in page.unread] == [("bad.log", why)]
    assert page.total == 1


async def test_a_link_that_cannot_be_followed_is_unreadable(logs):
    (logs.path / "loop.log").symlink_to("loop.log")

    page = await logs.source().search(query())

    assert [(unread.name, unread.why) for unread in page.unread] == [("loop.log", "unreadable")]


async def test_a_pipe_is_never_opened(logs):
    os.mkfifo(logs.path / "pipe.log")

    page = await asyncio.wait_for(logs.source().search(query()), 5)

    assert page.unread[0].why == "unreadable"


async def test_a_file_above_the_limit_is_named(logs, monkeypatch):
    monkeypatch.setattr(folder_source, "MAX_FILE_BYTES", 10)
    logs.write("app.log", LINE)

    assert (await logs.source().search(query())).unread[0].why == "too_large"


async def test_links_that_leave_the_folder_are_ignored_and_named(logs, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "secret.log"
    outside.write_text(LINE)
    (logs.path / "link.log").symlink_to(outside)
    (logs.path / "linked").symlink_to(outside.parent)
    logs.write("app.log", LINE)

    held = await logs.source().holdings()

    assert held.ignored == ("link.log", "linked")
    assert [one.lines for one in held.services] == [1]
    assert held.unread == ()


async def test_a_link_inside_the_folder_is_followed(logs):
    logs.write("real.log", LINE)
    (logs.path / "alias.log").symlink_to(logs.path / "real.log")

    assert {one.service for one in (await logs.source().holdings()).services} == {"real", "alias"}


async def test_files_are_parsed_once_until_they_change(logs, monkeypatch):
    file = logs.write("app.log", LINE)
    reads = []
    real = folder_source.read_file
    monkeypatch.setattr(folder_source, "read_file", lambda *a, **k: (reads.append(a[1]), real(*a, **k))[1])
    source = logs.source()

    await source.search(query())
    await source.search(query())
    assert len(reads) == 1

    with file.open("a") as more:
        more.write("2026-11-30 10:00:02 INFO two\n")
    page = await source.search(query())

    assert len(reads) == 2
    assert [event.message for event in page.events] == ["INFO one", "INFO two"]


async def test_new_and_deleted_files_are_noticed(logs):
    file = logs.write("app.log", LINE)
    source = logs.source()
    await source.search(query())

    file.unlink()
    logs.write("other.log", LINE)

    assert [event.service for event in (await source.search(query())).events] == ["other"]


async def test_the_event_loop_stays_free_while_files_are_read(logs):
    logs.write("app.log", LINE * 60_000)
    source = logs.source()
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.005)

    ticking = asyncio.create_task(tick())
    await source.search(query())
    ticking.cancel()

    assert ticks >= 5


async def test_a_cancelled_search_ends_its_thread_first(logs, monkeypatch):
    logs.write("app.log", LINE * 200_000)
    ended = []
    real = folder_source.read_file

    def watched(*args, **kwargs):
        try:
            return real(*args, **kwargs)
        finally:
            ended.append(time.monotonic())

    monkeypatch.setattr(folder_source, "read_file", watched)
    source = logs.source()
    task = asyncio.create_task(source.search(query()))
    await asyncio.sleep(0.15)
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task

    assert ended
    assert ended[0] <= time.monotonic()
    assert source._stored == {}


async def test_records_without_offset_are_read_in_the_zone_of_the_world(logs):
    logs.write("app.log", "2026-11-30 18:00:01 INFO one\n")

    page = await logs.source("Asia/Shanghai").search(query(0, 1))

    assert page.total == 1
