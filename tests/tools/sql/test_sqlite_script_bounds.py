"""What a script from outside may cost."""

import os
import time

import pytest

from state.model.errors import Misconfigured
from tools.sql import sqlite_script
from tools.sql.describe import catalogue_terms, describe
from tools.sql.sqlite_source import open_sql_script, open_sqlite_file

TABLE = "create table t(id integer primary key, v text);\ninsert into t values (1, 'a');\n"


class RealClock:
    def monotonic(self):
        return time.monotonic()


@pytest.fixture
def opened(tmp_path):
    def open_script(sql):
        (tmp_path / "a.sql").write_text(TABLE + sql, encoding="utf-8")
        return open_sql_script(tmp_path / "a.sql", clock=RealClock())

    return open_script


@pytest.mark.parametrize(
    "sql",
    [
        "insert into t select 2, zeroblob(900000000);",
        "insert into t select 2, hex(zeroblob(4000000));",
        "insert into t select 2, replace(hex(zeroblob(1000000)), '0', 'aaaaaaaa');",
        "insert into t select 2, v from t where hex(zeroblob(100)) like '" + "%0" * 100 + "%b';",
        "select fts3_tokenizer('simple', x'4141414141414141');",
        "select fts3_tokenizer('simple');",
        "select load_extension('x.so');",
        "select randomblob(900000000);",
        "create virtual table f using fts5(a);",
        "attach ':memory:' as x;",
    ],
)
def test_a_statement_that_is_too_large_or_forbidden_is_refused_at_once(opened, sql):
    begin = time.monotonic()

    with pytest.raises(Misconfigured) as refused:
        opened(sql)

    assert time.monotonic() - begin < 3
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize(
    "sql",
    [
        "select instr(zeroblob(2000000), zeroblob(1000000) || x'01');",
        "select replace(hex(zeroblob(1900000)), hex(zeroblob(900000)) || '1', '');",
        "select trim(hex(zeroblob(1900000)), hex(zeroblob(1900000)));",
        "select hex(zeroblob(1900000)) like '" + "%0" * 20 + "%b';",
    ],
)
def test_no_single_step_outlives_the_deadline(opened, sql):
    begin = time.monotonic()

    opened(sql)

    assert time.monotonic() - begin < 5


@pytest.mark.parametrize(
    "sql",
    [
        "with recursive r(n) as (select 1 union all select n + 1 from r) select count(*) from r;",
        "with recursive r(n) as (select 1 union all select n + 1 from r) insert into t select n + 9, 'x' from r;",
    ],
)
def test_a_statement_without_end_is_ended(opened, sql, monkeypatch):
    monkeypatch.setattr(sqlite_script, "LOAD_S", 0.5)
    begin = time.monotonic()

    with pytest.raises(Misconfigured):
        opened(sql)

    assert time.monotonic() - begin < 5


def test_what_dumps_use_still_works(opened):
    source = opened(
        "insert into t values (2, replace('a\\nb', '\\n', char(10)));\n"
        "insert into t select 3, replace('aXbX', 'X', '-') || trim('..x..', '.') || instr('abc', 'c');\n"
        "create table u(id text default (lower(hex(randomblob(4)))), at text default current_timestamp,"
        " check (length(id) < 99 and id not like '%zz%'));\ninsert into u default values;\n"
    )

    assert [table.name for table in source.catalogue.tables] == ["t", "u"]


def test_pipes_and_devices_are_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "a.sql")
    os.mkfifo(tmp_path / "b.sqlite")
    (tmp_path / "zero.sql").symlink_to("/dev/zero")

    for name in ("a.sql", "zero.sql"):
        with pytest.raises(Misconfigured, match="regular"):
            open_sql_script(tmp_path / name, clock=RealClock())
    with pytest.raises(Misconfigured, match="regular"):
        open_sqlite_file(tmp_path / "b.sqlite", clock=RealClock())


@pytest.mark.parametrize("side", ["-wal", "-shm", "-journal"])
def test_a_side_file_that_is_a_pipe_or_a_link_is_refused(tmp_path, side):
    (tmp_path / "a.sqlite").write_bytes(b"SQLite format 3\0" + b"\2\2" * 40)
    os.mkfifo(tmp_path / f"a.sqlite{side}")

    with pytest.raises(Misconfigured, match=side):
        open_sqlite_file(tmp_path / "a.sqlite", clock=RealClock())


def test_names_and_ranges_that_hold_secrets_are_neither_shown_nor_vouched_for(opened):
    source = opened(
        "create table AKIAIOSFODNN7EXAMPLE(id integer primary key, seen_at text);\n"
        "insert into AKIAIOSFODNN7EXAMPLE values (1, 'jane.secret@example.com');\n"
    )

    text, names = describe({"shop": source.catalogue}), catalogue_terms({"shop": source.catalogue})

    assert "AKIA" not in text
    assert "jane.secret" not in text
    assert names == ("shop", "t", "id", "seen_at", "v")
