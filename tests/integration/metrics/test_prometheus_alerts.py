"""The alerts of a real Prometheus."""

import asyncio

import pytest

from tests.integration.metrics.conftest import Filled
from tools.alerts.port import AlertState
from tools.alerts.prometheus import PrometheusAlertSource
from tools.http_api import HttpApi, HttpEndpoint

pytestmark = pytest.mark.xdist_group("prometheus")


async def test_firing_and_pending_alerts_and_the_names_of_all_rules(filled: Filled):
    api = HttpApi(HttpEndpoint(filled.url))
    source = PrometheusAlertSource("prom", api)
    for _ in range(100):
        alerts = {alert.name: alert for alert in (await source.alerts()).alerts}
        if len(alerts) == 2:
            break
        await asyncio.sleep(0.1)
    held = await source.holdings()
    await api.aclose()

    assert {name: alert.state for name, alert in alerts.items()} == {
        "AlwaysFiring": AlertState.FIRING,
        "StillPending": AlertState.PENDING,
    }
    assert alerts["AlwaysFiring"].value == 37.0
    assert alerts["AlwaysFiring"].annotations == {"summary": "value is 37"}
    assert held.names == ("AlwaysFiring", "NeverFiring", "StillPending")
    assert held.labels == ("alertname", "service", "severity")
