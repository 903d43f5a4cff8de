"""Limits agree with the values they fill, and with the contracts."""

from typing import Any

import pytest

from config import limits
from config.settings import Settings
from state.model.enums import ModelRole
from state.model.limits import HeldBack, RunLimits
from state.model.run import LEASE_S


def test_default_settings_give_the_default_limits() -> None:
    assert limits.run_limits(Settings()) == RunLimits()
    assert limits.held_back(Settings()) == HeldBack()


def bounds(model: Any, name: str) -> dict[str, object]:
    return {type(rule).__name__: rule for rule in model.model_fields[name].metadata}


@pytest.mark.parametrize("name", [name for name in RunLimits.model_fields if name != "max_run_age_s"])
def test_setting_has_the_bounds_of_its_limit(name: str) -> None:
    assert bounds(Settings, name) == bounds(RunLimits, name)


def test_every_limit_can_be_set() -> None:
    settings = Settings(max_tool_calls=3, held_back_tokens=5, held_back_s=2, held_back_model_calls=1, deadline_s=9)

    assert limits.run_limits(settings).max_tool_calls == 3
    assert limits.run_limits(settings).deadline_s == 9
    assert limits.held_back(settings) == HeldBack(model_calls=1, tokens=5, seconds=2)


def test_output_maxima_and_attempts_are_those_of_the_contracts() -> None:
    assert [limits.MAX_OUTPUT_TOKENS[role] for role in ModelRole] == [64, 4096, 4096, 512]
    assert [limits.MAX_ATTEMPTS[role] for role in ModelRole] == [2, 2, 1, 2]


def test_role_timeouts_are_settings() -> None:
    settings = Settings(router_timeout_s=1, agent_timeout_s=2, repair_timeout_s=3, review_timeout_s=4)

    assert [limits.role_timeout_s(settings, role) for role in ModelRole] == [1, 2, 3, 4]


def test_lease_survives_two_missed_heartbeats() -> None:
    assert limits.HEARTBEAT_S * 3 <= LEASE_S
