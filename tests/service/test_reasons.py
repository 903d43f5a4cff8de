"""Reasons of errors in Chinese: every reason in the source has its translation."""

import ast
from pathlib import Path

import pytest

from service.reasons import reason_in, translated
from service.texts.reasons import REASONS
from state.model.enums import Language

ROOT = Path(__file__).parents[2]
FOLDERS = ("config", "graph", "models", "nodes", "state", "tools")
BUILT_ELSEWHERE = {
    "GONE",
    "why",
    "str(error)",
    "missing",
    "wrong",
    "_FOREIGN.format(name=name)",
    "_FOREIGN_ROWS.format(found=found, known=known)",
    "_HELD_ELSEWHERE",
    "_REFUSED",
    "_TAKEN.format(name=new)",
    "_UNUSABLE[one.why]",
    "_not_offered(name, [secrets.gone(tool.name) for tool in offered])",
    "f'there is no table {full}' + self._near(full)",
}
"""Reasons that are no words at the place where they are raised; the parametrized test below has them."""


def words(node: ast.expr, gap: str) -> str:
    """The words of the reason with ``gap`` for every value; empty if it is put together elsewhere."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(str(part.value) if isinstance(part, ast.Constant) else gap for part in parts)
        case ast.Subscript(value=inner):
            return words(inner, gap)
        case ast.IfExp(body=body):
            return words(body, gap)
    return ""


def has_translation(node: ast.expr) -> bool:
    """With values, or where they may be empty without."""
    return translated(words(node, "7")) or translated(words(node, ""))


def raised(name: str) -> list[ast.Call]:
    files = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py")]
    nodes = [node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))]
    return [node for node in nodes if isinstance(node, ast.Call) and getattr(node.func, "id", "") == name]


@pytest.mark.parametrize("name", ["Misconfigured", "RunRefused"])
def test_every_reason_in_the_source_has_a_translation(name: str) -> None:
    reasons = [call.args[1] for call in raised(name)]
    untranslated = {ast.unparse(one) for one in reasons if not has_translation(one)}

    assert len(reasons) > 5
    assert untranslated <= BUILT_ELSEWHERE


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("another process executes it", "另一个进程正在执行它，或在 30 秒内被强制结束"),
        ("no model 'x': use offline, openai:NAME", "没有模型 'x'：请使用 offline、openai:NAME"),
        ("is a file; a world is a folder", "是文件；环境应为目录"),
        (
            "sqlite:///x.db has the newer schema version 3; this program knows 2",
            "sqlite:///x.db 的结构版本 3 较新；本程序支持 2",
        ),
        ("Input should be less than or equal to 10. Meaning: Seconds.", "应小于或等于 10。含义：Seconds."),
        ("no such setting. Did you mean world?", "没有这个设置，您是否想写 world？"),
        (
            "another process holds the index; do it through that process, or when it has ended",
            "索引正被另一个进程占用；请通过该进程操作，或等它结束后再试",
        ),
        (
            "the server refused the credentials: check ROOTPROOF_MILVUS_TOKEN",
            "服务器拒绝了凭据：请检查 ROOTPROOF_MILVUS_TOKEN",
        ),
        ("there is no table app.ordrs; did you mean app.orders?", "没有表 app.ordrs，您是否想写 app.orders？"),
        ("the server offers no such tool; near to it: a, b", "服务器没有这个工具；相近的有：a, b"),
        ("the environment variable X is not set", "环境变量 X 未设置"),
        ("is no text", "不是文本"),
        (
            "RECORDING_EXPIRED: its recording is gone, or recording was off",
            "RECORDING_EXPIRED：录制已过期删除，或当时未开启录制",
        ),
        ("words that nobody translated", "words that nobody translated"),
    ],
)
def test_a_reason_in_chinese(english: str, chinese: str) -> None:
    assert reason_in(Language.ZH, english) == chinese


def test_english_reasons_stay() -> None:
    assert reason_in(Language.EN, "there is no such run") == "there is no such run"


def test_values_are_not_read_as_templates() -> None:
    assert reason_in(Language.ZH, "there is no column {0!r}{1}") == "没有列 {0!r}{1}"


def test_no_template_hides_a_later_one() -> None:
    filled = [english.replace("{}", "7") for english, _ in REASONS]

    assert [reason_in(Language.ZH, one) for one in filled] == [zh.format("7", "7", "7") for _, zh in REASONS]
