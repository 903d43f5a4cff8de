"""One call of one command: where it writes, in which language, and how every way it can end becomes an exit code."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field

import structlog
from rich.console import Console
from rich.text import Text

from config.settings import Settings
from service.backend import Backend
from service.exit_codes import ExitCode
from service.invocation import PROGRAM, as_called, split_command
from service.json_result import Json, dump_json, error_json
from service.log_file import logging_to_file
from service.narrator import Narrator
from service.page import Page
from service.problems import Place, Problem, describe_problem, stores_on_servers
from service.speech import Speech
from service.terminal import show_page
from service.texts import errors as texts
from service.visible import visible
from service.wrapping import wrap

log = structlog.get_logger("service")

Body = Callable[[Settings, Narrator], Awaitable[ExitCode]]


@dataclass
class Desk:
    """Results go to stdout, everything else to stderr."""

    backend: Backend
    say: Speech
    as_json: bool
    verbose: bool
    program: str = PROGRAM
    """What the person typed to call this program."""
    out: Console = field(default_factory=lambda: _console(to_stderr=False))
    err: Console = field(default_factory=lambda: _console(to_stderr=True))
    place: Place = field(default_factory=Place)

    def execute(self, overrides: Mapping[str, object], body: Body) -> ExitCode:
        """The exit code of the body; whatever it raises is said in one or two sentences."""
        with ExitStack() as opened:
            try:
                self.place.options = frozenset(name for name, given in overrides.items() if given is not None)
                settings = self.backend.load(overrides)
                self.place.home = str(settings.home)
                self.place.servers = stores_on_servers(settings)
                self.place.log_file = opened.enter_context(logging_to_file(settings, verbose=self.verbose))
                with Narrator(self.err, self.say, self.program) as narrator:
                    return asyncio.run(_awaited(body, settings, narrator))
            except (KeyboardInterrupt, asyncio.CancelledError):
                return self.complain(Problem("RUN_CANCELLED", self.say(texts.CANCELLED), ExitCode.CANCELLED))
            except BrokenPipeError:
                # Nobody reads any more; Python must not complain about it when it flushes at its end.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                return ExitCode.FAILED
            except Exception as error:  # noqa: BLE001 - the outermost edge: said in words, logged in full
                problem = describe_problem(error, self.say, self.place)
                self._log(problem, error)
                return self.complain(problem)

    def show(self, page: Page, as_json: Json | list[Json]) -> None:
        """The result, in the form that was asked for."""
        if self.as_json:
            self._write(dump_json(as_json))
        else:
            show_page(page, self.out, self.program)
        self.out.file.flush()

    def complain(self, problem: Problem) -> ExitCode:
        """What is said instead of a result."""
        if self.as_json:
            self._write(dump_json(error_json(problem.code, problem.message)))
        else:
            self.err.print(Text("\n".join(self._complaint(problem))), soft_wrap=True)
        return problem.exit

    def _complaint(self, problem: Problem) -> list[str]:
        """The words as wide as the terminal, and the way out below them, to be copied."""
        words, command = split_command(visible(problem.message))
        lines = [visible(problem.usage)] if problem.usage else []
        lines += wrap(words, self.err.width if self.err.is_terminal else None)
        return [*lines, *([f"  {as_called(command, self.program)}"] if command else [])]

    def _log(self, problem: Problem, error: Exception) -> None:
        """Before the log is open, as while settings are read, there is nothing to write it to."""
        if self.place.log_file:
            log.error("command ended", code=problem.code, run_id=self.place.run_id, exc_info=error)

    def _write(self, text: str) -> None:
        self.out.file.write(f"{text}\n")


async def _awaited(body: Body, settings: Settings, narrator: Narrator) -> ExitCode:
    return await body(settings, narrator)


def _console(*, to_stderr: bool) -> Console:
    return Console(
        file=sys.stderr if to_stderr else sys.stdout, markup=False, highlight=False, emoji=False, soft_wrap=False
    )
