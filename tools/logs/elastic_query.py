"""Writes the query of a search in Elasticsearch's and OpenSearch's common language. Pure.

Every clause finds at least what it must; what comes back is checked again.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tools.logs.elastic_fields import ElasticView, Fields, Kind
from tools.logs.levels import LEVELS, all_names, names_below
from tools.logs.remote_needle import UNKNOWN_SERVICE, ascii_and_caseless, pieces
from tools.logs.remote_reading import Span
from tools.valid_text import valid_text

NUMBER_OF_LEVEL = {"DEBUG": 20, "INFO": 30, "WARN": 40, "ERROR": 50, "FATAL": 60}
"""Least number of each level where levels are numbers; TRACE is 10."""
_LEAST_NUMBER = 10
_LONG_CHARS = 24
"""Runs as long as this rather stand in words that are no words."""
_NUMERIC = re.compile(r"[0-9e]+")

Json = dict[str, object]


@dataclass(frozen=True)
class Clauses:
    """What must and what must not hold beside the span."""

    filters: tuple[Json, ...] = ()
    must_not: tuple[Json, ...] = ()

    def plus(self, filters: Sequence[Json]) -> "Clauses":
        """These and further ones."""
        return Clauses((*self.filters, *filters), self.must_not)


def bool_query(filters: Sequence[Json], must_not: Sequence[Json] = ()) -> Json:
    """All of the one and none of the other."""
    return {"bool": {"filter": list(filters), "must_not": list(must_not)}}


def any_of(clauses: Sequence[Json]) -> Json:
    """At least one of the clauses; none at all finds nothing."""
    if not clauses:
        return {"match_none": {}}
    return {"bool": {"should": list(clauses), "minimum_should_match": 1}}


def in_span(view: ElasticView, span: Span) -> Json:
    """The span in whole milliseconds, so never less of it."""
    first_ms, end_ms = span.start_ns // 10**6, -(-span.end_ns // 10**6)
    return {"range": {view.time_field: {"gte": first_ms, "lt": end_ms, "format": "epoch_millis"}}}


def of_service(view: ElasticView, fields: Fields, service: str) -> Json:
    """Records of that service, whatever its field is mapped to."""
    service = valid_text(service)
    name, sub = view.service_field, f"{view.service_field}.keyword"
    kinds = fields.of(name).kinds
    clauses: list[Json] = []
    if kinds - {Kind.TEXT, Kind.KEYWORD}:
        clauses.append({"exists": {"field": name}})
    if Kind.KEYWORD in kinds:
        clauses.append({"term": {name: {"value": service}}})
    if Kind.TEXT in kinds:
        clauses.append({"match_phrase": {name: {"query": service, "zero_terms_query": "all"}}})
    if Kind.KEYWORD in fields.of(sub).kinds:
        clauses.append({"term": {sub: {"value": service}}})
    if service == UNKNOWN_SERVICE:
        clauses.append({"bool": {"must_not": [{"exists": {"field": name}}]}})
    return any_of(clauses)


def below_level(view: ElasticView, fields: Fields, level: str | None) -> list[Json]:
    """What must not hold: the level field names a milder level. Records that name none stay, to be read here."""
    below = names_below(level) if level else ()
    if not below or level is None:
        return []
    name = fields.keyword(view.level_field)
    if name is not None:
        return [{"terms": {name: _written(below)}}]
    if fields.of(view.level_field).kinds == {Kind.NUMBER}:
        least = NUMBER_OF_LEVEL.get(level, _LEAST_NUMBER)
        return [{"range": {view.level_field: {"gte": _LEAST_NUMBER, "lt": least}}}]
    return []


def names_level(view: ElasticView, fields: Fields) -> Json | None:
    """Finds the records whose level field can be read; None if the server cannot tell."""
    name = fields.keyword(view.level_field)
    if name is not None:
        return {"terms": {name: _written(all_names())}}
    if fields.of(view.level_field).kinds == {Kind.NUMBER}:
        return {"range": {view.level_field: {"gte": _LEAST_NUMBER}}}
    return None


def holding_text(needle: str, searched: Sequence[str], fields: Fields, *, is_wide: bool) -> list[Json]:
    """Each piece of the text must be in one of the fields; empty if the text has no piece to ask for.

    ``is_wide`` adds records whose text cannot be asked for but may hold the piece: numbers, dates, names of fields,
    values too long to be indexed.
    """
    parts = [part for piece in pieces(needle) for part in ascii_and_caseless(piece)]
    return [
        any_of([one for name in searched for one in _holding(part, name, fields, is_wide=is_wide)]) for part in parts
    ]


def is_searchable(searched: Sequence[str], fields: Fields) -> bool:
    """True if all of the fields that exist are indexed."""
    return all(fields.of(name).is_searchable for name in searched if fields.of(name).types)


def text_fields(searched: Sequence[str], fields: Fields) -> list[str]:
    """Those of the fields that are cut into words."""
    return [name for name in searched if Kind.TEXT in fields.of(name).kinds]


def _holding(part: str, name: str, fields: Fields, *, is_wide: bool) -> list[Json]:
    kinds = fields.of(name).kinds
    clauses: list[Json] = []
    if Kind.TEXT in kinds:
        clauses.append(_in_words(part, name))
    if Kind.KEYWORD in kinds:
        # The lower case of İ and of the Kelvin sign is i and k, which the server does not know: any letter will do.
        clauses.append(_like(name, part.replace("i", "?").replace("k", "?") if part.isascii() else part))
    if is_wide and Kind.KEYWORD in kinds:
        clauses.append({"term": {"_ignored": {"value": name}}})
    if is_wide and (part in name.lower() or any(_may_show(kind, part) for kind in kinds)):
        clauses.append({"exists": {"field": name}})
    return clauses


def _may_show(kind: Kind, part: str) -> bool:
    match kind:
        case Kind.KEYWORD | Kind.TEXT:
            return False
        case Kind.NUMBER:
            return _NUMERIC.fullmatch(part) is not None
        case Kind.BOOLEAN:
            return part in "true" or part in "false"
        case Kind.DATE | Kind.OTHER:
            return True


def _in_words(part: str, name: str) -> Json:
    """A run of ASCII letters stands in one word; of a script without case each character may be a word."""
    if part.isascii():
        return any_of([_like(name, section) for section in _sections(part)])
    return {"bool": {"filter": [_like(name, char) for char in dict.fromkeys(part)]}}


def _sections(part: str) -> list[str]:
    """The part, or where it is long its sections: a word of more than 255 letters is indexed in pieces."""
    n_sections = 1 if len(part) < _LONG_CHARS else 1 + -(-len(part) // 100)
    size = -(-len(part) // n_sections)
    return [part[at : at + size] for at in range(0, len(part), size)]


def _like(name: str, text: str) -> Json:
    return {"wildcard": {name: {"value": f"*{text}*", "case_insensitive": True}}}


def _written(names: Sequence[str]) -> list[str]:
    return sorted({form for name in names for form in (name, name.lower(), name.title())})


assert set(NUMBER_OF_LEVEL) | {"TRACE"} == set(LEVELS)
