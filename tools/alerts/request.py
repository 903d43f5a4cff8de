"""The arguments of ``list_alerts`` and their normal form. Pure."""

from typing import NoReturn

from pydantic import Field

from state.model.enums import ToolCode
from state.model.errors import InvalidToolInput
from tools.alerts.port import MAX_NAME_CHARS, AlertState
from tools.contract import CallContext, NormalValue, ToolInput

ACTIVE = "active"
"""Every state but resolved: what is asked when none is named."""
MAX_LABEL_CHARS = 1000


class ListAlertsInput(ToolInput):
    """Arguments of ``list_alerts``."""

    source: str | None = Field(None, max_length=64)
    """Name of an alert source of the catalogue; may be left out if there is only one."""
    state: str | None = Field(None, max_length=20)
    """firing, pending, suppressed, unprocessed or resolved; left out: all that are not resolved."""
    labels: dict[str, str] = Field(default_factory=dict, max_length=20)
    """Label values the alerts must have exactly, such as alertname or service."""


def normalised_scope(arguments: ListAlertsInput, source: str, context: CallContext) -> dict[str, NormalValue]:
    """What is asked for; equal requests are equal.

    Raises:
        InvalidToolInput: an unknown state, or a label that is too long.
    """
    state = (arguments.state or ACTIVE).strip().lower()
    if state not in {ACTIVE, *AlertState}:
        _refuse(f"state: unknown; the states are {', '.join(AlertState)}")
    for name, value in arguments.labels.items():
        if not 0 < len(name) <= MAX_NAME_CHARS or len(value) > MAX_LABEL_CHARS:
            _refuse("labels: a short name and a short value are expected")
    labels: dict[str, str | int | float | bool | None] = dict(sorted(arguments.labels.items()))
    return {"source": source, "state": state, "labels": labels, "at": context.now.isoformat()}


def _refuse(why: str) -> NoReturn:
    raise InvalidToolInput(ToolCode.INVALID_REQUEST, why)
