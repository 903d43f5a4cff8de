"""A run without a conclusion is a page one can work with."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.e2e.web.asking import CAUSE, VAGUE, ask_and_read, read

pytestmark = pytest.mark.e2e


async def test_it_shows_what_was_checked_and_names_no_cause(
    page: Page, fallback_id: str, picture: Callable[[str], Path]
) -> None:
    await read(page, fallback_id)

    await expect(page.get_by_role("heading", name="No cause named")).to_be_visible()
    await expect(page.get_by_role("heading", name="What was checked")).to_be_visible()
    await expect(page.get_by_text("rootproof diagnose")).to_have_count(0)
    await page.screenshot(path=picture("fallback"), full_page=True)


async def test_the_missing_context_leads_to_a_report_in_the_same_session(page: Page) -> None:
    first = await (await page.request.get(f"/api/runs/{await ask_and_read(page, VAGUE)}")).json()

    await page.get_by_label("Service").fill("payment-service")
    await page.get_by_label("From").fill("2026-02-04T14:05:00")
    await page.get_by_label("To", exact=True).fill("2026-02-04T14:43:00")
    await page.get_by_label("Anything else").fill("payments time out")
    await page.get_by_role("button", name="Ask again").click()

    await expect(page.locator(".verdict .lead")).to_contain_text(CAUSE)
    second = await (await page.request.get(f"/api/runs/{page.url.rpartition('/')[2]}")).json()
    assert second["session_id"] == first["session_id"]
    assert second["window"]["start"] == "2026-02-04T14:05:00+08:00"


async def test_an_empty_form_says_what_it_needs(page: Page, fallback_id: str) -> None:
    await read(page, fallback_id)

    await page.get_by_role("button", name="Ask again").click()

    await expect(page.get_by_role("alert")).to_have_text("Add a service, a window or a text.")
