"""May this Redis hold truth? Pure: decided on what the server tells about itself."""

from collections.abc import Mapping
from dataclasses import dataclass

from state.model.errors import Misconfigured

MAX_SKEW_S = 60.0
"""Difference of the clocks from which an operator is told; a record lives that much longer or shorter."""


@dataclass(frozen=True)
class ServerFacts:
    """What was found out; None where the server may not be asked."""

    maxmemory: int | None
    """Bytes; 0 means no limit."""
    policy: str | None
    """``maxmemory-policy``."""
    read_only_replica: bool | None

    @classmethod
    def of(cls, info: Mapping[str, object], config: Mapping[str, object]) -> "ServerFacts":
        """Facts from the reply to INFO, else from that to CONFIG GET; either may be empty."""
        limit = info.get("maxmemory", config.get("maxmemory"))
        policy = info.get("maxmemory_policy", config.get("maxmemory-policy"))
        role = info.get("role")
        return cls(
            maxmemory=None if limit is None else int(str(limit)),
            policy=None if policy is None else str(policy),
            read_only_replica=None if role is None else role == "slave" and info.get("slave_read_only") == 1,
        )


def judge(facts: ServerFacts, skew_s: float) -> tuple[str, ...]:
    """Notices for the operator, none if all is well. ``skew_s``: the server's clock minus ours.

    Raises:
        Misconfigured: the server would lose truth silently, or cannot be written.
    """
    if facts.read_only_replica:
        raise Misconfigured("redis_url", "names a read-only replica; give the address of its primary")
    if facts.maxmemory and facts.policy not in {None, "noeviction"}:
        raise Misconfigured(
            "maxmemory-policy",
            f"is {facts.policy} at the server of redis_url: when full it would delete records of runs under way; "
            "set it to noeviction, or use a server of its own",
        )
    return tuple(notice for notice in (_unknown(facts), _skewed(skew_s)) if notice)


def _unknown(facts: ServerFacts) -> str | None:
    if facts.maxmemory is not None and facts.policy is not None and facts.read_only_replica is not None:
        return None
    return (
        "the account may not run INFO: make sure that maxmemory-policy is noeviction "
        "and that the server is no read-only replica"
    )


def _skewed(skew_s: float) -> str | None:
    if abs(skew_s) <= MAX_SKEW_S:
        return None
    side = "ahead of" if skew_s > 0 else "behind"
    return f"the clock of the Redis server is {abs(skew_s):.0f} s {side} ours: records expire by the server's clock"
