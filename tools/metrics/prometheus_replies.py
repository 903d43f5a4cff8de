"""Reads the replies of Prometheus' HTTP API strictly: another shape is an error, never a guess. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from state.model.enums import ToolCode
from state.model.errors import ToolFailed
from tools.metrics.port import MAX_LABELS, Series, Unread
from tools.valid_text import valid_text

MAX_SERIES = 20_000
MAX_LABEL_CHARS = 16 * 1024
"""Of one label's value; Prometheus itself knows no bound."""

Json = Mapping[str, object]
Key = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Matrix:
    """The series of one range query, by their labels."""

    values: Mapping[Key, Mapping[int, float]]
    """Labels without the metric's name → milliseconds → value."""
    unread: tuple[Unread, ...]
    """What the server warned of."""


def data_of(reply: object) -> object:
    """The ``data`` of a successful reply.

    Raises:
        ToolFailed: TOOL_EXECUTION_ERROR: it is no successful reply of this API.
    """
    if not isinstance(reply, dict) or reply.get("status") != "success" or "data" not in reply:
        _refuse("no successful reply")
    return reply["data"]


def warnings_of(reply: object) -> tuple[Unread, ...]:
    """Warnings and notes of the reply: whatever the server says of its own answer, the answer may not be whole."""
    if not isinstance(reply, dict):
        return ()
    said = [(key, text) for key in ("warnings", "infos") for text in _list(reply.get(key) or [], key)]
    said += [("isPartial", "partial")] if reply.get("isPartial") is True else []
    return tuple(Unread(name=valid_text(str(text))[:200], why="warned") for _, text in said[:20])


def matrix_of(reply: object, *, start: float, end: float) -> Matrix:
    """The series of a range query between two instants.

    Raises:
        ToolFailed: RESULT_TOO_LARGE for more than 20 000 series; else TOOL_EXECUTION_ERROR: another shape, a time
            outside, or the same series twice.
    """
    data = data_of(reply)
    if not isinstance(data, dict) or data.get("resultType") != "matrix":
        _refuse("no matrix")
    result = _list(data.get("result"), "result")
    if len(result) > MAX_SERIES:
        raise ToolFailed(ToolCode.RESULT_TOO_LARGE, log_detail=f"{len(result)} series")
    values: dict[Key, dict[int, float]] = {}
    unread = list(warnings_of(reply))
    for one in result:
        if not isinstance(one, dict):
            _refuse("a series is no object")
        key = _key(one.get("metric"))
        if key in values:
            _refuse("a series twice")
        if "histograms" in one:
            unread.append(Unread(name="native histogram", why="cut"))
        values[key] = dict(_samples(one.get("values", []), start, end))
    return Matrix(values, tuple(unread))


def names_of(reply: object) -> list[str]:
    """A list of names or label values, in order, each once.

    Raises:
        ToolFailed: TOOL_EXECUTION_ERROR: it is something else.
    """
    names = _list(data_of(reply), "names")
    if not all(isinstance(name, str) for name in names):
        _refuse("a name is no text")
    return sorted({valid_text(str(name)) for name in names})


def metadata_of(reply: object) -> dict[str, tuple[str, str]]:
    """Metric → type and unit, where the server knows them; of several the first.

    Raises:
        ToolFailed: TOOL_EXECUTION_ERROR: it is something else.
    """
    data = data_of(reply)
    if not isinstance(data, dict):
        _refuse("metadata is no object")
    found: dict[str, tuple[str, str]] = {}
    for metric, entries in data.items():
        first = next(iter(_list(entries, "metadata")), None)
        if isinstance(first, dict):
            found[str(metric)] = (_word(first.get("type")), _word(first.get("unit")))
    return found


def joined(low: Matrix, high: Matrix, mean: Matrix, last: Matrix, count: Matrix, last_at: Matrix) -> list[Series]:
    """The series of five range queries over the same buckets; only points that all five have.

    ``last_at`` says when the last value was recorded; where it does not, or says what cannot be, the bucket's end
    stands.
    """
    found: list[Series] = []
    for key, lows in low.values.items():
        highs, means, lasts, counts = (matrix.values.get(key, {}) for matrix in (high, mean, last, count))
        recorded = last_at.values.get(key, {})
        times = [at for at in sorted(lows) if at in highs and at in means and at in lasts and counts.get(at, 0) >= 1]
        if times:
            lists = [[values[at] for at in times] for values in (lows, highs, means, lasts, counts)]
            ends = [at / 1000 for at in times]
            looked_at = _recorded_at(times, recorded)
            found.append(Series(dict(key), ends, lists[0], lists[1], lists[2], lists[3], looked_at, lists[4]))
    return found


def evaluated(matrix: Matrix) -> list[Series]:
    """The series of one range query whose values stand for themselves."""
    found: list[Series] = []
    for key, values in matrix.values.items():
        if values:
            times = sorted(values)
            column = [values[at] for at in times]
            ends = [at / 1000 for at in times]
            found.append(Series(dict(key), ends, column, column, column, column, ends, [1.0] * len(ends)))
    return found


def _recorded_at(times: Sequence[int], recorded: Mapping[int, float]) -> list[float]:
    """Strictly ascending instants, each after the bucket before and not after its own."""
    found: list[float] = []
    before = -1.0
    for at in times:
        said = recorded.get(at, at / 1000)
        found.append(said if before < said <= at / 1000 else at / 1000)
        before = at / 1000
    return found


def _key(metric: object) -> Key:
    if not isinstance(metric, dict) or len(metric) > MAX_LABELS:
        _refuse("labels are no object or too many")
    labels: list[tuple[str, str]] = []
    for name, value in metric.items():
        if not isinstance(value, str) or len(value) > MAX_LABEL_CHARS:
            _refuse("a label is no text or too long")
        if name != "__name__":
            labels.append((valid_text(str(name)), valid_text(value)))
    return tuple(sorted(labels))


def _samples(values: object, start: float, end: float) -> Iterator[tuple[int, float]]:
    for pair in _list(values, "values"):
        if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[1], str):
            _refuse("a sample is no pair")
        at = pair[0]
        if isinstance(at, bool) or not isinstance(at, int | float) or not start - 1 <= at <= end + 1:
            _refuse("a sample outside the window")
        try:
            yield round(at * 1000), float(pair[1])
        except ValueError:
            _refuse("a value is no number")


def _word(value: object) -> str:
    """A short word of the server; anything else counts as not said."""
    return value if isinstance(value, str) and value.isidentifier() and len(value) <= 40 else ""


def _list(value: object, what: str) -> Sequence[object]:
    if not isinstance(value, list):
        _refuse(f"{what} is no list")
    return value


def _refuse(why: str) -> NoReturn:
    raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail=f"unexpected reply: {why}")
