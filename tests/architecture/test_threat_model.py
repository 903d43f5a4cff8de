"""Every test that the threat model names exists, and every control names one."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/threat-model.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))
CONTROLS = [line for line in PAGE.partition("## Controls")[2].splitlines() if line.startswith("| ")]


@cache
def found_in(path: str) -> frozenset[str]:
    """Functions and methods of the file that pytest would take for tests."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, kinds) and node.name.startswith("test_"))


@pytest.mark.parametrize(("path", "name"), NAMED, ids=lambda value: value)
def test_a_test_that_is_named_exists(path: str, name: str) -> None:
    assert (ROOT / path).is_file()
    assert name in found_in(path)


def test_every_control_names_a_test() -> None:
    rows = [line for line in CONTROLS if not line.startswith(("| channel |", "|---"))]

    assert len(rows) > 50
    assert [line for line in rows if "`tests/" not in line] == []


def test_every_asset_and_actor_is_met_by_a_control() -> None:
    headings = " ".join(line for line in PAGE.splitlines() if line.startswith("### "))

    assert re.findall(r"^\| (A\d) ", PAGE, re.MULTILINE) == [f"A{n}" for n in range(1, 9)]
    assert {name for name in re.findall(r"^\| ([AT]\d) ", PAGE, re.MULTILINE) if name not in headings} == set()
