"""Errors of the bundled worlds; each names the fact and carries its fields."""


class UnknownWorld(ValueError):
    """No bundled world has this name, or the world has no such variant."""

    def __init__(self, name: str, variant: str | None = None) -> None:
        """Keep `name` and `variant` as fields and build the message from them."""
        self.name = name
        self.variant = variant
        what = f"variant {variant!r} of world {name!r}" if variant else f"world {name!r}"
        super().__init__(f"unknown {what}")
