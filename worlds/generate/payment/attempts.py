"""The payment attempts of a world: one list from which proxy lines, logs and rows derive."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from worlds.generate.dice import Dice, arrivals, dice_for, draw_ip, draw_word
from worlds.generate.formats.spring import trace_id
from worlds.generate.payment.plan import Fault, PaymentPlan
from worlds.generate.payment.pools import Cycle, is_drained, level_at, locked_at


class Result(StrEnum):
    """How an attempt ended, as the payments table stores it."""

    CAPTURED = "CAPTURED"
    DECLINED = "DECLINED"
    TIMEOUT = "TIMEOUT"


class Hold(StrEnum):
    """What a timed-out attempt waited for."""

    NOTHING = "NOTHING"
    SCREENING = "SCREENING"
    """The fraud check was slow: happens at a steady low rate in every world."""
    POOL = "POOL"
    """The affected service got no connection, or no lock on its table."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One payment attempt."""

    number: int
    at: datetime
    client: str
    trace: str
    method: str
    amount_cents: int
    payment_pod: str
    ledger_pod: str
    took_ms: int
    result: Result
    hold: Hold


def draw_attempts(plan: PaymentPlan, cycles: tuple[Cycle, ...]) -> tuple[Attempt, ...]:
    """Return all attempts in order; which ones fail depends on the fault, nothing else does."""
    dice = dice_for(plan.seed, "payment", "attempts")
    instants = arrivals(dice, plan.times.begin_at, plan.times.now_at, per_hour=250)
    first = dice.randrange(10**6, 10**7)
    return tuple(_attempt(plan, cycles, dice, first + rank, at) for rank, at in enumerate(instants))


def _attempt(plan: PaymentPlan, cycles: tuple[Cycle, ...], dice: Dice, number: int, at: datetime) -> Attempt:
    luck, patience = dice.random(), dice.random()
    payment_pod = draw_word(dice, plan.payment.pods)
    ledger_pod = draw_word(dice, plan.ledger.pods)
    took_ms = int(dice.lognormvariate(5.3, 0.35))
    pod = ledger_pod if plan.is_ledger_affected else payment_pod
    hold = _hold(luck, is_blocked=_is_blocked(plan, cycles, pod, at, patience))
    timeout_ms = plan.affected_pool.timeout_ms + dice.randrange(1, 30)
    return Attempt(
        number=number,
        at=at,
        client=draw_ip(dice),
        trace=trace_id(dice),
        method=draw_word(dice, ("card", "card", "card", "sepa", "wallet")),
        amount_cents=int(dice.lognormvariate(8.2, 0.7)),
        payment_pod=payment_pod,
        ledger_pod=ledger_pod,
        took_ms=took_ms if hold is Hold.NOTHING else timeout_ms,
        result=_result(luck, hold),
        hold=hold,
    )


def _is_blocked(plan: PaymentPlan, cycles: tuple[Cycle, ...], pod: str, at: datetime, patience: float) -> bool:
    """Tell whether the attempt finds no connection; a locked table lets no write through at all."""
    if plan.fault is Fault.LOCK:
        return at >= locked_at(plan)
    return is_drained(level_at(plan, cycles, pod, at)) and patience < 0.9


def _hold(luck: float, *, is_blocked: bool) -> Hold:
    if luck < 0.006:
        return Hold.SCREENING
    return Hold.POOL if is_blocked else Hold.NOTHING


def _result(luck: float, hold: Hold) -> Result:
    if hold is not Hold.NOTHING:
        return Result.TIMEOUT
    return Result.DECLINED if luck > 0.93 else Result.CAPTURED
