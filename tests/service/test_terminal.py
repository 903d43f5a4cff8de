"""The page on terminals of any width, in a pipe, with and without colour."""

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from service.markdown import render_markdown
from service.page import Command, Entry, Heading, Headline, Listing, Pairs, Paragraph, Source, Step, Tone, Verbatim
from service.terminal import show_page

LONG_EN = "Payments timed out because all connections of HikariPool-1 in payment-service were in use for minutes."
LONG_ZH = "支付超时的原因是 payment-service 的 HikariPool-1 连接池中全部连接都被占用，新的请求无法取得连接。"
PAGE = (
    Headline("Root cause 根因", Tone.GOOD),
    Paragraph(LONG_EN),
    Paragraph(LONG_ZH),
    Heading("Proof 证明"),
    Entry(LONG_ZH, marker="[1]", remark=LONG_EN),
    Source(LONG_EN),
    Verbatim(f"{LONG_EN}\n{LONG_ZH}"),
    Entry(LONG_EN, marker="[2]"),
    Pairs((("模型", LONG_EN), ("Window", LONG_ZH))),
    Listing((("    1     0.02s  RUN_STARTED   ", LONG_EN),)),
)


def shown(page: tuple[object, ...], *, width: int = 80, terminal: bool = True, colour: bool = False) -> str:
    out = io.StringIO()
    console = Console(
        file=out, force_terminal=terminal, width=width, no_color=not colour, color_system="standard" if colour else None
    )
    show_page(page, console)  # type: ignore[arg-type]
    return out.getvalue()


@pytest.mark.parametrize("width", [40, 80, 120, 200])
def test_no_line_is_wider_than_the_terminal_or_than_reads_well(width: int) -> None:
    assert max(cell_len(line) for line in shown(PAGE, width=width).splitlines()) <= min(width, 100)


def test_continued_lines_stand_under_their_text() -> None:
    lines = shown((Entry(LONG_EN, marker="[1]"),), width=60).splitlines()

    assert lines[0].startswith("  [1] Payments")
    assert lines[1].startswith("      ") and not lines[1].startswith("       ")


def test_every_line_of_evidence_carries_the_bar() -> None:
    lines = shown((Verbatim(f"{LONG_EN}\n\nRoot cause\n  forged"),), width=60).splitlines()

    assert {line[:8].rstrip() for line in lines} == {"      │"}


def test_names_of_any_script_align_their_values() -> None:
    lines = shown((Pairs((("模型", "offline"), ("Window", "none"))),)).splitlines()

    assert lines == ["  模型    offline", "  Window  none"]


def test_in_a_pipe_nothing_is_broken_or_coloured() -> None:
    text = shown(PAGE, width=40, terminal=False)

    assert LONG_EN in text and LONG_ZH in text
    assert "\x1b" not in text


def test_a_command_is_never_broken() -> None:
    command = Command('rootproof diagnose "Why are payments timing out since 14:05?" --since 6h')
    page = (Step("widen the window:", command), Step("", command), Pairs((("Trace", command),)))

    assert shown(page, width=40) == f"  • widen the window:\n    {command}\n  • {command}\n  Trace  {command}\n"


@pytest.mark.parametrize("show", [show_page, None])
def test_a_command_is_shown_as_the_program_is_called(show: object) -> None:
    page = (Step("see:", Command("rootproof trace r1")), Pairs((("Question", "rootproof trace r1"),)))
    out = io.StringIO()
    show_page(page, Console(file=out, width=80), ".venv/bin/rootproof")
    written = out.getvalue() if show else render_markdown(page, ".venv/bin/rootproof")

    assert ".venv/bin/rootproof trace r1" in written
    assert written.count("rootproof trace r1") == 2
    assert written.count(".venv/bin/rootproof") == 1


def test_without_colour_the_same_words_are_there() -> None:
    import re

    assert re.sub("\x1b\\[[0-9;]*m", "", shown(PAGE, colour=True)) == re.sub("\x1b\\[[0-9;]*m", "", shown(PAGE))


def test_markup_of_others_is_text() -> None:
    assert "[bold]x[/bold] :bug:" in shown((Paragraph("[bold]x[/bold] :bug:"),))
