"""A Prometheus-compatible server as a metric source. Asks only GET endpoints that read; the server may be of any age.

A plain selection is condensed at the server (least, greatest, mean and last value of each step), so that no extreme is
lost whatever the step; an expression is evaluated once a step. What it reads of the server is in docs/metrics.md.
"""

import asyncio
import re
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from state.model.enums import ToolCode
from state.model.errors import ToolFailed
from state.ports import Clock
from tools.http_api import HttpApi, StatusRefused
from tools.metrics.expression import Expression
from tools.metrics.identity import IDENTITY_LABELS, MAX_VALUES
from tools.metrics.port import Holdings, MetricHolding, Series, SeriesPage, SeriesQuery, Unread
from tools.metrics.prometheus_replies import Matrix, evaluated, joined, matrix_of, metadata_of, names_of, warnings_of
from tools.metrics.selector import Selector, is_label_name, quoted
from tools.together import together

CAP_BYTES = 4 * 1024 * 1024
"""Of one reply with samples: about 1 300 series of a default window."""
NAMES_CAP_BYTES = 16 * 1024 * 1024
METADATA_CAP_BYTES = 8 * 1024 * 1024
MAX_METRICS = 20_000
DESCRIBED_METRICS = 40
"""Metrics whose labels are asked for the catalogue, which holds hardly more."""
LOOK_BACK = timedelta(days=3653)
"""How far back the oldest sample is looked for."""
_STATISTICS = ("min_over_time", "max_over_time", "avg_over_time", "last_over_time", "count_over_time")
_BAD_REQUEST = frozenset({400, 422})

_T = TypeVar("_T")


