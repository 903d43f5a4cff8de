"""The form of one rule about secrets. Pure."""

import re
from collections.abc import Callable
from dataclasses import dataclass


def is_anything(_text: str) -> bool:
    """True."""
    return True


@dataclass(frozen=True)
class SecretRule:
    """One kind of secret."""

    name: str
    """Appears in the replacement ``[REDACTED:<name>]``."""
    pattern: re.Pattern[str]
    """Has a group ``secret``: the part that is removed."""
    example: str
    """Must be changed by this rule."""
    counter_example: str
    """Ordinary telemetry that looks similar and must survive all rules."""
    accepts: Callable[[str], bool] = is_anything
    """False for a candidate that is no secret (checksum wrong, a word of prose)."""


def rule(
    name: str, pattern: str, example: str, counter_example: str, accepts: Callable[[str], bool] = is_anything
) -> SecretRule:
    """A rule from its pattern as text."""
    return SecretRule(name, re.compile(pattern), example, counter_example, accepts)
