"""Tells one series in one line that a person and a model can read and a report can quote. Pure."""

from tools.fitting import cut
from tools.metrics.digest import Json
from tools.metrics.figures import figure, ratio_text
from tools.metrics.selector import series_text
from tools.metrics.thinning import keep_extremes
from tools.metrics.units import PER_SECOND

MAX_NAME_CHARS = 1500
"""Of metric and labels in a line; the id of an item is that of the whole name."""
COMPUTED = "computed value"
"""What the line of an evaluated expression begins with: the expression is the asker's words, and never evidence."""
MAX_METRICS_CHARS = 400
"""Of the names of the metrics an expression reads."""
_TIME = slice(11, 19)
_DATE = slice(0, 10)


def tell(row: Json, *, computed_from: str, step_s: float, has_before: bool, n_points: int | None) -> str:
    """The line of one row of a payload, with at most ``n_points`` points; None: only what matters most."""
    unit = str(row["unit"])
    is_brief = n_points is None
    parts = [_present(row, unit, step_s, is_brief=is_brief) if row["n"] else _absent(row, unit)]
    parts += _before(row, unit, has_before=has_before, is_brief=is_brief)
    parts += [
        f"level shifted between {one['after']} and {one['by']} from {_figure(one['from'], unit)}"
        f" to {_figure(one['to'], unit)}"
        for one in _rows(row["shifts"])
    ]
    parts += [f"no values between {start} and {end}" for start, end in _pairs(row["gaps"])]
    if row["n_odd"]:
        parts.append(f"points left out because they hold NaN or infinity: {row['n_odd']}")
    parts += _points(row, unit, n_points or 0)
    return f"{_name(row, computed_from)}: " + "; ".join(parts)


def _name(row: Json, computed_from: str) -> str:
    """Metric and labels as the reply has them; of an expression the metrics it reads, where the source knows them."""
    labels = row["labels"]
    assert isinstance(labels, dict), "the digest puts an object there"
    name = cut(series_text(str(row["metric"]), labels), MAX_NAME_CHARS)
    if row["metric"]:
        return name
    of = f" from {cut(computed_from, MAX_METRICS_CHARS)}" if computed_from else ""
    return f"{COMPUTED}{of} {name}".removesuffix(" {}")


def _present(row: Json, unit: str, step_s: float, *, is_brief: bool) -> str:
    if row["min"] == row["max"]:
        told = f"constant {_figure(row['min'], unit)} until {row['last_at']}"
    else:
        when = f" in the {figure(step_s, 's')} to {row['max_at']}" if step_s else f" at {row['max_at']}"
        until = "" if is_brief else f" at {row['last_at']}"
        told = (
            f"mean {_figure(row['mean'], unit)}, min {_figure(row['min'], unit)}, "
            f"max {_figure(row['max'], unit)}{'' if is_brief else when}, last {_figure(row['last'], unit)}{until}"
        )
    if not row["is_growth"]:
        return told
    restarts = f", restarts: {row['resets']}" if row["resets"] else ""
    base = unit.removesuffix(PER_SECOND)
    grew, stands = _figure(row["increase"], base), _figure(row["counter"], base)
    return f"growth per second: {told}; grew by {grew}{restarts}, counter at {stands}"


def _absent(row: Json, unit: str) -> str:
    if "seen" not in row:
        return "no finite value in the window"
    base = unit.removesuffix(PER_SECOND) if row["is_growth"] else unit
    return f"no values in the window; last seen at {row['seen_at']}: {_figure(row['seen'], base)}"


def _before(row: Json, unit: str, *, has_before: bool, is_brief: bool) -> list[str]:
    if not has_before:
        return [] if is_brief else ["the window before is not held"]
    if row["before_mean"] is None:
        return ["no values in the window before"]
    told = f"window before: mean {_figure(row['before_mean'], unit)}"
    if row["before_min"] != row["before_max"] and not is_brief:
        told += f", min {_figure(row['before_min'], unit)}, max {_figure(row['before_max'], unit)}"
    change = row["change"]
    return [told + (f", change {ratio_text(change)}" if isinstance(change, int | float) else "")]


def _points(row: Json, unit: str, n_points: int) -> list[str]:
    """The points with their times; the date where it changes, the offset once."""
    pairs = [(str(at), value) for at, value in _pairs(row["points"])]
    if row["min"] == row["max"] or len(pairs) < 2:
        return []
    dots = [(float(place), float(str(value))) for place, (_, value) in enumerate(pairs)]
    shown = [pairs[int(place)] for place, _ in keep_extremes(dots, n_points)]
    told: list[str] = []
    date = ""
    for at, value in shown:
        told.append(f"{at if at[_DATE] != date else at[_TIME]} {_figure(value)}")
        date = at[_DATE]
    return [f"points{f' in {unit}' if unit else ''}: {', '.join(told)}"] if told else []


def _figure(value: object, unit: str = "") -> str:
    assert isinstance(value, int | float), "the digest puts a number there"
    return figure(value, unit)


def _rows(value: object) -> list[Json]:
    assert isinstance(value, list), "the digest puts a list there"
    return value


def _pairs(value: object) -> list[list[object]]:
    assert isinstance(value, list), "the digest puts a list there"
    return value
