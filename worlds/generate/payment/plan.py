"""The cast of the payment family: who serves, which pool, which fault; drawn once per seed.

Drawing never depends on the fault, so the healthy twin and the variants share names and times.
"""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from worlds.generate.dice import Dice, dice_for, draw_ip, draw_word
from worlds.generate.formats.postgres import Session
from worlds.generate.speech import Service, draw_service
from worlds.generate.timeline import Timeline, draw_timeline

ZONES = ("Europe/Berlin", "Europe/Madrid", "Europe/Dublin", "Asia/Singapore", "America/Toronto")


class Fault(StrEnum):
    """What is wrong in a world of this family."""

    HEALTHY = "HEALTHY"
    """Nothing; the pool is merely busier than before."""
    LEAK = "LEAK"
    """A released code path takes connections and does not give them back."""
    LOCK = "LOCK"
    """A migration that never finishes holds a table lock."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Settings of one connection pool."""

    name: str
    total: int
    timeout_ms: int
    leak_threshold_ms: int


@dataclass(frozen=True, slots=True)
class Names:
    """Names of tables and code that differ from seed to seed."""

    package: str
    leaky_class: str
    leaky_method: str
    leaky_line: int
    payments: str
    deployments: str
    settings: str
    sessions: str


@dataclass(frozen=True, slots=True)
class PaymentPlan:
    """Everything that is decided before the first record is written."""

    seed: int
    fault: Fault
    times: Timeline
    edge_host: str
    db_host: str
    upstream: str
    checkout: Service
    payment: Service
    ledger: Service
    fraud: Service
    notify: Service
    catalog: Service
    payment_pool: Pool
    ledger_pool: Pool
    session: Session
    names: Names
    is_ledger_affected: bool

    @property
    def affected(self) -> Service:
        """The service whose pool the fault drains; the rolled-out one when nothing is wrong."""
        return self.ledger if self.is_ledger_affected else self.payment

    @property
    def affected_pool(self) -> Pool:
        """The pool of the affected service."""
        return self.ledger_pool if self.is_ledger_affected else self.payment_pool

    @property
    def controller(self) -> str:
        """The class that serves the requests of the affected service."""
        return "EntryController" if self.is_ledger_affected else "ChargeController"

    @property
    def locked_table(self) -> str:
        """The table that the unfinished migration changes."""
        return "ledger_entries" if self.is_ledger_affected else self.names.payments

    @property
    def services(self) -> tuple[Service, ...]:
        """All services, edge first."""
        return (
            self.checkout,
            self.payment,
            self.ledger,
            self.fraud,
            self.notify,
            self.catalog,
        )


def draw_plan(seed: int, fault: Fault, *, is_ledger_affected: bool = False) -> PaymentPlan:
    """Return the plan of this seed; names, numbers and times depend on the seed alone."""
    dice = dice_for(seed, "payment", "plan")
    times = draw_timeline(dice, ZONES)
    other = _another_change(times)
    return PaymentPlan(
        seed=seed,
        fault=fault,
        times=times,
        edge_host=f"edge-{dice.randrange(1, 9)}",
        db_host=f"pg-{dice.randrange(1, 9)}",
        upstream=f"{draw_ip(dice)}:8080",
        checkout=draw_service(dice, CHECKOUT, times),
        payment=draw_service(dice, PAYMENT, times, n_pods=3, is_rolled_out=not is_ledger_affected),
        ledger=draw_service(dice, LEDGER, times, n_pods=3, is_rolled_out=is_ledger_affected),
        fraud=draw_service(dice, FRAUD, times),
        notify=draw_service(dice, NOTIFY, times),
        catalog=draw_service(dice, CATALOG, other, is_rolled_out=True),
        payment_pool=_draw_pool(dice, "Pay"),
        ledger_pool=_draw_pool(dice, "Book"),
        session=Session(
            draw_word(dice, ("pay_app", "svc_pay", "paysvc")),
            draw_word(dice, ("payments", "paydb", "money")),
        ),
        names=_draw_names(dice),
        is_ledger_affected=is_ledger_affected,
    )


CHECKOUT = ("checkout-web", "checkout-api", "basket-checkout", "order-desk")
PAYMENT = ("payment-service", "payment-api", "payments-core", "card-payments", "payment-hub")
LEDGER = ("ledger-service", "posting-service", "journal-service", "account-ledger", "booking-ledger")
FRAUD = ("fraud-screen", "risk-check", "fraud-scoring", "trust-scorer")
NOTIFY = ("notify-worker", "mail-dispatch", "message-relay", "receipt-mailer")
CATALOG = ("catalog-api", "product-catalog", "item-directory", "assortment-api")


def _another_change(times: Timeline) -> Timeline:
    """Return the same timeline with an earlier change, for a rollout that has no consequences."""
    return Timeline(
        times.begin_at,
        times.change_at - timedelta(minutes=23),
        times.onset_at,
        times.now_at,
        times.zone,
    )


def _draw_pool(dice: Dice, stem: str) -> Pool:
    name = draw_word(dice, (f"HikariPool-{stem}", f"{stem}Pool-1", f"Hikari{stem}Ds"))
    return Pool(
        name=name,
        total=draw_dozen(dice),
        timeout_ms=1000 * dice.randrange(10, 31),
        leak_threshold_ms=1000 * dice.randrange(20, 61),
    )


def draw_dozen(dice: Dice) -> int:
    """Return a plausible maximum pool size."""
    return 2 * dice.randrange(6, 17)


def _draw_names(dice: Dice) -> Names:
    return Names(
        package=draw_word(dice, ("com.larkpay", "io.tidemark", "com.fennel.money", "org.brightcart", "net.quillon")),
        leaky_class=draw_word(
            dice,
            (
                "RefundBatchWriter",
                "PartialCaptureStore",
                "InstallmentPlanDao",
                "ChargebackExporter",
                "VoucherSettlementDao",
                "MandateLookup",
            ),
        ),
        leaky_method=draw_word(dice, ("open", "load", "append", "fetchPage", "reserve")),
        leaky_line=dice.randrange(31, 240),
        payments=draw_word(dice, ("payments", "charges", "payment_attempts")),
        deployments=draw_word(dice, ("deployments", "releases", "rollouts")),
        settings=draw_word(dice, ("config_changes", "setting_changes")),
        sessions=draw_word(dice, ("db_sessions", "session_samples")),
    )
