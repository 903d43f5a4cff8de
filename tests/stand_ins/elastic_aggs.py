"""Evaluates aggregations over the documents that a query found."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from tests.stand_ins.elastic_dsl import QueryError, compile_query
from tests.stand_ins.elastic_index import TEXTS, Doc, Index

Found = Sequence[tuple[Index, Doc]]


def aggregate(aggs: Mapping[str, Any], found: Found) -> dict[str, Any]:
    """The answer to each aggregation by its name."""
    return {name: _one(body, found) for name, body in aggs.items()}


def _one(body: Mapping[str, Any], found: Found) -> dict[str, Any]:
    inside = body.get("aggs", body.get("aggregations", {}))
    kinds = [name for name in body if name not in {"aggs", "aggregations", "meta"}]
    if len(kinds) != 1:
        raise QueryError("parsing_exception", "Expected exactly one aggregation type")
    options = body[kinds[0]]
    match kinds[0]:
        case "min" | "max":
            values = _milliseconds(options["field"], found)
            return {"value": float((min if kinds[0] == "min" else max)(values)) if values else None}
        case "terms":
            return _terms(options, inside, found)
        case "composite":
            return _composite(options, inside, found)
        case "missing":
            of_it = [one for one in found if options["field"] not in one[1].terms]
        case "filter":
            of_it = [(index, doc) for index, doc in found if compile_query(options, index)(doc)]
        case other:
            raise QueryError("parsing_exception", f"Unknown aggregation type [{other}]")
    return {"doc_count": len(of_it), **aggregate(inside, of_it)}


def _values(name: str, index: Index, doc: Doc) -> list[Any]:
    if index.fields.get(name, {}).get("type") in TEXTS:
        raise QueryError(
            "illegal_argument_exception",
            f"Fielddata is disabled on [{name}]. Text fields are not optimised for operations that require per-document field data",
        )
    return list(dict.fromkeys(doc.terms.get(name, [])))


def _milliseconds(name: str, found: Found) -> list[float]:
    """Dates are given in milliseconds whatever their resolution."""
    scale = {"date_nanos": 10**6}
    return [
        value / scale.get(index.fields.get(name, {}).get("type", ""), 1)
        for index, doc in found
        for value in _values(name, index, doc)
    ]


def _terms(options: Mapping[str, Any], inside: Mapping[str, Any], found: Found) -> dict[str, Any]:
    groups: dict[Any, list[tuple[Index, Doc]]] = defaultdict(list)
    for index, doc in found:
        for value in _values(options["field"], index, doc):
            groups[int(value) if isinstance(value, float) and value.is_integer() else value].append((index, doc))
    counts = Counter({key: len(group) for key, group in groups.items()})
    ordered = sorted(counts, key=lambda key: (-counts[key], str(key)))
    size = options.get("size", 10)
    buckets = [{"key": key, "doc_count": counts[key], **aggregate(inside, groups[key])} for key in ordered[:size]]
    others = sum(counts[key] for key in ordered[size:])
    return {"doc_count_error_upper_bound": 0, "sum_other_doc_count": others, "buckets": buckets}


def _composite(options: Mapping[str, Any], inside: Mapping[str, Any], found: Found) -> dict[str, Any]:
    groups: dict[tuple[Any, ...], list[tuple[Index, Doc]]] = {}
    names = [next(iter(source)) for source in options["sources"]]
    for index, doc in found:
        for key in _keys(options["sources"], index, doc):
            groups.setdefault(key, []).append((index, doc))
    after = options.get("after")
    ordered = sorted(groups, key=_order)
    if after is not None:
        ordered = [key for key in ordered if _order(key) > _order(tuple(after[name] for name in names))]
    shown = ordered[: options.get("size", 10)]
    buckets = [
        {
            "key": dict(zip(names, key, strict=True)),
            "doc_count": len(groups[key]),
            **aggregate(inside, groups[key]),
        }
        for key in shown
    ]
    return {"buckets": buckets} | ({"after_key": buckets[-1]["key"]} if buckets else {})


def _keys(sources: Sequence[Mapping[str, Any]], index: Index, doc: Doc) -> list[tuple[Any, ...]]:
    keys: list[tuple[Any, ...]] = [()]
    for source in sources:
        ((_, kind),) = source.items()
        options = kind["terms"]
        values = _values(options["field"], index, doc) or ([None] if options.get("missing_bucket") else [])
        keys = [(*key, value) for key in keys for value in values]
    return keys


def _order(key: tuple[Any, ...]) -> tuple[tuple[bool, str], ...]:
    return tuple((value is not None, str(value)) for value in key)
