"""A command line that cannot be parsed: how the command is written, what is wrong, and where its help is. Pure."""

from typer.exceptions import TyperException

from service.exit_codes import ExitCode
from service.invocation import PROGRAM
from service.problems import Problem
from service.reasons import reason_in
from service.speech import Speech
from service.texts import errors as texts


def usage_problem(wrong: TyperException, say: Speech, program: str, *, as_json: bool) -> Problem:
    """The problem; a program gets one sentence, a person the usage before it and the way to the help after it."""
    why = reason_in(say.language, wrong.format_message())
    context = getattr(wrong, "ctx", None)
    if as_json or context is None:
        return Problem("USAGE", say(texts.USAGE, why=why), ExitCode.USAGE)
    usage = " ".join(context.get_usage().removeprefix("Usage: ").split())
    command = f"{PROGRAM}{context.command_path.removeprefix(program)} --help"
    message = f"{why}\n{say(texts.SEE_HELP, command=command)}"
    return Problem("USAGE", message, ExitCode.USAGE, usage=say(texts.USAGE, why=usage))
