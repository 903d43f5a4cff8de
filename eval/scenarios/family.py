"""What the author of a fault family writes: who takes part, what is seen, what proves the cause, and the answer."""

from typing import Protocol

from eval.scenarios.cast import Cast
from eval.scenarios.model import Cause, Milestone, Part
from state.model.enums import Language


class Family(Protocol):
    """One kind of fault. Every method is pure and depends on the cast alone."""

    name: str
    """Unique, in ``kebab-case``."""
    area: str
    """application, database, cache, queue, network, deployment, quota, certificate, host or platform."""

    def cast(self, seed: int) -> Cast:
        """Who takes part."""
        ...

    def question(self, cast: Cast, language: Language) -> str:
        """What a person asks about the symptom, with the onset as clock time of the world's zone; names no cause."""
        ...

    def everyday(self, cast: Cast) -> Part:
        """What this technology writes on any day, before and during the incident: the twin has it too."""
        ...

    def symptoms(self, cast: Cast) -> Part:
        """What callers and customers see from the onset on."""
        ...

    def proof(self, cast: Cast) -> Part:
        """What the component at fault writes: telltales that fit this cause and no other, with the change behind it."""
        ...

    def cause(self, cast: Cast) -> Cause:
        """The cause as a right conclusion names it."""
        ...

    def milestones(self, cast: Cast) -> tuple[Milestone, ...]:
        """The steps of its proof."""
        ...

    def rivals(self, cast: Cast) -> tuple[str, ...]:
        """Terms of the other causes of the same symptom: wrong in a conclusion."""
        ...
