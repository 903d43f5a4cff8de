"""Reads the conditions and expressions of a statement, and counts its placeholders in text order. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from tools.sql.names import Names
from tools.sql.refusal import Refused, shown
from tools.sql.statement import (
    Aggregate,
    AllOf,
    AnyOf,
    Between,
    Bound,
    ColumnRef,
    Compare,
    Condition,
    Constant,
    Expression,
    IsNull,
    Like,
    Not,
    Operand,
    Within,
)
from tools.sql.values import check_comparable, check_pattern, check_summable, literal, negative

MAX_TERMS = 100
"""Terms of one AND or OR."""
MAX_BOUND = 200
"""Literals and parameters of one statement."""

_OPERATORS: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
}
_AGGREGATES: dict[type[exp.Expr], str] = {
    exp.Count: "count",
    exp.Sum: "sum",
    exp.Avg: "avg",
    exp.Min: "min",
    exp.Max: "max",
}
_COMPARISON = "A condition compares a column with a column, a string, a number or ?, as in status = 'FAILED'."


@dataclass
class Conditions:
    """A reader over one statement. It hands out each parameter once, in the order of the text."""

    names: Names
    params: tuple[Constant, ...]
    aliases: Mapping[str, Expression] = field(default_factory=dict)
    _used: int = 0
    _bound: int = 0

    def condition(self, node: exp.Expr, *, grouped: bool = False) -> Condition:
        """The condition; ``grouped`` (HAVING) admits aggregates and aliases.

        Raises:
            Refused: it holds anything but comparisons joined by AND, OR, NOT and brackets.
        """
        if isinstance(node, exp.Paren):
            return self.condition(node.this, grouped=grouped)
        if isinstance(node, exp.Not):
            return Not(self.condition(node.this, grouped=grouped))
        if isinstance(node, (exp.And, exp.Or)):
            return self._connected(node, grouped=grouped)
        return self._comparison(node, grouped=grouped)

    def _connected(self, node: exp.And | exp.Or, *, grouped: bool) -> Condition:
        nodes = list(node.flatten(unnest=False))
        if len(nodes) > MAX_TERMS:
            raise Refused(f"More than {MAX_TERMS} conditions are not allowed.")
        terms = tuple(self.condition(term, grouped=grouped) for term in nodes)
        return AllOf(terms) if isinstance(node, exp.And) else AnyOf(terms)

    def _comparison(self, node: exp.Expr, *, grouped: bool) -> Condition:
        if type(node) in _OPERATORS:
            return self._compare(node, grouped=grouped)
        if not isinstance(node, (exp.In, exp.Between, exp.Like, exp.Is)):
            raise Refused(_COMPARISON)
        left = self.expression(node.this, aggregates=grouped, aliased=grouped)
        if isinstance(node, exp.In):
            return Within(left, tuple(self._values(node, left)))
        if isinstance(node, exp.Between):
            ends = (self._against(left, node.args[end], grouped=grouped) for end in ("low", "high"))
            return Between(left, *ends)
        if isinstance(node, exp.Like):
            return _negated(Like(left, self._pattern(node.expression)), node)
        if not isinstance(node.expression, exp.Null):
            raise Refused("IS may only be followed by NULL or NOT NULL; compare with = or <>.")
        return _negated(IsNull(left), node)

    def _compare(self, node: exp.Expr, *, grouped: bool) -> Compare:
        left = self.operand(node.this, grouped=grouped)
        right = self.operand(node.args["expression"], grouped=grouped)
        if isinstance(left, Bound) and isinstance(right, Bound):
            raise Refused(_COMPARISON)
        whole = isinstance(node, (exp.EQ, exp.NEQ))
        for one, other in ((left, right), (right, left)):
            if isinstance(other, Bound) and not isinstance(one, Bound):
                check_comparable(one, other, whole=whole)
        return Compare(_OPERATORS[type(node)], left, right)

    def _against(self, left: Expression, node: exp.Expr, *, grouped: bool) -> Operand:
        operand = self.operand(node, grouped=grouped)
        if isinstance(operand, Bound):
            check_comparable(left, operand, whole=False)
        return operand

    def _values(self, node: exp.In, left: Expression) -> Iterator[Bound]:
        if not node.expressions:
            raise Refused("IN takes a list of strings, numbers or ? in brackets.")
        for entry in node.expressions:
            value = self._value(entry)
            check_comparable(left, value, whole=True)
            yield value

    def _pattern(self, node: exp.Expr) -> Bound:
        pattern = self._value(node)
        check_pattern(pattern)
        return pattern

    def _value(self, node: exp.Expr) -> Bound:
        operand = self.operand(node) if isinstance(node, (exp.Literal, exp.Neg, exp.Placeholder)) else None
        if not isinstance(operand, Bound):
            raise Refused("IN and LIKE take strings, numbers or ? only.")
        return operand

    def operand(self, node: exp.Expr, *, grouped: bool = False) -> Operand:
        """A column, a bound value or, where ``grouped``, an aggregate or alias.

        Raises:
            Refused: it is anything else.
        """
        if isinstance(node, exp.Placeholder):
            return self._bind(self._next_param())
        if isinstance(node, exp.Literal):
            return self._bind(literal(node))
        if isinstance(node, exp.Neg):
            return self._bind(negative(node))
        if isinstance(node, exp.Null):
            raise Refused("Nothing equals NULL; use IS NULL or IS NOT NULL.")
        return self.expression(node, aggregates=grouped, aliased=grouped)

    def _bind(self, value: Constant) -> Bound:
        self._bound += 1
        if self._bound > MAX_BOUND:
            raise Refused(f"More than {MAX_BOUND} values are not allowed.")
        return Bound(value)

    def _next_param(self) -> Constant:
        self._used += 1
        if self._used > len(self.params):
            raise Refused(f"The statement has more ? than params ({len(self.params)}).")
        return self.params[self._used - 1]

    def check_all_params_used(self) -> None:
        """Nothing, if every parameter had its placeholder.

        Raises:
            Refused: params are left over.
        """
        if self._used < len(self.params):
            raise Refused(f"The statement has {self._used} ? but {len(self.params)} params.")

    def expression(
        self, node: exp.Expr, *, aggregates: bool = False, aliased: bool = False, masked: bool = False
    ) -> Expression:
        """A column, an aggregate (where ``aggregates``) or what an alias stands for (where ``aliased``).

        ``masked`` admits sensitive columns, which are then shown as a mask.

        Raises:
            Refused: it is anything else, or a sensitive column where it would tell something.
        """
        if isinstance(node, exp.Column):
            return self.named(node, masked=masked) if aliased else self.column(node, masked=masked)
        if type(node) in _AGGREGATES and aggregates:
            return self._aggregate(node)
        if type(node) in _AGGREGATES:
            raise Refused("Aggregates belong into the select list, HAVING or ORDER BY.")
        raise Refused("Only columns and COUNT, SUM, AVG, MIN, MAX of a column are allowed in this place.")

    def named(self, node: exp.Column, *, masked: bool = False) -> Expression:
        """What the name stands for: an output's alias or a column, but never either of two different things.

        Raises:
            Refused: unknown or ambiguous.
        """
        alias = None if node.args.get("table") else self.aliases.get(node.name.lower())
        if alias is None:
            return self.column(node, masked=masked)
        if self.names.knows(node) and self.column(node, masked=True) != alias:
            raise Refused(f"{shown(node.name)} is both a column and an alias of something else; rename the alias.")
        return self._unmasked(alias, masked=masked)

    def column(self, node: exp.Expr, *, masked: bool = False) -> ColumnRef:
        """The column meant.

        Raises:
            Refused: it is no column, does not resolve to exactly one, or is sensitive and ``masked`` is not set.
        """
        if not isinstance(node, exp.Column):
            raise Refused("Only plain columns are allowed in this place.")
        found = self.names.column(node)
        self._unmasked(found, masked=masked)
        return found

    def _unmasked(self, expression: Expression, *, masked: bool) -> Expression:
        if isinstance(expression, ColumnRef) and expression.column.sensitive and not masked:
            name = expression.column.name
            raise Refused(f"{name} is masked: it may stand in the select list only, where it is shown as a mask.")
        return expression

    def _aggregate(self, node: exp.Expr) -> Aggregate:
        function = _AGGREGATES[type(node)]
        inner = node.this
        distinct = isinstance(inner, exp.Distinct)
        if distinct:
            if function != "count" or len(inner.expressions) != 1:
                raise Refused("DISTINCT is allowed only in COUNT(DISTINCT column), with one column.")
            inner = inner.expressions[0]
        if isinstance(inner, exp.Star) and not distinct:
            return _count_all(function)
        if not isinstance(inner, exp.Column):
            raise Refused(f"{function.upper()} takes one column; COUNT(*) counts rows.")
        column = self.column(inner)
        if function in ("sum", "avg"):
            check_summable(column, self.names.dialect)
        return Aggregate(function, column, distinct)


def _count_all(function: str) -> Aggregate:
    if function != "count":
        raise Refused("Only COUNT takes *; the others take one column.")
    return Aggregate(function, None)


def _negated(condition: Condition, node: exp.Expr) -> Condition:
    return Not(condition) if node.args.get("negate") else condition
