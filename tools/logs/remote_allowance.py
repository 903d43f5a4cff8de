"""How long one call may take and how much it may read, over all its requests."""

import asyncio

from state.model.enums import ToolCode
from state.model.errors import ToolFailed

MAX_REPLY_BYTES = 20 * 1024 * 1024
"""Of one reply; a larger one is RESULT_TOO_LARGE."""


class Allowance:
    """Counts down from the moment it is made."""

    def __init__(self, timeout_s: float) -> None:
        self._ends_at = asyncio.get_running_loop().time() + timeout_s

    def left_s(self) -> float:
        """Seconds left, above 0.

        Raises:
            ToolFailed: TOOL_TIMEOUT, none are.
        """
        left = self._ends_at - asyncio.get_running_loop().time()
        if left <= 0:
            raise ToolFailed(ToolCode.TOOL_TIMEOUT, log_detail="no time left for a further request")
        return left
