"""The lookups of a world, and what the service, the proxy and the server log about each."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from worlds.generate.dice import Dice, arrivals, dice_for, draw_ip
from worlds.generate.formats import hikari, nginx, postgres, spring
from worlds.generate.model import Event, Line
from worlds.generate.slow_query.plan import SlowFault, SlowPlan
from worlds.generate.timeline import every

PATIENCE_MS = 5000
"""How long the portal waits for the search service."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """One lookup by its business key."""

    number: int
    at: datetime
    client: str
    trace: str
    key: str
    took_ms: int
    is_explained: bool
    """Whether the server sampled its plan."""

    @property
    def end_at(self) -> datetime:
        """When the answer was there."""
        return self.at + timedelta(milliseconds=self.took_ms)

    @property
    def is_slow(self) -> bool:
        """Whether the server logs it as slow."""
        return self.took_ms >= 1000


def draw_lookups(plan: SlowPlan) -> tuple[Lookup, ...]:
    """Return all lookups in order; slow from the migration on."""
    dice = dice_for(plan.seed, "slow-query", "lookups")
    first = dice.randrange(10**6, 10**7)
    instants = arrivals(dice, plan.times.begin_at, plan.times.now_at, per_hour=330)
    return tuple(_lookup(plan, dice, first + rank, at) for rank, at in enumerate(instants))


def _lookup(plan: SlowPlan, dice: Dice, number: int, at: datetime) -> Lookup:
    quick_ms = dice.lognormvariate(3.5, 0.4)
    slow_ms = plan.mean_slow_ms * dice.lognormvariate(0, 0.16)
    return Lookup(
        number=number,
        at=at,
        client=draw_ip(dice),
        trace=spring.trace_id(dice),
        key=f"{dice.randrange(10**11, 10**12)}",
        took_ms=int(slow_ms if at >= plan.migrated_at else quick_ms),
        is_explained=dice.random() < 0.3,
    )


def lookup_sql(plan: SlowPlan) -> str:
    """Return the statement as the released service sends it."""
    table, column = plan.subject.table, plan.subject.column
    test = f"cast({column} as numeric) = $1" if _is_cast(plan) else f"{column} = $1"
    return f"select id, {column}, status, updated_at from {table} where {test}"


def _is_cast(plan: SlowPlan) -> bool:
    return plan.fault is SlowFault.COLUMN_CAST


def service_events(plan: SlowPlan, lookups: tuple[Lookup, ...]) -> Iterator[Event]:
    """Yield the structured records of all lookups."""
    dice = dice_for(plan.seed, "slow-query", "events")
    for one in lookups:
        path = f"/v1/{plan.subject.table}/{one.key}"
        done = spring.request_done("GET", path, 200, one.took_ms, trace=one.trace)
        yield plan.search.say(one.end_at, done, dice)
        if one.is_slow:
            slow = spring.slow_query(one.took_ms - 3, lookup_sql(plan).replace("$1", "?"))
            yield plan.search.say(one.end_at, slow, dice)
        if one.took_ms > PATIENCE_MS:
            gave_up = one.at + timedelta(milliseconds=PATIENCE_MS)
            url = f"http://{plan.search.name}:8080{path}"
            said = spring.read_timed_out("GET", url, trace=one.trace)
            yield plan.portal.say(gave_up, said, dice)


def pool_statistics(plan: SlowPlan) -> Iterator[Event]:
    """Yield pool statistics: busier after the onset, yet always with idle connections left."""
    for rank, pod in enumerate(plan.search.pods):
        dice = dice_for(plan.seed, "slow-query", "stats", pod)
        first = plan.times.begin_at + timedelta(seconds=23 * rank)
        for at in every(first, plan.times.now_at, step_s=110):
            low, high = (0.5, 0.8) if plan.times.is_after_onset(at) else (0.1, 0.25)
            active = round(plan.pool_total * dice.uniform(low, high))
            level = hikari.PoolLevel(plan.pool_total, active, 0)
            yield plan.search.say(at, hikari.pool_stats(plan.pool_name, level), dice, pod=pod)


def edge_hits(plan: SlowPlan, lookups: tuple[Lookup, ...]) -> Iterator[nginx.Hit]:
    """Yield the lookups as the proxy sees them."""
    for one in lookups:
        took_ms = min(one.took_ms, PATIENCE_MS)
        yield nginx.Hit(
            at=one.at + timedelta(milliseconds=took_ms),
            client=one.client,
            method="GET",
            path=f"/find/{plan.subject.table}/{one.key}",
            status=502 if one.took_ms > PATIENCE_MS else 200,
            took_s=took_ms / 1000,
            upstream=plan.upstream,
        )


def server_lines(plan: SlowPlan, lookups: tuple[Lookup, ...]) -> Iterator[Line]:
    """Yield the server's records of slow statements, some with their plan."""
    dice = dice_for(plan.seed, "slow-query", "server")
    if plan.fault is SlowFault.INDEX_DROPPED:
        migrator = postgres.Session("migrator", plan.session.database)
        ddl = f"DROP INDEX {plan.index}"
        yield postgres.statement(plan.migrated_at, dice.randrange(9000, 32000), migrator, ddl)
    for one in lookups:
        if one.is_slow:
            yield from _slow_lines(plan, one, dice)


def _slow_lines(plan: SlowPlan, one: Lookup, dice: Dice) -> Iterator[Line]:
    pid, took_ms = dice.randrange(9000, 32000), one.took_ms - 5 + dice.random()
    sql = lookup_sql(plan)
    if one.is_explained:
        text = _plan_text(plan, one, sql, dice)
        yield postgres.explained(one.end_at, pid, plan.session, took_ms=took_ms, plan=text)
    yield postgres.slow_statement(one.end_at, pid, plan.session, took_ms=took_ms, sql=sql)
    parameters = f"parameters: $1 = '{one.key}'"
    yield postgres.record(one.end_at, pid, plan.session.prefix, "DETAIL", parameters)


def _plan_text(plan: SlowPlan, one: Lookup, sql: str, dice: Dice) -> str:
    table, column = plan.subject.table, plan.subject.column
    cost = plan.n_table_rows / 38
    test = (
        f"(({column})::numeric = '{one.key}'::numeric)" if _is_cast(plan) else f"(({column})::text = '{one.key}'::text)"
    )
    removed = plan.n_table_rows + dice.randrange(4000) - 1
    return (
        f"Query Text: {sql}\n"
        f"Seq Scan on {table}  (cost=0.00..{cost:.2f} rows=1 width=58) "
        f"(actual time={one.took_ms * 0.71:.3f}..{one.took_ms - 5:.3f} rows=1 loops=1)\n"
        f"  Filter: {test}\n"
        f"  Rows Removed by Filter: {removed}"
    )
