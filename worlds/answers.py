"""Expected answers of the bundled worlds, for tests and evaluation only.

Derived from the same plans as the worlds, and written into none of them. Product code must not
import this module.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from worlds import DEFAULT_SEED, world_question
from worlds.generate.downstream.plan import draw_downstream_plan
from worlds.generate.payment.plan import Fault
from worlds.generate.recipes import payment_plan, slow_plan
from worlds.generate.slow_query.plan import SlowFault

__all__ = ["ExpectedAnswer", "expected_answer"]

POOL_PAGE = Path("database/connection-pool-exhaustion.md")
LOCK_PAGE = Path("database/lock-contention.md")
QUERY_PAGE = Path("database/slow-queries-after-release.md")
CHAIN_PAGE = Path("dependency/downstream-timeout-chain.md")


@dataclass(frozen=True, slots=True)
class ExpectedAnswer:
    """What a right diagnosis of one world says, and must not say."""

    world: str
    seed: int
    variant: str | None
    question: str
    outcome: str
    """`SUCCESS` with a cause, or `FALLBACK` without one."""
    affected: tuple[str, ...] = ()
    """Names of the component at fault; empty when there is none."""
    symptom_services: tuple[str, ...] = ()
    """Services that only show the symptom."""
    runbook: Path | None = None
    """Page of the library that describes the cause, relative to the library."""
    section: str | None = None
    """Heading of the cause on that page, without its `###` marks."""
    cause_terms: tuple[tuple[str, ...], ...] = ()
    """Groups of alternatives: a right conclusion holds one of each group, in any letter case."""
    wrong_terms: tuple[str, ...] = ()
    """Terms of other causes: a right conclusion holds none."""
    markers: tuple[str, ...] = ()
    """Texts in the telemetry that tell this cause from others."""


def expected_answer(name: str, *, seed: int = DEFAULT_SEED, variant: str | None = None) -> ExpectedAnswer:
    """Return what a right diagnosis of this world says.

    Raises:
        UnknownWorld: no such world or variant.
    """
    question = world_question(name, seed=seed, variant=variant)
    known: dict[str, Callable[[int, str | None, str], ExpectedAnswer]] = {
        "payment-timeouts": _payment_answer,
        "slow-query-after-deploy": _slow_answer,
        "downstream-dependency": _downstream_answer,
    }
    if name in known:
        return known[name](seed, variant, question)
    return ExpectedAnswer(name, seed, variant, question, "FALLBACK")


def _payment_answer(seed: int, variant: str | None, question: str) -> ExpectedAnswer:
    plan = payment_plan(seed, variant)
    affected, others = plan.affected.name, (plan.checkout.name, plan.payment.name)
    symptoms = tuple(name for name in others if name != affected)
    if plan.fault is Fault.LOCK:
        return ExpectedAnswer(
            "payment-timeouts",
            seed,
            variant,
            question,
            "SUCCESS",
            affected=(affected, plan.locked_table),
            symptom_services=symptoms,
            runbook=LOCK_PAGE,
            section="Cause: unfinished schema migration holds a table lock",
            cause_terms=(("lock", "锁"), ("migration", "ALTER TABLE", "迁移")),
            wrong_terms=("leak", "泄漏", "deadlock", "too small", "too many clients"),
            markers=("RowExclusiveLock on relation", "still waiting for", "idle in transaction"),
        )
    return ExpectedAnswer(
        "payment-timeouts",
        seed,
        variant,
        question,
        "SUCCESS",
        affected=(affected,),
        symptom_services=symptoms,
        runbook=POOL_PAGE,
        section="Cause: connection leak in newly released code",
        cause_terms=(("leak", "泄漏"), (affected, plan.affected_pool.name)),
        wrong_terms=("deadlock", "table lock", "row lock", "too small", "too many clients", "failover"),
        markers=("leak detection triggered", "Apparent connection leak", plan.names.leaky_class),
    )


def _slow_answer(seed: int, variant: str | None, question: str) -> ExpectedAnswer:
    plan = slow_plan(seed, variant)
    is_cast = plan.fault is SlowFault.COLUMN_CAST
    return ExpectedAnswer(
        "slow-query-after-deploy",
        seed,
        variant,
        question,
        "SUCCESS",
        affected=(plan.subject.table, plan.search.name, plan.index),
        symptom_services=(plan.portal.name,),
        runbook=QUERY_PAGE,
        section="Cause: column converted inside the comparison" if is_cast else "Cause: index removed by a migration",
        cause_terms=(
            (("convert", "conversion", "cast", "::numeric"),)
            if is_cast
            else (("index", "索引"), ("drop", "removed", "missing", "删除"))
        ),
        wrong_terms=("planner statistics", "lock wait", "spill")
        + (("dropped", "removed by a migration") if is_cast else ("cast", "converted")),
        markers=("::numeric", "Seq Scan on") if is_cast else ("DROP INDEX", "Rows Removed by"),
    )


def _downstream_answer(seed: int, variant: str | None, question: str) -> ExpectedAnswer:
    plan = draw_downstream_plan(seed)
    return ExpectedAnswer(
        "downstream-dependency",
        seed,
        variant,
        question,
        "SUCCESS",
        affected=(plan.cache.name, plan.reserve.name),
        symptom_services=(plan.gateway.name, plan.submit.name),
        runbook=CHAIN_PAGE,
        section="原因：缓存实例被持久化刷盘拖住",
        cause_terms=(("刷盘", "AOF", "fsync"), ("缓存", "Redis", plan.cache.name)),
        wrong_terms=("线程池", "丢包", "大键", "淘汰", "摘除"),
        markers=("AOF fsync", "RedisCommandTimeoutException", "DEADLINE_EXCEEDED"),
    )
