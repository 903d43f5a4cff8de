"""The cast of the downstream family; drawn once per seed."""

from dataclasses import dataclass
from datetime import timedelta

from worlds.generate.dice import dice_for, draw_ip, draw_word
from worlds.generate.speech import Service, draw_service
from worlds.generate.timeline import Timeline, draw_timeline


@dataclass(frozen=True, slots=True)
class Trade:
    """What the edge offers and which resource two calls further it depends on."""

    interface: str
    """The edge interface as people call it."""
    path: str
    submit: tuple[str, ...]
    """Service names for the first hop."""
    reserve: tuple[str, ...]
    """Service names for the second hop."""
    rpc: str
    resource: str
    key: str
    """Prefix of cache keys."""


TRADES = (
    Trade(
        "下单接口",
        "/api/orders",
        ("order-center", "order-core", "trade-order"),
        ("stock-center", "inventory-core", "stock-keeper"),
        "stock.v1.StockService/Reserve",
        "库存",
        "stk",
    ),
    Trade(
        "订座接口",
        "/api/bookings",
        ("booking-center", "booking-core"),
        ("seat-center", "seat-keeper"),
        "seat.v2.SeatService/Hold",
        "座位",
        "seat",
    ),
    Trade(
        "预约接口",
        "/api/appointments",
        ("appointment-hub", "appointment-core"),
        ("slot-center", "slot-keeper"),
        "slot.v1.SlotService/Take",
        "号源",
        "slot",
    ),
)


@dataclass(frozen=True, slots=True)
class DownstreamPlan:
    """Everything that is decided before the first record is written."""

    seed: int
    times: Timeline
    trade: Trade
    gateway: Service
    submit: Service
    reserve: Service
    cache: Service
    member: Service
    coupon: Service
    suggest: Service
    gateway_timeout_ms: int
    rpc_timeout_ms: int
    command_timeout_ms: int
    submit_address: str
    reserve_address: str
    database: str
    deployments: str
    stall_step_s: float
    """Mean seconds between two reports of a stalled append-only file."""

    @property
    def services(self) -> tuple[Service, ...]:
        """All services, edge first."""
        return (
            self.gateway,
            self.submit,
            self.reserve,
            self.cache,
            self.member,
            self.coupon,
            self.suggest,
        )


def draw_downstream_plan(seed: int) -> DownstreamPlan:
    """Return the plan of this seed; names, numbers and times depend on the seed alone."""
    dice = dice_for(seed, "downstream", "plan")
    times = draw_timeline(dice, ("Asia/Shanghai",), change_lead_s=(150, 280))
    trade = TRADES[dice.randrange(len(TRADES))]
    earlier = Timeline(
        times.begin_at,
        times.onset_at - timedelta(minutes=28),
        times.onset_at,
        times.now_at,
        times.zone,
    )
    reserve = draw_service(dice, trade.reserve, times, n_pods=3)
    rpc_timeout_ms = 100 * dice.randrange(8, 16)
    return DownstreamPlan(
        seed=seed,
        times=times,
        trade=trade,
        gateway=draw_service(dice, ("mall-gateway", "open-gateway", "app-gateway"), times),
        submit=draw_service(dice, trade.submit, earlier, n_pods=3, is_rolled_out=True),
        reserve=reserve,
        cache=draw_service(dice, (f"{trade.key}-cache", f"{trade.key}-redis"), times, n_pods=1),
        member=draw_service(dice, ("member-service", "member-center"), times),
        coupon=draw_service(dice, ("coupon-service", "promo-center"), times),
        suggest=draw_service(dice, ("search-suggest", "feed-recommend"), earlier),
        gateway_timeout_ms=1000 * dice.randrange(2, 5),
        rpc_timeout_ms=rpc_timeout_ms,
        command_timeout_ms=50 * dice.randrange(6, 14),
        submit_address=f"{draw_ip(dice)}:8080",
        reserve_address=f"{draw_ip(dice)}:9090",
        database=draw_word(dice, ("mall", "trade", "bizops")),
        deployments=draw_word(dice, ("deployments", "releases", "rollouts")),
        stall_step_s=dice.uniform(9, 17),
    )
