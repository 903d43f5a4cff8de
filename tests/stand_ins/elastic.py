"""An Elasticsearch or OpenSearch cluster in memory: the documented HTTP API over documents that a test indexes.

Not the real program: what it proves is that a client speaks the documented protocol and reads all documented
answers. It evaluates every query it is sent and knows nothing of the client.
"""

import copy
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.stand_ins.elastic_aggs import aggregate
from tests.stand_ins.elastic_dsl import QueryError, compile_query
from tests.stand_ins.elastic_index import EPOCH, METADATA, TEXTS, Doc, Index, matching_names
from tests.wire_server import Received, Reply, WireServer, answers

MAX_RESULT_WINDOW = 10_000


class Refused(Exception):
    def __init__(self, status: int, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.status, self.kind = status, kind


@dataclass
class Trouble:
    """What goes wrong on purpose."""

    failed_shards: dict[tuple[str, int], str] = field(default_factory=dict)
    """Index and shard → type of its failure."""
    timed_out: bool = False
    """The search stops half way and says so."""
    hides_metadata: bool = False
    """The account may read but not see mappings and settings."""
    has_no_pit: bool = False
    has_tiebreaker: bool = True
    """False: a version before 7.12, whose points in time have none."""


class ElasticStandIn:
    """Context manager around a real HTTP server."""

    def __init__(self, *, is_opensearch: bool = False) -> None:
        self.is_opensearch = is_opensearch
        self.indices: dict[str, Index] = {}
        self.pits: dict[str, list[Index]] = {}
        self.n_pits_opened = 0
        self.trouble = Trouble()
        self.interfere: Callable[[Received], Reply | None] = lambda _: None
        """Answers instead of the server where it returns a reply."""
        self._wire = WireServer(respond=self._respond)

    def __enter__(self) -> "ElasticStandIn":
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

    def create(self, name: str, properties: Mapping[str, Any] | None = None, **settings: Any) -> Index:
        index = self.indices[name] = Index(name, settings={key: str(value) for key, value in settings.items()})
        index.map(properties or {})
        return index

    def _respond(self, received: Received) -> Reply:
        instead = self.interfere(received)
        if instead is not None:
            return instead
        try:
            return answers(self._answer(received))
        except Refused as refused:
            return _error(refused.status, refused.kind, str(refused))
        except QueryError as error:
            return _error(400, error.kind, str(error))
        except (KeyError, TypeError, ValueError) as error:
            return _error(400, "illegal_argument_exception", repr(error))

    def _answer(self, received: Received) -> Any:
        parts = urlsplit(received.path)
        params = {name: values[-1] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
        body = json.loads(received.text) if received.text else {}
        segments = [unquote(one) for one in parts.path.split("/")[1:]]
        match received.method, segments:
            case "GET" | "POST", ["_search"]:
                return self._search_fixed(body)
            case "DELETE", ["_pit"] if not self.is_opensearch:
                return {"succeeded": self._close(body["id"]), "num_freed": 1}
            case "DELETE", ["_search", "point_in_time"] if self.is_opensearch:
                return {"pits": [{"pit_id": one, "successful": self._close(one)} for one in body["pit_id"]]}
            case "GET" | "POST", [pattern, "_search"]:
                return self._search(self._resolved(pattern, params), body)
            case "POST", [pattern, "_pit"] if not self.is_opensearch:
                return {"id": self._open(pattern, params), "_shards": _all_well(2)}
            case "POST", [pattern, "_search", "point_in_time"] if self.is_opensearch:
                return {"pit_id": self._open(pattern, params), "_shards": _all_well(2), "creation_time": 1}
            case "GET", [pattern, "_field_caps"]:
                return _field_caps(
                    self._resolved(pattern, params), params["fields"], has_families=not self.is_opensearch
                )
            case "GET", [pattern, "_mapping", "field", names]:
                return self._metadata(lambda: _field_mappings(self._resolved(pattern, params), names.split(",")))
            case "GET", [pattern, "_settings", name]:
                return self._metadata(lambda: _settings(self._resolved(pattern, params), name, params))
        raise Refused(
            405, "method_not_allowed", f"no handler found for uri [{received.path}] and method [{received.method}]"
        )

    def _metadata(self, answer: Callable[[], Any]) -> Any:
        if self.trouble.hides_metadata:
            raise Refused(403, "security_exception", "action [indices:admin/mappings/fields/get] is unauthorized")
        return answer()

    def _resolved(self, expression: str, params: Mapping[str, str]) -> list[Index]:
        found: dict[str, Index] = {}
        for name in expression.split(","):
            names = matching_names(self.indices, "*" if name == "_all" else name)
            if not names and "*" not in name and name != "_all" and params.get("ignore_unavailable") != "true":
                raise Refused(404, "index_not_found_exception", f"no such index [{name}]")
            found |= {one: self.indices[one] for one in names}
        if not found and params.get("allow_no_indices", "true") != "true":
            raise Refused(404, "index_not_found_exception", f"no such index [{expression}]")
        return list(found.values())

    def _open(self, pattern: str, params: Mapping[str, str]) -> str:
        if "keep_alive" not in params:
            raise Refused(400, "action_request_validation_exception", "[keep_alive] is not specified")
        if self.trouble.has_no_pit:
            raise Refused(400, "illegal_argument_exception", "request contains unrecognized parameters")
        self.n_pits_opened += 1
        pit = f"pit-{self.n_pits_opened}"
        self.pits[pit] = copy.deepcopy(self._resolved(pattern, params))
        return pit

    def _close(self, pit: str) -> bool:
        return self.pits.pop(pit, None) is not None

    def _search_fixed(self, body: dict[str, Any]) -> dict[str, Any]:
        if "pit" not in body:
            return self._search(list(self.indices.values()), body)
        pit = body["pit"]["id"]
        if pit not in self.pits:
            raise Refused(404, "search_context_missing_exception", "No search context found")
        return self._search(self.pits[pit], body, is_fixed=True) | {"pit_id": pit}

    def _search(self, indices: list[Index], body: dict[str, Any], *, is_fixed: bool = False) -> dict[str, Any]:
        size = body.get("size", 10)
        if size + body.get("from", 0) > MAX_RESULT_WINDOW:
            raise Refused(
                400,
                "illegal_argument_exception",
                "Result window is too large, from + size must be less than or equal to: [10000]",
            )
        failures = self._failures(indices)
        n_shards = sum(index.n_shards for index in indices)
        if failures and len(failures) == n_shards:
            raise Refused(503, "search_phase_execution_exception", "all shards failed")
        failed = {(one["index"], one["shard"]) for one in failures}
        found: list[tuple[Index, Doc]] = []
        for index in indices:
            matches = compile_query(body.get("query", {"match_all": {}}), index)
            found += [
                (index, doc) for doc in index.docs.values() if (index.name, doc.shard) not in failed and matches(doc)
            ]
        if self.trouble.timed_out:
            found = found[: len(found) // 2]
        has_tiebreaker = is_fixed and not self.is_opensearch and self.trouble.has_tiebreaker
        keyed = [
            (_sort_values(body, index, doc, place, has_tiebreaker), index, doc)
            for place, (index, doc) in enumerate(found)
        ]
        keyed.sort(key=lambda one: tuple((value is None, value) for value in one[0]))
        if "search_after" in body:
            after = body["search_after"]
            if len(after) != len(keyed[0][0] if keyed else after):
                raise Refused(400, "illegal_argument_exception", "search_after has a wrong number of values")
            keyed = [one for one in keyed if list(one[0]) > list(after)]
        shown = keyed[body.get("from", 0) :][:size]
        reply: dict[str, Any] = {
            "took": 1,
            "timed_out": self.trouble.timed_out,
            "_shards": _shards(n_shards, failures),
            "hits": {"max_score": None, "hits": [_hit(body, *one) for one in shown], **_total(body, len(found))},
        }
        if "aggs" in body or "aggregations" in body:
            reply["aggregations"] = aggregate(body.get("aggs", body.get("aggregations")), found)
        return reply

    def _failures(self, indices: list[Index]) -> list[dict[str, Any]]:
        return [
            {
                "shard": shard,
                "index": index.name,
                "node": "n1",
                "reason": {"type": kind, "reason": "secret backend text"},
            }
            for index in indices
            for shard in range(index.n_shards)
            if (kind := self.trouble.failed_shards.get((index.name, shard))) is not None
        ]


def _error(status: int, kind: str, reason: str) -> Reply:
    cause = {"type": kind, "reason": reason}
    return answers({"error": {"root_cause": [cause], **cause}, "status": status}, status=status)


def _all_well(n: int) -> dict[str, int]:
    return {"total": n, "successful": n, "skipped": 0, "failed": 0}


def _shards(n: int, failures: list[dict[str, Any]]) -> dict[str, Any]:
    shards: dict[str, Any] = {"total": n, "successful": n - len(failures), "skipped": 0, "failed": len(failures)}
    return shards | ({"failures": failures} if failures else {})


def _total(body: Mapping[str, Any], n: int) -> dict[str, Any]:
    wanted = body.get("track_total_hits", 10_000)
    if wanted is False:
        return {}
    if wanted is True or n <= wanted:
        return {"total": {"value": n, "relation": "eq"}}
    return {"total": {"value": wanted, "relation": "gte"}}


def _sort_values(body: Mapping[str, Any], index: Index, doc: Doc, place: int, has_tiebreaker: bool) -> tuple[Any, ...]:
    """Ascending by date or number; documents without a value come last."""
    values: list[Any] = []
    for one in body.get("sort", []):
        ((name, options),) = one.items() if isinstance(one, dict) else [(one, {})]
        kind = index.fields.get(name, {}).get("type")
        if kind is None and not options.get("unmapped_type"):
            raise QueryError("query_shard_exception", f"No mapping found for [{name}] in order to sort on")
        found = doc.terms.get(name)
        to_ns = options.get("numeric_type") == "date_nanos" and kind == "date"
        to_ms = options.get("numeric_type") == "date" and kind == "date_nanos"
        value = min(found) if found else None
        values.append(value if value is None else value * 10**6 if to_ns else value // 10**6 if to_ms else value)
    return (*values, place) if has_tiebreaker else tuple(values)


def _hit(body: Mapping[str, Any], sort: tuple[Any, ...], index: Index, doc: Doc) -> dict[str, Any]:
    hit: dict[str, Any] = {"_index": index.name, "_id": doc.id, "_score": None, "_source": _filtered(doc.source, body)}
    if doc.ignored:
        hit["_ignored"] = sorted(doc.ignored)
    wanted = [one if isinstance(one, dict) else {"field": one} for one in body.get("docvalue_fields", [])]
    shown = {one["field"]: _docvalues(index, doc, one["field"]) for one in wanted if one["field"] in doc.terms}
    if shown:
        hit["fields"] = shown
    if body.get("sort"):
        hit["sort"] = list(sort)
    return hit


def _docvalues(index: Index, doc: Doc, name: str) -> list[Any]:
    scale = {"date": 10**6, "date_nanos": 1}.get(index.fields[name]["type"])
    return sorted(doc.terms[name]) if scale is None else [_iso(value * scale) for value in sorted(doc.terms[name])]


def _iso(ns: int) -> str:
    at = EPOCH + timedelta(seconds=ns // 10**9)
    fraction = f"{ns % 10**9:09d}".rstrip("0").ljust(3, "0")
    return f"{at:%Y-%m-%dT%H:%M:%S}.{fraction}Z"


def _filtered(source: dict[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    wanted = body.get("_source")
    if not isinstance(wanted, dict) or "includes" not in wanted:
        return source

    def kept(node: Any, prefix: str) -> Any:
        if isinstance(node, list):
            return [one for one in (kept(one, prefix) for one in node) if one is not None]
        if not isinstance(node, dict):
            return node if any(prefix == one or prefix.startswith(f"{one}.") for one in wanted["includes"]) else None
        inside = {name: kept(value, f"{prefix}.{name}" if prefix else name) for name, value in node.items()}
        return {name: value for name, value in inside.items() if value not in (None, {})}

    return kept(source, "") or {}


def _field_caps(indices: list[Index], wanted: str, *, has_families: bool) -> dict[str, Any]:
    """Elasticsearch names the family of a type, OpenSearch the type itself."""
    fields: dict[str, dict[str, Any]] = {}
    for index in indices:
        for name, mapping in index.fields.items():
            kind = mapping["type"]
            family = _FAMILIES.get(kind, kind) if has_families else kind
            has_values = kind not in TEXTS and mapping.get("doc_values", True) is not False
            _widen(fields, name, family, mapping.get("index", True) is not False, has_values)
        for name in _objects(index):
            _widen(fields, name, "nested" if name in index.nested else "object", False, False)
        for name in METADATA:
            _widen(fields, name, name, True, name != "_source", is_metadata=True)
    names = {one for part in wanted.split(",") for one in matching_names(fields, part)}
    return {"indices": [index.name for index in indices], "fields": {name: fields[name] for name in sorted(names)}}


_FAMILIES = {"wildcard": "keyword", "constant_keyword": "keyword", "match_only_text": "text"}


def _objects(index: Index) -> set[str]:
    return {
        name[:at]
        for name in index.fields
        for at, char in enumerate(name)
        if char == "." and name[:at] not in index.fields
    }


def _widen(
    fields: dict[str, Any], name: str, kind: str, searchable: bool, aggregatable: bool, *, is_metadata: bool = False
) -> None:
    known = fields.setdefault(name, {}).setdefault(
        kind, {"type": kind, "metadata_field": is_metadata, "searchable": True, "aggregatable": True}
    )
    known["searchable"] = known["searchable"] and searchable
    known["aggregatable"] = known["aggregatable"] and aggregatable


def _field_mappings(indices: list[Index], names: list[str]) -> dict[str, Any]:
    return {
        index.name: {
            "mappings": {
                name: {"full_name": name, "mapping": {name.rpartition(".")[2]: index.fields[name]}}
                for pattern in names
                for name in matching_names(index.fields, pattern)
            }
        }
        for index in indices
    }


def _settings(indices: list[Index], pattern: str, params: Mapping[str, str]) -> dict[str, Any]:
    if params.get("flat_settings") != "true":
        raise Refused(400, "illegal_argument_exception", "only flat settings are known here")
    return {
        index.name: {"settings": {name: index.settings[name] for name in matching_names(index.settings, pattern)}}
        for index in indices
    }
