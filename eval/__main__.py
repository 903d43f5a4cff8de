"""``python -m eval PART``, also ``rootproof eval PART``: measures, prints, and exits with 1 if a gate does not hold."""

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from config.log_setup import configure_logging
from eval.adversary.section import Section, failed, render
from eval.parts import GUARD, PARTS, NotMeasured, Part
from state.model.redaction import redact_text

PAGE = Path(__file__).parents[1] / "docs" / "evaluation.md"
PAGE_HEAD = "# Evaluation\n\nWritten by `rootproof eval page`; `rootproof eval PART` shows one part.\n\n"
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None, no_args_is_help=True)


class Format(StrEnum):
    """How figures are printed."""

    MD = "md"
    JSON = "json"


Seeds = Annotated[int, typer.Option("--seeds", metavar="N", min=0, help="Seeds of every bundled world.")]
Tries = Annotated[
    int, typer.Option("--tries", metavar="N", min=1, help="Wrong drafts judged for each operator at most.")
]
Printed = Annotated[Format, typer.Option("--format", help="Markdown tables, or one JSON object.")]
Cache = Annotated[Path | None, typer.Option("--cache", metavar="DIR", help="Keep what was played from run to run.")]
Keep = Annotated[bool, typer.Option("--write-baseline", help="Make this the baseline of runs of this size.")]


@app.callback()
def start() -> None:
    """Measure how well Rootproof keeps its promises."""
    # What is wrong on purpose is not worth a line a time.
    configure_logging("error", "console", redact_text)


@app.command(GUARD.name, help=GUARD.sentence)
def guard(
    seeds: Seeds = 3, tries: Tries = 60, printed: Printed = Format.MD, cache: Cache = None, keep: Keep = False
) -> None:
    """Score the guards.

    Raises:
        Exit: always, with 1 if a gate does not hold.
    """
    from eval.adversary.baseline import write_baseline
    from eval.adversary.guard_score import as_json, measure, section_of

    measured = measure(seeds, tries=tries, folder=cache)
    if keep:
        write_baseline(measured.label, measured.tallies)
    part = section_of(measured)
    text = json.dumps(as_json(measured), ensure_ascii=False, indent=1) if printed is Format.JSON else render([part])
    typer.echo(text)
    raise typer.Exit(_code([part]))


@app.command()
def page() -> None:
    """Measure every part and write docs/evaluation.md.

    Raises:
        Exit: always, with 1 if a gate does not hold.
    """
    sections = [part.section() for part in PARTS]
    PAGE.write_text(PAGE_HEAD + render(sections), encoding="utf-8")
    typer.echo(f"{PAGE.name} is written.")
    raise typer.Exit(_code(sections))


def _show(part: Part) -> None:
    """Add the command that prints one part."""

    @app.command(part.name, help=part.sentence)
    def show() -> None:
        made = part.section()
        typer.echo(render([made]))
        raise typer.Exit(_code([made]))


def _code(sections: list[Section]) -> int:
    """1 if a gate does not hold; each that does not is named on standard error."""
    broken = failed(sections)
    for gate in broken:
        typer.echo(
            f"{gate.name}: {gate.value:g}, {'at least' if gate.at_least else 'at most'} {gate.bound:g}", err=True
        )
    return 1 if broken else 0


for one in PARTS:
    if one is not GUARD:
        _show(one)


def main() -> None:
    """Run the command line; what is not measured yet is said, with the way to measure it."""
    try:
        app(prog_name="rootproof eval")
    except NotMeasured as missing:
        typer.echo(str(missing), err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
