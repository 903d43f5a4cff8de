"""Translates a checked syntax tree into a ``Query``: names resolved, literals and parameters lifted. Pure.

Total over what ``shapes`` lets through: a node in a place that is not named here is refused.
"""

from dataclasses import dataclass

from sqlglot import exp

from tools.sql.catalogue import Catalogue, Dialect
from tools.sql.conditions import Conditions
from tools.sql.names import Names, resolve_tables
from tools.sql.refusal import Refused
from tools.sql.statement import (
    Aggregate,
    ColumnRef,
    Constant,
    Expression,
    Join,
    Ordering,
    Query,
    operands_of,
)

MAX_OUTPUTS = 50
MAX_LIMIT = 100


def translate(select: exp.Select, catalogue: Catalogue, params: tuple[Constant, ...]) -> Query:
    """The statement as a value.

    Raises:
        Refused: a name that does not resolve, a construct in a wrong place, or a wrong number of params.
    """
    names = resolve_tables(select, catalogue)
    outputs = _Outputs.of(select, Conditions(names, params))
    reader = Conditions(names, params, aliases=outputs.aliases)
    joins = _joins(select, names, reader)
    where = select.args.get("where")
    group = select.args.get("group")
    having = select.args.get("having")
    query = Query(
        first=names.named[0].relation,
        joins=joins,
        outputs=outputs.expressions,
        where=reader.condition(where.this) if where else None,
        group_by=tuple(_group_column(node, reader) for node in group.expressions) if group else (),
        having=reader.condition(having.this, grouped=True) if having else None,
        order_by=_orderings(select, reader, catalogue.dialect),
        limit=_limit(select),
    )
    reader.check_all_params_used()
    _check_grouping(query, having_given=having is not None)
    return query


@dataclass(frozen=True)
class _Outputs:
    expressions: tuple[Expression, ...]
    aliases: dict[str, Expression]

    @classmethod
    def of(cls, select: exp.Select, reader: Conditions) -> "_Outputs":
        nodes = select.expressions
        if not 0 < len(nodes) <= MAX_OUTPUTS:
            raise Refused(f"Name between 1 and {MAX_OUTPUTS} columns or aggregates after SELECT.")
        expressions = tuple(_output(node, reader) for node in nodes)
        if len(set(expressions)) < len(expressions):
            raise Refused("The same column or aggregate is selected twice.")
        given = [(node.alias.lower(), found) for node, found in zip(nodes, expressions, strict=True) if node.alias]
        if len({alias for alias, _ in given}) < len(given):
            raise Refused("Two outputs have the same alias.")
        return cls(expressions, dict(given))


def _output(node: exp.Expr, reader: Conditions) -> Expression:
    inner = node.this if isinstance(node, exp.Alias) else node
    if isinstance(inner, exp.Star) or (isinstance(inner, exp.Column) and isinstance(inner.this, exp.Star)):
        raise Refused("* is not allowed; name the columns.")
    return reader.expression(inner, aggregates=True, masked=True)


def _joins(select: exp.Select, names: Names, reader: Conditions) -> tuple[Join, ...]:
    nodes = select.args.get("joins") or []
    return tuple(_join(node, index, names, reader) for index, node in enumerate(nodes, start=1))


def _join(node: exp.Join, index: int, names: Names, reader: Conditions) -> Join:
    kind = (node.side.upper(), node.kind.upper())
    if kind not in {("", ""), ("", "INNER"), ("LEFT", ""), ("LEFT", "OUTER")}:
        raise Refused("Only JOIN, INNER JOIN and LEFT JOIN with ON are allowed.")
    terms = _on_terms(node.args.get("on"))
    if not terms:
        raise Refused("A JOIN needs ON with equal columns, as in ON a.x = b.x.")
    pairs = tuple(_equal_columns(term, index, reader) for term in terms)
    return Join(names.named[index].relation, kind[0] == "LEFT", pairs)


def _on_terms(on: object) -> list[exp.Expr]:
    inner = on.unnest() if isinstance(on, exp.Paren) else on
    if isinstance(inner, exp.And):
        return list(inner.flatten())
    return [inner] if isinstance(inner, exp.EQ) else []


def _equal_columns(term: exp.Expr, index: int, reader: Conditions) -> tuple[ColumnRef, ColumnRef]:
    if not isinstance(term, exp.EQ):
        raise Refused("ON may only hold equal columns joined by AND; put other conditions into WHERE.")
    left, right = (reader.column(side) for side in (term.this, term.expression))
    places = sorted((left.relation, right.relation))
    if not (places[0] < index and places[1] == index):
        raise Refused("ON must compare a column of the joined table with one of an earlier table.")
    return left, right


def _group_column(node: exp.Expr, reader: Conditions) -> ColumnRef:
    found = reader.named(node) if isinstance(node, exp.Column) else None
    if not isinstance(found, ColumnRef):
        raise Refused("GROUP BY takes columns only, no numbers and no expressions.")
    return found


def _orderings(select: exp.Select, reader: Conditions, dialect: Dialect) -> tuple[Ordering, ...]:
    order = select.args.get("order")
    return tuple(_ordering(node, reader, dialect) for node in order.expressions) if order else ()


def _ordering(node: exp.Expr, reader: Conditions, dialect: Dialect) -> Ordering:
    if not isinstance(node, exp.Ordered):
        raise Refused("ORDER BY takes columns, or aggregates of the select list.")
    descending = bool(node.args.get("desc"))
    nulls_first_by_default = descending if dialect is Dialect.POSTGRES else not descending
    if bool(node.args.get("nulls_first")) is not nulls_first_by_default:
        raise Refused("NULLS FIRST and NULLS LAST are not allowed.")
    if isinstance(node.this, (exp.Literal, exp.Neg, exp.Placeholder)):
        raise Refused("ORDER BY takes columns, no numbers.")
    return Ordering(reader.expression(node.this, aggregates=True, aliased=True), descending)


def _limit(select: exp.Select) -> int | None:
    node = select.args.get("limit")
    if node is None:
        return None
    value = node.expression
    text = str(value.this) if isinstance(value, exp.Literal) and not value.is_string else ""
    if not (text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= MAX_LIMIT):
        raise Refused(f"LIMIT takes an integer from 1 to {MAX_LIMIT}.")
    return int(text)


def _check_grouping(query: Query, *, having_given: bool) -> None:
    if having_given and not query.group_by:
        raise Refused("HAVING needs GROUP BY.")
    if not query.is_aggregated:
        if any(isinstance(order.by, Aggregate) for order in query.order_by):
            raise Refused("ORDER BY an aggregate needs that aggregate in the select list.")
        return
    tested = operands_of(query.having) if query.having else ()
    if any(isinstance(operand, ColumnRef) and operand not in query.group_by for operand in tested):
        raise Refused("HAVING takes columns of GROUP BY, and aggregates.")
    for expression in (*query.outputs, *(order.by for order in query.order_by)):
        if isinstance(expression, ColumnRef) and expression not in query.group_by:
            raise Refused(f"The column {expression.column.name} must be in GROUP BY, or inside an aggregate.")
        if isinstance(expression, Aggregate) and expression not in query.outputs:
            raise Refused("ORDER BY an aggregate needs that aggregate in the select list.")
