"""How long a list may be asked for. Pure."""

MAX_LISTED = 200


def check_limit(limit: int, *, at_most: int = MAX_LISTED) -> None:
    """Return if so many rows may be asked for.

    Raises:
        ValueError: ``limit`` is below 1 or above ``at_most``.
    """
    if not 1 <= limit <= at_most:
        raise ValueError(f"limit {limit} is not within 1–{at_most}")
