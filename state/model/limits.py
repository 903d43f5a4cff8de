"""Bounds of one run. The defaults and their documentation live in ``config.limits``."""

from pydantic import Field

from state.model.base import Value


class RunLimits(Value):
    """What one run may spend, and when collection stops."""

    max_model_calls: int = Field(20, ge=1, le=200)
    """Model calls of all roles."""
    max_tool_calls: int = Field(12, ge=0, le=100)
    """Charged evidence tool calls."""
    max_calls_per_tool: int = Field(6, ge=0, le=100)
    """Charged calls of one tool."""
    max_total_tokens: int = Field(120_000, ge=1_000, le=5_000_000)
    """Prompt plus completion tokens of all roles."""
    max_run_bytes: int = Field(8 * 1024 * 1024, ge=1024)
    """Request plus raw plus projection bytes of all tool calls."""
    deadline_s: float = Field(180.0, gt=0, le=3600)
    """Active seconds until the hard deadline."""
    max_run_age_s: float = Field(7200.0, gt=0)
    """Seconds from opening until the sweeper closes the run."""
    max_resumes: int = Field(2, ge=0, le=20)
    """How often an interrupted run is taken up again."""
    stop_after_consecutive_no_gain: int = Field(2, ge=1, le=20)
    """NO_GAIN in a row until INFORMATION_SATURATED."""
    saturation_min_tools: int = Field(2, ge=0, le=10)
    """Different tools that must have answered before saturation; 0 = no minimum."""
    stop_after_consecutive_protocol_violations: int = Field(2, ge=1, le=20)
    """Protocol violations in a row until PROGRESS_PROTOCOL_VIOLATED."""
    stop_after_consecutive_tool_errors: int = Field(4, ge=1, le=20)
    """Tool errors in a row until TOOLS_FAILING."""


class HeldBack(Value):
    """What collection must leave for the draft turn, its repair and its reviews."""

    model_calls: int = Field(4, ge=0)
    """One draft turn, one repair, two reviews."""
    tokens: int = Field(24_000, ge=0)
    seconds: float = Field(60.0, ge=0)
