"""A phone: nothing is cut off, headings leave room, tables that do not fit become cards or keep their first cells."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.web.asking import read
from tests.e2e.web.conftest import ZONE
from tests.e2e.web.serving import PATIENCE_MS, Served

pytestmark = pytest.mark.e2e

PHONE = {"width": 390, "height": 844}
WIDER = "one => one.scrollWidth - one.clientWidth"


@pytest.fixture(params=["en-GB", "zh-CN"])
async def phone(browser: Browser, service: Served, request: pytest.FixtureRequest) -> AsyncIterator[Page]:
    context = await browser.new_context(
        base_url=service.url,
        locale=request.param,
        timezone_id=ZONE,
        viewport=PHONE,
        has_touch=True,  # type: ignore[arg-type]
    )
    context.set_default_timeout(PATIENCE_MS)
    yield await context.new_page()
    await context.close()


async def test_a_cited_row_can_be_read_whole(phone: Page, report_id: str, picture: Callable[[str], Path]) -> None:
    await read(phone, report_id)
    await phone.locator(".proof", has_text="deployments").locator(".cite").click()
    row = phone.locator("#panel tr.is-cited")
    await expect(row).to_be_visible()

    assert await phone.locator("#panel .scroll").evaluate(WIDER) == 0
    box = await row.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]
    cells = row.get_by_role("cell")
    names = await cells.evaluate_all("cells => cells.map(one => getComputedStyle(one, '::before').content)")
    assert names[:3] == ['"id"', '"service"', '"version"']
    assert await row.locator("mark").count() >= 3
    assert await phone.get_by_role("columnheader").count() == len(names)
    await phone.screenshot(path=picture("evidence-row-narrow"))


async def test_a_fallback_says_why_in_a_short_heading(
    phone: Page, fallback_id: str, picture: Callable[[str], Path]
) -> None:
    await read(phone, fallback_id)

    lead = phone.locator(".verdict .lead")
    await expect(lead).to_have_text("Stopped because further searches brought nothing new.")
    assert await lead.evaluate("one => one.getBoundingClientRect().height") < 90
    rest = " ".join(await phone.locator(".verdict .rest").all_inner_texts())
    assert rest.startswith("Searched ")
    assert "Next: " in rest
    summary = (await (await phone.request.get(f"/api/runs/{fallback_id}")).json())["fallback"]["summary"]
    told = (await phone.locator(".verdict").inner_text()).lower()
    assert all(word.strip(";.“”") in told for word in summary.lower().split() if "`" not in word)
    await phone.screenshot(path=picture("fallback-narrow"))


async def test_a_wide_table_is_scrolled_inside_and_keeps_its_first_cells(phone: Page, report_id: str) -> None:
    await phone.goto(f"/#/runs/{report_id}/trace")
    table = phone.locator(".scroll").first
    await expect(table).to_be_visible()
    first = table.locator("tbody td").first
    before = await first.bounding_box()

    await table.evaluate("one => { one.scrollLeft = 200; }")

    after = await first.bounding_box()
    assert await table.evaluate("one => one.scrollLeft") == 200
    assert before is not None
    assert after is not None
    assert abs(before["x"] - after["x"]) < 2
    assert await phone.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
