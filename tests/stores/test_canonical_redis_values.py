"""Names of keys, ends of life, and judging a server; pure."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.model.errors import Misconfigured
from state.stores.canonical_redis_check import MAX_SKEW_S, ServerFacts, judge
from state.stores.canonical_redis_values import RunKeys, expiry_ms
from tests.contracts.samples import CALL, RUN

FIT = ServerFacts(maxmemory=100, policy="noeviction", read_only_replica=False)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def test_all_keys_of_a_run_share_its_hash_tag() -> None:
    keys = RunKeys("p", RUN)

    assert {key.split("}")[0] for key in (keys.run, keys.placeholders, keys.record(CALL))} == {f"p:{{{RUN}"}


@given(st.datetimes(datetime(2020, 1, 1), datetime(2100, 1, 1)), st.sampled_from([UTC, None]))  # noqa: DTZ001
def test_no_key_lives_past_the_end_of_its_record_nor_ends_two_milliseconds_before(at: datetime, _: object) -> None:
    expires_at = at.replace(tzinfo=UTC)
    gone_from = EPOCH + timedelta(milliseconds=expiry_ms(expires_at) + 1)

    assert expires_at - timedelta(milliseconds=1) < gone_from <= expires_at


@pytest.mark.parametrize("skew_s", [0.0, MAX_SKEW_S, -MAX_SKEW_S])
def test_fit_server_has_no_notice(skew_s: float) -> None:
    assert judge(FIT, skew_s) == ()


def test_clock_behind_is_told() -> None:
    (notice,) = judge(FIT, -MAX_SKEW_S - 1)

    assert "61 s behind" in notice


def test_replica_is_refused() -> None:
    with pytest.raises(Misconfigured, match="replica"):
        judge(ServerFacts(maxmemory=0, policy="noeviction", read_only_replica=True), 0.0)


@pytest.mark.parametrize("missing", ["maxmemory", "policy", "read_only_replica"])
def test_what_is_not_known_is_told(missing: str) -> None:
    facts = {"maxmemory": 0, "policy": "noeviction", "read_only_replica": False} | {missing: None}

    (notice,) = judge(ServerFacts(**facts), 0.0)  # type: ignore[arg-type]

    assert "noeviction" in notice


def test_facts_come_from_info_or_else_from_config() -> None:
    info = {"maxmemory": 5, "maxmemory_policy": "allkeys-lru", "role": "slave", "slave_read_only": 1}

    assert ServerFacts.of(info, {}) == ServerFacts(5, "allkeys-lru", True)
    assert ServerFacts.of({}, {"maxmemory": "5", "maxmemory-policy": "noeviction"}) == ServerFacts(
        5, "noeviction", None
    )
