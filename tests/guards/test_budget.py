"""When only the reserve for the draft is left."""

import pytest

from guards.budget import collection_limit, held_back_for, lower
from state.model.enums import StopReason
from state.model.limits import HeldBack, RunLimits
from state.model.run import BudgetUsage

LIMITS = RunLimits()
HELD = HeldBack()
TOOLS = frozenset({"query_logs", "query_sql"})


NOTHING = BudgetUsage()


def limit(usage: BudgetUsage = NOTHING, remaining_s: float = 180.0, limits: RunLimits = LIMITS) -> object:
    return collection_limit(usage, limits, HELD, remaining_s=remaining_s, tools=TOOLS)


def test_a_fresh_run_collects() -> None:
    assert limit() is None


@pytest.mark.parametrize(
    "usage",
    [
        BudgetUsage(model_calls=16),
        BudgetUsage(tokens=96_000),
        BudgetUsage(tool_calls=12),
        BudgetUsage(tool_calls=12, calls_by_tool={"query_logs": 6, "query_sql": 6}),
        BudgetUsage(bytes=LIMITS.max_run_bytes),
    ],
)
def test_collection_stops_when_only_the_reserve_is_left(usage: BudgetUsage) -> None:
    assert limit(usage) is StopReason.BUDGET_LIMIT_REACHED


@pytest.mark.parametrize("usage", [BudgetUsage(model_calls=15), BudgetUsage(tokens=95_999)])
def test_one_call_above_the_reserve_still_collects(usage: BudgetUsage) -> None:
    assert limit(usage) is None


def test_one_tool_with_calls_left_is_enough() -> None:
    assert limit(BudgetUsage(tool_calls=6, calls_by_tool={"query_logs": 6})) is None


def test_sixty_seconds_are_held_back() -> None:
    assert limit(remaining_s=60.0) is StopReason.DEADLINE_REACHED


def test_a_small_run_still_collects() -> None:
    small = lower(LIMITS, deadline_s=30.0, max_model_calls=3.0, max_total_tokens=30_000.0)

    assert limit(limits=small, remaining_s=30.0) is None
    assert held_back_for(small, HELD).model_calls == 1


def test_options_only_lower_limits() -> None:
    assert lower(LIMITS, max_tool_calls=99.0, deadline_s=None) == LIMITS
    assert lower(LIMITS, max_tool_calls=3.0).max_tool_calls == 3
