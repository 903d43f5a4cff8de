"""A run that goes on from another one says so, and leads there."""

import pytest
from playwright.async_api import Page, expect

from tests.e2e.web.asking import read

pytestmark = pytest.mark.e2e


async def test_a_fork_names_its_parent_and_the_checkpoint(page: Page, report_id: str) -> None:
    forked = await page.request.post(f"/api/runs/{report_id}/fork", data={"at": "guard_evidence"})
    run_id = forked.headers["x-run-id"]
    run = await (await page.request.get(f"/api/runs/{run_id}")).json()
    await read(page, run_id)

    parent = page.locator("dl.about dd").last
    await expect(page.locator("dl.about dt").last).to_have_text("Goes on from run")
    await expect(parent).to_contain_text(f"at checkpoint {run['fork_checkpoint']}")
    await parent.get_by_role("link", name=report_id).click()
    await expect(page.locator("dl.about .mono").first).to_have_text(report_id)


async def test_another_run_has_no_parent(page: Page, report_id: str) -> None:
    await read(page, report_id)

    await expect(page.get_by_text("Goes on from run")).to_have_count(0)
