"""Bounds of a run: built from settings, and the constants of the contracts that are no settings. Pure."""

from config.settings import Settings
from state.model.enums import ModelRole
from state.model.limits import HeldBack, RunLimits

MAX_OUTPUT_TOKENS: dict[ModelRole, int] = {
    ModelRole.ROUTER: 64,
    ModelRole.AGENT: 4096,
    ModelRole.REPAIR: 4096,
    ModelRole.SEMANTIC: 512,
}
"""Most tokens one reply of a role may hold; reserved before each call."""

MAX_ATTEMPTS: dict[ModelRole, int] = {
    ModelRole.ROUTER: 2,
    ModelRole.AGENT: 2,
    ModelRole.REPAIR: 1,
    ModelRole.SEMANTIC: 2,
}
"""Calls one step of a role may cost, the first included."""

MAX_RETRY_AFTER_S = 10.0
"""A provider that asks for a longer pause is not asked again."""
MAX_QUERY_CHARS = 4000
"""A longer question is refused before a run opens."""
HEARTBEAT_S = 10.0
"""Seconds between two renewals of the leases a process holds; a third of the lease."""
CHECKPOINT_DAYS = 7
"""Age at which the thread of a run is deleted."""


def run_limits(settings: Settings) -> RunLimits:
    """What one run may spend. Every field has the setting of the same name."""
    return RunLimits(**{name: getattr(settings, name) for name in RunLimits.model_fields})


def held_back(settings: Settings) -> HeldBack:
    """What collection leaves for the draft turn, its repair and its reviews."""
    return HeldBack(
        model_calls=settings.held_back_model_calls,
        tokens=settings.held_back_tokens,
        seconds=settings.held_back_s,
    )


def role_timeout_s(settings: Settings, role: ModelRole) -> float:
    """Seconds for all attempts of one step of the role; the caller lowers it to the time left."""
    return {
        ModelRole.ROUTER: settings.router_timeout_s,
        ModelRole.AGENT: settings.agent_timeout_s,
        ModelRole.REPAIR: settings.repair_timeout_s,
        ModelRole.SEMANTIC: settings.review_timeout_s,
    }[role]
