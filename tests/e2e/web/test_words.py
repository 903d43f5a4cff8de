"""Words of the page: both languages, none missing, none unused, and the same as those of the command line."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.async_api import Page

from service.texts import codes, progress, report
from state.model.language import Bilingual

pytestmark = pytest.mark.e2e

WEB = Path(__file__).parents[3] / "service" / "web"
SHARED: dict[str, Mapping[str, Bilingual]] = {
    "tool": codes.TOOL,
    "stop": codes.STOP,
    "failure": codes.FAILURE,
    "outcome": codes.OUTCOME,
    "run_state": codes.RUN_STATE,
    "intent": codes.INTENT,
    "tool_code": codes.TOOL_CODE,
    "violation": codes.VIOLATION,
    "stage": progress.STAGE,
    "found": progress.FOUND,
    "derived": report.DERIVED_OP,
}


async def words(page: Page) -> tuple[dict[str, dict[str, str]], dict[str, dict[str, dict[str, str]]]]:
    await page.goto("/")
    read = await page.evaluate("import('/static/texts.js').then(({ TEXTS, CODES }) => [TEXTS, CODES])")
    return read[0], read[1]


def scripts() -> str:
    return "\n".join(file.read_text() for file in sorted(WEB.rglob("*.js")) if file.name != "texts.js")


async def test_codes_read_as_they_do_on_the_command_line(page: Page) -> None:
    _, told = await words(page)

    expected = {
        name: {str(code): {"en": text.en, "zh": text.zh} for code, text in table.items()}
        for name, table in SHARED.items()
    }
    assert {name: told[name] for name in SHARED} == expected


async def test_every_text_has_both_languages_with_the_same_values(page: Page) -> None:
    texts, _ = await words(page)

    values = {
        name: [set(re.findall(r"\{\w+\}", text.get(one, "{absent}"))) for one in ("en", "zh")]
        for name, text in texts.items()
    }

    assert [name for name, (english, chinese) in values.items() if english != chinese] == []


async def test_no_text_is_unused_and_none_is_unknown(page: Page) -> None:
    texts, _ = await words(page)
    code = scripts()

    asked = set(re.findall(r'say\("(\w+)"', code))
    mentioned = set(re.findall(r'"(\w+)"', code)) | {f"theme_{name}" for name in ("auto", "light", "dark")}

    assert asked - set(texts) == set()
    assert set(texts) - mentioned == set()


def test_no_script_turns_text_into_markup() -> None:
    forbidden = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\.style\b|DOMParser"
    )

    assert forbidden.findall(scripts()) == []


def test_the_page_holds_nothing_inline_and_nothing_from_elsewhere() -> None:
    html = (WEB / "index.html").read_text()

    assert re.findall(r"\sstyle=|\son\w+=|<style|<script(?![^>]*\ssrc=)|https?://", html) == []
