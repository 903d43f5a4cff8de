"""Writes a ``Query`` as SQL: once to run, with every value bound, and once to compare, with values in place. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import assert_never

from tools.sql.bounds import shape_of
from tools.sql.catalogue import Catalogue, Dialect
from tools.sql.grammar import is_single_name
from tools.sql.sensitive import MASK
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
    IsNull,
    Join,
    Like,
    Not,
    Operand,
    Query,
    Relation,
    Within,
)
from tools.sql.values import bound_for


def render_bound(query: Query, catalogue: Catalogue) -> tuple[str, tuple[Constant, ...]]:
    """The statement to run, without LIMIT, and its values in the order of their placeholders.

    Each ``?`` in the text is a placeholder; a sensitive column is never read, a mask stands in its place. A server is
    asked for no more of a cell than can be shown (``tools.sql.bounds``).
    """
    writer = _Writer(query, catalogue, in_place=False)
    return writer.statement(), tuple(writer.bound)


def render_normalised(query: Query, catalogue: Catalogue) -> str:
    """Text that is equal for statements which differ only in blanks, case, quoting, aliases or ``?`` for a literal.

    Without LIMIT. It is itself a statement of the allowed language, and means the same.
    """
    return _Writer(query, catalogue, in_place=True).statement()


def output_names(query: Query, catalogue: Catalogue) -> tuple[str, ...]:
    """The name of each output in evidence: the column's own, or the aggregate as text. Never the model's alias.

    Columns of the same name are told apart by their table.
    """
    writer = _Writer(query, catalogue, in_place=True)
    plain = [_plain_name(output) for output in query.outputs]
    full = [writer.full_name(output) for output in query.outputs]
    return tuple(short if plain.count(short) == 1 else long for short, long in zip(plain, full, strict=True))


def _plain_name(output: Operand) -> str:
    match output:
        case ColumnRef():
            return output.column.name
        case Aggregate(function, None):
            return f"{function}(*)"
        case Aggregate(function, argument, distinct):
            return f"{function}({'distinct ' if distinct else ''}{argument.column.name if argument else '*'})"
        case Bound():
            return "?"


@dataclass
class _Writer:
    query: Query
    catalogue: Catalogue
    in_place: bool
    bound: list[Constant] = field(default_factory=list)

    def statement(self) -> str:
        query = self.query
        parts = [f"SELECT {self._list(self._output(output) for output in query.outputs)}"]
        parts.append(f"FROM {self._source(query.first)}")
        parts.extend(self._join(join) for join in query.joins)
        if query.where:
            parts.append(f"WHERE {self._condition(query.where)}")
        if query.group_by:
            parts.append(f"GROUP BY {self._list(self._operand(column) for column in query.group_by)}")
        if query.having:
            parts.append(f"HAVING {self._condition(query.having)}")
        if query.order_by:
            terms = (self._operand(order.by) + (" DESC" if order.descending else "") for order in query.order_by)
            parts.append(f"ORDER BY {self._list(terms)}")
        return " ".join(parts)

    def full_name(self, output: Operand) -> str:
        match output:
            case ColumnRef(relation, column):
                return f"{self._label(relation)}.{column.name}"
            case Aggregate(function, ColumnRef(relation, column), distinct):
                return f"{function}({'distinct ' if distinct else ''}{self._label(relation)}.{column.name})"
            case _:
                return _plain_name(output)

    def _list(self, parts: Iterable[str]) -> str:
        return ", ".join(parts)

    def _output(self, output: Operand) -> str:
        if isinstance(output, ColumnRef) and output.column.sensitive and not self.in_place:
            return f"'{MASK}'"
        written = self._operand(output)
        if self.in_place or isinstance(output, Bound):
            return written
        return shape_of(output, self.catalogue.dialect).value.format(written)

    def _source(self, relation: Relation) -> str:
        table = relation.table
        show_schema = table.schema and not (self.in_place and self.catalogue.is_unique(table))
        name = f"{self._quote(table.schema)}.{self._quote(table.name)}" if show_schema else self._quote(table.name)
        label = self._label(relation.index)
        return name if label == table.name else f"{name} AS {self._quote(label)}"

    def _label(self, index: int) -> str:
        """The table's name, numbered from its second occurrence on; no two relations share one."""
        names = [relation.table.name for relation in self.query.relations]
        name = names[index]
        before = sum(other.lower() == name.lower() for other in names[:index])
        taken = {other.lower() for other in names}
        label = f"{name}_{before + 1}" if before else name
        while before and label.lower() in taken:
            label += "_"
        return label

    def _join(self, join: Join) -> str:
        pairs = " AND ".join(f"{self._operand(left)} = {self._operand(right)}" for left, right in join.pairs)
        return f"{'LEFT JOIN' if join.left else 'JOIN'} {self._source(join.relation)} ON {pairs}"

    def _condition(self, condition: Condition) -> str:
        match condition:
            case AllOf(terms):
                return " AND ".join(self._nested(term) for term in terms)
            case AnyOf(terms):
                return " OR ".join(self._nested(term) for term in terms)
            case Not(inner):
                return f"NOT {self._bracketed(inner)}"
            case Compare(operator, left, right):
                return f"{self._operand(left, right)} {operator} {self._operand(right, left)}"
            case Within(left, values):
                return f"{self._operand(left)} IN ({self._list(self._operand(value, left) for value in values)})"
            case Between(left, low, high):
                return f"{self._operand(left)} BETWEEN {self._operand(low, left)} AND {self._operand(high, left)}"
            case Like(left, pattern):
                return f"{self._operand(left)} LIKE {self._operand(pattern)}"
            case IsNull(left):
                return f"{self._operand(left)} IS NULL"
            case _:
                assert_never(condition)

    def _nested(self, condition: Condition) -> str:
        return self._bracketed(condition) if isinstance(condition, (AllOf, AnyOf)) else self._condition(condition)

    def _bracketed(self, condition: Condition) -> str:
        return f"({self._condition(condition)})"

    def _operand(self, operand: Operand, against: Operand | None = None) -> str:
        match operand:
            case ColumnRef(relation, column):
                name = self._quote(column.name)
                return f"{self._quote(self._label(relation))}.{name}" if self._qualifies else name
            case Aggregate(function, None):
                return f"{function.upper()}(*)"
            case Aggregate(function, argument, distinct):
                inner = self._operand(argument) if argument else "*"
                return f"{function.upper()}({'DISTINCT ' if distinct else ''}{inner})"
            case Bound(value):
                return self._in_place(value) if self.in_place else self._placeholder(value, against)
            case _:
                assert_never(operand)

    @property
    def _qualifies(self) -> bool:
        """True if columns are written with their table.

        A server gives an output like LEFT(note, 9) a name of its own, which ORDER BY would prefer to a bare column's.
        """
        return bool(self.query.joins) or not (self.in_place or self.catalogue.dialect is Dialect.SQLITE)

    def _placeholder(self, value: Constant, against: Operand | None) -> str:
        self.bound.append(bound_for(value, against, self.catalogue.dialect))
        return "?"

    def _in_place(self, value: Constant) -> str:
        if not isinstance(value, str):
            return repr(value)
        text = value.replace("\\", "\\\\") if self.catalogue.dialect is Dialect.MYSQL else value
        return "'" + text.replace("'", "''") + "'"

    def _quote(self, name: str) -> str:
        dialect = self.catalogue.dialect
        if self.in_place and _is_plain(name, dialect):
            return name
        mark = "`" if dialect is Dialect.MYSQL else '"'
        return mark + name.replace(mark, mark * 2) + mark


_HALF_KEYWORDS = frozenset({"order", "group", "by", "partition"})
"""Reserved words that the parser knows only as part of a pair."""


@lru_cache(maxsize=4096)
def _is_plain(name: str, dialect: Dialect) -> bool:
    """True if the name means itself without quotes."""
    if name != name.lower() or not name.isascii() or name in _HALF_KEYWORDS:
        return False
    return is_single_name(name, dialect)
