"""Tool schemas and their descriptions → what can be asked, of which source. Pure and tolerant of wording."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from models.offline.holdings import OWNER_LABELS, AlertSource, MetricEntry, read_alerts, read_metrics
from models.offline.loose import as_object, as_text, objects, texts
from models.offline.moments import is_time_name
from models.offline.reading import SUBMIT

_STAMP = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?")
_SOURCE = re.compile(r"^\W*source\s+`?([\w.-]{1,64})`?\s*[:：(]", re.MULTILINE | re.IGNORECASE)
_SERVICES = re.compile(r"\bservices?\b\s*(?:held|known|are)?\s*[:：(=]?\s*([^\n;；。)]+)", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[._-][A-Za-z0-9]+)*")
_TABLE = re.compile(
    r"^\W*(?:table\s+)?`?(?P<name>[^\W\d][\w.$]*)`?\s*(?:\([^()]*rows?\))?\s*[(:：]\s*(?P<columns>.+?)\)?\W*$",
    re.IGNORECASE,
)
_COLUMN = re.compile(r"^`?(?P<name>[^\W\d][\w$]*)`?(?P<rest>.*)$", re.DOTALL)
_TYPE = re.compile(
    r"\b(?:INT\w*|BIGINT|TEXT|VARCHAR|CHAR|REAL|NUMERIC|DECIMAL|FLOAT|DOUBLE|BOOL\w*|DATE\w*|TIME\w*|BLOB|"
    r"JSON\w*|UUID)\b",
    re.IGNORECASE,
)
_SOURCE_LINE = re.compile(
    r"^\W*(?:datasource|database|source)\s+`?(?P<a>[\w.-]+)|^\W*`?(?P<b>[\w.-]+)`?\s*\((?:sqlite|mysql|"
    r"mariadb|postgres\w*)\b",
    re.IGNORECASE,
)
_NO_SERVICE = frozenset(
    "levels level and or held range time times from to with exact at the of in each service services utc "
    "per none".split()
)


@dataclass(frozen=True)
class Column:
    """One column a tool's description names."""

    name: str
    is_time: bool
    is_masked: bool = False
    """Cannot be compared, and shows nothing."""
    latest: str = ""
    """Latest value as the catalogue shows it; empty if it shows none."""


@dataclass(frozen=True)
class Table:
    """One table a tool's description names."""

    datasource: str
    name: str
    columns: tuple[Column, ...]

    @property
    def time_column(self) -> Column | None:
        """The column to order by; None if no column holds a time."""
        return next((column for column in self.columns if column.is_time and not column.is_masked), None)


@dataclass(frozen=True)
class ToolSpec:
    """One bound tool."""

    name: str
    description: str
    inputs: dict[str, dict[str, object]]
    """Argument name → its schema."""
    required: tuple[str, ...]

    def choices(self, argument: str) -> tuple[str, ...]:
        """Values the schema admits for an argument; empty if it does not enumerate them."""
        schema = self.inputs.get(argument, {})
        options = [schema, *objects(schema.get("anyOf"))]
        found = [
            value for option in options for value in (*texts(option.get("enum")), as_text(option.get("const"))) if value
        ]
        return tuple(dict.fromkeys(found))


@dataclass(frozen=True)
class Toolbox:
    """All bound evidence tools by name."""

    specs: dict[str, ToolSpec]
    log_sources: tuple[str, ...]
    """Empty if neither schema nor description names one."""
    services: tuple[str, ...]
    tables: tuple[Table, ...]
    metrics: tuple[MetricEntry, ...] = ()
    alerts: tuple[AlertSource, ...] = ()

    @property
    def has_logs(self) -> bool:
        """True if logs can be searched."""
        return "query_logs" in self.specs

    @property
    def entities(self) -> tuple[str, ...]:
        """Services that logs or metrics are held of."""
        measured = (one for entry in self.metrics for name in OWNER_LABELS for one in entry.values.get(name, ()))
        return tuple(dict.fromkeys((*self.services, *measured)))

    @property
    def names(self) -> str:
        """Everything the descriptions say, for looking up whether a word is catalogued."""
        return "\n".join(spec.description for spec in self.specs.values())


