"""The closed list of bundled worlds: name, titles, question, variants, and how each is built."""

from collections.abc import Callable
from dataclasses import dataclass

from worlds.generate.downstream.plan import draw_downstream_plan
from worlds.generate.downstream.world import build_downstream_world
from worlds.generate.model import World
from worlds.generate.no_evidence.plan import draw_quiet_plan
from worlds.generate.no_evidence.world import build_quiet_world
from worlds.generate.payment.plan import Fault, PaymentPlan, draw_plan
from worlds.generate.payment.world import build_payment_world
from worlds.generate.slow_query.plan import SlowFault, SlowPlan, draw_slow_plan
from worlds.generate.slow_query.world import build_slow_world

OTHER_SERVICE = "other-service"
"""Variant: the same fault sits in another service."""
OTHER_CAUSE = "other-cause"
"""Variant: the same symptom and question, another cause."""
UNKNOWN_SERVICE = "unknown-service"
"""Variant: the question names a service that no source holds."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one bundled world is made."""

    name: str
    title_en: str
    title_zh: str
    language: str
    """Language of the question, `en` or `zh`."""
    variants: tuple[str, ...]
    """Names accepted beside the plain world."""
    question: Callable[[int, str | None], str]
    """Seed and variant to the question."""
    build: Callable[[int, str | None], World]
    """Seed and variant to the world."""


def payment_plan(seed: int, variant: str | None) -> PaymentPlan:
    """Return the plan of the failing payment world."""
    fault = Fault.LOCK if variant == OTHER_CAUSE else Fault.LEAK
    return draw_plan(seed, fault, is_ledger_affected=variant == OTHER_SERVICE)


def slow_plan(seed: int, variant: str | None) -> SlowPlan:
    """Return the plan of the slow-query world."""
    is_cast = variant == OTHER_CAUSE
    return draw_slow_plan(seed, SlowFault.COLUMN_CAST if is_cast else SlowFault.INDEX_DROPPED)


def _payment_question(seed: int, variant: str | None) -> str:
    times = payment_plan(seed, variant).times
    return f"Why are payments timing out since {times.clock(times.onset_at)}?"


def _slow_question(seed: int, variant: str | None) -> str:
    plan = slow_plan(seed, variant)
    return f"Why are {plan.subject.noun} slow since {plan.times.clock(plan.times.onset_at)}?"


def _downstream_question(seed: int, _variant: str | None) -> str:
    plan = draw_downstream_plan(seed)
    clock = plan.times.clock(plan.times.onset_at)
    return f"从 {clock} 开始，为什么{plan.trade.interface}频繁超时？"


def _quiet_question(seed: int, variant: str | None) -> str:
    plan = draw_quiet_plan(seed)
    clock = plan.times.clock(plan.times.onset_at)
    if variant == UNKNOWN_SERVICE:
        return f"Why does {plan.ghost} reject requests since {clock}?"
    return f"Why do {plan.matter.noun} fail since {clock}?"


RECIPES = (
    Recipe(
        name="payment-timeouts",
        title_en="Payments time out",
        title_zh="支付超时",
        language="en",
        variants=(OTHER_SERVICE, OTHER_CAUSE),
        question=_payment_question,
        build=lambda seed, variant: build_payment_world(payment_plan(seed, variant), "payment-timeouts"),
    ),
    Recipe(
        name="payment-healthy",
        title_en="Payments, healthy twin",
        title_zh="支付正常（对照）",
        language="en",
        variants=(),
        question=_payment_question,
        build=lambda seed, _: build_payment_world(draw_plan(seed, Fault.HEALTHY), "payment-healthy"),
    ),
    Recipe(
        name="slow-query-after-deploy",
        title_en="Lookups slow after a deployment",
        title_zh="发布后查询变慢",
        language="en",
        variants=(OTHER_CAUSE,),
        question=_slow_question,
        build=lambda seed, variant: build_slow_world(slow_plan(seed, variant), "slow-query-after-deploy"),
    ),
    Recipe(
        name="downstream-dependency",
        title_en="A dependency two hops away",
        title_zh="两跳之外的下游依赖",
        language="zh",
        variants=(),
        question=_downstream_question,
        build=lambda seed, _: build_downstream_world(draw_downstream_plan(seed), "downstream-dependency"),
    ),
    Recipe(
        name="no-evidence",
        title_en="An incident that left no trace",
        title_zh="没有证据的事件",
        language="en",
        variants=(UNKNOWN_SERVICE,),
        question=_quiet_question,
        build=lambda seed, _: build_quiet_world(draw_quiet_plan(seed), "no-evidence"),
    ),
)
"""All bundled worlds, in the order in which they are listed to people."""
