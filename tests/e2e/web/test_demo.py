"""The first minute: a page over the bundled incident, and one over nothing at all."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.web.asking import CAUSE, QUESTION
from tests.e2e.web.conftest import ZONE
from tests.e2e.web.serving import PATIENCE_MS, Served, serve
from tests.e2e.web.test_frame import serious

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def demo(chromium: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serve(None, tmp_path_factory.mktemp("demo"), "--demo") as served:
        yield served


@asynccontextmanager
async def page_of(browser: Browser, served: Served, locale: str = "en-GB") -> AsyncIterator[Page]:
    context = await browser.new_context(base_url=served.url, locale=locale, timezone_id=ZONE)
    context.set_default_timeout(PATIENCE_MS)
    yield await context.new_page()
    await context.close()


async def test_the_first_question_stands_in_the_field_and_enter_leads_to_its_report(
    browser: Browser, demo: Served, picture: Callable[[str], Path]
) -> None:
    async with page_of(browser, demo) as page:
        await page.goto("/")
        await expect(page.get_by_role("heading", name="Demonstration: Payments time out")).to_be_visible()
        await expect(page.get_by_label("Question")).to_have_value(QUESTION)
        assert await serious(page) == []
        await page.screenshot(path=picture("demo"), full_page=True)

        await page.get_by_label("Question").press("Enter")

        await expect(page.locator(".verdict .lead")).to_contain_text(CAUSE)
        await page.goto("/")
        await expect(page.get_by_role("heading", name="Latest runs")).to_be_visible()
        await expect(page.get_by_label("Question")).to_have_value("")
        await page.locator("#demo-question button").click()
        await expect(page.get_by_label("Question")).to_have_value(QUESTION)


async def test_in_chinese_the_demonstration_is_told_in_chinese(
    browser: Browser, demo: Served, picture: Callable[[str], Path]
) -> None:
    async with page_of(browser, demo, "zh-CN") as page:
        await page.goto("/")

        await expect(page.get_by_role("heading", name="演示：支付超时")).to_be_visible()
        await page.screenshot(path=picture("demo-chinese"), full_page=True)


@pytest.mark.parametrize(
    ("locale", "lacks", "way"),
    [
        ("en-GB", "No source of evidence is connected", "no source of evidence is connected"),
        ("zh-CN", "没有连接任何数据来源", "没有连接任何证据来源"),
    ],
)
async def test_where_nothing_is_connected_page_and_report_say_that_and_the_way_out(
    browser: Browser, chromium: Path, tmp_path: Path, locale: str, lacks: str, way: str, picture: Callable[[str], Path]
) -> None:
    with serve(None, tmp_path / "home") as served:
        async with page_of(browser, served, locale) as page:
            await page.goto("/")
            told = page.locator("#no-sources")
            await expect(told).to_contain_text(lacks)
            await expect(told.locator("code", has_text="rootproof serve --demo")).to_be_visible()
            assert await serious(page) == []
            await page.screenshot(path=picture(f"nothing-{locale}"), full_page=True)

            await page.locator("#question").fill(
                "Why are payments timing out since 14:05?" if locale == "en-GB" else "从 14:05 开始支付为什么超时？"
            )
            await page.locator("#question").press("Enter")

            verdict = page.locator(".verdict")
            await expect(verdict).to_contain_text(way, ignore_case=True)
            await expect(verdict).to_contain_text("--world")
            await page.screenshot(path=picture(f"nothing-run-{locale}"), full_page=True)
