"""One rule of times: the zone is that of the sources, wherever the browser is; pointing at a time gives UTC."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.e2e.web.asking import QUESTION, ask, read
from tests.e2e.web.conftest import ZONE

pytestmark = pytest.mark.e2e

SOURCES = "Asia/Singapore"
LOCAL = "-05:00"
"""Of the browser in winter."""


async def test_a_run_names_the_zone_of_its_sources_and_never_the_browsers(page: Page, report_id: str) -> None:
    assert await page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone") == ZONE
    await read(page, report_id)

    about = page.locator("dl.about")
    await expect(about).to_contain_text(f"{SOURCES} (+08:00), that of the sources")
    await expect(about.get_by_text("2026-02-04 14:05–14:43:44 +08:00")).to_have_attribute(
        "title", "2026-02-04 06:05–06:43:44 UTC"
    )
    asked = about.locator("time")
    assert (await asked.inner_text()).endswith("+08:00")
    assert (await asked.get_attribute("title") or "").endswith(" UTC")
    assert LOCAL not in await page.locator("main").inner_text()


async def test_every_time_of_a_trace_is_told_in_utc_to_who_points_at_it(page: Page, report_id: str) -> None:
    await page.goto(f"/#/runs/{report_id}/trace")

    await expect(page.locator("#zone")).to_have_text(
        f"Times are those of the sources: {SOURCES} (+08:00). Point at one for UTC."
    )
    times = page.locator("main time")
    assert await times.count() > 40
    assert all(
        re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC", title or "")
        for title in await times.evaluate_all("all => all.map(one => one.title)")
    )
    run = await (await page.request.get(f"/api/runs/{report_id}")).json()
    opened = run["opened_at"]
    assert run["time_zone"] == SOURCES
    hour = await page.evaluate("(at) => String((new Date(at).getUTCHours() + 8) % 24).padStart(2, '0')", opened)
    assert (await times.first.inner_text()).startswith(f"{hour}:")


async def test_windows_of_a_live_run_are_in_that_zone_too(page: Page) -> None:
    await ask(page, QUESTION)

    line = page.locator(".timeline li", has_text="Searched the logs").first
    await expect(line).to_contain_text("14:05–14:43:44 +08:00")
    await expect(line).to_have_attribute("title", "2026-02-04 06:05–06:43:44 UTC")


async def test_a_time_that_is_typed_is_one_of_the_sources(page: Page, picture: Callable[[str], Path]) -> None:
    await page.goto("/")
    await page.get_by_text("Time and language").click()
    await expect(page.get_by_text(f"in the time zone of the sources, {SOURCES} (+08:00)")).to_have_count(2)
    await expect(page.get_by_text("For these sources it is now")).to_contain_text("2026-02-04 14:43:44 +08:00")
    await page.screenshot(path=picture("ask-options"), full_page=True)

    await page.get_by_label("Question").fill("Why are payments timing out?")
    await page.get_by_label("From").fill("2026-02-04T14:05")
    await page.get_by_label("To", exact=True).fill("2026-02-04T14:40")
    await page.get_by_role("button", name="Diagnose").click()

    await expect(page.locator("article[data-outcome]")).to_be_visible()
    run = await (await page.request.get(f"/api/runs/{page.url.rpartition('/')[2]}")).json()
    assert run["window"] == {
        "start": "2026-02-04T14:05:00+08:00",
        "end": "2026-02-04T14:40:00+08:00",
        "time_zone": SOURCES,
    }


async def test_how_long_ago_a_run_was_is_told_with_the_instant(page: Page, report_id: str) -> None:
    for path in ("/#/", "/#/runs", "/#/sessions"):
        await page.goto(path)

        await expect(page.locator(".list time").first).to_have_attribute("title", re.compile(r" UTC$"))


async def test_evidence_is_placed_in_that_zone_and_shown_as_it_was_written(page: Page, fallback_id: str) -> None:
    """The time at which alerts were listed is a filter that comes in UTC."""
    await read(page, fallback_id)

    await expect(page.locator(".facts .meta", has_text="Alerts").first).to_contain_text("at=2026-02-04 14:43:44 +08:00")
    assert "+00:00" not in await page.locator("main").inner_text()
