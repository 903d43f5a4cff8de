"""What holds for every statement, however odd."""

import asyncio
import functools
import re
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp, parse

from tests.tools.sql.samples import ALLOWLIST, SCRIPT, WallClock, shop, valid
from tests.tools.sql.strategies import mutations, statements
from tools.sql.catalogue import Dialect
from tools.sql.refusal import Refusal
from tools.sql.shapes import ALLOWED
from tools.sql.sizes import READ_CELL_CHARS
from tools.sql.sqlite_source import SqliteSource, open_sql_script
from tools.sql.validator import ValidSql, validate

DIALECTS = st.sampled_from(list(Dialect))

BOUNDING = (exp.Left, exp.Cast, exp.DataType, exp.ByteLength)
"""What is put around an output so that no cell is larger than can be shown."""


@functools.cache
def source() -> SqliteSource:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shop.sql"
        path.write_text(SCRIPT, encoding="utf-8")
        return open_sql_script(path, clock=WallClock(), allowlist=ALLOWLIST)


def is_plain(found: ValidSql, dialect: Dialect) -> bool:
    """The text to run is one SELECT over allowlisted columns that are not sensitive, with no literal of the model's."""
    (tree,) = parse(found.sql, dialect=dialect.value)
    assert isinstance(tree, exp.Select)
    assert {type(node) for node in tree.walk()} <= {*ALLOWED, *BOUNDING}
    tables = {table.name: table for table in shop(dialect).tables}
    named = {table.alias_or_name: table.name for table in tree.find_all(exp.Table)}
    assert set(named.values()) <= set(tables)
    for column in tree.find_all(exp.Column):
        among = [tables[named[column.table]]] if column.table else [tables[name] for name in named.values()]
        known = [entry for table in among if (entry := table.find(column.name, exact=True))]
        assert known and not any(entry.sensitive for entry in known)
    assert {str(literal.this) for literal in tree.find_all(exp.Literal)} <= {"[MASKED]", str(READ_CELL_CHARS)}
    return True


@given(statements(), DIALECTS)
@settings(max_examples=60, deadline=None)
def test_every_statement_of_the_language_is_accepted_and_plain(sql: str, dialect: Dialect) -> None:
    if dialect is Dialect.MYSQL:
        sql = sql.replace("\\", "")

    assert is_plain(valid(sql, catalogue=shop(dialect)), dialect)


@given(mutations(), DIALECTS)
@settings(max_examples=150, deadline=None)
def test_a_changed_statement_is_refused_or_still_plain(sql: str, dialect: Dialect) -> None:
    found = validate(sql, (), shop(dialect))

    assert isinstance(found, Refusal) or is_plain(found, dialect)


@given(mutations() | statements())
@settings(max_examples=80, deadline=None)
def test_whatever_is_accepted_runs_inside_the_sandbox(sql: str) -> None:
    found = validate(sql, (), source().catalogue)

    assert isinstance(found, Refusal) or asyncio.run(source().run(found, timeout_s=5, row_cap=100)) is not None


@given(st.text(max_size=80) | st.text("SELECT FROM*,()'\"`;-/#?=<>\\\x00\n 1aé　", max_size=60), DIALECTS)
@settings(max_examples=80, deadline=None)
def test_any_text_gets_an_answer(sql: str, dialect: Dialect) -> None:
    assert isinstance(validate(sql, (), shop(dialect)), (Refusal, ValidSql))


@given(statements(), DIALECTS)
@settings(max_examples=50, deadline=None)
def test_case_blanks_and_closing_semicolon_do_not_make_another_scope(sql: str, dialect: Dialect) -> None:
    outside = re.split(r"('(?:[^']|'')*')", sql.replace("\\", ""))
    reworded = "".join(part if part.startswith("'") else part.replace(" ", "\n\t ").swapcase() for part in outside)

    found = valid(sql.replace("\\", ""), catalogue=shop(dialect))

    assert valid(f" {reworded} ;", catalogue=shop(dialect)).normalised == found.normalised


@given(st.lists(st.text(max_size=8) | st.integers() | st.floats() | st.booleans() | st.none(), max_size=60))
@settings(max_examples=50, deadline=None)
def test_any_parameters_get_an_answer(params: list[str | int | float | bool | None]) -> None:
    marks = ", ".join("?" for _ in params) or "1"

    found = validate(f"SELECT id FROM orders WHERE id IN ({marks})", tuple(params), shop())

    assert isinstance(found, (Refusal, ValidSql))


@given(
    st.lists(st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=8), min_size=1, max_size=9)
)
@settings(max_examples=60, deadline=None)
def test_a_parameter_and_the_same_literal_are_one_scope(values: list[str]) -> None:
    marks = ", ".join("?" for _ in values)
    literals = ", ".join("'" + value.replace("'", "''") + "'" for value in values)

    with_params = valid(f"SELECT id FROM orders WHERE note IN ({marks})", *values)
    with_literals = valid(f"SELECT id FROM orders WHERE note IN ({literals})")

    assert with_params == with_literals
