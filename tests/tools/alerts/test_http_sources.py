"""Alertmanager and Prometheus as alert sources over the wire, and every way a server can fail."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from state.model.enums import ToolCode
from state.model.errors import ToolFailed
from tests.source_faults import EXPECTED, SLOW_S, Fault, faulty_source
from tests.tools.alerts.conftest import entry
from tests.wire_server import Reply, WireServer, answers
from tools.alerts.alertmanager import AlertmanagerAlertSource
from tools.alerts.port import AlertState
from tools.alerts.prometheus import PrometheusAlertSource
from tools.http_api import HttpApi, HttpEndpoint

SOURCES = (AlertmanagerAlertSource, PrometheusAlertSource)
Source = AlertmanagerAlertSource | PrometheusAlertSource
PENDING = {
    "labels": {"alertname": "Slow", "service": "pay"},
    "annotations": {"summary": "x"},
    "state": "pending",
    "activeAt": "2026-11-30T10:00:00Z",
    "value": "3e+00",
}


@asynccontextmanager
async def opened(kind: type[Source], url: str, *, timeout_s: float = 30.0) -> AsyncIterator[Source]:
    api = HttpApi(HttpEndpoint(url))
    try:
        yield kind("alerts", api, timeout_s=timeout_s)
    finally:
        await api.aclose()


@pytest.mark.parametrize("fault", list(Fault))
@pytest.mark.parametrize("kind", SOURCES)
async def test_every_fault_is_its_documented_code_within_the_timeout(kind, fault):
    began = time.monotonic()
    with faulty_source(fault) as url:
        async with opened(kind, url, timeout_s=1.0 if fault is Fault.SLOW else 20.0) as source:
            with pytest.raises(ToolFailed) as failed:
                await source.alerts()
            with pytest.raises(ToolFailed) as also:
                await source.holdings()

    assert (failed.value.code, also.value.code) == (EXPECTED[fault], EXPECTED[fault])
    assert time.monotonic() - began < SLOW_S


async def test_alertmanager_is_asked_for_everything_it_has():
    with WireServer(answers([entry(), entry("B", state="suppressed"), entry("C", state="unprocessed")])) as wire:
        async with opened(AlertmanagerAlertSource, wire.url) as source:
            page = await source.alerts()

    assert [one.path for one in wire.requests] == [
        "/api/v2/alerts?active=true&silenced=true&inhibited=true&unprocessed=true"
    ]
    assert sorted(alert.state for alert in page.alerts) == [
        AlertState.FIRING,
        AlertState.SUPPRESSED,
        AlertState.UNPROCESSED,
    ]


async def test_prometheus_tells_pending_and_firing_alerts_and_the_names_of_its_rules():
    rules = {
        "groups": [
            {
                "rules": [
                    {"type": "alerting", "name": "Slow"},
                    {"type": "alerting", "name": "Down"},
                    {"type": "recording", "name": "r"},
                ]
            }
        ]
    }

    def respond(received):
        data = rules if "rules" in received.path else {"alerts": [PENDING]}
        return answers({"status": "success", "data": data})

    with WireServer(respond=respond) as wire:
        async with opened(PrometheusAlertSource, wire.url) as source:
            page, held = await source.alerts(), await source.holdings()

    assert [(alert.name, alert.state, alert.value) for alert in page.alerts] == [("Slow", AlertState.PENDING, 3.0)]
    assert (held.names, held.labels, held.n_alerts) == (("Down", "Slow"), ("alertname", "service"), 1)


async def test_a_warning_of_prometheus_makes_it_partial():
    with WireServer(answers({"status": "success", "data": {"alerts": []}, "warnings": ["x"]})) as wire:
        async with opened(PrometheusAlertSource, wire.url) as source:
            assert [one.why for one in (await source.alerts()).unread] == ["warned"]


@pytest.mark.parametrize("kind", SOURCES)
@pytest.mark.parametrize(
    "reply",
    [
        Reply(b"[" * 200_000),
        answers({"status": "success", "data": []}),
        answers({"status": "success", "data": {"alerts": {}}}),
        answers({"status": "error", "error": "secret backend text"}),
        answers("text"),
    ],
    ids=["deep", "list", "object", "error", "text"],
)
async def test_a_reply_of_another_shape_is_an_error(kind, reply):
    with WireServer(reply) as wire:
        async with opened(kind, wire.url) as source:
            with pytest.raises(ToolFailed) as failed:
                await source.alerts()

    assert failed.value.code is ToolCode.TOOL_EXECUTION_ERROR
