"""Documents: added, searched, deleted; and past runs: found again."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.e2e.web.asking import QUESTION, VAGUE

pytestmark = pytest.mark.e2e

RUNBOOK = """# Ferry gate stuck

## Cause: barrier relay welded shut

**Signature.** `GATE_RELAY_STUCK` while the ferry waits at the pier.

**Action.** Replace the relay after the pier is cleared.
"""


async def test_a_document_becomes_ready_is_found_and_can_be_deleted(
    page: Page, tmp_path: Path, picture: Callable[[str], Path]
) -> None:
    file = tmp_path / "ferry-gate.md"
    file.write_text(RUNBOOK)
    await page.goto("/#/knowledge")

    await page.get_by_label("File", exact=True).set_input_files(file)
    await page.get_by_role("button", name="Add").click()
    await expect(page.locator("#uploads")).to_contain_text("ferry-gate.md: ready")
    await page.get_by_label("Search the runbooks").fill("GATE_RELAY_STUCK ferry barrier relay")
    await page.get_by_role("button", name="Search").click()
    await expect(page.get_by_role("listitem").filter(has_text="barrier relay welded shut").first).to_be_visible()
    await page.screenshot(path=picture("knowledge"), full_page=True)

    await page.get_by_role("button", name="Delete ferry-gate.md").click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(page.get_by_text("No document was added yet.")).to_be_visible()


async def test_keeping_a_document_deletes_nothing(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "kept.md"
    file.write_text(RUNBOOK.replace("Ferry", "Harbour"))
    await page.goto("/#/knowledge")
    await page.get_by_label("File", exact=True).set_input_files(file)
    await page.get_by_role("button", name="Add").click()

    await page.get_by_role("button", name="Delete kept.md").click()
    await page.get_by_role("button", name="Keep it").click()

    await expect(page.get_by_role("button", name="Delete kept.md")).to_be_visible()


async def test_runs_are_found_by_outcome_and_text(page: Page, report_id: str, fallback_id: str) -> None:
    await page.goto("/#/runs")

    await page.get_by_label("Outcome").select_option("FALLBACK")
    await expect(page.locator(".list .badge.good")).to_have_count(0)
    await expect(page.locator(".list a.title").first).to_have_text(VAGUE)
    await page.get_by_label("Text").fill("payments")
    await page.get_by_role("button", name="Filter").click()
    await expect(page.get_by_text("No run matches.")).to_be_visible()


async def test_a_session_lists_its_runs(page: Page, report_id: str) -> None:
    await page.goto("/#/sessions")

    await page.locator(".list a.title", has_text=QUESTION).first.click()

    await expect(page.get_by_role("heading", level=1)).to_contain_text("Session s-")
    await expect(page.locator(".list a.title")).to_have_text([QUESTION])