def read_toolbox(tools: Sequence[object]) -> Toolbox:
    """The toolbox of OpenAI-style tool dictionaries; what is not one is left out."""
    found = (_spec(as_object(tool)) for tool in tools)
    specs = {spec.name: spec for spec in found if spec.name and spec.name != SUBMIT}
    logs, sql = specs.get("query_logs"), specs.get("query_sql")
    metrics, alerts = specs.get("query_metrics"), specs.get("list_alerts")
    return Toolbox(
        specs=specs,
        log_sources=(logs.choices("source") or tuple(dict.fromkeys(_SOURCE.findall(logs.description)))) if logs else (),
        services=_services(logs) if logs else (),
        tables=_tables(sql) if sql else (),
        metrics=read_metrics(metrics.description) if metrics else (),
        alerts=read_alerts(alerts.description) if alerts else (),
    )


def _spec(tool: dict[str, object]) -> ToolSpec:
    function = as_object(tool.get("function")) or tool
    parameters = as_object(function.get("parameters"))
    definitions = as_object(parameters.get("$defs"))
    envelope = as_object(as_object(parameters.get("properties")).get("input"))
    inner = _resolved(envelope, definitions)
    inputs = {
        name: _resolved(as_object(schema), definitions) for name, schema in as_object(inner.get("properties")).items()
    }
    return ToolSpec(
        as_text(function.get("name")), as_text(function.get("description")), inputs, texts(inner.get("required"))
    )


def _resolved(schema: dict[str, object], definitions: dict[str, object]) -> dict[str, object]:
    reference = as_text(schema.get("$ref")) or next(
        (as_text(part.get("$ref")) for part in objects(schema.get("allOf"))), ""
    )
    return as_object(definitions.get(reference.rsplit("/", 1)[-1])) if reference else schema


def _services(spec: ToolSpec) -> tuple[str, ...]:
    listed = [
        name
        for match in _SERVICES.finditer(spec.description)
        for name in _NAME.findall(_STAMP.sub(" ", match.group(1)))
    ]
    named = [
        *spec.choices("service"),
        *(name for name in listed if name.lower() not in _NO_SERVICE and not name.isupper()),
    ]
    return tuple(dict.fromkeys(named))


def _tables(spec: ToolSpec) -> tuple[Table, ...]:
    sources = spec.choices("datasource")
    current = sources[0] if sources else ""
    found: list[Table] = []
    for line in spec.description.splitlines():
        table = _table(line, current)
        if table is not None:
            found.append(table)
            continue
        match = _SOURCE_LINE.match(line)
        named = match and (match.group("a") or match.group("b"))
        leading = next((name for name in _NAME.findall(line)[:3] if name in sources), "")
        current = (named if named and (not sources or named in sources) else leading) or current
    return tuple(found)


def _table(line: str, datasource: str) -> Table | None:
    match = _TABLE.match(line)
    if match is None:
        return None
    parts = _split_top(match.group("columns"))
    columns = tuple(column for part in parts if (column := _column(part.strip())) is not None)
    is_typed = len(_TYPE.findall(match.group("columns"))) * 2 >= len(columns)
    is_listed = len(columns) == len(parts) and (is_typed or line.lstrip().startswith("-"))
    owner, _, name = match.group("name").rpartition(".")
    return Table(owner or datasource, name, columns) if columns and is_listed else None


def _column(part: str) -> Column | None:
    match = _COLUMN.match(part)
    if match is None or len(part) > 200 or len(part.split()) > 9:
        return None
    name, rest = match.group("name"), match.group("rest")
    stamps = _STAMP.findall(rest)
    is_masked = re.search(r"\b(?:sensitive|masked)\b", rest, re.IGNORECASE) is not None
    is_time = is_time_name(name) or bool(stamps) or re.search(r"\b(?:DATE|TIME)", rest, re.IGNORECASE) is not None
    return Column(name, is_time, is_masked, stamps[-1] if stamps else "")


def _split_top(text: str) -> list[str]:
    """Parts between commas that are in no brackets."""
    parts, depth, start = list[str](), 0, 0
    for at, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char in ",，" and depth <= 0:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]
