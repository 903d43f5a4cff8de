"""The tool over a real Prometheus, compared with the server's own answers and with the same series as a folder."""

import json
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest

from state.model.enums import Coverage, EvidenceStatus, ToolCode
from state.model.errors import ToolFailed
from state.model.evidence import Projection, Window
from tests import servers
from tests.integration.metrics.conftest import HOURS, SILENT, Filled
from tests.opened_tools import open_query_metrics
from tools.contract import CallContext
from tools.http_api import HttpApi, HttpEndpoint
from tools.metrics.port import MetricSource
from tools.metrics.prometheus import PrometheusMetricSource
from tools.metrics.query_metrics import QueryMetrics
from tools.metrics.recorded import RecordedMetricSource
from tools.metrics.request import QueryMetricsInput

pytestmark = pytest.mark.xdist_group("prometheus")


class RealClock:
    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return 0.0


@asynccontextmanager
async def opened(filled: Filled, **options: object) -> AsyncIterator[PrometheusMetricSource]:
    api = HttpApi(HttpEndpoint(filled.url))
    try:
        yield PrometheusMetricSource("prom", api, clock=RealClock(), **options)
    finally:
        await api.aclose()


def context(filled: Filled) -> CallContext:
    window = Window(start=filled.now - timedelta(hours=2), end=filled.now)
    return CallContext(now=filled.now, time_zone="UTC", default_window=window, kb_scope="x")


async def ask_tool(tool: QueryMetrics, filled: Filled, **arguments: object) -> Projection:
    prepared = tool.prepare(QueryMetricsInput.model_validate(arguments), context(filled))
    return tool.project("c1", prepared, await tool.execute(prepared, context(filled)))


async def ask_source(source: MetricSource, filled: Filled, **arguments: object) -> Projection:
    return await ask_tool(await open_query_metrics({source.name: source}, time_zone="UTC"), filled, **arguments)


async def ask(filled: Filled, **arguments: object) -> Projection:
    async with opened(filled) as source:
        return await ask_source(source, filled, **arguments)


def promtool(filled: Filled, query: str) -> dict[str, float]:
    """Value by service of an instant query, as the server's own client tells it."""
    command = [
        servers.program("promtool"),
        "query",
        "instant",
        "--format=json",
        f"--time={filled.now.timestamp():.0f}",
        filled.url,
        query,
    ]
    told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return {one["metric"].get("service", ""): float(one["value"][1]) for one in told}


async def test_figures_are_those_the_server_computes_itself(filled):
    found = await ask(filled, metric="pool_wait_seconds", labels={"service": "pay"})

    (item,) = found.items
    seconds = "[7199999ms]"  # without the sample at the very start, which this server would count too
    series = f'pool_wait_seconds{{service="pay"}}{seconds}'
    assert item.fields["min"] == promtool(filled, f"min_over_time({series})")["pay"]
    assert item.fields["max"] == promtool(filled, f"max_over_time({series})")["pay"]
    assert item.fields["last"] == promtool(filled, f"last_over_time({series})")["pay"]
    assert item.fields["mean"] == pytest.approx(promtool(filled, f"avg_over_time({series})")["pay"], rel=1e-3)
    assert item.fields["before_mean"] == pytest.approx(
        promtool(filled, f"avg_over_time({series} offset 2h)")["pay"], rel=0.01
    )


async def test_a_spike_of_a_single_sample_survives_any_step(filled):
    for arguments in ({}, {"step": "1h"}, {"start": (filled.now - timedelta(hours=7)).isoformat()}):
        found = await ask(filled, metric="pool_wait_seconds", labels={"service": "pay"}, **arguments)
        assert found.items[0].fields["max"] == 9.5


async def test_the_level_shift_is_found_where_it_happened(filled):
    (item,) = (await ask(filled, metric="pool_wait_seconds", labels={"service": "pay"})).items

    changed = datetime.fromisoformat(str(item.fields["change_at"])) - (filled.now - timedelta(minutes=50))
    assert timedelta(0) <= changed <= timedelta(minutes=2)


@pytest.mark.parametrize("metric", ["pool_wait_seconds", "http_errors_total"])
async def test_server_and_folder_tell_the_same_of_the_same_series(filled, metric):
    recorded = RecordedMetricSource("series", filled.folder, time_zone="UTC")

    live, stored = await ask(filled, metric=metric), await ask_source(recorded, filled, metric=metric)

    one = {item.item_id.rsplit(":")[-1]: item for item in live.items}
    other = {item.item_id.rsplit(":")[-1]: item for item in stored.items}
    assert one.keys() == other.keys()
    assert (live.coverage, live.scope.window, live.total_matches) == (
        stored.coverage,
        stored.scope.window,
        stored.total_matches,
    )
    for key in one:
        figures = [(item.fields["min"], item.fields["max"]) for item in (one[key], other[key])]
        assert one[key].fields["mean"] == pytest.approx(other[key].fields["mean"], rel=0.02)
        assert metric == "http_errors_total" or figures[0] == figures[1]


