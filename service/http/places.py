"""How much of something each key may hold at a time in this process. A name that holds nothing is not kept."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


class NoPlace(Exception):
    """This name holds as many as it may."""


@dataclass
class Places:
    """The places of every name; ``most`` each, at least 1."""

    most: int
    _held: Counter[str] = field(default_factory=Counter, init=False, repr=False)

    @contextmanager
    def one(self, name: str) -> Iterator[None]:
        """Hold a place until the end of the block, however it ends.

        Raises:
            NoPlace: the name has none left.
        """
        if self._held[name] >= self.most:
            raise NoPlace
        self._held[name] += 1
        try:
            yield
        finally:
            self._held[name] -= 1
            if not self._held[name]:
                del self._held[name]

    @property
    def n_held(self) -> int:
        """Places held by all names together."""
        return self._held.total()

    @property
    def n_names(self) -> int:
        """Names that hold any."""
        return len(self._held)
