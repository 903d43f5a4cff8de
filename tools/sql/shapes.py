"""The allowlist of syntax: which nodes a statement may hold, and which parts of each may be set. Pure.

Whatever the parser can read but this table does not name is refused, with all it will learn to read.
"""

from sqlglot import exp

from state.model.enums import ToolCode
from tools.sql.refusal import Refused

_PAIR = frozenset({"this", "expression"})
_THIS = frozenset({"this"})
_LIST = frozenset({"expressions"})

ALLOWED: dict[type[exp.Expr], frozenset[str]] = {
    exp.Select: frozenset({"expressions", "from_", "joins", "where", "group", "having", "order", "limit"}),
    exp.From: _THIS,
    exp.Table: frozenset({"this", "db", "alias"}),
    exp.TableAlias: _THIS,
    exp.Join: frozenset({"this", "on", "side", "kind"}),
    exp.Where: _THIS,
    exp.Group: _LIST,
    exp.Having: _THIS,
    exp.Order: _LIST,
    exp.Ordered: frozenset({"this", "desc", "nulls_first"}),
    exp.Limit: frozenset({"expression"}),
    exp.Column: frozenset({"this", "table"}),
    exp.Identifier: frozenset({"this", "quoted"}),
    exp.Alias: frozenset({"this", "alias"}),
    exp.Star: frozenset(),
    exp.Count: frozenset({"this", "big_int"}),
    exp.Sum: _THIS,
    exp.Avg: _THIS,
    exp.Min: _THIS,
    exp.Max: _THIS,
    exp.Distinct: _LIST,
    exp.And: _PAIR,
    exp.Or: _PAIR,
    exp.Not: _THIS,
    exp.Paren: _THIS,
    exp.EQ: _PAIR,
    exp.NEQ: _PAIR,
    exp.LT: _PAIR,
    exp.LTE: _PAIR,
    exp.GT: _PAIR,
    exp.GTE: _PAIR,
    exp.Like: frozenset({"this", "expression", "negate"}),
    exp.Between: frozenset({"this", "low", "high"}),
    exp.In: frozenset({"this", "expressions"}),
    exp.Is: frozenset({"this", "expression", "negate"}),
    exp.Null: frozenset(),
    exp.Neg: _THIS,
    exp.Literal: frozenset({"this", "is_string"}),
    exp.Placeholder: frozenset({"jdbc"}),
}

_NODE_WORDS: dict[type[exp.Expr], str] = {
    exp.Subquery: "A subquery or bracketed join is not allowed; query one plain list of tables.",
    exp.Select: "A subquery is not allowed; query one plain list of tables.",
    exp.SetOperation: "UNION, INTERSECT and EXCEPT are not allowed; send one plain SELECT.",
    exp.With: "WITH is not allowed; send one plain SELECT.",
    exp.Window: "Window functions are not allowed; use COUNT, SUM, AVG, MIN, MAX with GROUP BY.",
    exp.Case: "CASE is not allowed; use WHERE conditions.",
    exp.Interval: "INTERVAL is not allowed; write the time itself as a string.",
    exp.Cast: "Casts and typed literals are not allowed; write the value as a plain string or number.",
    exp.Collate: "COLLATE is not allowed; compare with =, LIKE or IN.",
    exp.Escape: "ESCAPE is not allowed; use a plain LIKE pattern.",
    exp.ILike: "ILIKE is not allowed; use LIKE.",
    exp.Boolean: "TRUE and FALSE are not allowed, and a JOIN needs ON with equal columns; compare with a value.",
    exp.Parameter: "Variables and numbered or named parameters are not allowed; use ? and params.",
    exp.SessionParameter: "Variables are not allowed; use ? and params.",
    exp.Offset: "OFFSET is not allowed; narrow the WHERE condition.",
    exp.Fetch: "FETCH is not allowed; use LIMIT.",
    exp.Into: "INTO is not allowed: only reading is.",
    exp.Lock: "Row locks (FOR UPDATE, FOR SHARE) are not allowed: only reading is.",
    exp.Tuple: "Row values such as (a, b) are not allowed; compare one column at a time.",
    exp.NullSafeEQ: "IS may only be followed by NULL or NOT NULL; compare with = or <>.",
    exp.Filter: "FILTER is not allowed; put the condition into WHERE.",
}
_ARG_WORDS: dict[tuple[type[exp.Expr], str], str] = {
    (exp.Select, "distinct"): "SELECT DISTINCT is not allowed; use GROUP BY.",
    (exp.Select, "hint"): "Comments and hints are not allowed; send the bare SELECT.",
    (exp.Select, "with_"): _NODE_WORDS[exp.With],
    (exp.Select, "into"): _NODE_WORDS[exp.Into],
    (exp.Select, "locks"): _NODE_WORDS[exp.Lock],
    (exp.Select, "offset"): _NODE_WORDS[exp.Offset],
    (exp.Join, "using"): "USING is not allowed; write the JOIN condition as ON a.x = b.x.",
    (exp.Join, "method"): "NATURAL and special joins are not allowed; use JOIN or LEFT JOIN with ON.",
    (exp.Column, "db"): "Columns take the form table.column.",
    (exp.In, "query"): _NODE_WORDS[exp.Select],
    (exp.Placeholder, "this"): _NODE_WORDS[exp.Parameter],
    (exp.TableAlias, "columns"): "Column lists in a table alias are not allowed.",
}
_WRITING = (exp.DML, exp.DDL, exp.Into, exp.Lock, exp.Command, exp.Set, exp.Pragma)


def check_shapes(tree: exp.Expr) -> exp.Select:
    """The tree itself, as the plain SELECT it is: every node and every set part of it is in the table.

    Raises:
        Refused: it holds anything else; the outermost such thing is named.
    """
    code = ToolCode.INVALID_REQUEST if _only_reads(tree) else ToolCode.NOT_READ_ONLY
    if not isinstance(tree, exp.Select):
        raise Refused(_words_for(tree), code=code)
    for node in tree.walk(bfs=True):
        if type(node) not in ALLOWED or (type(node) is exp.Select and node is not tree):
            raise Refused(_words_for(node), code=code)
        for part in _set_parts(node) - ALLOWED[type(node)]:
            raise Refused(_words_for_part(node, part), code=code)
    return tree


def _only_reads(tree: exp.Expr) -> bool:
    return isinstance(tree, exp.Query) and next(tree.find_all(*_WRITING), None) is None


def _set_parts(node: exp.Expr) -> frozenset[str]:
    """Names of the parts that hold something; a part that is merely False counts unless it is a known flag."""
    return frozenset(name for name, value in node.args.items() if value is not None and value != [])


def _words_for(node: exp.Expr) -> str:
    for kind, words in _NODE_WORDS.items():
        if isinstance(node, kind):
            return words
    if isinstance(node, exp.Func):
        return f"The function {_name_of(node)} is not allowed; only COUNT, SUM, AVG, MIN and MAX are."
    if isinstance(node, (exp.Binary, exp.Unary)):
        return f"The operator {node.key.upper()} is not allowed; use = <> < <= > >= IN BETWEEN LIKE IS NULL AND OR NOT."
    return f"{node.key.upper()} is not allowed; send one plain SELECT over the listed tables."


def _words_for_part(node: exp.Expr, part: str) -> str:
    word = part.rstrip("_").replace("_", " ")
    default = f"{word!r} in {node.key.upper()} is not allowed; send one plain SELECT over the listed tables."
    return _ARG_WORDS.get((type(node), part), default)


def _name_of(function: exp.Func) -> str:
    name = function.name if isinstance(function, exp.Anonymous) else function.sql_name()
    return name[:40].upper()
