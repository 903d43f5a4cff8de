"""The frame of the page: keyboard, languages, themes, narrow screens, keys, and what a screen reader meets."""

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, expect

from tests.e2e.web.asking import CAUSE, QUESTION
from tests.e2e.web.serving import PATIENCE_MS, Served, serve

pytestmark = pytest.mark.e2e

NARROW = {"width": 390, "height": 844}
AXE = {
    "resultTypes": ["violations"],
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
}


async def serious(page: Page) -> list[str]:
    """What axe finds serious or worse, with its places."""
    found = (await Axe().run(page, options=AXE)).response["violations"]
    return [
        f"{one['id']}: {[node['html'][:160] for node in one['nodes']]}"
        for one in found
        if one["impact"] in {"serious", "critical"}
    ]


async def test_everything_is_done_with_the_keyboard_alone(page: Page) -> None:
    await page.goto("/")
    await expect(page.get_by_role("heading", level=1)).to_be_visible()

    await page.keyboard.press("Tab")
    await expect(page.locator("#skip")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator("main")).to_be_focused()
    await page.keyboard.press("/")
    await page.keyboard.type(QUESTION)
    await page.keyboard.press("Enter")
    await expect(page.locator(".verdict .lead")).to_contain_text(CAUSE)
    await page.keyboard.press("1")
    await expect(page.locator("#panel mark").first).to_be_visible()
    await expect(page.locator("#panel h2")).to_be_focused()
    await page.keyboard.press("Escape")
    await page.keyboard.press("t")
    await expect(page.locator(".path")).to_be_visible()
    await page.keyboard.press("r")
    await expect(page.get_by_role("heading", name="Runs", level=1)).to_be_focused()
    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog")).to_contain_text("Keyboard shortcuts")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_single_keys_can_be_turned_off(page: Page) -> None:
    await page.goto("/")
    await page.get_by_role("button", name="Keyboard shortcuts").click()
    await page.get_by_label("Single-key shortcuts are on").uncheck()
    await page.keyboard.press("Escape")

    await page.keyboard.press("r")

    await expect(page.get_by_role("heading", level=1)).to_have_text("What broke?")


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_no_view_has_a_serious_fault_for_assistive_technology(
    page: Page, theme: str, report_id: str, fallback_id: str, picture: Callable[[str], Path]
) -> None:
    await page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
    views = {
        "ask": "/#/",
        "report": f"/#/runs/{report_id}",
        "fallback": f"/#/runs/{fallback_id}",
        "trace": f"/#/runs/{report_id}/trace",
        "runs": "/#/runs",
        "sessions": "/#/sessions",
        "knowledge": "/#/knowledge",
        "missing": "/#/nowhere",
    }
    found = {}
    for name, path in views.items():
        await page.goto(path)
        await expect(page.locator("main h1")).to_be_visible()
        await page.wait_for_load_state("networkidle")
        if name == "report":
            await page.locator("#proof-1 .cite").click()
            await expect(page.locator("#panel mark").first).to_be_visible()
        await page.screenshot(path=picture(f"{name}-{theme}"))
        found[name] = await serious(page)

    assert found == dict.fromkeys(views, [])


async def test_the_page_speaks_chinese_where_the_browser_does(
    browser: Browser, service: Served, picture: Callable[[str], Path]
) -> None:
    context = await browser.new_context(base_url=service.url, locale="zh-CN")
    page = await context.new_page()
    await page.goto("/")

    await expect(page.get_by_role("heading", level=1)).to_have_text("出了什么问题？")
    assert await page.locator("html").get_attribute("lang") == "zh-CN"
    await page.screenshot(path=picture("ask-chinese"))
    await page.get_by_role("button", name="English").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("What broke?")
    await page.reload()
    await expect(page.get_by_role("heading", level=1)).to_have_text("What broke?")
    await context.close()


async def test_the_theme_is_switched_and_kept(page: Page) -> None:
    await page.goto("/")
    background = "getComputedStyle(document.body).backgroundColor"
    light = await page.evaluate(background)

    await page.get_by_role("button", name="Theme: system").click()
    await page.get_by_role("button", name="Theme: light").click()

    dark = await page.evaluate(background)
    await page.reload()
    await expect(page.get_by_role("button", name="Theme: dark")).to_be_visible()
    assert await page.evaluate(background) == dark != light


async def test_nothing_is_wider_than_a_narrow_screen(
    browser: Browser, service: Served, report_id: str, picture: Callable[[str], Path]
) -> None:
    context = await browser.new_context(base_url=service.url, locale="en-GB", viewport=NARROW)  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE_MS)
    page = await context.new_page()
    wider = {}
    for path in ("/#/", f"/#/runs/{report_id}", f"/#/runs/{report_id}/trace", "/#/runs", "/#/knowledge"):
        await page.goto(path)
        await expect(page.locator("main h1")).to_be_visible()
        await page.wait_for_load_state("networkidle")
        wider[path] = await page.evaluate("document.documentElement.scrollWidth - innerWidth")

    assert set(wider.values()) == {0}
    await page.goto(f"/#/runs/{report_id}")
    await page.locator("#proof-1 .cite").click()
    await expect(page.locator("#panel mark").first).to_be_visible()
    assert await page.locator("main").evaluate("main => main.inert")
    await page.screenshot(path=picture("evidence-narrow"))
    await context.close()


async def test_a_key_is_asked_for_used_and_forgotten_with_the_tab(
    browser: Browser, world: Path, tmp_path: Path
) -> None:
    (tmp_path / "rootproof.yaml").write_text("keys:\n  night-shift: {secret: env:NIGHT_KEY, roles: [user]}\n")
    env = {"NIGHT_KEY": "correct-horse-battery-staple-42", "ROOTPROOF_CONFIG": str(tmp_path / "rootproof.yaml")}
    with serve(world, tmp_path / "home", env=env) as served:
        context = await browser.new_context(base_url=served.url, locale="en-GB")
        context.set_default_timeout(PATIENCE_MS)
        page = await context.new_page()
        await page.goto("/")
        await expect(page.get_by_role("heading", name="A key is needed")).to_be_visible()
        assert await serious(page) == []

        await page.get_by_label("Key", exact=True).fill("wrong-key-that-nobody-has-0000000")
        await page.get_by_role("button", name="Use this key").click()
        await expect(page.get_by_role("alert")).to_have_text("The service does not know this key.")
        await page.get_by_label("Key", exact=True).fill(env["NIGHT_KEY"])
        await page.get_by_role("button", name="Use this key").click()
        await expect(page.get_by_text("Signed in as night-shift")).to_be_visible()
        assert await page.evaluate("Object.keys(localStorage).length") == 0
        await page.goto("/#/knowledge")
        await expect(page.get_by_role("heading", name="Add a document")).to_have_count(0)

        other = await context.new_page()
        await other.goto("/")
        await expect(other.get_by_role("heading", name="A key is needed")).to_be_visible()
        await context.close()
