"""Searches that follow from what is known: marker strings and SQL over tables the catalogue names. Pure."""

from datetime import UTC, datetime

from models.offline.catalogue import Column, Table
from models.offline.lexicon import CHANGE_NAMES, TROUBLE_TERMS
from models.offline.moments import parse_instant
from models.offline.ranking import Match
from models.offline.terms import term_set
from models.offline.view import View

ROWS = 6
MAX_COLUMNS = 12
_PROBE_MIN_CHARS = 4
LEADING = 2
_SPOKEN_FOR = 0.4
NEAR_S = 6 * 3600.0


def marker_probes(view: View, *, leading: int = LEADING, least: float = 0.5) -> list[str]:
    """Literal strings to search logs for, one for each leading cause that none was searched for in vain.

    Of one cause's unseen telltales (of weight ``least`` or more) the heaviest comes first.
    """
    searched = _searched(view)
    found: list[str] = []
    for match in open_causes(view)[:leading]:
        seen = {hit.marker for hit in match.hits}
        open_ = sorted((m for m in match.candidate.markers if m not in seen), key=lambda m: -m.weight)
        probes = [m.probe for m in open_ if m.weight >= least and len(m.probe) >= _PROBE_MIN_CHARS]
        found += [probe for probe in probes if probe.casefold() not in searched][:1]
    return list(dict.fromkeys(found))


def open_causes(view: View) -> list[Match]:
    """Causes worth a search, the most promising first, without those whose telltale was searched for in vain."""
    searched = _searched(view)
    return [match for match in by_promise(view) if not _was_missed(match, searched)]


def _searched(view: View) -> frozenset[str]:
    done = (str(result.filters.get("contains", "")) for result in view.results("query_logs"))
    asked = (str(asked.input.get("contains", "")) for asked in view.case.asked)
    return frozenset(text.casefold() for text in (*done, *asked) if text)


def _was_missed(match: Match, searched: frozenset[str]) -> bool:
    """True if a telltale of the cause was searched for and not seen, and nothing else speaks for it."""
    seen = {hit.marker for hit in match.hits}
    if match.telltale >= _SPOKEN_FOR:
        return False
    return any(m.probe.casefold() in searched for m in match.candidate.markers if m not in seen)


def by_promise(view: View) -> list[Match]:
    """Causes worth a search: those not excluded that share most with the question and the telemetry.

    A missing change counts against none: what was changed may not be on record.
    """
    open_ = [match for match in view.matches if not match.is_excluded]
    return sorted(open_, key=lambda match: -(match.score - match.change_worth + 0.3 * _asked(match, view)))


def _asked(match: Match, view: View) -> int:
    candidate = match.candidate
    told = (candidate.phrase_terms | candidate.body_terms | term_set(candidate.title)) & view.question.content
    return len(told) + len(term_set(candidate.title) & view.question.terms & TROUBLE_TERMS)


def change_probes(view: View) -> list[dict[str, object]]:
    """The latest changes up to the end of the window, from tables that may hold one near the onset, nearest first."""
    tables = [t for t in view.toolbox.tables if t.time_column and _change_rank(t) and not _is_read(view, t)]
    until = view.onset or until_of(view)
    ranked = sorted(tables, key=lambda table: (_distance(table, until), -_change_rank(table)))
    near = [table for table in ranked if _distance(table, until) <= NEAR_S] or ranked[:1]
    return [_select(table, table.time_column, until_of(view)) for table in near if table.time_column]


def _distance(table: Table, until: datetime | None) -> float:
    """Seconds from the last change the catalogue shows to the onset; a table without a shown range counts as near."""
    latest = parse_instant(table.time_column.latest) if table.time_column else None
    if latest is None or until is None:
        return NEAR_S
    return abs((until - latest).total_seconds())


def _is_read(view: View, table: Table) -> bool:
    """True if the table has been asked for already, whatever the bounds."""
    return any(f" FROM {table.name} " in f"{asked.input.get('sql', '')} " for asked in view.case.asked)


def until_of(view: View) -> datetime | None:
    """The end of the asked-for window, else now."""
    return (parse_instant(view.case.window[1]) if view.case.window else None) or view.case.now


def _change_rank(table: Table) -> int:
    """2 for a table named after changes, 1 for one with such columns, 0 for others."""
    if CHANGE_NAMES.search(table.name):
        return 2
    named = [column.name for column in table.columns if CHANGE_NAMES.search(column.name)]
    return 1 if any(not is_plain_update(name) for name in named) else 0


def is_plain_update(name: str) -> bool:
    """Bookkeeping columns that every table has."""
    return name.lower() in {"updated_at", "changed_at", "version", "history", "release_year"}


def _select(table: Table, time: Column, until: datetime | None) -> dict[str, object]:
    """One plain SELECT of listed columns, latest first."""
    columns = [column.name for column in table.columns if not column.is_masked][:MAX_COLUMNS]
    if time.name not in columns:
        columns[-1] = time.name
    bound = as_stored(until, time.latest) if until else ""
    where = f" WHERE {time.name} <= ?" if bound else ""
    sql = f"SELECT {', '.join(columns)} FROM {table.name}{where} ORDER BY {time.name} DESC LIMIT {ROWS}"
    request: dict[str, object] = {"datasource": table.datasource, "sql": sql}
    return {**request, "params": [bound]} if bound else request


def as_stored(until: datetime, sample: str) -> str:
    """The instant in the form the column stores; empty where the form is not known to compare as text."""
    if len(sample) < 16:
        return ""
    moment = until.astimezone(UTC)
    separator = sample[10]
    text = moment.strftime(f"%Y-%m-%d{separator}%H:%M:%S")
    if sample.endswith("Z"):
        return f"{text}Z"
    return text + sample[-6:] if sample[-6:] == "+00:00" else text
