"""Sources over stand-ins, and the records of the contract in them."""

import json
from collections.abc import Iterable
from datetime import timedelta

from tests.fakes import ManualClock
from tests.stand_ins.elastic import ElasticStandIn
from tests.stand_ins.loki import LokiStandIn
from tests.tools.logs.source_contract import ROWS, moment
from tools.http_api import HttpEndpoint
from tools.logs.elastic_fields import Dialect, ElasticView
from tools.logs.elastic_source import ElasticLogSource
from tools.logs.loki_logql import LokiView
from tools.logs.loki_source import LokiLogSource
from tools.logs.remote_reading import nanoseconds

NOW = moment(90)
VIEW = LokiView({"env": "prod"})


def minute_ns(minute: int) -> int:
    return nanoseconds(moment(minute))


def loki_source(server: LokiStandIn | str, view: LokiView = VIEW, *, timeout_s: float = 60.0) -> LokiLogSource:
    url = server if isinstance(server, str) else server.url
    clock = ManualClock(NOW)
    return LokiLogSource("loki", HttpEndpoint(url), view, time_zone="UTC", timeout_s=timeout_s, clock=clock)


def push_contract_rows(server: LokiStandIn, rows: Iterable[dict[str, object]] = ROWS) -> None:
    """As JSON lines whose level is in the line only; one record of another environment."""
    for row in rows:
        line = json.dumps({"level": row["level"], "message": row["message"]}, ensure_ascii=False)
        server.push(minute_ns(int(str(row["minute"]))), line, {"env": "prod", "service": str(row["service"])})
    server.push(minute_ns(5), "other environment", {"env": "test", "service": "orders"})


ECS = {
    "@timestamp": {"type": "date"},
    "message": {"type": "match_only_text"},
    "service": {"properties": {"name": {"type": "keyword", "ignore_above": 1024}}},
    "log": {"properties": {"level": {"type": "keyword", "ignore_above": 1024}}},
}
"""As the common schema maps them."""


def elastic_source(
    server: ElasticStandIn | str, view: ElasticView | None = None, *, timeout_s: float = 60.0
) -> ElasticLogSource:
    is_opensearch = isinstance(server, ElasticStandIn) and server.is_opensearch
    dialect = Dialect.OPENSEARCH if is_opensearch else Dialect.ELASTICSEARCH
    url = server if isinstance(server, str) else server.url
    view = view or ElasticView("logs-*", dialect)
    clock = ManualClock(NOW)
    return ElasticLogSource("es", HttpEndpoint(url), view, time_zone="UTC", timeout_s=timeout_s, clock=clock)


def ecs_document(minute: float, message: object, service: object = "orders", **more: object) -> dict[str, object]:
    at = moment(0) + timedelta(minutes=minute)
    return {"@timestamp": at.isoformat(), "message": message, "service": {"name": service}, **more}


def index_contract_rows(server: ElasticStandIn, properties: dict[str, object] | None = None) -> None:
    """Over two indices of the pattern, and one outside it."""
    for name in ("logs-a", "logs-b", "metrics-a"):
        server.create(name, ECS if properties is None else properties)
    for place, row in enumerate(ROWS):
        document = ecs_document(row["minute"], row["message"], row["service"], log={"level": row["level"].lower()})
        server.indices[f"logs-{'ab'[place % 2]}"].put(f"d{place}", document)
    server.indices["metrics-a"].put("m", ecs_document(5, "other index"))
