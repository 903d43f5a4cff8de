"""Every hostile statement of the corpus is refused with a code, whatever path through the parser it takes."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import ValidationError

from state.model.errors import InvalidToolInput
from state.model.evidence import Window
from tests.tools.sql.corpus.reading import categories, corpus
from tests.tools.sql.corpus.world import ALLOWLIST, catalogue, script
from tests.tools.sql.samples import WallClock, shop_file
from tools.contract import CallContext
from tools.sql.catalogue import Dialect
from tools.sql.query_sql import QuerySql
from tools.sql.refusal import MAX_WHY_CHARS, Refusal
from tools.sql.sqlite_source import open_sqlite_file
from tools.sql.tokens import MAX_SQL_BYTES
from tools.sql.validator import validate

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
CONTEXT = CallContext(now=NOW, time_zone="UTC", default_window=Window(start=NOW, end=NOW), kb_scope="t")
CODES = {"NOT_READ_ONLY", "INVALID_REQUEST"}
PLACES = [(dialect, category) for dialect in Dialect for category in categories("hostile", dialect)]


@pytest.mark.parametrize("dialect", Dialect)
def test_the_corpus_holds_enough_different_statements(dialect: Dialect) -> None:
    statements = corpus("hostile", dialect)

    assert len({(statement.sql, statement.params) for statement in statements}) == len(statements) >= 1000
    assert len(categories("hostile", dialect)) >= 45


@pytest.mark.timeout(60)  # one that takes the parser minutes is not refused but hangs
@pytest.mark.parametrize(("dialect", "category"), PLACES, ids=lambda part: str(part))
def test_a_hostile_statement_is_refused_with_its_code(dialect: Dialect, category: str) -> None:
    offered = catalogue(dialect)
    wrong = []
    for statement in corpus("hostile", dialect):
        if statement.category == category:
            found = validate(statement.sql, statement.params, offered)
            codes = {statement.code} if statement.code else CODES
            if not (isinstance(found, Refusal) and found.code in codes and 20 < len(found.why) <= MAX_WHY_CHARS):
                wrong.append((statement.sql[:200], found))

    assert wrong == []


@pytest.mark.timeout(60)
def test_the_tool_turns_each_away_before_anything_is_asked(tmp_path: Path) -> None:
    path = shop_file(tmp_path, script(Dialect.SQLITE))
    tool = QuerySql({"shop": open_sqlite_file(path, clock=WallClock(), allowlist=ALLOWLIST)})

    for statement in corpus("hostile", Dialect.SQLITE):
        try:
            given = {"datasource": "shop", "sql": statement.sql, "params": statement.params}
            arguments = tool.input_model.model_validate(given)
        except ValidationError:
            assert len(statement.sql) > MAX_SQL_BYTES or not _is_unicode(
                statement.sql + "".join(map(str, statement.params))
            )
        else:
            with pytest.raises(InvalidToolInput) as caught:
                tool.prepare(arguments, CONTEXT)
            assert caught.value.code in CODES


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in text)
