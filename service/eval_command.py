"""The command ``eval``: everything after it goes to the evaluation, which the service does not import."""

import runpy
import sys
from collections.abc import Sequence

import typer

from service.speech import Speech
from service.texts import help as texts

_WORDS_AS_THEY_ARE = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


def register(app: typer.Typer, say: Speech) -> None:
    """Add the command ``eval`` to the command line."""

    @app.command("eval", help=say(texts.EVAL), context_settings=_WORDS_AS_THEY_ARE)
    def eval_command(ctx: typer.Context) -> None:
        """Run the evaluation with the words that follow.

        Raises:
            Exit: always, with the exit code of the evaluation.
        """
        raise typer.Exit(run_evaluation(ctx.args))


def run_evaluation(words: Sequence[str]) -> int:
    """The exit code of ``python -m eval`` with these words, run in this process."""
    given = sys.argv
    sys.argv = [given[0], *words]
    try:
        runpy.run_module("eval", run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    finally:
        sys.argv = given
    return 0
