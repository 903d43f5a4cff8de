"""Shows progress on stderr: a spinner for what goes on and a line for what happened; plain lines without a terminal."""

from collections.abc import Mapping
from datetime import UTC, tzinfo
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.status import Status
from rich.text import Text

from service.invocation import PROGRAM, as_called
from service.progress import Teller, Told
from service.speech import Speech
from service.visible import one_line
from state.model.language import Bilingual


class Narrator:
    """Speaks in one language; ``with`` it, so that the spinner is gone before anything else is written."""

    def __init__(self, console: Console, say: Speech, program: str = PROGRAM) -> None:
        self._console = console
        self._spinner = Status("", console=console, spinner="dots") if console.is_terminal else None
        self._last = ""
        self._program = program
        self.say = say
        self._teller = Teller(say, UTC)

    def speak(self, say: Speech, zone: tzinfo = UTC) -> None:
        """Go on in this language, with times in this zone; known once the question and the sources are."""
        self.say = say
        self._teller = Teller(say, zone)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.quiet()

    def on_event(self, event: Mapping[str, object]) -> None:
        """Show one public event."""
        told = self._teller.tell(event)
        if told is not None:
            self._show(told)

    def note(self, text: Bilingual, /, **values: object) -> None:
        """One line that stays."""
        said = self.say(text, **values)
        self._show(Told(as_called(said, self._program) if PROGRAM in text.en else said, is_ongoing=False))

    def busy(self, text: Bilingual, /, **values: object) -> None:
        """What goes on now."""
        self._show(Told(self.say(text, **values), is_ongoing=True))

    def quiet(self) -> None:
        """No spinner any more."""
        if self._spinner is not None:
            self._spinner.stop()

    def part(self, *, with_gap: bool) -> None:
        """Make room for the result: on a terminal with a blank line between progress and what follows."""
        self.quiet()
        if with_gap and self._console.is_terminal:
            self._console.print()

    def _show(self, told: Told) -> None:
        text = one_line(told.text)
        if told.is_ongoing and self._spinner is not None:
            self._spinner.update(Text(text))
            self._spinner.start()
        elif text != self._last:
            self._console.print(Text(text), soft_wrap=True)
            self._last = text
