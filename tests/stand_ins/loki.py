"""A Loki server in memory: the documented HTTP API over records that a test pushes.

Not the real program: what it proves is that a client speaks the documented protocol and reads all documented
answers. It evaluates every query it is sent (``tests.stand_ins.logql``) and knows nothing of the client.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.stand_ins.logql import Count, LogPipeline, ParseError, parse
from tests.wire_server import Received, Reply, WireServer, answers

SECOND_NS = 10**9


@dataclass(frozen=True)
class Record:
    at_ns: int
    line: str
    labels: Mapping[str, str]
    metadata: Mapping[str, str] = field(default_factory=dict)


class Refused(Exception):
    """An error answer: plain text, as Loki writes it."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status, self.text = status, text


class LokiStandIn:
    """Context manager around a real HTTP server."""

    def __init__(
        self,
        *,
        max_entries: int = 5000,
        max_query_ns: int = 721 * 3600 * SECOND_NS,
        max_line_bytes: int = 4 * 1024 * 1024,
        tenant: str | None = None,
    ) -> None:
        self.records: list[Record] = []
        self._known: set[tuple[object, ...]] = set()
        self.warnings: list[str] = []
        self.interfere: Callable[[Received], Reply | None] = lambda _: None
        """Answers instead of the server where it returns a reply."""
        self.max_entries, self.max_query_ns, self.max_line_bytes = max_entries, max_query_ns, max_line_bytes
        self.tenant = tenant
        self._wire = WireServer(respond=self._respond)

    def __enter__(self) -> "LokiStandIn":
        self._wire.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._wire.__exit__(*error)

    @property
    def url(self) -> str:
        return self._wire.url

    @property
    def wire(self) -> WireServer:
        return self._wire

    def push(self, at_ns: int, line: str, labels: Mapping[str, str], metadata: Mapping[str, str] | None = None) -> None:
        """Keep a record; the same line at the same time in the same stream is kept once, as in Loki."""
        record = Record(at_ns, line, dict(labels), dict(metadata or {}))
        key = (at_ns, line, *sorted(record.labels.items()), *sorted(record.metadata.items()))
        if key not in self._known:
            self._known.add(key)
            self.records.append(record)

    def clear(self) -> None:
        """Forget every record."""
        self.records.clear()
        self._known.clear()

    def queries(self) -> list[str]:
        """Every LogQL query received, in order."""
        return [query for one in self._wire.requests for query in parse_qs(urlsplit(one.path).query).get("query", [])]

    def _respond(self, received: Received) -> Reply:
        instead = self.interfere(received)
        if instead is not None:
            return instead
        try:
            return answers(self._answer(received))
        except Refused as refused:
            return Reply(refused.text.encode(), status=refused.status, content_type="text/plain; charset=utf-8")
        except ParseError as error:
            return Reply(str(error).encode(), status=400, content_type="text/plain; charset=utf-8")

    def _answer(self, received: Received) -> dict[str, Any]:
        if self.tenant is not None and received.headers.get("x-scope-orgid") != self.tenant:
            raise Refused(401, "no org id")
        parts = urlsplit(received.path)
        params = {name: values[-1] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
        path = parts.path.removeprefix("/loki/api/v1/")
        if path == "query_range":
            return self._query_range(params, received.headers)
        if path == "query":
            return self._query(params)
        if path == "labels":
            return self._success(sorted({name for one in self._seen(params) for name in one.labels}))
        if path.startswith("label/") and path.endswith("/values"):
            name = unquote(path.split("/")[1])
            return self._success(sorted({one.labels[name] for one in self._seen(params) if name in one.labels}))
        if path == "series":
            params["query"] = params.get("match[]", "")
            series = {json.dumps(dict(one.labels), sort_keys=True) for one in self._seen(params)}
            return self._success([json.loads(one) for one in sorted(series)])
        if path == "index/stats":
            seen = self._seen(params)
            streams = {json.dumps(dict(one.labels), sort_keys=True) for one in seen}
            n_bytes = sum(len(one.line.encode()) for one in seen)
            return {"streams": len(streams), "chunks": len(streams), "entries": len(seen), "bytes": n_bytes}
        raise Refused(404, "404 page not found")

    def _success(self, data: Any) -> dict[str, Any]:
        body = {"status": "success", "data": data}
        return body | {"warnings": self.warnings} if self.warnings else body

    def _span(self, params: Mapping[str, str]) -> tuple[int, int]:
        end = _time(params["end"]) if "end" in params else max((one.at_ns for one in self.records), default=0) + 1
        start = _time(params["start"]) if "start" in params else end - 3600 * SECOND_NS
        if end <= start:
            raise Refused(400, "end timestamp must not be before or equal to start time")
        if end - start > self.max_query_ns:
            raise Refused(400, f"the query time range exceeds the limit (query length: {end - start}ns, limit: 30d1h)")
        return start, end

    def _seen(self, params: Mapping[str, str]) -> list[Record]:
        start, end = self._span(params)
        query = parse(params["query"]) if params.get("query") else None
        assert query is None or isinstance(query, LogPipeline)
        found = (one for one in self.records if start <= one.at_ns < end)
        return [one for one in found if query is None or query.has_stream(one.labels)]

    def _query_range(self, params: Mapping[str, str], headers: Mapping[str, str]) -> dict[str, Any]:
        start, end = self._span(params)
        query = parse(_needed(params, "query"))
        if isinstance(query, Count):
            return self._matrix(query, start, end, params)
        limit = int(params.get("limit", "100"))
        if limit > self.max_entries:
            raise Refused(
                400, f"max entries limit per query exceeded, limit > max_entries_limit ({limit} > {self.max_entries})"
            )
        direction = params.get("direction", "backward").lower()
        if direction not in {"forward", "backward"}:
            raise Refused(400, f"invalid direction '{direction}'")
        found = [one for one in self.records if start <= one.at_ns < end and _fits(query, one)]
        found.sort(key=lambda one: one.at_ns, reverse=direction == "backward")
        is_categorised = "categorize-labels" in headers.get("x-loki-response-encoding-flags", "").split(",")
        data = {"resultType": "streams", "result": _streams(found[:limit], categorised=is_categorised), "stats": _STATS}
        return self._success(data | ({"encodingFlags": ["categorize-labels"]} if is_categorised else {}))

    def _query(self, params: Mapping[str, str]) -> dict[str, Any]:
        query = parse(_needed(params, "query"))
        if isinstance(query, LogPipeline):
            raise Refused(
                400,
                "log queries are not supported as an instant query type, please change your query to a range query type",
            )
        at = _time(_needed(params, "time"))
        if query.range_ns > self.max_query_ns:
            raise Refused(400, "the query time range exceeds the limit")
        rows = [{"metric": labels, "value": [at / SECOND_NS, str(count)]} for labels, count in self._counts(query, at)]
        return self._success({"resultType": "vector", "result": rows, "stats": _STATS})

    def _matrix(self, query: Count, start: int, end: int, params: Mapping[str, str]) -> dict[str, Any]:
        step = int(float(params.get("step", "60").removesuffix("s")) * SECOND_NS)
        series: dict[str, list[list[object]]] = defaultdict(list)
        for at in range(start, end + 1, step):
            for labels, count in self._counts(query, at):
                series[json.dumps(labels, sort_keys=True)].append([at / SECOND_NS, str(count)])
        rows = [{"metric": json.loads(labels), "values": values} for labels, values in series.items()]
        return self._success({"resultType": "matrix", "result": rows, "stats": _STATS})

    def _counts(self, query: Count, at: int) -> list[tuple[dict[str, str], int]]:
        """A range holds its later end and not its earlier one."""
        counts: dict[str, int] = defaultdict(int)
        for one in self.records:
            if at - query.range_ns < one.at_ns <= at and _fits(query.pipeline, one):
                labels = {**one.labels, **one.metadata}
                group = labels if query.by is None else {name: labels[name] for name in query.by if labels.get(name)}
                counts[json.dumps(group, sort_keys=True)] += 1
        return [(json.loads(labels), count) for labels, count in sorted(counts.items())]


_STATS = {"summary": {"bytesProcessedPerSecond": 1, "linesProcessedPerSecond": 1, "execTime": 0.001}}


def _fits(query: LogPipeline, one: Record) -> bool:
    return query.has_stream(one.labels) and query.keeps(one.line, {**one.labels, **one.metadata})


def _streams(found: list[Record], *, categorised: bool) -> list[dict[str, Any]]:
    """Without the flag, structured metadata becomes part of the labels and splits the streams."""
    streams: dict[str, list[list[Any]]] = defaultdict(list)
    for one in found:
        labels = dict(one.labels) if categorised else {**one.labels, **one.metadata}
        value: list[Any] = [str(one.at_ns), one.line]
        if categorised:
            value.append({"structuredMetadata": dict(one.metadata)} if one.metadata else {})
        streams[json.dumps(labels, sort_keys=True)].append(value)
    return [{"stream": json.loads(labels), "values": values} for labels, values in streams.items()]


def _needed(params: Mapping[str, str], name: str) -> str:
    if not params.get(name):
        raise Refused(400, f"parse error : unexpected end, {name} is missing")
    return params[name]


def _time(text: str) -> int:
    """Nanoseconds; a number with a point or with few digits counts seconds; else RFC 3339."""
    if text.isdigit():
        return int(text) if len(text) > 10 else int(text) * SECOND_NS
    with suppress(ValueError):
        return int(float(text) * SECOND_NS)
    try:
        return int(datetime.fromisoformat(text).timestamp() * SECOND_NS)
    except ValueError as error:
        raise Refused(400, f"could not parse {text!r} as timestamp") from error
