"""The cast of the slow-query family; drawn once per seed, independent of the fault."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from worlds.generate.dice import Dice, dice_for, draw_ip, draw_word
from worlds.generate.formats.postgres import Session
from worlds.generate.speech import Service, draw_service
from worlds.generate.timeline import Timeline, draw_timeline

ZONES = ("Europe/Amsterdam", "Europe/Warsaw", "America/Chicago", "Asia/Singapore", "Europe/Lisbon")


class SlowFault(StrEnum):
    """Why the query cannot use its index any more."""

    INDEX_DROPPED = "INDEX_DROPPED"
    """A migration of the release removed the index."""
    COLUMN_CAST = "COLUMN_CAST"
    """The released query compares the column after converting it."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What is looked up."""

    noun: str
    """Plural, as people call the lookups."""
    services: tuple[str, ...]
    table: str
    column: str


SUBJECTS = (
    Subject("parcel lookups", ("parcel-tracker", "parcel-search"), "shipments", "tracking_no"),
    Subject("invoice lookups", ("invoice-search", "invoice-finder"), "invoices", "external_ref"),
    Subject("booking lookups", ("booking-finder", "booking-query"), "bookings", "locator"),
    Subject("ticket lookups", ("ticket-lookup", "ticket-finder"), "tickets", "barcode"),
    Subject("claim lookups", ("claim-search", "claim-register"), "claims", "case_ref"),
)


@dataclass(frozen=True, slots=True)
class SlowPlan:
    """Everything that is decided before the first record is written."""

    seed: int
    fault: SlowFault
    times: Timeline
    subject: Subject
    portal: Service
    search: Service
    billing: Service
    mailer: Service
    export: Service
    session: Session
    pool_name: str
    pool_total: int
    n_table_rows: int
    mean_slow_ms: float
    """Typical duration of the slow query; ms."""
    upstream: str
    edge_host: str
    deployments: str

    @property
    def services(self) -> tuple[Service, ...]:
        """All services, edge first."""
        return self.portal, self.search, self.billing, self.mailer, self.export

    @property
    def index(self) -> str:
        """Name of the index that the lookup uses in ordinary times."""
        return f"idx_{self.subject.table}_{self.subject.column}"

    @property
    def tables(self) -> tuple[str, ...]:
        """Business tables of the database, the slow one first."""
        return self.subject.table, "customers", "addresses", "audit_notes", "tariffs"

    @property
    def migrated_at(self) -> datetime:
        """When the release ran its migration."""
        return self.times.change_at + timedelta(seconds=6)


def draw_slow_plan(seed: int, fault: SlowFault) -> SlowPlan:
    """Return the plan of this seed; names, numbers and times depend on the seed alone."""
    dice = dice_for(seed, "slow-query", "plan")
    times = draw_timeline(dice, ZONES, change_lead_s=(40, 110))
    subject = SUBJECTS[dice.randrange(len(SUBJECTS))]
    earlier = Timeline(
        times.begin_at,
        times.change_at - timedelta(minutes=34),
        times.onset_at,
        times.now_at,
        times.zone,
    )
    return SlowPlan(
        seed=seed,
        fault=fault,
        times=times,
        subject=subject,
        portal=draw_service(dice, ("self-service-portal", "customer-portal", "desk-web"), times),
        search=draw_service(dice, subject.services, times, n_pods=3, is_rolled_out=True),
        billing=draw_service(dice, ("tariff-service", "price-rules"), earlier, is_rolled_out=True),
        mailer=draw_service(dice, ("status-mailer", "notice-sender"), times),
        export=draw_service(dice, ("nightly-export", "report-runner"), times),
        session=_draw_session(dice),
        pool_name=draw_word(dice, ("HikariPool-Search", "SearchPool-1", "HikariQueryDs")),
        pool_total=2 * dice.randrange(10, 21),
        n_table_rows=dice.randrange(2_100_000, 9_800_000),
        mean_slow_ms=dice.uniform(2600, 4900),
        upstream=f"{draw_ip(dice)}:8080",
        edge_host=f"edge-{dice.randrange(1, 9)}",
        deployments=draw_word(dice, ("deployments", "releases", "rollouts")),
    )


def _draw_session(dice: Dice) -> Session:
    user = draw_word(dice, ("search_ro", "query_app", "finder"))
    return Session(user, draw_word(dice, ("register", "corebook", "opsdata")))
