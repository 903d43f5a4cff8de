"""Decides whether a statement may run, and rebuilds it. Pure; fails closed.

Text → tokens → syntax tree → allowlist of nodes and parts → a ``Query`` with every name resolved → text again.
Only the last text is run: no byte of it comes from the model, and every value travels as a bound parameter.
"""

from dataclasses import dataclass

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from state.model.enums import ToolCode
from state.model.evidence import Scalar
from tools.sql.catalogue import Catalogue, Dialect
from tools.sql.grammar import NotUnderstood, to_trees
from tools.sql.refusal import Refusal, Refused
from tools.sql.render import output_names, render_bound, render_normalised
from tools.sql.shapes import check_shapes
from tools.sql.statement import Constant, Query, columns_of
from tools.sql.tokens import count_tokens, tokenize
from tools.sql.translate import translate
from tools.sql.values import check_params


@dataclass(frozen=True)
class ValidSql:
    """A statement that may run."""

    sql: str
    """To run: names quoted, each ``?`` a placeholder, no LIMIT (the source adds its row cap)."""
    params: tuple[Constant, ...]
    """Values in the order of the placeholders."""
    tables: tuple[str, ...]
    """Names of the tables read, sorted; with schema where the name alone is not unique."""
    columns: tuple[str, ...]
    """``table.column`` of every column named, sorted."""
    normalised: str
    """Equal for trivially reworded statements; without LIMIT; itself a valid statement."""
    limit: int | None
    """LIMIT as asked for, 1–100."""
    query: Query
    """The parsed form."""
    outputs: tuple[str, ...]
    """Name of each output in evidence."""
    dialect: Dialect = Dialect.SQLITE
    """In which it is written."""


def validate(sql: str, params: tuple[Scalar, ...], catalogue: Catalogue) -> ValidSql | Refusal:
    """The statement to run, or why it is refused. Never raises.

    Refused NOT_READ_ONLY if it is, or holds, anything but reading; INVALID_REQUEST for any other reason.
    """
    try:
        return _validate(sql, params, catalogue)
    except Refused as refused:
        return refused.refusal


def _validate(sql: str, params: tuple[Scalar, ...], catalogue: Catalogue) -> ValidSql:
    tokens = tokenize(sql, catalogue.dialect)
    select = check_shapes(_parse(tokens, sql, catalogue.dialect))
    _check_nothing_lost(tokens, select)
    query = translate(select, catalogue, check_params(params, catalogue.dialect))
    text, bound = render_bound(query, catalogue)
    normalised = render_normalised(query, catalogue)
    # With parameters in place it may have grown; what is too large now would be refused when it is read again.
    tokenize(normalised, catalogue.dialect)
    tables = [catalogue.label(relation.table) for relation in query.relations]
    return ValidSql(
        sql=text,
        params=bound,
        tables=tuple(sorted(set(tables))),
        columns=tuple(sorted({f"{tables[ref.relation]}.{ref.column.name}" for ref in columns_of(query)})),
        normalised=normalised,
        limit=query.limit,
        query=query,
        outputs=output_names(query, catalogue),
        dialect=catalogue.dialect,
    )


def _parse(tokens: list[Token], sql: str, dialect: Dialect) -> exp.Expr:
    opens_as_select = tokens[0].token_type is TokenType.SELECT
    try:
        trees = to_trees(tokens, sql, dialect)
    except NotUnderstood as error:
        code = ToolCode.INVALID_REQUEST if opens_as_select else ToolCode.NOT_READ_ONLY
        why = "The statement is not a SELECT this tool understands; send one plain SELECT ... FROM ... WHERE ..."
        raise Refused(why, code=code) from error
    tree = trees[0] if len(trees) == 1 else None
    if tree is None:
        raise Refused("Several statements are not allowed; send one SELECT.")
    return tree


def _check_nothing_lost(tokens: list[Token], select: exp.Select) -> None:
    """Nothing, if the tree holds every word that matters.

    Raises:
        Refused: the parser has read a word and forgotten it, or taken something else for a placeholder.
    """
    kept = {TokenType.PLACEHOLDER: exp.Placeholder, TokenType.STAR: exp.Star}
    if any(count_tokens(tokens, token) != len(list(select.find_all(node))) for token, node in kept.items()):
        raise Refused("Use ? for parameters and * only in COUNT(*).")
    if count_tokens(tokens, TokenType.COMMA) != _separators(select):
        raise Refused("A comma is out of place; send one plain SELECT.")
    if count_tokens(tokens, TokenType.ALL):
        raise Refused("ALL is not allowed; send one plain SELECT.")
    if _dots(tokens) != _qualified(select):
        raise Refused("A dot is out of place; write table.column.")
    if not _is_in_order(tokens) or any(not group.expressions for group in select.find_all(exp.Group)):
        raise Refused("Clauses come once each, in the order FROM, WHERE, GROUP BY, HAVING, ORDER BY, LIMIT.")
    if count_tokens(tokens, TokenType.ASC) + count_tokens(tokens, TokenType.DESC) > len(
        list(select.find_all(exp.Ordered))
    ):
        raise Refused("ASC or DESC is out of place.")


_CLAUSES = (
    TokenType.SELECT, TokenType.FROM, TokenType.WHERE, TokenType.GROUP_BY, TokenType.HAVING, TokenType.ORDER_BY,
    TokenType.LIMIT,
)  # fmt: skip


def _is_in_order(tokens: list[Token]) -> bool:
    places = [_CLAUSES.index(token.token_type) for token in tokens if token.token_type in _CLAUSES]
    return places == sorted(set(places))


def _dots(tokens: list[Token]) -> int:
    """Dots between names; one that opens a number (``.5``) is part of it."""
    return sum(
        token.token_type is TokenType.DOT and after.token_type is not TokenType.NUMBER
        for token, after in zip(tokens, [*tokens[1:], tokens[-1]], strict=True)
    )


def _qualified(select: exp.Select) -> int:
    """Names that the tree holds with the name before them."""
    return sum(node.args.get("table") is not None for node in select.find_all(exp.Column)) + sum(
        node.args.get("db") is not None for node in select.find_all(exp.Table)
    )


def _separators(select: exp.Select) -> int:
    """Commas that the tree accounts for: between the entries of each list (joins are no comma list)."""
    parts = ((name, part) for node in select.walk() for name, part in node.args.items() if name != "joins")
    return sum(len(part) - 1 for _, part in parts if isinstance(part, list) and part)
