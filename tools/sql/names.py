"""Resolves table and column names of a statement to catalogue entries; a column resolves to exactly one. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlglot import exp

from tools.sql.catalogue import Catalogue, Column, Dialect, Table
from tools.sql.refusal import Refused, shown
from tools.sql.statement import ColumnRef, Relation

MAX_TABLES = 5
_SHOWN_NAMES = 12


@dataclass(frozen=True)
class Named:
    """A relation under the name by which the statement calls it."""

    name: str
    """Alias if there is one, else the table's name."""
    relation: Relation


@dataclass(frozen=True)
class Names:
    """The relations of a statement, in order of occurrence."""

    dialect: Dialect
    named: tuple[Named, ...]

    def column(self, node: exp.Column) -> ColumnRef:
        """The one column meant.

        Raises:
            Refused: no relation, or more than one, has it.
        """
        exact = self._exact(node.this)
        name = _folded(_identifier(node.this), self.dialect, exact=exact)
        among = self._relations(node)
        found = [ref for entry in among if (ref := _column_of(entry.relation, name, exact=exact))]
        if len(found) == 1:
            return found[0]
        if found:
            raise Refused(f"The column {shown(name)} is in more than one table; write table.column.")
        raise Refused(f"There is no column {shown(name)}; {_offer(among)}.")

    def _relations(self, node: exp.Column) -> tuple[Named, ...]:
        if not node.args.get("table"):
            return self.named
        wanted = _identifier(node.args["table"])
        among = tuple(entry for entry in self.named if entry.name.lower() == wanted.lower())
        if not among:
            raise Refused(f"There is no table or alias {shown(wanted)} in this statement.")
        return among

    def _exact(self, node: object) -> bool:
        """Only PostgreSQL tells quoted names apart by letter case."""
        return self.dialect is Dialect.POSTGRES and isinstance(node, exp.Identifier) and bool(node.args.get("quoted"))

    def knows(self, column: exp.Column) -> bool:
        """True if some relation has a column of this unqualified name."""
        name = _identifier(column.this)
        return any(_column_of(entry.relation, name, exact=False) for entry in self.named)


def resolve_tables(select: exp.Select, catalogue: Catalogue) -> Names:
    """The relations of FROM and JOIN.

    Raises:
        Refused: an unknown table, two relations of one name, too many of them, or no FROM.
    """
    source = select.args.get("from_")
    if not isinstance(source, exp.From):
        raise Refused("A SELECT needs FROM with one of the listed tables.")
    nodes = [source.this, *(join.this for join in select.args.get("joins") or [])]
    if len(nodes) > MAX_TABLES:
        raise Refused(f"At most {MAX_TABLES} tables can be joined.")
    named = tuple(_named(index, node, catalogue) for index, node in enumerate(nodes))
    if len({entry.name.lower() for entry in named}) < len(named):
        raise Refused("Two tables of this statement have the same name; give each its own alias.")
    return Names(catalogue.dialect, named)


def _named(index: int, node: exp.Expr, catalogue: Catalogue) -> Named:
    if not isinstance(node, exp.Table):
        raise Refused("Only listed tables can follow FROM and JOIN.")
    table = _table(node, catalogue)
    alias = node.args.get("alias")
    name = _identifier(alias.this) if isinstance(alias, exp.TableAlias) else table.name
    return Named(name, Relation(index, table))


def _table(node: exp.Table, catalogue: Catalogue) -> Table:
    schema = _identifier(node.args["db"]) if node.args.get("db") else ""
    exact = catalogue.dialect is Dialect.POSTGRES and bool(node.this.args.get("quoted"))
    name = _folded(_identifier(node.this), catalogue.dialect, exact=exact)
    table = catalogue.find(name, schema=schema, exact=exact)
    if table is None:
        names = _list(catalogue.label(entry) for entry in catalogue.tables)
        raise Refused(f"There is no single table {shown(node.name)} here; the tables are {names}.")
    return table


def _folded(name: str, dialect: Dialect, *, exact: bool) -> str:
    """The name as the server reads it: PostgreSQL folds one without quotes to lower case."""
    return name.lower() if dialect is Dialect.POSTGRES and not exact else name


def _identifier(node: object) -> str:
    if not isinstance(node, exp.Identifier) or not isinstance(node.this, str):
        raise Refused("Only plain names of listed tables and columns are allowed here.")
    return node.this


def _column_of(relation: Relation, name: str, *, exact: bool) -> ColumnRef | None:
    column: Column | None = relation.table.find(name, exact=exact)
    return ColumnRef(relation.index, column) if column else None


def _offer(among: Iterable[Named]) -> str:
    return "; ".join(
        f"{entry.relation.table.name} has {_list(column.name for column in entry.relation.table.columns)}"
        for entry in among
    )


def _list(names: Iterable[str]) -> str:
    every = tuple(names)
    more = f" and {len(every) - _SHOWN_NAMES} more" if len(every) > _SHOWN_NAMES else ""
    return ", ".join(every[:_SHOWN_NAMES]) + more
