"""Commands that a person can copy: found in sentences, and written as the person called this program. Pure."""

import os.path
import re
import shlex
from pathlib import Path

from service.page import Command, Step

PROGRAM = "rootproof"
_COMMAND = re.compile(
    rf"\b{PROGRAM} (?=(?:demo|diagnose|serve|trace|resume|fork|replay|doctor|ingest|search|documents|db|mcp|--help)\b)"
)
_NEEDS_WORLD = (f"{PROGRAM} diagnose ", f"{PROGRAM} doctor")


def program_name(argv0: str, current: Path, on_path: str | None) -> str:
    """What to type for the program that was started as ``argv0``: its name if ``on_path`` is it, else its path.

    The path is relative to ``current`` where that is shorter. Started in another way, as a module, it is its name.
    """
    called = Path(os.path.normpath(current / argv0))
    if called.name != PROGRAM or (on_path is not None and Path(on_path).resolve() == called.resolve()):
        return PROGRAM
    relative = os.path.relpath(called, current)
    nearby = relative if os.sep in relative else f".{os.sep}{relative}"
    return shlex.quote(min(nearby, str(called), key=len))


def as_called(text: str, program: str) -> str:
    """The text with every command of this program as it is called here."""
    return _COMMAND.sub(lambda _: f"{program} ", text)


def split_command(text: str) -> tuple[str, Command]:
    """The words before the command that ends the text, and the command; it is empty where there is none."""
    found = _COMMAND.search(text)
    if found is None:
        return text, Command()
    return text[: found.start()].rstrip(), Command(text[found.start() :].rstrip())


def step(text: str, *, world: str = "") -> Step:
    """The step that the sentence tells; a command that searches gets ``world`` if one is named."""
    words, command = split_command(text)
    needs_world = world and command.startswith(_NEEDS_WORLD) and "--world" not in command
    return Step(words, Command(f"{command} --world {shlex.quote(world)}") if needs_world else command)
