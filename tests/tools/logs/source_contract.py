"""What every log source must do; an adapter's test gives a source that holds exactly ``ROWS``.

Named without ``test_`` so that only the adapters' own test modules run it.
"""

from datetime import UTC, datetime, timedelta

from state.model.evidence import Window
from tools.logs.port import LogQuery, LogSource

T0 = datetime(2026, 11, 30, 10, tzinfo=UTC)
ROWS = [
    {"minute": 0, "service": "orders", "level": "INFO", "message": "started"},
    {"minute": 10, "service": "orders", "level": "WARN", "message": "Retry 1 of 3"},
    {"minute": 20, "service": "pay", "level": "ERROR", "message": "连接池耗尽 pool=main"},
    {"minute": 30, "service": "pay", "level": "FATAL", "message": "out of memory"},
    {"minute": 40, "service": "orders", "level": "DEBUG", "message": "retry done"},
]


def moment(minute: int) -> datetime:
    return T0 + timedelta(minutes=minute)


def query(start: int = 0, end: int = 60, **filters: str) -> LogQuery:
    return LogQuery(window=Window(start=moment(start), end=moment(end)), **filters)


class LogSourceContract:
    """Mixed into a test class that provides ``source``."""

    async def found(self, source: LogSource, asked: LogQuery) -> list[str]:
        page = await source.search(asked)
        assert page.total == len(page.events)
        return [event.message for event in page.events]

    async def test_all_records_come_in_time_order(self, source: LogSource) -> None:
        page = await source.search(query())

        assert [event.at for event in page.events] == [moment(row["minute"]) for row in ROWS]
        assert page.is_complete
        assert page.holds_window
        assert page.oldest == moment(0)
        assert page.oldest_by_service == {"orders": moment(0), "pay": moment(20)}

    async def test_the_window_holds_its_start_but_not_its_end(self, source: LogSource) -> None:
        assert await self.found(source, query(10, 30)) == ["Retry 1 of 3", "连接池耗尽 pool=main"]

    async def test_level_means_at_least(self, source: LogSource) -> None:
        assert await self.found(source, query(level="ERROR")) == ["连接池耗尽 pool=main", "out of memory"]

    async def test_service_is_exact(self, source: LogSource) -> None:
        assert await self.found(source, query(service="pay", level="FATAL")) == ["out of memory"]
        assert await self.found(source, query(service="PAY")) == []

    async def test_text_is_found_in_any_case(self, source: LogSource) -> None:
        assert await self.found(source, query(contains="RETRY")) == ["Retry 1 of 3", "retry done"]
        assert await self.found(source, query(contains="池耗尽")) == ["连接池耗尽 pool=main"]

    async def test_text_is_never_a_pattern(self, source: LogSource) -> None:
        assert await self.found(source, query(contains="Retry.*")) == []

    async def test_a_window_without_records_is_not_held(self, source: LogSource) -> None:
        page = await source.search(query(50, 60))

        assert (list(page.events), page.holds_window) == ([], False)

    async def test_an_unknown_service_is_not_held(self, source: LogSource) -> None:
        assert not (await source.search(query(service="nobody"))).holds_window

    async def test_a_silent_service_in_a_held_window_is_an_answer(self, source: LogSource) -> None:
        page = await source.search(query(0, 15, service="pay"))

        assert (list(page.events), page.holds_window, page.is_complete) == ([], True, True)

    async def test_a_record_keeps_its_origin(self, source: LogSource) -> None:
        once, again = await source.search(query()), await source.search(query(20, 30))

        assert again.events[0].origin == once.events[2].origin
        assert len({event.origin for event in once.events}) == len(ROWS)

    async def test_holdings_say_what_is_there(self, source: LogSource) -> None:
        held = await source.holdings()

        assert [(one.service, one.lines, one.levels) for one in held.services] == [
            ("orders", 3, ("DEBUG", "INFO", "WARN")),
            ("pay", 2, ("ERROR", "FATAL")),
        ]
        assert (held.oldest, held.newest) == (moment(0), moment(40))
