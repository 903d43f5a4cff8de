"""What a closing keeps of its audit, on SQLite; and the bytes that are hashed."""

import hashlib
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from state.model.audit import NO_ROWS, AuditRow, digest_of, line_of
from state.stores.audit_sql import audit_file
from state.stores.control_sql import control_file
from tests.contracts.audit_digest import AuditDigestContract, DigestHarness

ROW = AuditRow("r", 2, "route:1", "ROUTING", "ROUTING_DECISION", "route", 1_700_000_000_000_001, None, '{"a":"é"}', 3)


class TestAuditDigestOnSqlite(AuditDigestContract):
    @pytest.fixture
    async def harness(self, tmp_path: Path) -> AsyncIterator[DigestHarness]:
        control, audit = control_file(tmp_path / "control.db"), audit_file(tmp_path / "audit.db")

        def alter(statement: str) -> None:
            with closing(sqlite3.connect(tmp_path / "audit.db")) as connection, connection:
                connection.execute(statement)

        yield DigestHarness(control, audit, alter)
        await control.close_store()
        await audit.close_store()

    @pytest.mark.parametrize("value", ["'no number'", "x'ff00'", "1.5"])
    async def test_a_value_of_another_type_is_noticed_too(self, harness: DigestHarness, value: str) -> None:
        await harness.ended()
        harness.alter(f"UPDATE trace_event SET at = {value} WHERE sequence_no = 1")

        assert (await harness.check()).verdict == "ALTERED"


def test_a_row_is_hashed_as_the_documents_say() -> None:
    line = b'["r",2,"route:1","ROUTING","ROUTING_DECISION","route",1700000000000001,null,"{\\"a\\":\\"\\u00e9\\"}",3]'
    first = hashlib.sha256(b"0" * 64 + b"\n" + line).hexdigest()

    assert line_of(ROW) == line
    assert digest_of([ROW]).sha256 == first
    assert digest_of([ROW, ROW]).sha256 == hashlib.sha256(first.encode() + b"\n" + line).hexdigest()
    assert (digest_of([]).rows, digest_of([]).sha256) == (0, NO_ROWS)
