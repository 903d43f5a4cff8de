"""Reads PromQL with a real parser and writes it anew; equal expressions have equal text. Pure, allowlist, fail closed.

What a model wrote never reaches a server. Refused is what would make the effective window untrue (offset, @,
subqueries), put numbers or labels into evidence that no series holds (literals that shift values, made-up labels,
forecasts), or hide which metrics are read.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import NoReturn

import promql_parser as promql

from state.model.enums import ToolCode
from state.model.errors import InvalidToolInput
from tools.metrics.allowlist import (
    AGGREGATIONS,
    ARITHMETIC,
    COMPARISONS,
    FACTORS,
    FUNCTIONS,
    KEEPS_UNIT,
    MAX_CHARS,
    MAX_DEPTH,
    MAX_OPERATORS,
    MAX_SELECTORS,
    PER_SECOND_OF,
    SETS,
)
from tools.metrics.durations import duration_text
from tools.metrics.effort import is_small
from tools.metrics.selector import Matcher, Selector, is_label_name, selector_of
from tools.metrics.units import PER_SECOND, unit_of_name

_OPS = {"MatchOp.Equal": "=", "MatchOp.NotEqual": "!=", "MatchOp.Re": "=~", "MatchOp.NotRe": "!~"}
_SIDES = {"VectorMatchCardinality.ManyToOne": "group_left", "VectorMatchCardinality.OneToMany": "group_right"}
# The parser's enumerations cannot be dictionary keys; their text can.


@dataclass(frozen=True)
class Expression:
    """What is asked for."""

    text: str
    """Canonical PromQL."""
    selectors: tuple[Selector, ...]
    """Every metric that is read, each once, in the order of the text."""
    unit: str = ""
    """Unit of the values as the names declare it; empty if they declare none or it is not sure."""
    longest_range: timedelta = timedelta(0)
    """How far before an evaluation the expression reads."""

    @property
    def selector(self) -> Selector | None:
        """The selector if the expression is nothing else."""
        return self.selectors[0] if len(self.selectors) == 1 and self.text == self.selectors[0].text() else None


@dataclass(frozen=True)
class _Part:
    """A piece of the expression, written anew."""

    text: str
    unit: str = ""
    is_operation: bool = False
    reads: bool = False
    """A metric is read in it."""
    is_time: bool = False
    """It is the time of the evaluation, and nothing else."""
    number: float | None = None
    """Its value if it is a number as written."""


def parse_expression(text: str) -> Expression:
    """The expression.

    Raises:
        InvalidToolInput: it is no PromQL, too large, or holds something that is not allowed; the sentence says what.
    """
    if not is_small(text):
        _refuse(f"longer than {MAX_CHARS} characters, nested too deep or more than {MAX_OPERATORS} operators")
    try:
        tree = promql.parse(text)
    except (ValueError, RecursionError):
        # The parser's words quote what was written; what is wrong in detail is for whoever wrote it to see.
        raise InvalidToolInput(ToolCode.INVALID_REQUEST, "expr: is not valid PromQL") from None
    writer = _Writer()
    part = writer.write(tree, 0)
    if not writer.selectors:
        _refuse("names no metric")
    if len(writer.selectors) > MAX_SELECTORS:
        _refuse(f"reads more than {MAX_SELECTORS} selections")
    return Expression(part.text, tuple(writer.selectors), part.unit, writer.longest_range)


def expression_of(selector: Selector) -> Expression:
    """The expression that is just this selection."""
    return Expression(selector.text(), (selector,), unit_of_name(selector.metric))


class _Writer:
    """Walks the tree once, and looks at each child once: the parser copies all that is below with every look.

    Anything it does not know is refused.
    """

    def __init__(self) -> None:
        self.selectors: dict[Selector, None] = {}
        self.longest_range = timedelta(0)

    def write(self, node: promql.Expr, depth: int) -> _Part:
        if depth > MAX_DEPTH:
            _refuse("nested too deep")
        match node:
            case promql.VectorSelector():
                return _selection(self, node)
            case promql.MatrixSelector():
                return _range(self, node)
            case promql.Call():
                return _call(self, node, depth + 1)
            case promql.AggregateExpr():
                return _aggregation(self, node, depth + 1)
            case promql.BinaryExpr():
                return _operation(self, node, depth + 1)
            case promql.UnaryExpr():
                inner = self.write(node.expr, depth + 1)
                return _Part(f"-({inner.text})", is_operation=True, reads=inner.reads)
            case promql.ParenExpr():
                return self.write(node.expr, depth + 1)
            case promql.NumberLiteral():
                return _Part(number_text(node.val), number=node.val)
        _refuse("holds a construct that is not allowed; subqueries and strings are not")


def _selection(writer: _Writer, node: promql.VectorSelector) -> _Part:
    if node.offset is not None or node.at is not None:
        _refuse("offset and @ are not allowed: ask for the window itself; the one before it is compared anyway")
    given, conditions = node.name, node.matchers
    if conditions.or_matchers:
        _refuse("alternatives inside braces are not allowed")
    every = conditions.matchers
    named = [one for one in every if one.name == "__name__"]
    names = [given] if given else [one.value for one in named if one.op == promql.MatchOp.Equal]
    if len(names) != 1 or len(named) != (0 if given else 1):
        _refuse("each selection names exactly one metric; a pattern of names is not allowed")
    matchers = tuple(
        Matcher(name=one.name, op=_OPS[str(one.op)], value=one.value) for one in every if one.name != "__name__"
    )
    if not all(is_label_name(one.name) for one in matchers):
        _refuse("a label name is not valid")
    selector = selector_of(str(names[0]), matchers)
    writer.selectors[selector] = None
    return _Part(selector.text(), unit_of_name(selector.metric), reads=True)


def _range(writer: _Writer, node: promql.MatrixSelector) -> _Part:
    selection, length = node.vector_selector, node.range
    if selection.offset is not None or length <= timedelta(0):
        _refuse("offset and @ are not allowed")
    inner = _selection(writer, selection)
    writer.longest_range = max(writer.longest_range, length)
    return _Part(f"{inner.text}[{duration_text(length)}]", inner.unit, reads=True)


def _call(writer: _Writer, node: promql.Call, depth: int) -> _Part:
    name = node.func.name
    if name not in FUNCTIONS:
        _refuse(
            "uses a function that is not allowed: only what reads values as they are, no absent(), vector(), clamps,"
            " forecasts or made-up labels"
        )
    parts = [writer.write(argument, depth) for argument in node.args]
    text = f"{name}({', '.join(part.text for part in parts)})"
    unit = _unit_of_call(writer, name, parts)
    return _Part(text, unit, reads=any(part.reads for part in parts), is_time=name == "time")


def _unit_of_call(writer: _Writer, name: str, parts: list[_Part]) -> str:
    unit = parts[-1].unit if parts else ""
    if name == "histogram_quantile":
        return _histogram_unit(writer)
    if name in PER_SECOND_OF:
        return unit + PER_SECOND
    return (parts[0].unit if name == "round" else unit) if name in KEEPS_UNIT else ""


def _histogram_unit(writer: _Writer) -> str:
    """What the buckets measure, if only one histogram is read."""
    metrics = {selector.metric for selector in writer.selectors}
    return unit_of_name(next(iter(metrics)).removesuffix("_bucket")) if len(metrics) == 1 else ""


def _aggregation(writer: _Writer, node: promql.AggregateExpr, depth: int) -> _Part:
    name = str(node.op)
    if name not in AGGREGATIONS:
        _refuse("uses an aggregation that is not allowed")
    grouping, param = _grouping(node.modifier), node.param
    if param is not None and not isinstance(param, promql.NumberLiteral):
        _refuse(f"the first argument of {name} must be a number")
    first = f"{number_text(param.val)}, " if param is not None else ""
    inner = writer.write(node.expr, depth)
    unit = "" if name in {"count", "group", "stdvar"} else inner.unit
    return _Part(f"{name}{grouping}({first}{inner.text})", unit, reads=inner.reads)


def _grouping(modifier: promql.AggModifier | None) -> str:
    if modifier is None:
        return ""
    by = "by" if modifier.type == promql.AggModifierType.By else "without"
    return f" {by} ({_labels(modifier.labels)}) "


def _operation(writer: _Writer, node: promql.BinaryExpr, depth: int) -> _Part:
    operator = str(node.op)
    if operator not in COMPARISONS | ARITHMETIC | SETS:
        _refuse("uses an operator that is not allowed")
    left, right = writer.write(node.lhs, depth), writer.write(node.rhs, depth)
    if operator in ARITHMETIC:
        _refuse_made_up(operator, left, right)
    sides = [f"({part.text})" if part.is_operation else part.text for part in (left, right)]
    modifier = node.modifier
    is_bool = modifier is not None and modifier.return_bool
    text = f"{sides[0]} {operator}{' bool' if is_bool else ''}{_matching(modifier)} {sides[1]}"
    is_same = operator in {"+", "-"} | SETS and left.unit == right.unit
    filters = operator in COMPARISONS and not is_bool and left.number is None
    unit = left.unit if is_same or filters or operator == "unless" else ""
    return _Part(text, unit, is_operation=True, reads=left.reads or right.reads)


def _refuse_made_up(operator: str, left: _Part, right: _Part) -> None:
    """Numbers may convert a unit or form the rest of 1; anything else could write any value into the evidence.

    Raises:
        InvalidToolInput: such a number stands beside an arithmetic operator.
    """
    for side in (left, right):
        if side.reads or side.is_time:
            continue
        is_rest = operator == "-" and side is left and side.number == 1
        is_factor = operator in {"*", "/"} and side.number in FACTORS
        if not is_rest and not is_factor:
            _refuse("a number in arithmetic may only convert a unit (* 100, / 1024, 1 - x)")


def _matching(modifier: promql.BinModifier | None) -> str:
    if modifier is None:
        return ""
    fill = modifier.fill_values
    if fill is not None and (fill.lhs is not None or fill.rhs is not None):
        _refuse("values that fill gaps are not allowed")
    words = ""
    if modifier.matching is not None:
        kind = "on" if modifier.matching.type == promql.LabelModifierType.Include else "ignoring"
        words += f" {kind} ({_labels(modifier.matching.labels)})"
    if side := _SIDES.get(str(modifier.card)):
        words += f" {side} ({_labels(modifier.group_labels or [])})"
    return words


def _labels(names: list[str]) -> str:
    if not all(is_label_name(name) for name in names):
        _refuse("a label name is not valid")
    return ", ".join(sorted(set(names)))


def number_text(value: float) -> str:
    """The number as PromQL reads it back."""
    if value != value:
        return "NaN"
    if value in {float("inf"), float("-inf")}:
        return "Inf" if value > 0 else "-Inf"
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def _refuse(why: str) -> NoReturn:
    raise InvalidToolInput(ToolCode.INVALID_REQUEST, f"expr: {why}")
