"""The memory audit log passes the contract."""

import pytest

from state.stores.audit_memory import MemoryAuditLog
from tests.contracts.audit_log import AuditHarness, AuditLogContract


class TestMemoryAuditLog(AuditLogContract):
    @pytest.fixture
    def harness(self) -> AuditHarness:
        log = MemoryAuditLog()

        async def stop() -> None:
            log.failing = True

        async def allow() -> None:
            log.failing = False

        return AuditHarness(log, stop, allow)
