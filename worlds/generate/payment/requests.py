"""What the fleet logs about each payment attempt, from the edge inwards."""

from collections.abc import Iterator
from datetime import timedelta

from worlds.generate.dice import Dice, dice_for
from worlds.generate.formats import hikari, nginx, postgres, spring
from worlds.generate.model import Event, Line
from worlds.generate.payment.attempts import Attempt, Hold, Result
from worlds.generate.payment.plan import Fault, PaymentPlan
from worlds.generate.payment.pools import Cycle, level_at

PAY_PATH = "/api/checkout/pay"
CHARGE_PATH = "/v2/charges"
ENTRY_PATH = "/v1/entries"
RELATION = 16_432
"""Object id under which the server log names the locked table."""


def edge_hit(plan: PaymentPlan, attempt: Attempt) -> nginx.Hit:
    """Return the attempt as the proxy sees it; a timed-out one ends with status 504."""
    took = timedelta(milliseconds=attempt.took_ms)
    return nginx.Hit(
        at=attempt.at + took,
        client=attempt.client,
        method="POST",
        path=PAY_PATH,
        status={Result.TIMEOUT: 504, Result.DECLINED: 402}.get(attempt.result, 200),
        took_s=attempt.took_ms / 1000,
        upstream=plan.upstream,
    )


def service_events(plan: PaymentPlan, cycles: tuple[Cycle, ...], attempts: tuple[Attempt, ...]) -> Iterator[Event]:
    """Yield the structured records of all attempts that are logged before now."""
    dice = dice_for(plan.seed, "payment", "requests")
    for attempt in attempts:
        match attempt.hold:
            case Hold.NOTHING:
                yield from _served(plan, attempt, dice)
            case Hold.SCREENING:
                yield from _screening_was_slow(plan, attempt, dice)
            case Hold.POOL:
                yield from _pool_was_empty(plan, cycles, attempt, dice)


def _served(plan: PaymentPlan, attempt: Attempt, dice: Dice) -> Iterator[Event]:
    end = attempt.at + timedelta(milliseconds=attempt.took_ms)
    status = 402 if attempt.result is Result.DECLINED else 201
    done = spring.request_done("POST", CHARGE_PATH, status, attempt.took_ms - 9, trace=attempt.trace)
    yield plan.payment.say(end, done, dice, pod=attempt.payment_pod)
    if attempt.result is Result.CAPTURED:
        booked = spring.request_done("POST", ENTRY_PATH, 201, attempt.took_ms // 4, trace=attempt.trace)
        yield plan.ledger.say(end, booked, dice, pod=attempt.ledger_pod)
    paid = spring.request_done("POST", PAY_PATH, status, attempt.took_ms, trace=attempt.trace)
    yield plan.checkout.say(end, paid, dice)


def _screening_was_slow(plan: PaymentPlan, attempt: Attempt, dice: Dice) -> Iterator[Event]:
    end = attempt.at + timedelta(milliseconds=attempt.took_ms)
    url = f"http://{plan.fraud.name}:8080/v1/score"
    said = spring.read_timed_out("POST", url, trace=attempt.trace)
    yield plan.payment.say(end - timedelta(seconds=1), said, dice, pod=attempt.payment_pod)
    yield _checkout_gave_up(plan, attempt, dice)


def _pool_was_empty(plan: PaymentPlan, cycles: tuple[Cycle, ...], attempt: Attempt, dice: Dice) -> Iterator[Event]:
    yield from _refused_borrow(plan, cycles, attempt, dice)
    if plan.is_ledger_affected:
        url = f"http://{plan.ledger.name}:8080{ENTRY_PATH}"
        said = spring.read_timed_out("POST", url, trace=attempt.trace)
        end = attempt.at + timedelta(milliseconds=attempt.took_ms - 4)
        yield plan.payment.say(end, said, dice, pod=attempt.payment_pod)
    yield _checkout_gave_up(plan, attempt, dice)


def _checkout_gave_up(plan: PaymentPlan, attempt: Attempt, dice: Dice) -> Event:
    url = f"http://{plan.payment.name}:8080{CHARGE_PATH}"
    end = attempt.at + timedelta(milliseconds=attempt.took_ms - 2)
    return plan.checkout.say(end, spring.read_timed_out("POST", url, trace=attempt.trace), dice)


def _refused_borrow(plan: PaymentPlan, cycles: tuple[Cycle, ...], attempt: Attempt, dice: Dice) -> Iterator[Event]:
    """Yield the two Hibernate records of a caller that got no connection, or no lock."""
    pool = plan.affected_pool
    pod = attempt.ledger_pod if plan.is_ledger_affected else attempt.payment_pod
    end = attempt.at + timedelta(milliseconds=attempt.took_ms - 8)
    if is_lock_victim(plan, attempt):
        yield plan.affected.say(end, spring.sql_error("57014"), dice, pod=pod)
        yield plan.affected.say(end, spring.statement_cancelled(attempt.trace), dice, pod=pod)
        return
    level = level_at(plan, cycles, pod, attempt.at)
    refused = hikari.not_available(pool.name, pool.timeout_ms, level, trace=attempt.trace)
    yield plan.affected.say(end, spring.sql_error("null"), dice, pod=pod)
    yield plan.affected.say(end, refused, dice, pod=pod)


def is_lock_victim(plan: PaymentPlan, attempt: Attempt) -> bool:
    """Tell whether the attempt got a connection and then waited for the table lock.

    The first ones all do; later two in five, since the others find the pool empty.
    """
    if plan.fault is not Fault.LOCK or attempt.hold is not Hold.POOL:
        return False
    return not plan.times.is_after_onset(attempt.at) or attempt.number % 5 in (0, 2)


def lock_lines(plan: PaymentPlan, attempts: tuple[Attempt, ...], holder_pid: int) -> Iterator[Line]:
    """Yield the server's records of statements that wait for the lock and are cancelled."""
    dice = dice_for(plan.seed, "payment", "locks")
    table = plan.locked_table
    sql = f"insert into {table} (amount_cents,created_at,currency,id) values ($1,$2,$3,$4)"
    for attempt in attempts:
        if is_lock_victim(plan, attempt):
            yield from _lock_wait(plan, attempt, holder_pid, sql, dice)


def _lock_wait(plan: PaymentPlan, attempt: Attempt, holder_pid: int, sql: str, dice: Dice) -> Iterator[Line]:
    pid, prefix = dice.randrange(9000, 32000), plan.session.prefix
    seen = attempt.at + timedelta(seconds=1)
    queue = ", ".join(str(dice.randrange(9000, 32000)) for _ in range(dice.randrange(2, 6)))
    waits = (
        f"process {pid} still waiting for RowExclusiveLock on relation {RELATION} of database "
        f"16401 after {1000 + dice.random():.3f} ms"
    )
    holder = f"Process holding the lock: {holder_pid}. Wait queue: {queue}, {pid}."
    yield postgres.record(seen, pid, prefix, "LOG", waits)
    yield postgres.record(seen, pid, prefix, "DETAIL", holder)
    yield postgres.record(seen, pid, prefix, "STATEMENT", sql)
    end = attempt.at + timedelta(milliseconds=attempt.took_ms - 15)
    cancelled = "canceling statement due to statement timeout"
    yield postgres.record(end, pid, prefix, "ERROR", cancelled)
    yield postgres.record(end, pid, prefix, "STATEMENT", sql)
