"""Commands that a person can copy: how this program is called, and commands found in sentences."""

from pathlib import Path

import pytest

from service.invocation import as_called, program_name, split_command, step
from service.page import Command, Step


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    program = tmp_path / "shop" / ".venv" / "bin" / "rootproof"
    program.parent.mkdir(parents=True)
    program.touch()
    return program


def test_a_program_on_the_path_is_its_name(installed: Path) -> None:
    assert program_name(str(installed), installed.parent, str(installed)) == "rootproof"


def test_a_link_on_the_path_is_the_program_too(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "rootproof").symlink_to(installed)

    assert program_name(str(installed), tmp_path, str(tmp_path / "rootproof")) == "rootproof"


def test_the_command_that_serves_is_found_in_a_sentence() -> None:
    assert as_called("Try it with: rootproof serve --demo", "./rootproof") == "Try it with: ./rootproof serve --demo"


@pytest.mark.parametrize("on_path", [None, "/usr/bin/rootproof"])
def test_elsewhere_it_is_the_shorter_path(on_path: str | None, installed: Path, tmp_path: Path) -> None:
    deep = Path("/").joinpath(*"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz")

    assert program_name(str(installed), tmp_path / "shop", on_path) == ".venv/bin/rootproof"
    assert program_name(".venv/bin/rootproof", tmp_path / "shop", on_path) == ".venv/bin/rootproof"
    assert program_name(str(installed), deep, on_path) == str(installed)


def test_beside_the_person_it_is_still_a_path(installed: Path) -> None:
    assert program_name(str(installed), installed.parent, None) == "./rootproof"


def test_started_as_a_module_it_is_its_name(tmp_path: Path) -> None:
    assert program_name(str(tmp_path / "cli.py"), tmp_path, None) == "rootproof"


def test_a_folder_with_a_space_is_quoted(tmp_path: Path) -> None:
    assert program_name("my venv/rootproof", tmp_path, None) == "'my venv/rootproof'"


@pytest.mark.parametrize(
    ("text", "words", "command"),
    [
        ("see: rootproof trace r1", "see:", "rootproof trace r1"),
        ("查看详情：rootproof trace r1", "查看详情：", "rootproof trace r1"),
        ("rootproof is ready", "rootproof is ready", ""),
        ("", "", ""),
    ],
)
def test_the_command_that_ends_a_sentence(text: str, words: str, command: str) -> None:
    assert split_command(text) == (words, command)


def test_only_commands_are_rewritten() -> None:
    assert as_called("rootproof trace r1 in rootproof", "./x/rootproof") == "./x/rootproof trace r1 in rootproof"


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ('again: rootproof diagnose "q"', 'rootproof diagnose "q" --world /w'),
        ("check: rootproof doctor", "rootproof doctor --world /w"),
        ("see: rootproof trace r1", "rootproof trace r1"),
        ("by hand", ""),
    ],
)
def test_a_command_that_searches_names_its_world(text: str, command: str) -> None:
    assert step(text, world="/w") == Step(text.split(" rootproof")[0], Command(command))
