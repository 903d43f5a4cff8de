"""How a value is written: the same figure in text and field, six significant digits, whole numbers whole. Pure."""

import math

_DIGITS = 6
_WHOLE_FROM = 1e6
_PLAIN_UNTIL = 1e15
_PLAIN_FROM = 1e-6


def rounded(value: float) -> float | int:
    """The value as it is shown. Finite values only."""
    if abs(value) < _PLAIN_UNTIL and (value == int(value) or abs(value) >= _WHOLE_FROM):
        return round(value)
    return float(f"{value:.{_DIGITS}g}")


def figure(value: float | int, unit: str = "") -> str:
    """The rounded value with its unit; without an exponent where it can be written plainly."""
    shown = rounded(value)
    if isinstance(shown, int):
        text = str(shown)
    elif _PLAIN_FROM <= abs(shown) < _PLAIN_UNTIL:
        decimals = max(0, _DIGITS - 1 - math.floor(math.log10(abs(shown))))
        text = f"{shown:.{decimals}f}"
        text = text.rstrip("0").rstrip(".") if decimals else text
    else:
        text = repr(shown)
    return f"{text} {unit}" if unit and unit != "%" else text + unit


def ratio_text(change: float) -> str:
    """A relative change in percent: ``+218%``."""
    percent = rounded(change * 100)
    return f"{'+' if percent > 0 else ''}{figure(percent)}%"
