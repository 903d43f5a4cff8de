"""Who takes part in a scenario: services, hosts, times; drawn once per seed, the same for all variants of a family."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from worlds.generate.change_tables import Rollout, rollout_of
from worlds.generate.dice import Dice, dice_for, draw_ip, draw_word
from worlds.generate.speech import Service, draw_service
from worlds.generate.timeline import Timeline, draw_timeline

ZONES = ("Europe/Berlin", "America/New_York", "Asia/Shanghai", "Asia/Kolkata", "Europe/Madrid", "UTC")


@dataclass(frozen=True)
class Trade:
    """What the company does; gives the services their names."""

    noun: str
    """What customers do, plural."""
    noun_zh: str
    front: tuple[str, ...]
    core: tuple[str, ...]


TRADES = (
    Trade("bookings", "预订", ("booking-web", "reservation-api"), ("room-planner", "seat-allocator")),
    Trade("deliveries", "配送", ("courier-api", "dispatch-web"), ("route-engine", "tour-builder")),
    Trade("claims", "理赔", ("claims-portal", "claims-api"), ("claim-assessor", "policy-engine")),
    Trade("subscriptions", "订阅", ("membership-api", "plans-web"), ("entitlement-core", "renewal-engine")),
    Trade("quotations", "报价", ("quote-api", "offer-web"), ("rate-builder", "quote-core")),
    Trade("prescriptions", "处方", ("rx-portal", "rx-api"), ("dosage-core", "script-engine")),
)
BYSTANDERS = ("profile-store", "audit-trail", "media-resizer", "notice-sender", "ledger-export", "search-feed")


@dataclass(frozen=True)
class Cast:
    """Everything that is decided before the first record is written."""

    seed: int
    family: str
    times: Timeline
    trade: Trade
    front: Service
    """Answers customers; shows the symptom and calls ``core``."""
    core: Service
    """Does the work; the usual place of the fault."""
    others: tuple[Service, ...]
    """Three services that nothing of this incident touches."""
    edge_host: str
    upstream: str
    database: str

    @property
    def services(self) -> tuple[Service, ...]:
        """All of them, the front first."""
        return self.front, self.core, *self.others

    def dice(self, *labels: str) -> Dice:
        """A stream of its own for each purpose."""
        return dice_for(self.seed, self.family, *labels)

    def after_onset(self, *labels: str, per_hour: float) -> list[datetime]:
        """Instants between onset and now, in order; at least three."""
        times, dice = self.times, self.dice("instants", *labels)
        span = (times.now_at - times.onset_at) - timedelta(seconds=20)
        n = max(3, round(per_hour * span.total_seconds() / 3600))
        return sorted(times.onset_at + span * dice.random() for _ in range(n))

    def rolled_out(self, paths: str) -> Rollout:
        """The rollout of ``core`` shortly before the onset; only for families that draw ``core`` rolled out."""
        return rollout_of(self.core, paths)


def draw_cast(
    seed: int, family: str, *, trades: Sequence[Trade] = TRADES, is_core_rolled_out: bool, lead_s: tuple[int, int]
) -> Cast:
    """The cast of this seed and family. ``lead_s``: between the change and the onset, in seconds."""
    dice = dice_for(seed, family, "cast")
    times = draw_timeline(dice, ZONES, change_lead_s=lead_s)
    trade = trades[dice.randrange(len(trades))]
    names = dice.sample(BYSTANDERS, 3)
    return Cast(
        seed=seed,
        family=family,
        times=times,
        trade=trade,
        front=draw_service(dice, trade.front, times),
        core=draw_service(dice, trade.core, times, n_pods=3, is_rolled_out=is_core_rolled_out),
        others=tuple(draw_service(dice, (name,), times) for name in names),
        edge_host=f"edge-{dice.randrange(1, 9)}",
        upstream=f"{draw_ip(dice)}:8080",
        database=draw_word(dice, ("opsdata", "corebook", "ledgerdb", "register")),
    )
