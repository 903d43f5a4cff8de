"""How outputs are asked of a server, and what comes back becomes a value."""

import pytest

from state.model.evidence import Scalar
from tools.sql import mysql_cells, postgres_cells
from tools.sql.bounds import Shape, shape_of, sized_outputs
from tools.sql.catalogue import Column, Dialect
from tools.sql.cells import exact_number
from tools.sql.mysql_errors import code_of_number
from tools.sql.mysql_rights import findings_of
from tools.sql.mysql_settings import first_unconfirmed, settings_for
from tools.sql.postgres_catalogue import short_type
from tools.sql.postgres_errors import code_of_state
from tools.sql.statement import Aggregate, ColumnRef


def column(type_: str, *, sensitive: bool = False) -> ColumnRef:
    return ColumnRef(0, Column("c", type_, sensitive=sensitive))


@pytest.mark.parametrize(
    ("dialect", "type_", "shape"),
    [
        (Dialect.POSTGRES, "bigint", Shape.PLAIN),
        (Dialect.POSTGRES, "numeric(12,2)", Shape.PLAIN),
        (Dialect.POSTGRES, "timestamptz(3)", Shape.PLAIN),
        (Dialect.POSTGRES, "bytea", Shape.SIZE),
        (Dialect.POSTGRES, "money", Shape.AS_NUMBER),
        (Dialect.POSTGRES, "text", Shape.CAST_TEXT),
        (Dialect.POSTGRES, "integer[]", Shape.CAST_TEXT),
        (Dialect.POSTGRES, "bytea[]", Shape.CAST_TEXT),
        (Dialect.POSTGRES, "jsonb", Shape.CAST_TEXT),
        (Dialect.POSTGRES, "", Shape.CAST_TEXT),
        (Dialect.MYSQL, "datetime", Shape.PLAIN),
        (Dialect.MYSQL, "longblob", Shape.SIZE),
        (Dialect.MYSQL, "geometry", Shape.SIZE),
        (Dialect.MYSQL, "bit", Shape.AS_INTEGER),
        (Dialect.MYSQL, "longtext", Shape.TEXT),
        (Dialect.MYSQL, "json", Shape.CAST_CHAR),
        (Dialect.MYSQL, "", Shape.CAST_CHAR),
        (Dialect.SQLITE, "BLOB", Shape.PLAIN),
    ],
)
def test_a_type_is_asked_for_as_it_can_be_borne(dialect: Dialect, type_: str, shape: Shape) -> None:
    assert shape_of(column(type_), dialect) is shape


@pytest.mark.parametrize(
    ("function", "type_", "shape"),
    [
        ("count", "text", Shape.PLAIN),
        ("max", "text", Shape.CAST_TEXT),
        ("min", "money", Shape.AS_NUMBER),
        ("sum", "money", Shape.AS_NUMBER),
        ("sum", "interval", Shape.PLAIN),
        ("avg", "integer", Shape.PLAIN),
    ],
)
def test_an_aggregate_is_asked_for_as_its_own_type(function: str, type_: str, shape: Shape) -> None:
    assert shape_of(Aggregate(function, column(type_)), Dialect.POSTGRES) is shape


def test_counting_rows_is_a_number() -> None:
    assert shape_of(Aggregate("count", None), Dialect.MYSQL) is Shape.PLAIN


def test_a_masked_column_has_no_size() -> None:
    outputs = (column("bytea"), column("bytea", sensitive=True), column("text"))

    assert sized_outputs(outputs, Dialect.POSTGRES) == {0}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7), ("-7", -7), ("12.50", 12.5), ("0.1", 0.1), ("9007199254740993", 9007199254740993),
        ("9007199254740993.5", "9007199254740993.5"), ("0.1234567890123456789", "0.1234567890123456789"),
        ("1" * 41, "1" * 41), ("NaN", "NaN"), ("Infinity", "Infinity"), ("1e5", "1e5"), ("", ""), ("٣", "٣"),
    ],
)  # fmt: skip
def test_a_decimal_number_keeps_every_digit(text: str, value: Scalar) -> None:
    found = exact_number(text)

    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize(
    ("oid", "sent", "value"),
    [
        (16, b"t", True), (16, b"f", False), (20, b"-9223372036854775808", -(2**63)), (701, b"1e+300", 1e300),
        (1184, b"2026-03-01 10:00:00+00", "2026-03-01T10:00:00Z"), (1184, b"infinity", "infinity"),
        (1184, b"0044-03-15 10:00:00+00 BC", "0044-03-15 10:00:00+00 BC"), (1114, b"2026-03-01 10:00:00", "2026-03-01 10:00:00"),
        (17, b"\\x0102", "<2 bytes>"), (17, b"\\x", "<0 bytes>"), (99999, "支付".encode("gb18030"), "支付"),
    ],
)  # fmt: skip
def test_what_postgres_sends_becomes_a_value(oid: int, sent: bytes, value: Scalar) -> None:
    assert postgres_cells.read_cell(oid, sent) == value


