"""The cast of the no-evidence family; drawn once per seed."""

from dataclasses import dataclass
from datetime import timedelta

from worlds.generate.dice import dice_for, draw_ip, draw_word
from worlds.generate.speech import Service, draw_service
from worlds.generate.timeline import Timeline, draw_timeline

ZONES = ("Europe/Vienna", "Europe/Oslo", "America/New_York", "Asia/Tokyo", "Europe/Prague")


@dataclass(frozen=True, slots=True)
class Matter:
    """What people ask about."""

    noun: str
    """Plural, as people call it."""
    services: tuple[str, ...]
    path: str
    table: str
    ghosts: tuple[str, ...]
    """Service names that occur in no source of any world."""


MATTERS = (
    Matter(
        "gift card redemptions",
        ("giftcard-service", "giftcard-api"),
        "/v1/redemptions",
        "redemptions",
        ("voucher-bridge", "coupon-mint"),
    ),
    Matter(
        "seat upgrades",
        ("upgrade-service", "upgrade-desk"),
        "/v1/upgrades",
        "upgrades",
        ("cabin-planner", "seatmap-proxy"),
    ),
    Matter(
        "loyalty transfers",
        ("loyalty-service", "points-bank"),
        "/v1/transfers",
        "point_transfers",
        ("miles-exchange", "partner-bridge"),
    ),
    Matter(
        "address changes",
        ("address-service", "address-book"),
        "/v1/addresses",
        "address_changes",
        ("geo-normalizer", "postcode-proxy"),
    ),
)


@dataclass(frozen=True, slots=True)
class QuietPlan:
    """Everything that is decided before the first record is written."""

    seed: int
    times: Timeline
    matter: Matter
    ghost: str
    front: Service
    asked: Service
    accounts: Service
    prices: Service
    mailer: Service
    finder: Service
    upstream: str
    database: str

    @property
    def services(self) -> tuple[Service, ...]:
        """All services, edge first."""
        return self.front, self.asked, self.accounts, self.prices, self.mailer, self.finder


def draw_quiet_plan(seed: int) -> QuietPlan:
    """Return the plan of this seed; names, numbers and times depend on the seed alone."""
    dice = dice_for(seed, "no-evidence", "plan")
    times = draw_timeline(dice, ZONES)
    earlier = Timeline(
        times.begin_at,
        times.onset_at - timedelta(minutes=52),
        times.onset_at,
        times.now_at,
        times.zone,
    )
    matter = MATTERS[dice.randrange(len(MATTERS))]
    return QuietPlan(
        seed=seed,
        times=times,
        matter=matter,
        ghost=draw_word(dice, matter.ghosts),
        front=draw_service(dice, ("storefront", "web-shell", "member-site"), times),
        asked=draw_service(dice, matter.services, times, n_pods=3),
        accounts=draw_service(dice, ("accounts-api", "profile-store"), times),
        prices=draw_service(dice, ("pricing-api", "offer-engine"), earlier, is_rolled_out=True),
        mailer=draw_service(dice, ("letter-sender", "mail-worker"), times),
        finder=draw_service(dice, ("search-api", "finder-api"), times),
        upstream=f"{draw_ip(dice)}:8080",
        database=draw_word(dice, ("members", "clubdata", "frontdesk")),
    )
