"""gRPC status exceptions and Envoy access records."""

from dataclasses import dataclass
from datetime import datetime

from worlds.generate.dice import Dice
from worlds.generate.model import Line
from worlds.generate.stamps import iso_z


def deadline_exceeded(dice: Dice, remote: str, budget_ms: int) -> str:
    """Return the status text of a call that outlived its deadline."""
    waited_s = budget_ms / 1000 - dice.uniform(0.00001, 0.0009)
    return (
        f"io.grpc.StatusRuntimeException: DEADLINE_EXCEEDED: deadline exceeded after "
        f"{waited_s:.9f}s. [closed=[], open=[[remote_addr={remote}]]]"
    )


def unavailable(remote: str) -> str:
    """Return the status text of a refused or broken connection."""
    return (
        f"io.grpc.StatusRuntimeException: UNAVAILABLE: io exception, "
        f"Channel Pipeline: [ProtocolNegotiators$GrpcNegotiationHandler#0], remote_addr={remote}"
    )


@dataclass(frozen=True, slots=True)
class Forwarded:
    """One request that Envoy forwarded."""

    at: datetime
    method: str
    path: str
    status: int
    flags: str
    """Response flags; `-` when nothing was unusual, `UT` for an upstream timeout."""
    took_ms: int
    client: str
    request_id: str
    authority: str
    upstream: str


def envoy_access(hit: Forwarded) -> Line:
    """Return the record in Envoy's default access log format."""
    n_sent = 24 if hit.status >= 500 else 812
    served_ms = "-" if hit.flags == "UT" else str(hit.took_ms - 1)
    return Line(
        hit.at,
        f'[{iso_z(hit.at)}] "{hit.method} {hit.path} HTTP/2" {hit.status} {hit.flags} 214 {n_sent} '
        f'{hit.took_ms} {served_ms} "{hit.client}" "okhttp/4.12.0" "{hit.request_id}" '
        f'"{hit.authority}" "{hit.upstream}"',
    )