@pytest.mark.parametrize(
    ("kind", "sent", "value"),
    [
        (8, b"18446744073709551615", 2**64 - 1), (5, b"0.1", 0.1), (246, b"0.10", 0.1), (13, b"2026", 2026),
        (7, b"2026-03-01 10:00:00", "2026-03-01T10:00:00Z"), (7, b"0000-00-00 00:00:00", "0000-00-00 00:00:00"),
        (12, b"2026-03-01 10:00:00", "2026-03-01 10:00:00"), (10, b"2026-00-00", "2026-00-00"), (253, None, None),
        (253, b"a\x00b", "a\x00b"), (253, b"\xff\xff", "\ufffd\ufffd"),
    ],
)  # fmt: skip
def test_what_mysql_sends_becomes_a_value(kind: int, sent: bytes | None, value: Scalar) -> None:
    assert mysql_cells.read_cell(kind, sent) == value


def test_a_value_for_mysql_has_no_quote_to_break_out_of() -> None:
    sql = mysql_cells.with_values("SELECT ? , ? , ?", ("it's \\' \x00 支", -7, 1e300))

    assert sql == "SELECT _utf8mb4 X'69742773205c27200020e694af' , -7 , 1e+300"
    with pytest.raises(ValueError, match="do not match"):
        mysql_cells.with_values("SELECT ?", ())


@pytest.mark.parametrize(
    ("declared", "short"),
    [
        ("timestamp with time zone", "timestamptz"), ("timestamp(3) with time zone", "timestamptz(3)"),
        ("timestamp without time zone", "timestamp"), ("character varying(20)", "varchar(20)"),
        ("double precision", "double"), ("numeric(12,2)", "numeric(12,2)"), ("text[]", "text[]"),
        ("timestamp(3) without time zone[]", "timestamp(3)[]"), ("bigint", "bigint"),
    ],
)  # fmt: skip
def test_types_of_postgres_are_named_shortly(declared: str, short: str) -> None:
    assert short_type(declared) == short


@pytest.mark.parametrize(
    ("version", "timeout"),
    [("8.0.36", "max_execution_time = 1500"), ("5.5.5-10.11.6-MariaDB-log", "max_statement_time = 1.500")],
)
def test_the_statement_timeout_has_the_name_and_unit_of_the_server(version: str, timeout: str) -> None:
    written = [f"{setting.name} = {setting.written}" for setting in settings_for(version, 1.5)]

    assert timeout in written


def test_the_first_setting_that_is_not_confirmed_is_named() -> None:
    settings = settings_for("8.0.36", 1.5)
    right = (*(setting.confirmed for setting in settings), "utf8mb4")

    assert first_unconfirmed(settings, right) is None
    assert first_unconfirmed(settings, (*right[:3], "ANSI_QUOTES", *right[4:])) == "sql_mode"
    assert first_unconfirmed(settings, (*right[:-1], "latin1")) == "character_set_connection"
    assert first_unconfirmed(settings, right[:-1]) == "the answer"


@pytest.mark.parametrize(
    ("code", "meaning"),
    [("57014", "TOOL_TIMEOUT"), ("22P02", "INVALID_REQUEST"), ("42883", "INVALID_REQUEST"),
     ("42P01", "TOOL_EXECUTION_ERROR"), ("42501", "TOOL_EXECUTION_ERROR"), (None, "TOOL_EXECUTION_ERROR")],
)  # fmt: skip
def test_a_state_of_postgres_becomes_its_code(code: str | None, meaning: str) -> None:
    assert code_of_state(code).value == meaning


@pytest.mark.parametrize(
    ("number", "meaning"),
    [(3024, "TOOL_TIMEOUT"), (1969, "TOOL_TIMEOUT"), (1146, "TOOL_EXECUTION_ERROR"), ("x", "TOOL_EXECUTION_ERROR")],
)
def test_a_number_of_mysql_becomes_its_code(number: object, meaning: str) -> None:
    assert code_of_number(number).value == meaning


@pytest.mark.parametrize(
    ("grant", "found"),
    [
        ("GRANT USAGE ON *.* TO `r`@`%` IDENTIFIED BY PASSWORD '*AB'", []),
        ("GRANT SELECT (`id`, `n`), SHOW VIEW ON `a``b`.`t` TO `r`@`%`", []),
        ("GRANT BACKUP_ADMIN,CLONE_ADMIN ON *.* TO `r`@`%`", ["BACKUP_ADMIN on *.*", "CLONE_ADMIN on *.*"]),
        ("GRANT EXECUTE ON PROCEDURE `a`.`p` TO `r`@`%`", ["EXECUTE on PROCEDURE `a`.`p`"]),
        ("GRANT SELECT ON `a`.* TO `r`@`%` WITH GRANT OPTION", ["GRANT OPTION on `a`.*"]),
        ("GRANT ALL PRIVILEGES ON *.* TO `r`@`%`", ["ALL PRIVILEGES on *.*"]),
        ("GRANT PROXY ON ``@`%` TO `r`@`%` WITH GRANT OPTION", ["PROXY on ``@`%`", "GRANT OPTION on ``@`%`"]),
        ("GRANT `boss`@`%` TO `r`@`%`", ["`boss`@`%`"]),
        ("GRANT SOMETHING NEW", ["a right that this check does not know"]),
        ("REVOKE INSERT ON `a`.* FROM `r`@`%`", []),
    ],
)  # fmt: skip
def test_a_line_of_show_grants_is_read_and_what_is_not_understood_counts(grant: str, found: list[str]) -> None:
    assert [finding.subject for finding in findings_of(grant)] == found
