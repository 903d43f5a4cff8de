"""How a statement is turned down: a code and one sentence, written by code. Pure."""

from dataclasses import dataclass

from state.model.enums import ToolCode

MAX_WHY_CHARS = 280


@dataclass(frozen=True)
class Refusal:
    """Why a statement is not run."""

    code: ToolCode
    """NOT_READ_ONLY or INVALID_REQUEST."""
    why: str
    """Names what was refused and what is allowed; at most 280 characters."""


class Refused(Exception):
    """Carries a refusal out of the walk through a statement; never leaves ``tools.sql.validator``."""

    def __init__(self, why: str, *, code: ToolCode = ToolCode.INVALID_REQUEST) -> None:
        super().__init__(why)
        self.refusal = Refusal(code, why[:MAX_WHY_CHARS])


def shown(name: str) -> str:
    """A name of the model's own text, quoted and bounded for a refusal."""
    return repr(name[:40])
