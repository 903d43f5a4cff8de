"""The only statement that can be run: one plain SELECT as a value of a closed grammar. Pure.

What these classes cannot say cannot reach a database: text is rendered from them, never copied from the model.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tools.sql.catalogue import Column, Table

Constant = str | int | float


@dataclass(frozen=True)
class Relation:
    """A table as it occurs in FROM or JOIN."""

    index: int
    """Place in the statement; a table joined to itself occurs twice."""
    table: Table


@dataclass(frozen=True)
class ColumnRef:
    """A column of one relation."""

    relation: int
    column: Column


@dataclass(frozen=True)
class Aggregate:
    """COUNT, SUM, AVG, MIN or MAX."""

    function: str
    """Lower case."""
    argument: ColumnRef | None
    """None only for ``COUNT(*)``."""
    distinct: bool = False


Expression = ColumnRef | Aggregate


@dataclass(frozen=True)
class Bound:
    """A literal or parameter; always travels beside the text, never in it."""

    value: Constant


Operand = ColumnRef | Aggregate | Bound


@dataclass(frozen=True)
class Compare:
    """``left operator right``."""

    operator: str
    """One of = <> < <= > >=."""
    left: Operand
    right: Operand


@dataclass(frozen=True)
class Within:
    """IN a list of values."""

    left: Expression
    values: tuple[Bound, ...]


@dataclass(frozen=True)
class Between:
    """BETWEEN, both ends included."""

    left: Expression
    low: Operand
    high: Operand


@dataclass(frozen=True)
class Like:
    """LIKE a text pattern."""

    left: Expression
    pattern: Bound


@dataclass(frozen=True)
class IsNull:
    """IS NULL."""

    left: Expression


@dataclass(frozen=True)
class Not:
    """Negation."""

    condition: "Condition"


@dataclass(frozen=True)
class AllOf:
    """Terms joined by AND."""

    terms: tuple["Condition", ...]


@dataclass(frozen=True)
class AnyOf:
    """Terms joined by OR."""

    terms: tuple["Condition", ...]


Condition = Compare | Within | Between | Like | IsNull | Not | AllOf | AnyOf


@dataclass(frozen=True)
class Join:
    """How one relation is joined to the earlier ones."""

    relation: Relation
    left: bool
    """True for LEFT, False for INNER."""
    pairs: tuple[tuple[ColumnRef, ColumnRef], ...]
    """Equal columns, at least one pair; each pair has one side in ``relation``."""


@dataclass(frozen=True)
class Ordering:
    """One ORDER BY term."""

    by: Expression
    descending: bool


@dataclass(frozen=True)
class Query:
    """A whole statement, every name resolved."""

    first: Relation
    joins: tuple[Join, ...]
    outputs: tuple[Expression, ...]
    where: Condition | None
    group_by: tuple[ColumnRef, ...]
    having: Condition | None
    order_by: tuple[Ordering, ...]
    limit: int | None
    """As asked for; None if the statement names none."""

    @property
    def relations(self) -> tuple[Relation, ...]:
        """In the order they occur; a relation's index is its place here."""
        return (self.first, *(join.relation for join in self.joins))

    @property
    def is_aggregated(self) -> bool:
        """True if rows of the result stand for groups of rows of the tables."""
        return bool(self.group_by) or any(isinstance(output, Aggregate) for output in self.outputs)


def columns_of(query: Query) -> Iterator[ColumnRef]:
    """Every column the statement touches, with repeats, in no promised order."""
    yield from (side for join in query.joins for pair in join.pairs for side in pair)
    yield from query.group_by
    expressions: list[Operand] = [*query.outputs, *(order.by for order in query.order_by)]
    for condition in (query.where, query.having):
        expressions.extend(operands_of(condition) if condition else ())
    for expression in expressions:
        column = expression.argument if isinstance(expression, Aggregate) else expression
        if isinstance(column, ColumnRef):
            yield column


def operands_of(condition: Condition) -> Iterator[Operand]:
    """Everything that is compared, listed values and patterns left out; with repeats."""
    match condition:
        case AllOf(terms) | AnyOf(terms):
            for term in terms:
                yield from operands_of(term)
        case Not(inner):
            yield from operands_of(inner)
        case Compare(_, left, right):
            yield from (left, right)
        case Between(left, low, high):
            yield from (left, low, high)
        case Within(left) | Like(left) | IsNull(left):
            yield left
