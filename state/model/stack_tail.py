"""Shortens stack traces to what identifies them. Pure."""

import re
from itertools import groupby

KEPT_FRAMES = 3
"""Frames kept of each trace: the ones nearest to where it was raised."""

_FRAME = re.compile(r"\s+at \S.*|at [\w.$<>]+\(.*|\s*\.\.\. \d+ (?:more|common frames omitted)\s*")
_PYTHON_FRAME = re.compile(r'\s*File "[^"]*", line \d+.*')
_PYTHON_CODE = re.compile(r"\s{4,}\S.*")
_GO_FRAME = re.compile(r"\t\S+\.go:\d+.*")


def drop_stack_tail(message: str) -> str:
    """``message`` with each run of stack frames cut to three and a line that says how many were dropped.

    Exception lines, "Caused by" lines and everything else stay. Java, JavaScript, .NET and Go list the raising
    frame first, Python last: the three next to it are kept. A message without frames comes back unchanged.
    """
    if "\n" not in message:
        return message
    lines = message.split("\n")
    out: list[str] = []
    for style, run in groupby(_frames(lines), key=lambda pair: pair[0]):
        block = [text for _, text in run]
        out.extend(block if not style else _shortened(block, python=style == "python"))
    return "\n".join(out)


def _frames(lines: list[str]) -> list[tuple[str, str]]:
    """Each frame with its style, joined with the source line that belongs to it; other lines with style ""."""
    marked: list[tuple[str, str]] = []
    for line in lines:
        previous = marked[-1] if marked else ("", "")
        if _PYTHON_FRAME.fullmatch(line):
            marked.append(("python", line))
        elif previous[0] == "python" and "\n" not in previous[1] and _PYTHON_CODE.fullmatch(line):
            marked[-1] = ("python", f"{previous[1]}\n{line}")
        elif _FRAME.fullmatch(line):
            marked.append(("at", line))
        elif _GO_FRAME.fullmatch(line) and previous[0] == "" and previous[1].endswith(")"):
            marked[-1] = ("go", f"{previous[1]}\n{line}")
        else:
            marked.append(("", line))
    return marked


def _shortened(block: list[str], *, python: bool) -> list[str]:
    n_dropped = len(block) - KEPT_FRAMES
    if n_dropped <= 0:
        return block
    note = f"... {n_dropped} frames dropped"
    return [note, *block[-KEPT_FRAMES:]] if python else [*block[:KEPT_FRAMES], note]
