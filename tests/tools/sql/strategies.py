"""Statements of the allowed language, and hostile changes of them."""

from hypothesis import strategies as st

from tests.tools.sql.cases import load

NUMBERS = ("id", "customer_id", "total_cents")
TEXTS = ("status", "note")
COLUMNS = (*NUMBERS, *TEXTS, "created_at")

HOSTILE = (
    ";",
    "--",
    "/*",
    "*/",
    "/*!",
    "#",
    "'",
    '"',
    "`",
    "[",
    "]",
    "(",
    ")",
    ",",
    "*",
    "?",
    "%s",
    ":x",
    "@x",
    "@@version",
    "$1",
    "\\",
    "||",
    "::text",
    "->>",
    "\x00",
    "\u00a0",
    "\u3000",
    "\u200b",
    "0x41",
    "x'41'",
    "1e999",
    "NULL",
    "TRUE",
    "UNION SELECT",
    "UNION ALL",
    "EXCEPT",
    "INTO OUTFILE '/tmp/x'",
    "INTO x",
    "FOR UPDATE",
    "DISTINCT",
    "ALL",
    "LIMIT 5",
    "OFFSET 1",
    "OR 1=1",
    "AND",
    "NOT",
    "WITH x AS (SELECT 1)",
    "CROSS JOIN customers",
    ", customers",
    "NATURAL",
    "USING (id)",
    "DROP TABLE orders",
    "; DELETE FROM orders",
    "PRAGMA query_only=OFF",
    "ATTACH 'x' AS x",
    "load_extension('x')",
    "sqlite_master",
    "hidden_audit",
    "email",
    "api_key",
    "COLLATE NOCASE",
    "ESCAPE '!'",
    "OVER ()",
    "FILTER (WHERE 1)",
    "CASE WHEN 1 THEN 2 END",
    "CAST(id AS TEXT)",
    "EXISTS (SELECT 1)",
    "GROUP BY 1",
    "HAVING 1",
    "ORDER BY 2",
    "{{x}}",
    "{#",
)


def _text_literal() -> st.SearchStrategy[str]:
    alphabet = st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"))
    return st.text(alphabet, max_size=12).map(lambda text: "'" + text.replace("'", "''") + "'")


def _comparison() -> st.SearchStrategy[str]:
    number = st.integers(-(2**63) + 1, 2**63 - 1).map(str)
    operator = st.sampled_from(("=", "<>", "!=", "<", "<=", ">", ">="))
    numeric = st.builds("{} {} {}".format, st.sampled_from(NUMBERS), operator, number)
    textual = st.builds("{} {} {}".format, st.sampled_from(TEXTS), operator, _text_literal())
    listed = st.builds(
        lambda name, no, values: f"{name} {no}IN ({', '.join(values)})",
        st.sampled_from(TEXTS), st.sampled_from(("", "NOT ")), st.lists(_text_literal(), min_size=1, max_size=3),
    )  # fmt: skip
    between = st.builds("{} {}BETWEEN {} AND {}".format, st.sampled_from(NUMBERS), _maybe("NOT "), number, number)
    null = st.builds("{} IS {}NULL".format, st.sampled_from(COLUMNS), _maybe("NOT "))
    return numeric | textual | listed | between | null


def _maybe(word: str) -> st.SearchStrategy[str]:
    return st.sampled_from(("", word))


def conditions() -> st.SearchStrategy[str]:
    """Conditions of any shape, a few levels deep."""
    return st.recursive(
        _comparison(),
        lambda inner: (
            st.builds("({} {} {})".format, inner, st.sampled_from(("AND", "OR")), inner)
            | st.builds("{} {} {}".format, inner, st.sampled_from(("AND", "OR")), inner)
            | inner.map("NOT ({})".format)
        ),
        max_leaves=6,
    )


@st.composite
def statements(draw: st.DrawFn) -> str:
    """A statement of the allowed language over ``orders``."""
    where = draw(_maybe(" WHERE ") | st.just(" WHERE "))
    where = where and where + draw(conditions())
    if draw(st.booleans()):
        names = draw(st.lists(st.sampled_from(COLUMNS), min_size=1, max_size=4, unique=True))
        order = draw(st.sampled_from(("", *(f" ORDER BY {name} DESC" for name in COLUMNS))))
        return f"SELECT {', '.join(names)} FROM orders{where}{order}"
    group = draw(st.sampled_from(COLUMNS))
    aggregate = draw(st.sampled_from(("COUNT(*)", "COUNT(DISTINCT note)", "SUM(total_cents)", "MAX(id)")))
    having = draw(st.sampled_from(("", f" HAVING {aggregate} > 1", " HAVING n <= 3.5")))
    return f"SELECT {group}, {aggregate} AS n FROM orders{where} GROUP BY {group}{having} ORDER BY n DESC, {group}"


@st.composite
def mutations(draw: st.DrawFn) -> str:
    """A statement of the files or of the language with hostile text put in, or parts taken out."""
    known = st.sampled_from([case.sql for name in ("allowed.sql", "refused__invalid.sql") for case in load(name)])
    text = draw(known | statements())
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(text)))
        dropped = draw(st.sampled_from((0, 0, 0, 1, 5)))
        text = (
            text[:place] + draw(st.sampled_from(("", " "))) + draw(st.sampled_from(HOSTILE)) + text[place + dropped :]
        )
    return text
