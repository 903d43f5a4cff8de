"""Conventions of the code base, as tests; each scan that finds nothing fails."""

import ast
import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("config", "eval", "graph", "guards", "models", "nodes", "service", "state", "tools", "worlds")
NODE_NAMES = {
    "agent",
    "answer_chat",
    "answer_knowledge",
    "guard_evidence",
    "guard_semantics",
    "release",
    "repair_draft",
    "route",
    "tool_gate",
    "track_progress",
}
VAGUE = {"utils", "helpers", "common", "misc", "manager", "handler", "processor", "base_utils"}


def sources(*packages: str) -> list[Path]:
    found = [path for package in packages for path in (ROOT / package).rglob("*.py")]
    assert found
    return found


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", PACKAGES)
def test_every_package_name_is_ours(name: str) -> None:
    """Short top-level names must not be taken by some dependency."""
    spec = importlib.util.find_spec(name)

    assert spec is not None
    assert spec.origin is not None
    assert Path(spec.origin).is_relative_to(ROOT)


@pytest.mark.parametrize("name", sorted(NODE_NAMES))
def test_a_node_is_a_function_named_like_its_file(name: str) -> None:
    functions = {
        node.name for node in tree(ROOT / "nodes" / f"{name}.py").body if isinstance(node, ast.AsyncFunctionDef)
    }

    assert name in functions


def test_guards_are_not_async() -> None:
    found = [
        f"{path.name}:{node.name}"
        for path in sources("guards")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.AsyncFunctionDef)
    ]

    assert found == []


def test_no_file_has_a_vague_name() -> None:
    assert [path.name for path in sources(*PACKAGES) if path.stem in VAGUE] == []


def test_no_module_prints() -> None:
    """Output has its doors: the service for people, evaluation for reports."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sources(*(set(PACKAGES) - {"service", "eval"}))
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]

    assert found == []


def test_the_topology_page_stays_one_page() -> None:
    lines = (ROOT / "graph" / "topology.py").read_text(encoding="utf-8").splitlines()

    assert len(lines) <= 130
    assert not any(
        isinstance(node, (ast.For, ast.If, ast.Lambda)) for node in ast.walk(tree(ROOT / "graph/topology.py"))
    )


def test_product_code_never_imports_tests_or_the_development_server() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sources(*PACKAGES)
        for node in ast.walk(tree(path))
        for name in imported(node)
        if name.split(".")[0] in {"tests", "pytest", "langgraph_api", "langgraph_cli"}
    ]

    assert found == []


def imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        return [node.module]
    return []


def test_every_module_says_what_it_owns() -> None:
    empty = [
        str(path.relative_to(ROOT))
        for path in sources(*PACKAGES)
        if path.read_text(encoding="utf-8").strip() and not ast.get_docstring(tree(path))
    ]

    assert empty == []
