"""Shares of a count with their 95 % intervals. Pure."""

from dataclasses import dataclass
from math import sqrt

_Z = 1.959964
"""Two-sided 95 %."""


@dataclass(frozen=True)
class Rate:
    """``n`` of ``of``."""

    n: int
    of: int

    @property
    def share(self) -> float | None:
        """Between 0 and 1; None where nothing was counted."""
        return self.n / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval; (0, 1) where nothing was counted. https://doi.org/10.1080/01621459.1927.10502953."""
        if not self.of:
            return 0.0, 1.0
        share, z2 = self.n / self.of, _Z * _Z
        middle = share + z2 / (2 * self.of)
        spread = _Z * sqrt(share * (1 - share) / self.of + z2 / (4 * self.of * self.of))
        whole = 1 + z2 / self.of
        return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)

    def __add__(self, other: "Rate") -> "Rate":
        """Both counts together."""
        return Rate(self.n + other.n, self.of + other.of)


def percent(rate: Rate) -> str:
    """``98.3 % (94.1–99.5)``; a dash where nothing was counted."""
    if rate.share is None:
        return "–"
    low, high = rate.interval
    return f"{_short(rate.share)} % ({_short(low)}–{_short(high)})"


def _short(share: float) -> str:
    return f"{share * 100:.1f}".removesuffix(".0")
