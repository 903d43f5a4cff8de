"""What an index has for fields, and what of them a search can use. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from state.model.enums import ToolCode
from state.model.errors import ToolFailed

MAX_SHOWN_FIELDS = 40
"""Further fields of a record that are read, shown and searched."""
_PREFERRED = (
    "error.message", "error.type", "error.code", "host.name", "host.hostname", "container.name",
    "kubernetes.namespace", "kubernetes.pod.name", "kubernetes.node.name", "kubernetes.container.name", "trace.id",
    "transaction.id", "http.request.method", "http.response.status_code", "url.path", "event.outcome",
    "event.duration", "log.logger", "process.thread.name", "error.stack_trace",
)  # fmt: skip
_NOISE = ("agent.", "ecs.", "data_stream.", "input.", "elastic_agent.", "event.ingested", "log.offset")
"""Beginnings of names of fields about the shipping of records, not about what they say."""


class Kind(StrEnum):
    """What can be asked of a field."""

    KEYWORD = "KEYWORD"
    TEXT = "TEXT"
    NUMBER = "NUMBER"
    BOOLEAN = "BOOLEAN"
    DATE = "DATE"
    OTHER = "OTHER"


_KINDS = {
    "keyword": Kind.KEYWORD, "constant_keyword": Kind.KEYWORD, "wildcard": Kind.KEYWORD,
    "text": Kind.TEXT, "match_only_text": Kind.TEXT,
    "boolean": Kind.BOOLEAN, "date": Kind.DATE, "date_nanos": Kind.DATE,
} | dict.fromkeys(
    ("long", "integer", "short", "byte", "double", "float", "half_float", "scaled_float", "unsigned_long"), Kind.NUMBER
)  # fmt: skip
_NO_LEAVES = frozenset({"object", "nested"})


class Dialect(StrEnum):
    """Where the two differ: how a point in time is opened and closed."""

    ELASTICSEARCH = "elasticsearch"
    OPENSEARCH = "opensearch"


@dataclass(frozen=True)
class ElasticView:
    """The index that may be seen, and which of its fields mean what."""

    index: str
    """Name, alias or pattern."""
    dialect: Dialect = Dialect.ELASTICSEARCH
    time_field: str = "@timestamp"
    service_field: str = "service.name"
    level_field: str = "log.level"
    message_field: str = "message"


@dataclass(frozen=True)
class Field:
    """One field over all indices of the pattern."""

    types: frozenset[str]
    """Several where indices differ; empty if the field is unknown."""
    is_searchable: bool
    is_aggregatable: bool

    @property
    def kinds(self) -> frozenset[Kind]:
        """What its types admit."""
        return frozenset(_KINDS.get(one, Kind.OTHER) for one in self.types)


_ABSENT = Field(frozenset(), is_searchable=False, is_aggregatable=False)


@dataclass(frozen=True)
class Fields:
    """The fields of the pattern by full name."""

    by_name: Mapping[str, Field]

    def of(self, name: str) -> Field:
        """The field; one without types if there is none."""
        return self.by_name.get(name, _ABSENT)

    def has_nanos(self, name: str) -> bool:
        """True if the time field keeps nanoseconds in at least one index; documents are then sorted by them."""
        return "date_nanos" in self.of(name).types

    def keyword(self, name: str) -> str | None:
        """The name under which the whole value can be asked for and grouped by everywhere: itself or a sub-field."""
        for candidate in (name, f"{name}.keyword"):
            field = self.of(candidate)
            if field.kinds == {Kind.KEYWORD} and field.is_searchable and field.is_aggregatable:
                return candidate
        return None

    def shown(self, view: ElasticView) -> tuple[str, ...]:
        """Further fields of a record: the telling ones of the common schema first, then by name."""
        names = sorted(name for name in self.by_name if self._is_further(name, view))
        preferred = [name for name in _PREFERRED if name in names]
        return tuple(dict.fromkeys((*preferred, *names)))[:MAX_SHOWN_FIELDS]

    def _is_further(self, name: str, view: ElasticView) -> bool:
        taken = (view.time_field, view.service_field, view.level_field, view.message_field)
        parent = name.rpartition(".")[0]
        is_part = parent in self.by_name and not self.by_name[parent].types & _NO_LEAVES
        has_leaf = not self.by_name[name].types & _NO_LEAVES and not self._is_nested(name)
        return has_leaf and not is_part and name not in taken and not name.startswith(_NOISE) and "*" not in name

    def _is_nested(self, name: str) -> bool:
        """A document of its own inside the document, which a plain query does not look into."""
        above = (self.of(name[:at]) for at, char in enumerate(name) if char == ".")
        return any("nested" in field.types for field in above)


def parse_field_caps(reply: Any) -> Fields:  # noqa: ANN401 - a foreign reply
    """The fields of the reply; none if the pattern matches no index.

    Raises:
        ToolFailed: TOOL_EXECUTION_ERROR, it has another shape.
    """
    try:
        return Fields({name: _field(types) for name, types in reply["fields"].items() if not _is_metadata(types)})
    except (KeyError, TypeError, AttributeError) as error:
        detail = f"the field capabilities have another shape: {error!r}"[:500]
        raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail=detail) from None


def has_plain_analyzers(mappings: Any, settings: Any) -> bool:  # noqa: ANN401 - foreign replies
    """True if every text field of the mappings is cut into words as written: no stems, no stop words."""
    try:
        analyzers = [
            leaf.get("analyzer", "default")
            for index in mappings.values()
            for field in index["mappings"].values()
            for leaf in field["mapping"].values()
            if _KINDS.get(leaf.get("type")) is Kind.TEXT
        ]
        defaults = [one["settings"] for one in settings.values()]
    except (KeyError, TypeError, AttributeError):
        return False
    is_default_plain = not any(_changes_default(one) for one in defaults)
    return all(one == "standard" or (one == "default" and is_default_plain) for one in analyzers)


def _changes_default(settings: Mapping[str, object]) -> bool:
    given = {name: value for name, value in settings.items() if name.startswith("index.analysis.analyzer.default")}
    return bool(given) and given != {"index.analysis.analyzer.default.type": "standard"}


def _is_metadata(types: Mapping[str, Mapping[str, object]]) -> bool:
    return all(one.get("metadata_field") or name.startswith("_") for name, one in types.items())


def _field(types: Mapping[str, Mapping[str, object]]) -> Field:
    mapped = {name: one for name, one in types.items() if name != "unmapped"}
    return Field(
        frozenset(mapped),
        is_searchable=all(one["searchable"] is True for one in mapped.values()),
        is_aggregatable=all(one["aggregatable"] is True for one in mapped.values()),
    )
