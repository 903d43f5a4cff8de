"""The memory canonical store passes the contract."""

import pytest

from state.stores.canonical_memory import MemoryCanonicalStore
from state.stores.canonical_rules import CANONICAL_TTL_S
from tests.contracts.canonical_store import CanonicalHarness, CanonicalStoreContract
from tests.contracts.samples import SteppingClock


class TestMemoryCanonicalStore(CanonicalStoreContract):
    @pytest.fixture
    def harness(self) -> CanonicalHarness:
        clock = SteppingClock()

        async def pass_time(seconds: float) -> None:
            clock.advance(seconds)

        return CanonicalHarness(MemoryCanonicalStore(clock), clock, CANONICAL_TTL_S, pass_time)
