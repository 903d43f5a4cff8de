"""The contract of ``CanonicalStore``: subclass ``CanonicalStoreContract`` and give it a ``harness`` fixture."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

from state.model.enums import EvidenceStatus, InvocationStatus, ToolCode
from state.model.errors import LeaseLost, ResultsGone, TruthUnavailable
from state.model.evidence import CanonicalRecord
from state.model.ids import ToolCallId, digest
from state.model.run import Lease
from state.ports import CanonicalStore, Clock
from tests.contracts.samples import (
    CALL,
    OTHER_CALL,
    OTHER_RUN,
    PROJECTION_JSON,
    RAW_JSON,
    RUN,
    a_lease,
    a_record,
)


@dataclass
class CanonicalHarness:
    """What a backend gives the suite."""

    store: CanonicalStore
    clock: Clock
    ttl_s: float
    """Lifetime of records, fences and placeholders; a backend with its own clock takes a short one."""
    pass_time: Callable[[float], Awaitable[None]]
    """Let so many seconds go by."""

    def record(self, lease: Lease, call: ToolCallId = CALL) -> CanonicalRecord:
        return a_record(lease, call, begun_at=self.clock.now(), ttl_s=self.ttl_s)

    async def begun(self, lease: Lease, call: ToolCallId = CALL) -> CanonicalRecord:
        record = self.record(lease, call)
        assert await self.store.begin(lease, record) is None
        return record

    async def ready(self, lease: Lease, call: ToolCallId = CALL) -> CanonicalRecord:
        await self.begun(lease, call)
        return await self.store.complete(
            lease,
            call,
            evidence_status=EvidenceStatus.EVIDENCE_FOUND,
            projection_json=PROJECTION_JSON,
            raw_json=RAW_JSON,
        )


class CanonicalStoreContract:
    """One rule a test."""

    async def test_begun_record_is_returned_as_it_was_given(self, harness: CanonicalHarness) -> None:
        record = await harness.begun(a_lease())

        assert await harness.store.get(RUN, CALL) == record

    async def test_unknown_record_is_none(self, harness: CanonicalHarness) -> None:
        assert await harness.store.get(RUN, CALL) is None
        assert await harness.store.records(RUN) == ()
        assert await harness.store.raw(RUN, CALL) is None

    async def test_second_begin_returns_what_is_there_unchanged(self, harness: CanonicalHarness) -> None:
        first = await harness.begun(a_lease())
        second = harness.record(a_lease()).model_copy(update={"request_hash": "0" * 64})

        assert await harness.store.begin(a_lease(), second) == first
        assert await harness.store.get(RUN, CALL) == first

    async def test_begin_after_ready_returns_the_result(self, harness: CanonicalHarness) -> None:
        ready = await harness.ready(a_lease())

        assert await harness.store.begin(a_lease(), harness.record(a_lease())) == ready

    async def test_completed_record_carries_result_digest_and_sizes(self, harness: CanonicalHarness) -> None:
        ready = await harness.ready(a_lease())

        assert (ready.status, ready.evidence_status) == (InvocationStatus.READY, EvidenceStatus.EVIDENCE_FOUND)
        assert (ready.projection_json, ready.projection_sha256) == (PROJECTION_JSON, digest(PROJECTION_JSON))
        assert (ready.raw_bytes, ready.projection_bytes) == (len(RAW_JSON.encode()), len(PROJECTION_JSON.encode()))
        assert await harness.store.get(RUN, CALL) == ready

    async def test_raw_result_is_kept_as_given(self, harness: CanonicalHarness) -> None:
        await harness.ready(a_lease())

        assert await harness.store.raw(RUN, CALL) == RAW_JSON

    async def test_record_without_result_has_no_raw(self, harness: CanonicalHarness) -> None:
        await harness.begun(a_lease())

        assert await harness.store.raw(RUN, CALL) is None

    async def test_ready_record_cannot_be_completed_again(self, harness: CanonicalHarness) -> None:
        ready = await harness.ready(a_lease())

        with pytest.raises(TruthUnavailable):
            await harness.store.complete(
                a_lease(), CALL, evidence_status=EvidenceStatus.NO_EVIDENCE, projection_json="{}", raw_json="[]"
            )
        assert await harness.store.get(RUN, CALL) == ready
        assert await harness.store.raw(RUN, CALL) == RAW_JSON

    async def test_missing_record_cannot_be_completed(self, harness: CanonicalHarness) -> None:
        with pytest.raises(TruthUnavailable):
            await harness.store.complete(
                a_lease(), CALL, evidence_status=EvidenceStatus.NO_EVIDENCE, projection_json="{}", raw_json="[]"
            )

    async def test_error_is_no_status_of_a_ready_record(self, harness: CanonicalHarness) -> None:
        record = await harness.begun(a_lease())

        with pytest.raises(ValueError, match="ERROR"):
            await harness.store.complete(
                a_lease(), CALL, evidence_status=EvidenceStatus.ERROR, projection_json="{}", raw_json="[]"
            )
        assert await harness.store.get(RUN, CALL) == record

    async def test_failed_record_carries_its_code(self, harness: CanonicalHarness) -> None:
        await harness.begun(a_lease())

        failed = await harness.store.fail(a_lease(), CALL, ToolCode.TOOL_TIMEOUT)

        assert (failed.status, failed.evidence_status) == (InvocationStatus.ERROR, EvidenceStatus.ERROR)
        assert failed.error_code is ToolCode.TOOL_TIMEOUT
        assert await harness.store.get(RUN, CALL) == failed

    async def test_failing_again_keeps_the_first_code(self, harness: CanonicalHarness) -> None:
        await harness.begun(a_lease())
        failed = await harness.store.fail(a_lease(), CALL, ToolCode.TOOL_TIMEOUT)

        assert await harness.store.fail(a_lease(), CALL, ToolCode.INTERRUPTED) == failed

    async def test_ready_record_cannot_fail(self, harness: CanonicalHarness) -> None:
        ready = await harness.ready(a_lease())

        with pytest.raises(TruthUnavailable):
            await harness.store.fail(a_lease(), CALL, ToolCode.INTERRUPTED)
        assert await harness.store.get(RUN, CALL) == ready

    async def test_missing_record_cannot_fail(self, harness: CanonicalHarness) -> None:
        with pytest.raises(TruthUnavailable):
            await harness.store.fail(a_lease(), CALL, ToolCode.INTERRUPTED)

    async def test_error_record_cannot_become_ready(self, harness: CanonicalHarness) -> None:
        await harness.begun(a_lease())
        await harness.store.fail(a_lease(), CALL, ToolCode.TOOL_TIMEOUT)

        with pytest.raises(TruthUnavailable):
            await harness.store.complete(
                a_lease(), CALL, evidence_status=EvidenceStatus.NO_EVIDENCE, projection_json="{}", raw_json="[]"
            )

    async def test_records_come_in_the_order_they_were_begun(self, harness: CanonicalHarness) -> None:
        calls = [ToolCallId(name) for name in ("zeta", "alpha", "mid")]
        for call in calls:
            await harness.begun(a_lease(), call)
        await harness.store.fail(a_lease(), calls[0], ToolCode.TOOL_TIMEOUT)

        assert [record.tool_call_id for record in await harness.store.records(RUN)] == calls

    async def test_records_of_another_run_are_not_seen(self, harness: CanonicalHarness) -> None:
        await harness.ready(a_lease(OTHER_RUN))

        assert await harness.store.records(RUN) == ()
        assert await harness.store.get(RUN, CALL) is None

    async def test_record_of_another_lease_is_refused(self, harness: CanonicalHarness) -> None:
        with pytest.raises(ValueError, match="lease"):
            await harness.store.begin(a_lease(), harness.record(a_lease(OTHER_RUN)))

    async def test_lower_epoch_writes_nothing_after_the_fence(self, harness: CanonicalHarness) -> None:
        old = a_lease(epoch=1)
        record = await harness.begun(old)
        await harness.store.raise_fence(a_lease(epoch=2))

        with pytest.raises(LeaseLost):
            await harness.store.begin(old, harness.record(old, OTHER_CALL))
        with pytest.raises(LeaseLost):
            await harness.store.complete(
                old, CALL, evidence_status=EvidenceStatus.NO_EVIDENCE, projection_json="{}", raw_json="[]"
            )
        with pytest.raises(LeaseLost):
            await harness.store.fail(old, CALL, ToolCode.INTERRUPTED)
        with pytest.raises(LeaseLost):
            await harness.store.add_placeholders(old, {"<host-1>": "db-7"})
        with pytest.raises(LeaseLost):
            await harness.store.copy_finished(OTHER_RUN, old, [])
        assert await harness.store.records(RUN) == (record,)
        assert await harness.store.placeholders(RUN) == {}

    async def test_fence_never_goes_down(self, harness: CanonicalHarness) -> None:
        await harness.store.raise_fence(a_lease(epoch=3))
        await harness.store.raise_fence(a_lease(epoch=2))

        with pytest.raises(LeaseLost):
            await harness.store.begin(a_lease(epoch=2), harness.record(a_lease(epoch=2)))

    async def test_fence_holds_for_one_run_only(self, harness: CanonicalHarness) -> None:
        await harness.store.raise_fence(a_lease(epoch=9))

        await harness.begun(a_lease(OTHER_RUN, epoch=1))

    async def test_holder_of_a_higher_epoch_takes_over(self, harness: CanonicalHarness) -> None:
        await harness.begun(a_lease(epoch=1))

        failed = await harness.store.fail(a_lease(epoch=2), CALL, ToolCode.INTERRUPTED)

        assert (failed.error_code, failed.lease_epoch) == (ToolCode.INTERRUPTED, 1)
        with pytest.raises(LeaseLost):
            await harness.store.begin(a_lease(epoch=1), harness.record(a_lease(epoch=1), OTHER_CALL))

    async def test_expired_record_is_gone_for_every_reader(self, harness: CanonicalHarness) -> None:
        await harness.ready(a_lease())
        await harness.pass_time(harness.ttl_s)

        assert await harness.store.get(RUN, CALL) is None
        assert await harness.store.records(RUN) == ()
        assert await harness.store.raw(RUN, CALL) is None

    async def test_neither_reading_nor_completing_extends_life(self, harness: CanonicalHarness) -> None:
        begun = await harness.begun(a_lease())
        await harness.pass_time(harness.ttl_s / 2)
        ready = await harness.store.complete(
            a_lease(), CALL, evidence_status=EvidenceStatus.NO_EVIDENCE, projection_json="{}", raw_json="[]"
        )
        assert ready.expires_at == begun.expires_at
        assert await harness.store.get(RUN, CALL) == ready
        await harness.pass_time(harness.ttl_s / 2)

        assert await harness.store.get(RUN, CALL) is None

    async def test_expired_record_can_be_completed_by_nobody(self, harness: CanonicalHarness) -> None:
        await harness.begun(a_lease())
        await harness.pass_time(harness.ttl_s)

        with pytest.raises(TruthUnavailable):
            await harness.store.complete(
                a_lease(), CALL, evidence_status=EvidenceStatus.NO_EVIDENCE, projection_json="{}", raw_json="[]"
            )

    async def test_sweep_deletes_what_expired_and_only_that(self, harness: CanonicalHarness) -> None:
        await harness.ready(a_lease())
        await harness.store.add_placeholders(a_lease(), {"<host-1>": "db-7"})
        await harness.pass_time(harness.ttl_s / 2)
        kept = await harness.begun(a_lease(OTHER_RUN))
        await harness.pass_time(harness.ttl_s / 2)

        await harness.store.sweep()

        assert await harness.store.records(RUN) == ()
        assert await harness.store.placeholders(RUN) == {}
        assert await harness.store.records(OTHER_RUN) == (kept,)

    async def test_placeholders_accumulate_and_never_change(self, harness: CanonicalHarness) -> None:
        await harness.store.add_placeholders(a_lease(), {"<host-1>": "db-7"})
        await harness.store.add_placeholders(a_lease(), {"<host-1>": "other", "<host-2>": "网关-2"})

        assert await harness.store.placeholders(RUN) == {"<host-1>": "db-7", "<host-2>": "网关-2"}
        assert await harness.store.placeholders(OTHER_RUN) == {}

    async def test_copy_gives_the_fork_ready_records_with_their_expiry(self, harness: CanonicalHarness) -> None:
        original = await harness.ready(a_lease())
        await harness.ready(a_lease(), OTHER_CALL)
        await harness.store.add_placeholders(a_lease(), {"<host-1>": "db-7"})
        fork = a_lease(OTHER_RUN, epoch=4)

        await harness.store.copy_finished(RUN, fork, [CALL])

        expected = original.model_copy(update={"run_id": OTHER_RUN, "lease_epoch": 4})
        assert await harness.store.records(OTHER_RUN) == (expected,)
        assert await harness.store.raw(OTHER_RUN, CALL) == RAW_JSON
        assert await harness.store.placeholders(OTHER_RUN) == {"<host-1>": "db-7"}
        assert await harness.store.get(RUN, CALL) == original

    async def test_copy_gives_the_fork_what_failed_too(self, harness: CanonicalHarness) -> None:
        await harness.begun(a_lease())
        failed = await harness.store.fail(a_lease(), CALL, ToolCode.TOOL_TIMEOUT)

        await harness.store.copy_finished(RUN, a_lease(OTHER_RUN), [CALL])

        expected = failed.model_copy(update={"run_id": OTHER_RUN})
        assert await harness.store.records(OTHER_RUN) == (expected,)
        assert await harness.store.raw(OTHER_RUN, CALL) is None

    async def test_copying_again_changes_nothing(self, harness: CanonicalHarness) -> None:
        await harness.ready(a_lease())
        fork = a_lease(OTHER_RUN)
        await harness.store.copy_finished(RUN, fork, [CALL])
        first = await harness.store.records(OTHER_RUN)

        await harness.store.copy_finished(RUN, fork, [CALL])

        assert await harness.store.records(OTHER_RUN) == first

    async def test_copy_of_a_missing_record_refuses_the_whole_fork(self, harness: CanonicalHarness) -> None:
        await harness.ready(a_lease())

        with pytest.raises(ResultsGone):
            await harness.store.copy_finished(RUN, a_lease(OTHER_RUN), [CALL, OTHER_CALL])
        assert await harness.store.records(OTHER_RUN) == ()

    async def test_copy_of_a_record_that_is_not_finished_is_refused(self, harness: CanonicalHarness) -> None:
        await harness.begun(a_lease())

        with pytest.raises(ResultsGone):
            await harness.store.copy_finished(RUN, a_lease(OTHER_RUN), [CALL])

    async def test_copy_of_an_expired_record_is_refused(self, harness: CanonicalHarness) -> None:
        await harness.ready(a_lease())
        await harness.pass_time(harness.ttl_s)

        with pytest.raises(ResultsGone):
            await harness.store.copy_finished(RUN, a_lease(OTHER_RUN), [CALL])
