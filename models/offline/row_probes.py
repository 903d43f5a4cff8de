"""SQL that counts and shows failing rows, from the columns the catalogue names: what logs would tell elsewhere. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from models.offline.catalogue import Column, Table
from models.offline.probes import ROWS, as_stored, until_of
from models.offline.reading import asked_from
from models.offline.rows import is_code_column, is_message_column, is_state_column, reason_of
from models.offline.telemetry import SERVICE_NAMES
from models.offline.terms import term_set
from models.offline.view import View

LEAD = timedelta(hours=1)
FIRST_WINDOW = timedelta(hours=2)
MAX_TABLES = 2
MAX_GROUPS = 20
MAX_COLUMNS = 12


@dataclass(frozen=True)
class _Failing:
    """A table that can tell of failures."""

    table: Table
    time: Column
    reason: str
    """The column to group by."""
    is_error: bool
    """True if the column is filled only where something failed."""


def count_probes(view: View) -> list[dict[str, object]]:
    """Failures by kind, with how many, since when and until when, of the tables that fit the question best."""
    found = [failing for table in view.toolbox.tables if (failing := _failing(table)) is not None]
    ranked = sorted(found, key=lambda one: (-_fit(one.table, view), not one.is_error))
    asked = [str(one.input.get("sql", "")) for one in view.case.asked]
    probes = [_counted(one, view) for one in ranked[:MAX_TABLES]]
    return [probe for probe in probes if probe["sql"] not in asked]


def sample_probe(view: View) -> dict[str, object] | None:
    """The first rows of the kind of failure that is the symptom; None if no row is."""
    symptom = view.symptom
    if symptom is None or not symptom.is_row:
        return None
    name, value = reason_of(symptom.item.fields)
    found = (_failing(table) for table in view.toolbox.tables if table.name == symptom.table)
    failing = next((one for one in found if one is not None), None)
    if failing is None or not name:
        return None
    return _sampled(failing, view, name, value, symptom.service)


def _failing(table: Table) -> _Failing | None:
    time = table.time_column
    if time is None:
        return None
    open_ = [column for column in table.columns if not column.is_masked and not column.is_time]
    codes = [column.name for column in open_ if is_code_column(column.name)]
    states = [column.name for column in open_ if is_state_column(column.name)]
    messages = [column.name for column in open_ if is_message_column(column.name)]
    reason = next(iter((*codes, *states, *messages)), "")
    return _Failing(table, time, reason, is_error=reason not in states) if reason else None


def _fit(table: Table, view: View) -> int:
    words = f"{table.name} {' '.join(column.name for column in table.columns)}".replace("_", " ")
    named = term_set(table.name.replace("_", " ")) & view.question.terms
    return 3 * len(named) + len(term_set(words) & view.question.content)


def _owner(table: Table) -> str:
    return next((column.name for column in table.columns if column.name.lower() in SERVICE_NAMES), "")


def _counted(one: _Failing, view: View) -> dict[str, object]:
    time = one.time.name
    groups = [name for name in (_owner(one.table), one.reason) if name]
    conditions, params = _bounds(one, view)
    if one.is_error:
        conditions = [f"{one.reason} IS NOT NULL", f"{one.reason} <> ?", *conditions]
        params = ["", *params]
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    sql = (
        f"SELECT {', '.join(groups)}, COUNT(*), MIN({time}), MAX({time}) FROM {one.table.name}{where}"
        f" GROUP BY {', '.join(groups)} ORDER BY COUNT(*) DESC LIMIT {MAX_GROUPS}"
    )
    return {"datasource": one.table.datasource, "sql": sql, "params": params}


def _sampled(one: _Failing, view: View, name: str, value: object, service: str) -> dict[str, object]:
    columns = [column.name for column in one.table.columns if not column.is_masked][:MAX_COLUMNS]
    columns += [] if one.time.name in columns else [one.time.name]
    bounds, params = _bounds(one, view)
    conditions, values = [f"{name} = ?"], [value]
    owner = _owner(one.table)
    written = next((str(v) for v in _owned(view) if v.lower() == service), "")
    if owner and written:
        conditions, values = [*conditions, f"{owner} = ?"], [*values, written]
    where = " AND ".join([*conditions, *bounds])
    sql = f"SELECT {', '.join(columns)} FROM {one.table.name} WHERE {where} ORDER BY {one.time.name} LIMIT {ROWS}"
    return {"datasource": one.table.datasource, "sql": sql, "params": [*values, *params]}


def _owned(view: View) -> list[str]:
    """Services as the rows write them."""
    fields = (item.fields.items() for item in view.case.items)
    return [
        value for pairs in fields for name, value in pairs if name.lower() in SERVICE_NAMES and isinstance(value, str)
    ]


def _bounds(one: _Failing, view: View) -> tuple[list[str], list[object]]:
    """Conditions on the time; none where the form in which the column stores it is not known."""
    until = until_of(view)
    start = _start(view, until)
    bounds = [as_stored(at, one.time.latest) if at is not None else "" for at in (start, until)]
    if not all(bounds):
        return [], []
    return [f"{one.time.name} >= ?", f"{one.time.name} <= ?"], list(bounds)


def _start(view: View, until: datetime | None) -> datetime | None:
    asked = asked_from(view.case)
    if asked is not None:
        return asked - LEAD
    return until - FIRST_WINDOW if until is not None else None
