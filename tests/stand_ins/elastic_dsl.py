"""Evaluates the query language over documents as an index holds them."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from tests.stand_ins.elastic_index import KEYWORDS, NUMBERS, TEXTS, Doc, Index, analyze, date_ns

Matches = Callable[[Doc], bool]


class QueryError(ValueError):
    """The query is refused; ``type`` is the documented name of the error."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


def compile_query(query: Mapping[str, Any], index: Index) -> Matches:
    """A predicate over the documents of one index."""
    if len(query) != 1:
        raise QueryError("parsing_exception", "[_na] query malformed, exactly one query name is expected")
    ((name, body),) = query.items()
    if name not in _QUERIES:
        raise QueryError("parsing_exception", f"unknown query [{name}]")
    return _QUERIES[name](body, index)


def _bool(body: Mapping[str, Any], index: Index) -> Matches:
    unknown = set(body) - {"must", "filter", "should", "must_not", "minimum_should_match", "boost"}
    if unknown:
        raise QueryError("parsing_exception", f"[bool] query does not support [{unknown.pop()}]")
    needed = [*_compiled(body.get("must"), index), *_compiled(body.get("filter"), index)]
    should, must_not = _compiled(body.get("should"), index), _compiled(body.get("must_not"), index)
    least = int(body.get("minimum_should_match", 0 if needed or not should else 1))
    return lambda doc: (
        all(one(doc) for one in needed)
        and sum(one(doc) for one in should) >= least
        and not any(one(doc) for one in must_not)
    )


def _compiled(queries: Any, index: Index) -> list[Matches]:
    listed = queries if isinstance(queries, list) else [queries] if queries else []
    return [compile_query(one, index) for one in listed]


def _term(body: Mapping[str, Any], index: Index) -> Matches:
    name, value = _one_field(body, "value")
    return _terms({name: [value]}, index)


def _terms(body: Mapping[str, Any], index: Index) -> Matches:
    ((name, values),) = ((key, value) for key, value in body.items() if key != "boost")
    if name == "_ignored":
        return lambda doc: bool(doc.ignored & set(values))
    kind = index.fields.get(name, {}).get("type")
    if kind in NUMBERS:
        try:
            wanted: set[Any] = {float(value) for value in values}
        except ValueError as error:
            raise QueryError("query_shard_exception", f"failed to create query: For input string: {values}") from error
    else:
        wanted = {value if isinstance(value, bool) or kind not in KEYWORDS | TEXTS else str(value) for value in values}
    return lambda doc: not wanted.isdisjoint(doc.terms.get(name, ()))


def _range(body: Mapping[str, Any], index: Index) -> Matches:
    ((name, bounds),) = body.items()
    mapping = index.fields.get(name)
    if mapping is None:
        return lambda _: False
    scale = {"date": 10**6, "date_nanos": 1}.get(mapping["type"])
    limits = {}
    for key in ("gt", "gte", "lt", "lte"):
        if bounds.get(key) is None:
            continue
        if scale:
            limits[key] = date_ns(bounds[key], {"format": bounds["format"]} if "format" in bounds else mapping) // scale
        else:
            limits[key] = float(bounds[key])

    def is_inside(value: Any) -> bool:
        return (
            ("gt" not in limits or value > limits["gt"])
            and ("gte" not in limits or value >= limits["gte"])
            and ("lt" not in limits or value < limits["lt"])
            and ("lte" not in limits or value <= limits["lte"])
        )

    return lambda doc: any(map(is_inside, doc.terms.get(name, ())))


def _exists(body: Mapping[str, Any], index: Index) -> Matches:
    name = body["field"]
    return lambda doc: name in doc.terms or any(one.startswith(f"{name}.") for one in doc.terms)


def _wildcard(body: Mapping[str, Any], index: Index) -> Matches:
    ((name, given),) = body.items()
    options = given if isinstance(given, Mapping) else {"value": given}
    kind = index.fields.get(name, {}).get("type")
    if kind is not None and kind not in KEYWORDS | TEXTS:
        raise QueryError(
            "query_shard_exception",
            f"Can only use wildcard queries on keyword, text and wildcard fields - not on [{name}] which is of type [{kind}]",
        )
    # The option knows only the case of ASCII letters.
    flags = re.IGNORECASE | re.ASCII if options.get("case_insensitive") else 0
    pattern = re.compile(_expression(str(options.get("value", options.get("wildcard")))), re.DOTALL | flags)
    return lambda doc: any(pattern.fullmatch(str(term)) for term in doc.terms.get(name, ()))


def _expression(wildcard: str) -> str:
    out, at = [], 0
    while at < len(wildcard):
        char = wildcard[at]
        if char == "\\" and at + 1 < len(wildcard):
            at += 1
            out.append(re.escape(wildcard[at]))
        else:
            out.append({"*": ".*", "?": "."}.get(char, re.escape(char)))
        at += 1
    return "".join(out)


def _match_phrase(body: Mapping[str, Any], index: Index) -> Matches:
    name, text = _one_field(body, "query")
    options = body[name] if isinstance(body[name], Mapping) else {}
    mapping = index.fields.get(name)
    if mapping is None:
        return lambda _: False
    if mapping["type"] not in TEXTS:
        return _terms({name: [text]}, index)
    words = analyze(str(text), index.analyzer(mapping))
    if not words:
        return lambda _: options.get("zero_terms_query") == "all"
    n = len(words)

    def has_phrase(doc: Doc) -> bool:
        terms = doc.terms.get(name, [])
        return any(terms[at : at + n] == words for at in range(len(terms) - n + 1))

    return has_phrase


def _ids(body: Mapping[str, Any], _: Index) -> Matches:
    wanted = set(body["values"])
    return lambda doc: doc.id in wanted


def _one_field(body: Mapping[str, Any], key: str) -> tuple[str, Any]:
    ((name, given),) = ((one, value) for one, value in body.items() if one != "boost")
    return name, given[key] if isinstance(given, Mapping) else given


_QUERIES: dict[str, Callable[[Any, Index], Matches]] = {
    "bool": _bool,
    "term": _term,
    "terms": _terms,
    "range": _range,
    "exists": _exists,
    "wildcard": _wildcard,
    "match_phrase": _match_phrase,
    "ids": _ids,
    "match_all": lambda _body, _index: lambda _doc: True,
    "match_none": lambda _body, _index: lambda _doc: False,
}