async def test_a_counter_grows_as_its_samples_say(filled):
    (item,) = (await ask(filled, metric="http_errors_total")).items

    resets = promtool(filled, "resets(http_errors_total[2h])")["pay"]
    increase = promtool(filled, "increase(http_errors_total[2h])")["pay"]
    assert item.fields["resets"] == resets == 1
    assert item.fields["increase"] == pytest.approx(increase, rel=0.03)
    assert item.fields["unit"] == "/s"


async def test_an_expression_gives_the_values_of_the_server(filled):
    found = await ask(filled, expr="sum(rate(http_errors_total[5m]))")

    (item,) = found.items
    assert item.fields["last"] == pytest.approx(promtool(filled, "sum(rate(http_errors_total[5m]))")[""], rel=1e-4)
    assert item.text.startswith("computed value from http_errors_total: mean ")


async def test_label_values_with_quotes_are_asked_and_told_exactly(filled):
    found = await ask(filled, metric="pool_wait_seconds", labels={"service": 'or"d\\er'})

    (item,) = found.items
    assert item.text.startswith('pool_wait_seconds{instance="x",service="or\\"d\\\\er"}: constant 0.2 s')
    assert found.total_matches == 1


async def test_known_but_silent_is_no_evidence(filled):
    silent, above = await ask(filled, metric="batch_size"), await ask(filled, expr="pool_wait_seconds > 1000")

    assert (silent.evidence_status, silent.coverage, silent.total_matches) == (
        EvidenceStatus.NO_EVIDENCE,
        Coverage.COMPLETE,
        0,
    )
    assert above.evidence_status is EvidenceStatus.NO_EVIDENCE


@pytest.mark.parametrize(
    "arguments",
    [{"metric": "nowhere"}, {"metric": "batch_size", "labels": {"service": "x"}}, {"expr": "nowhere > 1"}],
)
async def test_unknown_is_no_answer(filled, arguments):
    with pytest.raises(ToolFailed) as failed:
        await ask(filled, **arguments)

    assert failed.value.code is ToolCode.INCOMPLETE_SEARCH


async def test_a_find_that_rests_on_an_unknown_metric_is_partial(filled):
    assert (await ask(filled, expr="pool_wait_seconds unless on () nowhere > 99")).coverage is Coverage.PARTIAL


async def test_only_configured_metrics_are_in_the_catalogue(filled):
    async with opened(filled, metrics=("pool_*", "batch_size")) as source:
        held = await source.holdings()

    assert [one.name for one in held.metrics] == ["batch_size", "pool_wait_seconds"]


async def test_the_effective_window_begins_where_the_server_begins(filled):
    start = filled.now - timedelta(hours=12)
    found = await ask(filled, metric="pool_wait_seconds", start=start.isoformat())

    begins = filled.now - timedelta(hours=HOURS)
    assert timedelta(0) <= found.scope.window.start - begins <= timedelta(minutes=12)
    assert all(item.fields["change"] is None for item in found.items)


async def test_a_refused_expression_is_an_invalid_request(filled):
    with pytest.raises(ToolFailed) as failed:
        await ask(filled, expr="pool_wait_seconds * on (nowhere) pool_wait_seconds")

    assert failed.value.code is ToolCode.INVALID_REQUEST


async def test_the_catalogue_is_what_the_server_holds(filled):
    async with opened(filled) as source:
        held = await source.holdings()
        tool = await open_query_metrics({"prom": source}, time_zone="UTC")

    assert {"batch_size", "http_errors_total", "pool_wait_seconds"} <= {one.name for one in held.metrics}
    assert {"gone", "pay", 'or"d\\er'} <= set(held.label_values["service"])
    assert held.oldest is not None
    assert abs(held.oldest - (filled.now - timedelta(hours=HOURS))) < timedelta(minutes=15)
    assert "  pool_wait_seconds (s): instance, service\n" in tool.description + "\n"
    assert {"prom", "http_errors_total", "pay"} <= set(tool.catalogue_terms)


async def test_what_the_server_has_not_recorded_yet_is_told(filled):
    (item,) = (
        await ask(filled, metric="http_errors_total", start=(filled.now - timedelta(minutes=10)).isoformat())
    ).items

    assert f"and {filled.now.isoformat()}" in item.text
    assert datetime.fromisoformat(str(item.fields["last_at"])) <= filled.now - SILENT
