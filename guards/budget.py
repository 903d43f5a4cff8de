"""What a run may still spend, and when only the reserve for the draft is left. Pure."""

from state.model.enums import StopReason
from state.model.limits import HeldBack, RunLimits
from state.model.run import BudgetUsage


def lower(limits: RunLimits, **wanted: float | None) -> RunLimits:
    """The limits with every given one lowered; a higher wish changes nothing."""
    update = {
        name: type(getattr(limits, name))(min(getattr(limits, name), value))
        for name, value in wanted.items()
        if value is not None
    }
    return limits.model_copy(update=update)


def held_back_for(limits: RunLimits, held_back: HeldBack) -> HeldBack:
    """The reserve, never more than a third of what the run has at all: a small run still collects."""
    return HeldBack(
        model_calls=min(held_back.model_calls, max(1, limits.max_model_calls // 3)),
        tokens=min(held_back.tokens, limits.max_total_tokens // 3),
        seconds=min(held_back.seconds, limits.deadline_s / 3),
    )


def collection_limit(
    usage: BudgetUsage, limits: RunLimits, held_back: HeldBack, *, remaining_s: float, tools: frozenset[str]
) -> StopReason | None:
    """Why collection must stop now so that draft, repair and reviews can still be paid; None to go on.

    ``remaining_s``: active seconds until the hard deadline. ``tools``: names of all registered tools.
    """
    reserve = held_back_for(limits, held_back)
    if remaining_s <= reserve.seconds:
        return StopReason.DEADLINE_REACHED
    spent = (
        limits.max_model_calls - usage.model_calls <= reserve.model_calls
        or limits.max_total_tokens - usage.tokens <= reserve.tokens
        or not any(usage.allows_tool(limits, tool) for tool in tools)
        or usage.bytes >= limits.max_run_bytes
    )
    return StopReason.BUDGET_LIMIT_REACHED if spent else None
