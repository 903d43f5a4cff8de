"""The parts of the evaluation page, in order. A new part is a module with ``section() -> Section`` and a line here."""

from dataclasses import dataclass
from importlib import import_module

from eval.adversary.section import Section


class NotMeasured(RuntimeError):
    """Whoever runs the evaluation acts: a part reads a result that nobody has measured yet."""

    def __init__(self, name: str, module: str, path: str) -> None:
        super().__init__(f"{name}: {path} is not there; python -m {module} measures it")


@dataclass(frozen=True)
class Part:
    """One part and where it comes from."""

    name: str
    """Also the command that shows it alone."""
    module: str
    """Imported only when the part is asked for."""
    sentence: str
    """What the command does."""

    def section(self) -> Section:
        """The part with its figures and gates.

        Raises:
            NotMeasured: it reads a result that is not there.
        """
        try:
            made = import_module(self.module).section()
        except FileNotFoundError as error:
            raise NotMeasured(self.name, self.module, str(error.filename)) from error
        assert isinstance(made, Section), f"{self.module}.section gives a Section"
        return made


GUARD = Part("guard", "eval.adversary.guard_score", "Score the guards on drafts made wrong; minutes.")
PARTS: tuple[Part, ...] = (
    GUARD,
    Part("adversary", "eval.adversary.campaign", "Show the committed result of the hostile models."),
    Part("injection", "eval.adversary.injection", "Show the committed result of instructions in telemetry."),
)
