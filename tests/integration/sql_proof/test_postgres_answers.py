"""PostgreSQL answers what is made of a statement as it answers the statement itself, and reads the allowlist only."""

from collections import Counter

import psycopg
import pytest

from state.model.enums import ToolCode
from state.model.errors import ToolFailed
from tests.integration.sql_proof.oracles import offered, opened, postgres_as, raw_postgres, read_by_postgres
from tests.servers import Server
from tests.tools.sql.corpus.comparing import evidence_rows, raw_rows
from tests.tools.sql.corpus.reading import corpus
from tests.tools.sql.corpus.trying import READABLE, check_tree, tried
from tests.tools.sql.corpus.world import ALLOWLIST, catalogue
from tools.sql.catalogue import Dialect
from tools.sql.validator import ValidSql, validate

pytestmark = [pytest.mark.xdist_group("proof-postgres"), pytest.mark.timeout(3600)]
TABLES = {(table, "") for table in ALLOWLIST}


async def test_innocent_statements_are_answered_alike(proof_postgres: Server) -> None:
    source = await opened(proof_postgres, Dialect.POSTGRES)
    assert source.catalogue == offered(Dialect.POSTGRES)

    with postgres_as(proof_postgres, "postgres") as raw:
        for one in corpus("innocent", Dialect.POSTGRES):
            valid = validate(one.sql, one.params, catalogue(Dialect.POSTGRES))
            assert isinstance(valid, ValidSql)
            found = await source.run(valid, timeout_s=20, row_cap=valid.limit or 100)
            wanted = raw_rows(raw_postgres(raw, one.sql, one.params), valid, one.sql)
            assert evidence_rows(found, one.sql) == wanted, one.sql
    source.close()


async def test_what_is_accepted_reads_the_allowlist_and_means_the_same(proof_postgres: Server) -> None:
    source = await opened(proof_postgres, Dialect.POSTGRES)
    counts: Counter[str] = Counter()

    with postgres_as(proof_postgres, "postgres") as raw, postgres_as(proof_postgres, "rootproof") as account:
        for sql in tried(Dialect.POSTGRES, in_suite=400):
            counts["tried"] += 1
            valid = validate(sql, (), catalogue(Dialect.POSTGRES))
            if not isinstance(valid, ValidSql):
                continue
            counts["accepted"] += 1
            check_tree(valid.sql, Dialect.POSTGRES)
            try:
                found = await source.run(valid, timeout_s=20, row_cap=valid.limit or 100)
            except ToolFailed as failed:
                assert failed.code is ToolCode.INVALID_REQUEST, (sql, failed.log_detail)
                counts["refused by the server"] += 1
                continue
            assert read_by_postgres(account, valid) <= READABLE | TABLES, sql
            try:
                rows = raw_postgres(raw, sql, ())
            except psycopg.Error:
                counts["not written in its grammar"] += 1
                continue
            if len(rows) <= 100:
                counts["compared"] += 1
                assert evidence_rows(found, sql) == raw_rows(rows, valid, sql), (sql, valid.sql, valid.params)
    source.close()
    print(dict(counts))
    assert counts["compared"] > counts["tried"] * 0.15
