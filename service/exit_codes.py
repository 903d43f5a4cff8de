"""What a command tells the shell. Pure."""

from enum import IntEnum

from state.model.enums import ReleaseOutcome


class ExitCode(IntEnum):
    """Exit codes of every command."""

    SUCCESS = 0
    FAILED = 1
    """The run failed, or an error kept the command from its end."""
    USAGE = 2
    """Nothing was run: the command, the question or a setting cannot be used."""
    FALLBACK = 3
    """The run ended honestly without a conclusion."""
    CANCELLED = 130


EXIT_OF: dict[ReleaseOutcome, ExitCode] = {
    ReleaseOutcome.SUCCESS: ExitCode.SUCCESS,
    ReleaseOutcome.FALLBACK: ExitCode.FALLBACK,
    ReleaseOutcome.FAILED: ExitCode.FAILED,
    ReleaseOutcome.CANCELLED: ExitCode.CANCELLED,
}
"""One code per outcome of a run."""
