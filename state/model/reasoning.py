"""What a model said beside its answer, as the provider returned it: for auditors, never evidence. Pure."""

from datetime import datetime

from pydantic import Field

from state.model.base import Value

MAX_REASONING_CHARS = 32_000
"""Of each field; what is longer is cut there."""


class Reasoning(Value):
    """What was kept of one model step."""

    step: str
    """``role:round:attempt``."""
    at: datetime
    text: str | None = Field(max_length=MAX_REASONING_CHARS)
    """Thinking as returned; None: the provider returned none. Never made up afterwards."""
    assistant: str = Field("", max_length=MAX_REASONING_CHARS)
    """The text of the reply itself; empty for one that only calls a tool."""
