"""The door to the SQL parser: text to tokens, tokens to trees, and its failures in one shape.

The parser logs text of statements it does not know; text of a request has no place in a log.
"""

import logging

from sqlglot import exp
from sqlglot.dialects import Dialect as Grammar
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from tools.sql.catalogue import Dialect

logging.getLogger("sqlglot").setLevel(logging.CRITICAL + 1)

_FAILURES = (SqlglotError, RecursionError, ValueError, TypeError, AttributeError, LookupError)
"""All a parser may raise on hostile text; each means the same."""


class NotUnderstood(Exception):
    """The text is not of this grammar."""


def to_tokens(text: str, dialect: Dialect) -> list[Token]:
    """The tokens of a text; each knows where it starts and ends.

    Raises:
        NotUnderstood: it has none, as with an unclosed quote.
    """
    try:
        tokens: list[Token] = Grammar.get_or_raise(dialect.value).tokenize(text)
    except _FAILURES as error:
        raise NotUnderstood from error
    return tokens


def to_trees(tokens: list[Token], text: str, dialect: Dialect) -> list[exp.Expr | None]:
    """One tree a statement.

    Raises:
        NotUnderstood: the tokens are no statement.
    """
    try:
        trees: list[exp.Expr | None] = Grammar.get_or_raise(dialect.value).parser().parse(tokens, text)
    except _FAILURES as error:
        raise NotUnderstood from error
    return trees


def is_single_name(text: str, dialect: Dialect) -> bool:
    """True if the text is one word and no keyword."""
    tokens = to_tokens(text, dialect)
    return len(tokens) == 1 and tokens[0].token_type is TokenType.VAR
