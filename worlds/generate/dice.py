"""Seeded randomness: the only door to random numbers in the bundled worlds.

Every stream is named by a seed and labels, so two worlds of one family can share a stream (the
healthy twin has the same traffic) and adding a stream never shifts another one. Never reads a
clock or the environment.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random as Dice

__all__ = ["Dice", "arrivals", "dice_for", "draw_hex", "draw_ip", "draw_word"]


def dice_for(seed: int, *labels: str) -> Dice:
    """Return the random stream of these labels; equal arguments give an equal stream."""
    return Dice("/".join((str(seed), *labels)))


def arrivals(dice: Dice, start: datetime, end: datetime, *, per_hour: float) -> list[datetime]:
    """Return the instants of a Poisson process in [start, end), in order.

    Empty when `per_hour` is zero or the interval is empty.
    """
    instants: list[datetime] = []
    if per_hour <= 0:
        return instants
    at = start + timedelta(hours=dice.expovariate(per_hour))
    while at < end:
        instants.append(at)
        at += timedelta(hours=dice.expovariate(per_hour))
    return instants


def draw_hex(dice: Dice, n_digits: int) -> str:
    """Return `n_digits` lower-case hexadecimal digits."""
    return f"{dice.getrandbits(n_digits * 4):0{n_digits}x}"


def draw_ip(dice: Dice) -> str:
    """Return an address of the private network 10.0.0.0/8."""
    return f"10.{dice.randrange(2, 60)}.{dice.randrange(256)}.{dice.randrange(2, 254)}"


def draw_word(dice: Dice, words: Sequence[str]) -> str:
    """Return one of `words`, each equally likely."""
    return words[dice.randrange(len(words))]
