"""The statement files, walked."""

import pytest

from tests.tools.sql.cases import Case, load
from tests.tools.sql.samples import shop
from tools.sql.refusal import MAX_WHY_CHARS, Refusal
from tools.sql.validator import ValidSql, validate

ALLOWED = load("allowed.sql")
REFUSED = load("refused__invalid.sql")


def _name(case: Case) -> str:
    return f"{case.dialect.value}: {case.sql[:60]}"


def test_the_files_hold_enough_different_statements() -> None:
    assert len({case.sql for case in ALLOWED}) >= 60
    assert len({case.sql for case in REFUSED}) >= 120


@pytest.mark.parametrize("case", ALLOWED, ids=_name)
def test_an_allowed_statement_is_rebuilt_with_every_value_bound(case: Case) -> None:
    found = validate(case.sql, case.params, shop(case.dialect))

    assert isinstance(found, ValidSql), found
    assert found.sql.count("?") == len(found.params)
    assert "'" not in found.sql.replace("'[MASKED]'", "")


@pytest.mark.parametrize("case", ALLOWED, ids=_name)
def test_the_normalised_form_of_an_allowed_statement_means_the_same(case: Case) -> None:
    found = validate(case.sql, case.params, shop(case.dialect))
    assert isinstance(found, ValidSql), found

    again = validate(found.normalised, (), shop(case.dialect))

    assert isinstance(again, ValidSql), again
    assert (again.sql, again.params, again.normalised) == (found.sql, found.params, found.normalised)


@pytest.mark.parametrize("case", REFUSED, ids=_name)
def test_a_refused_statement_is_named_with_code_and_reason(case: Case) -> None:
    code, _, reason = case.expected.partition(" ")

    found = validate(case.sql, case.params, shop(case.dialect))

    assert isinstance(found, Refusal), found
    assert found.code.value == code
    assert reason in found.why
    assert 20 < len(found.why) <= MAX_WHY_CHARS