class PrometheusMetricSource:
    """Implements ``MetricSource`` over one server."""

    evaluates = True

    def __init__(
        self, name: str, api: HttpApi, *, clock: Clock, metrics: tuple[str, ...] = ("*",), timeout_s: float = 10.0
    ) -> None:
        """``metrics``: names, or prefixes ending in ``*``, that may be asked for; ``timeout_s`` bounds one search."""
        self.name = name
        self._api = api
        self._clock = clock
        self._metrics = metrics
        self._timeout_s = timeout_s

    def allows(self, metric: str) -> bool:
        """True if a configured name or prefix admits the metric."""
        return any(metric.startswith(one[:-1]) if one.endswith("*") else metric == one for one in self._metrics)

    async def search(self, query: SeriesQuery) -> SeriesPage:
        """All series that have a point in the window.

        Raises:
            ToolFailed: TOOL_TIMEOUT, RESULT_TOO_LARGE, INVALID_REQUEST if the server refuses the expression, else
                TOOL_EXECUTION_ERROR.
        """
        return await self._within(self._search(query))

    async def holdings(self) -> Holdings:
        """What the server holds now; ``newest`` is now.

        Raises:
            ToolFailed: as ``search``.
        """
        return await self._within(self._holdings())

    async def _within(self, work: Coroutine[object, object, _T]) -> _T:
        """The result of all requests of one call together.

        Raises:
            ToolFailed: TOOL_TIMEOUT, or what the work raises.
        """
        try:
            async with asyncio.timeout(self._timeout_s):
                return await work
        except TimeoutError:
            raise ToolFailed(ToolCode.TOOL_TIMEOUT, log_detail=self._api.url) from None

    async def _search(self, query: SeriesQuery) -> SeriesPage:
        selector = query.expression.selector
        if selector:
            series, unread = await self._condensed(selector, query)
        else:
            series, unread = await self._evaluated(query.expression, query)
        oldest = await self._oldest(query)
        declared = await self._declared(selector.metric if selector else "")
        is_known, holds_window = True, True
        if not series or not selector:
            is_known = all(await together(self._is_known(one) for one in query.expression.selectors))
        if not series:
            middle = query.window.start + (query.window.end - query.window.start) / 2
            holds_window = await self._holds(middle, query.window.end)
        return SeriesPage(
            series=series,
            is_known=is_known,
            holds_window=holds_window and oldest is not None,
            oldest=oldest,
            is_exact=False,
            declared_type=declared[0],
            declared_unit=declared[1],
            unread=unread,
        )

    async def _condensed(self, selector: Selector, query: SeriesQuery) -> tuple[list[Series], tuple[Unread, ...]]:
        """Least, greatest, mean and last value of each step, from all samples of it."""
        # A range holds both of its ends on older servers: one millisecond less, and no sample is in two steps.
        step = f"[{max(1, query.step_ms - 1)}ms]"
        asked = [f"{function}({selector.text()}{step})" for function in _STATISTICS]
        low, high, mean, last, count, last_at = await together(
            self._range(one, query) for one in (*asked, f"timestamp({selector.text()})")
        )
        unread = [one for matrix in (low, high, mean, last, count) for one in matrix.unread]
        return joined(low, high, mean, last, count, last_at), tuple(unread)

    async def _evaluated(self, expression: Expression, query: SeriesQuery) -> tuple[list[Series], tuple[Unread, ...]]:
        matrix = await self._range(expression.text, query)
        return evaluated(matrix), matrix.unread

    async def _range(self, expr: str, query: SeriesQuery) -> Matrix:
        """One evaluation at the end of each step, the last one at the end of the window.

        Raises:
            ToolFailed: INVALID_REQUEST or RESULT_TOO_LARGE where the server says that; else as ``HttpApi.get``.
        """
        step, end = query.step, query.window.end
        n_steps = (end - query.window.start) // step
        start = end - (n_steps - 1) * step
        params = (
            ("query", expr),
            ("start", _unix(start)),
            ("end", _unix(end)),
            ("step", f"{query.step_ms / 1000:.3f}"),
            ("timeout", f"{round(self._timeout_s * 1000)}ms"),
        )
        try:
            reply = await self._get("query_range", *params, cap_bytes=CAP_BYTES)
        except StatusRefused as refused:
            is_ours = query.expression.selector is not None
            raise ToolFailed(_meaning(refused, is_ours=is_ours), log_detail=refused.log_detail) from refused
        return matrix_of(reply, start=start.timestamp(), end=end.timestamp())

    async def _oldest(self, query: SeriesQuery) -> datetime | None:
        """From when on the server holds anything, to the step; no earlier than the window needs. None: it never did."""
        start, end = query.window.start, query.window.end
        if await self._holds(None, start):
            return start
        if not await self._holds(None, end):
            return None
        return await self._first_held(start, end, query.step)

    async def _first_held(self, start: datetime, end: datetime, precision: timedelta) -> datetime:
        """The first instant until which something is held; nothing is at ``start``, something at ``end``."""
        while end - start > precision:
            middle = start + (end - start) / 2
            start, end = (start, middle) if await self._holds(None, middle) else (middle, end)
        return end

    async def _holds(self, start: datetime | None, end: datetime) -> bool:
        """True if the server has any series between the two; None: since ever."""
        begin = _unix(start) if start else "0"
        return bool(names_of(await self._get("labels", ("start", begin), ("end", _unix(end)))))

    async def _is_known(self, selector: Selector) -> bool:
        """True if the server ever had a series of this selection, as far back as it looks."""
        params = (("match[]", selector.text()), ("start", "0"), ("end", _unix(self._clock.now())))
        return bool(names_of(await self._get("label/__name__/values", *params)))

    async def _declared(self, metric: str) -> tuple[str, str]:
        """Type and unit of the metric, or of the histogram or summary it is part of; empty where not declared."""
        if not metric:
            return "", ""
        base = metric
        for suffix in ("_bucket", "_count", "_sum"):
            base = base.removesuffix(suffix)
        for name in dict.fromkeys((metric, base)):
            found = metadata_of(await self._get("metadata", ("metric", name), ("limit", "1")))
            if name in found:
                return found[name]
        return "", ""

    async def _holdings(self) -> Holdings:
        now = self._clock.now()
        names_reply, labels = await together(
            (self._get("label/__name__/values", *self._admitted()), self._get("labels"))
        )
        types = await self._types()
        allowed = [name for name in names_of(names_reply) if self.allows(name)]
        names = allowed[:MAX_METRICS]
        cut = [Unread(name=f"{len(allowed)} metrics", why="cut")] if len(allowed) > MAX_METRICS else []
        known_labels = set(names_of(labels))
        identities = [label for label in IDENTITY_LABELS if label in known_labels]
        values = await together(self._get(f"label/{label}/values") for label in identities)
        described = await together(self._labels(name) for name in names[:DESCRIBED_METRICS])
        held = dict(zip(names, described, strict=False))
        return Holdings(
            metrics=tuple(MetricHolding(name, types.get(name, ("", ""))[0], held.get(name)) for name in names),
            oldest=await self._oldest_of_all(now) if names else None,
            newest=now if names else None,
            label_values={
                label: tuple(names_of(reply)[:MAX_VALUES]) for label, reply in zip(identities, values, strict=True)
            },
            unread=(*warnings_of(names_reply), *cut),
        )

    def _admitted(self) -> tuple[tuple[str, str], ...]:
        """Has the server leave out what may not be asked for; nothing if everything may."""
        if "*" in self._metrics or not self._metrics:
            return ()
        patterns = (re.escape(one.rstrip("*")) + (".*" if one.endswith("*") else "") for one in self._metrics)
        return (("match[]", "{__name__=~" + quoted("|".join(patterns)) + "}"),)

    async def _types(self) -> dict[str, tuple[str, str]]:
        """Type and unit of every metric; nothing where there is too much of it to read.

        Raises:
            ToolFailed: as ``HttpApi.get``.
        """
        try:
            return metadata_of(await self._get("metadata", ("limit_per_metric", "1"), cap_bytes=METADATA_CAP_BYTES))
        except ToolFailed as failed:
            if failed.code is ToolCode.RESULT_TOO_LARGE:
                return {}
            raise

    async def _labels(self, metric: str) -> tuple[str, ...]:
        reply = await self._get("labels", ("match[]", Selector(metric=metric).text()))
        return tuple(name for name in names_of(reply) if is_label_name(name))

    async def _oldest_of_all(self, now: datetime) -> datetime:
        """To the hour within the last months, to the day further back."""
        length = timedelta(hours=1)
        while length < LOOK_BACK and await self._holds(None, now - length):
            length *= 2
        start = max(now - length, datetime(1971, 1, 1, tzinfo=UTC))
        return await self._first_held(start, now - length / 2, max(timedelta(minutes=1), length / 64))

    async def _get(self, path: str, *params: tuple[str, str], cap_bytes: int = NAMES_CAP_BYTES) -> object:
        return await self._api.get(f"/api/v1/{path}", params, timeout_s=self._timeout_s, cap_bytes=cap_bytes)


def _meaning(refused: StatusRefused, *, is_ours: bool) -> ToolCode:
    """What a refused evaluation means for whoever asked; ``is_ours``: what was evaluated was written here alone."""
    if refused.status not in _BAD_REQUEST:
        return refused.code
    is_large = "too many samples" in refused.said or "exceeded maximum resolution" in refused.said
    if is_large:
        return ToolCode.RESULT_TOO_LARGE
    return refused.code if is_ours else ToolCode.INVALID_REQUEST


def _unix(at: datetime) -> str:
    return f"{at.timestamp():.3f}"
