"""The statement files, walked."""

import pytest

from tests.tools.sql.cases import Case, load
from tests.tools.sql.samples import shop
from tools.sql.catalogue import Dialect
from tools.sql.refusal import MAX_WHY_CHARS, Refusal
from tools.sql.validator import ValidSql, validate

ALLOWED = load("allowed.sql")
REFUSED = load("refused__invalid.sql")


def _name(case: Case) -> str:
    return f"{case.dialects[-1].value}: {case.sql[:60]}"


def check_allowed(case: Case, dialect: Dialect) -> None:
    """Rebuilt with every value bound; the normal form is accepted again and means the same."""
    found = validate(case.sql, case.params, shop(dialect))
    assert isinstance(found, ValidSql), found
    assert found.sql.count("?") == len(found.params)
    assert "'" not in found.sql.replace("'[MASKED]'", "")

    again = validate(found.normalised, (), shop(dialect))
    assert isinstance(again, ValidSql), again
    assert (again.sql, again.params, again.normalised) == (found.sql, found.params, found.normalised)


def check_refused(case: Case, dialect: Dialect) -> None:
    """Named with its code and the reason that the file states."""
    code, _, reason = case.expected.partition(" ")
    found = validate(case.sql, case.params, shop(dialect))
    assert isinstance(found, Refusal), found
    assert found.code.value == code
    assert reason in found.why
    assert 20 < len(found.why) <= MAX_WHY_CHARS


def test_the_files_hold_enough_different_statements() -> None:
    assert len({case.sql for case in ALLOWED}) >= 60
    assert len({case.sql for case in REFUSED}) >= 120


@pytest.mark.parametrize("case", ALLOWED, ids=_name)
def test_an_allowed_statement_is_rebuilt_in_each_of_its_dialects(case: Case) -> None:
    for dialect in case.dialects:
        check_allowed(case, dialect)


@pytest.mark.parametrize("case", REFUSED, ids=_name)
def test_a_refused_statement_is_named_in_each_of_its_dialects(case: Case) -> None:
    for dialect in case.dialects:
        check_refused(case, dialect)
