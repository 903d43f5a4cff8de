"""Seeded statements for fuzzing: made by the grammar, and innocent ones with tokens of hostile ones put in.

The same seed gives the same statements.
"""

import random
import re
from collections.abc import Iterator
from functools import cache

from tests.tools.sql.corpus.reading import corpus
from tests.tools.sql.corpus.world import ALLOWLIST
from tools.sql.catalogue import Dialect

_TOKEN = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|`[^`]*`|[\w.@$:]+|\s+|[<>=!|&]{1,3}|.", re.DOTALL)
_NUMBERS = ("id", "customer_id", "total")
_TEXTS = ("status", "note")
_WORDS = (
    "NOT", "AND", "OR", "(", ")", ",", "=", "<>", "!", "!=", "==", "<=>", "||", "&&", "IS", "NULL", "IS NOT", "NOT NULL", "IN",
    "BETWEEN", "LIKE", "ASC", "DESC", "AS", "LEFT", "INNER", "JOIN", "ON", "DISTINCT", "ALL", "COUNT", "MAX", "*", ".", "?",
    "-", "+", "'x'", "''", '"', "`", "1", "0", "1e3", ".5", "TRUE", "email", "api_key", "receipt", "orders", "o", "x", "WHERE",
    "HAVING", "GROUP BY", "ORDER BY", "LIMIT", "3", "hidden_audit", "region", "rowid", "ctid", "USING", "NATURAL", "CROSS",
    ";", "--", "/*", "*/", "#", "\\", "UNKNOWN", "ESCAPE", "COLLATE", "ISNULL", "NOTNULL", "~~", "::", "[", "]", "@x", "$1",
    "XOR", "DIV", "BINARY", "GLOB", "ANY", "SOME", "INTERVAL", "CASE", "END", "FILTER", "OVER", "ONLY", "FINAL", "STRICT",
)  # fmt: skip


def statements(dialect: Dialect, seed: int) -> Iterator[str]:
    """Endless: a third by the grammar alone, the rest changed."""
    dice = random.Random(f"{dialect}-{seed}")
    known = [one.sql for one in corpus("innocent", dialect) if not one.params]
    while True:
        base = dice.choice(known) if dice.random() < 0.5 else _made(dice)
        yield base if dice.random() < 0.3 else _changed(base, dice, dialect)


@cache
def _hostile_tokens(dialect: Dialect) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(_TOKEN.findall(one.sql)) for one in corpus("hostile", dialect) if len(one.sql) < 200)


def _changed(sql: str, dice: random.Random, dialect: Dialect) -> str:
    tokens = _TOKEN.findall(sql)
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        place = dice.randrange(len(tokens) + 1)
        match dice.randrange(5):
            case 0:
                tokens[place:place] = [" ", dice.choice(_WORDS), " "]
            case 1:
                del tokens[place : place + dice.choice((1, 2, 4))]
            case 2:
                other = dice.randrange(len(tokens) + 1)
                low, high = sorted((place, other))
                tokens = [*tokens[:low], *tokens[high:], " ", *tokens[low:high]]
            case 3:
                donor = dice.choice(_hostile_tokens(dialect))
                start = dice.randrange(len(donor))
                tokens[place:place] = [" ", *donor[start : start + dice.randint(1, 6)], " "]
            case _:
                tokens[place : place + 1] = [dice.choice(_WORDS)]
        tokens = tokens or ["SELECT"]
    return "".join(tokens)


def _made(dice: random.Random) -> str:
    if dice.random() < 0.3:
        return _joined(dice)
    where = f" WHERE {_condition(dice, 0, '')}" if dice.random() < 0.8 else ""
    if dice.random() < 0.3:
        group = dice.choice(("status", "customer_id"))
        made = dice.choice(("COUNT(*)", "SUM(total)", "MAX(note)", "COUNT(DISTINCT note)", "MIN(created_at)"))
        having = dice.choice(("", " HAVING COUNT(*) > 1", f" HAVING NOT {group} IS NULL", " HAVING MAX(total) < 50"))
        return f"SELECT {group}, {made} AS n FROM orders{where} GROUP BY {group}{having}"
    names = dice.sample(ALLOWLIST["orders"], dice.randint(1, 3))
    order = dice.choice(("", " ORDER BY id", " ORDER BY id DESC LIMIT 4"))
    return f"SELECT {', '.join(names)} FROM orders{where}{order}"


def _joined(dice: random.Random) -> str:
    kind = dice.choice(("JOIN", "INNER JOIN", "LEFT JOIN", "LEFT OUTER JOIN"))
    pair = dice.choice(("o.customer_id = c.id", "c.id = o.customer_id", "(o.customer_id = c.id)"))
    where = f" WHERE {_condition(dice, 1, 'o.')}" if dice.random() < 0.7 else ""
    return f"SELECT o.id, c.tier FROM orders o {kind} customers c ON {pair}{where}"


def _condition(dice: random.Random, depth: int, prefix: str) -> str:
    if depth < 3 and dice.random() < 0.6:
        left, right = (_condition(dice, depth + 1, prefix) for _ in range(2))
        shape = dice.choice(("{} AND {}", "{} OR {}", "NOT {}", "({} OR {})", "NOT ({} AND {})", "({})"))
        return shape.format(left, right)
    number, text = prefix + dice.choice(_NUMBERS), prefix + dice.choice(_TEXTS)
    value = dice.choice(("1", "3", "-2", "9.90", "40", "1e1"))
    word = dice.choice(("'PAID'", "'FAILED'", "'支付超时'", "''", "'it''s'", "'; DROP TABLE orders'"))
    operator = dice.choice(("=", "<>", "!=", "<", "<=", ">", ">="))
    return dice.choice(
        (
            f"{number} {operator} {value}",
            f"{value} {operator} {number}",
            f"{text} {operator} {word}",
            f"{text} IS NULL",
            f"{number} IS NOT NULL",
            f"{number} BETWEEN {value} AND 50",
            f"{number} NOT IN ({value}, 7)",
            f"{text} IN ({word}, 'REFUNDED')",
            f"{text} LIKE '%e%'",
            f"{text} NOT LIKE 'c%'",
        )
    )
