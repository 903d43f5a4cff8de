"""What is judged before a tree is built: size, characters, comments, a single statement, its first word. Pure.

Nothing may hide between tokens: the text outside them is blank, or the statement is refused.
"""

import unicodedata
from itertools import accumulate

from sqlglot.tokenizer_core import Token, TokenType

from state.model.enums import ToolCode
from tools.sql.catalogue import Dialect
from tools.sql.grammar import NotUnderstood, to_tokens
from tools.sql.refusal import Refused, shown

MAX_SQL_BYTES = 8 * 1024
MAX_NESTING = 32
"""Deeper brackets or NOTs than any readable condition; refused before the parser recurses into them."""
MAX_JOINS = 4
"""The parser's work doubles with each further JOIN whose ON is missing."""
MAX_ODD = 16
"""Of what no accepted statement holds; the parser's work grows with the square of it, and more."""

_BLANK = " \t\r\n"
_OPENERS = frozenset({TokenType.SELECT, TokenType.WITH, TokenType.L_PAREN})
_BRACKETS = {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}
_ODD = frozenset({TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.ARROW, TokenType.DARROW, TokenType.DCOLON})
_ODD_PAIRS = frozenset({(TokenType.R_PAREN, TokenType.DOT), (TokenType.R_PAREN, TokenType.L_PAREN)})
_TEXTUAL = frozenset({TokenType.VAR, TokenType.IDENTIFIER, TokenType.STRING, TokenType.SEMICOLON})
"""What may hold any letters; every other token is a word or sign of the language."""


def tokenize(sql: str, dialect: Dialect) -> list[Token]:
    """The tokens of the one statement, without a closing semicolon.

    Raises:
        Refused: too large, forbidden characters, comments, several statements, or not a SELECT.
    """
    _check_characters(sql)
    try:
        tokens = to_tokens(sql, dialect)
    except NotUnderstood as error:
        code = ToolCode.INVALID_REQUEST if sql.lstrip().lower().startswith("select") else ToolCode.NOT_READ_ONLY
        why = "The statement is not valid SQL (an unclosed quote or comment?); send one SELECT."
        raise Refused(why, code=code) from error
    _check_first_words(tokens)
    _check_gaps(sql, tokens)
    if tokens[-1].token_type is TokenType.SEMICOLON:
        tokens = tokens[:-1]
    _check_single(tokens)
    _check_nesting(tokens)
    _check_effort(tokens)
    return tokens


def count_tokens(tokens: list[Token], kind: TokenType) -> int:
    """How often this kind of token occurs."""
    return sum(token.token_type is kind for token in tokens)


def _check_characters(sql: str) -> None:
    if len(sql.encode("utf-8", "surrogatepass")) > MAX_SQL_BYTES:
        raise Refused(f"The statement is longer than {MAX_SQL_BYTES} bytes; send a shorter SELECT.")
    if not sql.strip():
        raise Refused("The statement is empty; send one SELECT.")
    bad = first_forbidden(sql, allowed=_BLANK)
    if bad is not None:
        raise Refused(f"The character U+{ord(bad):04X} is not allowed in a statement; pass such text as a parameter.")


def first_forbidden(text: str, *, allowed: str = "\t\r\n") -> str | None:
    """The first control character or lone surrogate, or None."""
    return next((char for char in text if char not in allowed and unicodedata.category(char) in ("Cc", "Cs")), None)


def _check_first_words(tokens: list[Token]) -> None:
    """Nothing, if every statement of the text opens as a query.

    Raises:
        Refused: one does not, so the text does more than read.
    """
    for before, token in zip([None, *tokens], tokens, strict=False):
        opens = before is None or before.token_type is TokenType.SEMICOLON
        if opens and (token.token_type not in _OPENERS | {TokenType.SEMICOLON} or not token.text.isascii()):
            why = f"Only one SELECT statement is allowed, not {shown(token.text.upper())}."
            raise Refused(why, code=ToolCode.NOT_READ_ONLY)


def _check_gaps(sql: str, tokens: list[Token]) -> None:
    ends = [-1, *(token.end for token in tokens)]
    starts = [*(token.start for token in tokens), len(sql)]
    gaps = "".join(sql[end + 1 : start] for end, start in zip(ends, starts, strict=True))
    if gaps.strip(_BLANK):
        raise Refused("Comments are not allowed; send the bare SELECT, with plain spaces between its words.")


def _check_single(tokens: list[Token]) -> None:
    if not tokens or count_tokens(tokens, TokenType.SEMICOLON):
        raise Refused("Several statements are not allowed; send one SELECT.")


def _check_nesting(tokens: list[Token]) -> None:
    steps = (_BRACKETS.get(token.token_type, 0) for token in tokens)
    deepest = max(accumulate(steps), default=0)
    if max(deepest, count_tokens(tokens, TokenType.NOT)) > MAX_NESTING:
        raise Refused(f"More than {MAX_NESTING} brackets or NOTs are not allowed; simplify the condition.")


def _check_effort(tokens: list[Token]) -> None:
    """Nothing, if the parser will soon be done with it.

    Raises:
        Refused: it holds too much of what the parser reads again and again; or words of the language in letters that
            only look, or fold, like them.
    """
    if count_tokens(tokens, TokenType.JOIN) > MAX_JOINS:
        raise Refused(f"At most {MAX_JOINS + 1} tables can be joined.")
    kinds = [token.token_type for token in tokens]
    odd = sum(kind in _ODD for kind in kinds) + sum(pair in _ODD_PAIRS for pair in zip(kinds, kinds[1:], strict=False))
    if odd > MAX_ODD:
        raise Refused("Arrays, casts and field accesses are not allowed; send one plain SELECT.")
    if not all(token.text.isascii() for token in tokens if token.token_type not in _TEXTUAL):
        raise Refused("Keywords and numbers are written in ASCII letters and digits.")
