"""The trace of a run: the way it took, what it spent, what proves each sentence."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.e2e.web.asking import read

pytestmark = pytest.mark.e2e


async def test_the_path_is_walked_step_by_step(page: Page, report_id: str, picture: Callable[[str], Path]) -> None:
    await read(page, report_id)
    await page.get_by_role("link", name="Trace of this run").click()

    await expect(page.locator('[data-node="close_run"].is')).to_be_visible()
    await page.screenshot(path=picture("trace"), full_page=True)
    await page.locator(".path button").first.click()
    await expect(page.locator('[data-node="open_run"].is')).to_be_visible()
    await expect(page.locator(".graph .node.was")).to_have_count(1)
    await page.get_by_role("button", name="Next", exact=True).click()
    await expect(page.locator('[data-node="route"].is')).to_be_visible()
    await expect(page.locator('[data-edge="open_run>route"] .edge.is')).to_have_count(1)


async def test_the_whole_graph_is_drawn(page: Page, report_id: str) -> None:
    graph = await (await page.request.get("/api/graph")).json()
    await page.goto(f"/#/runs/{report_id}/trace")

    await expect(page.locator('[data-node="close_run"]')).to_be_visible()
    drawn = await page.locator("[data-node]").evaluate_all("nodes => nodes.map(one => one.dataset.node)")
    ways = await page.locator("[data-edge]").evaluate_all("edges => edges.map(one => one.dataset.edge)")
    assert set(drawn) == {one["name"] for one in graph["nodes"]} | {"START", "END"}
    assert set(ways) == {f"{one['from']}>{one['to']}" for one in graph["edges"]}


async def test_tokens_agree_and_each_sentence_has_its_records(page: Page, report_id: str) -> None:
    await page.goto(f"/#/runs/{report_id}/trace")

    await expect(page.get_by_text("Trace, ledger and closing record agree")).to_be_visible()
    sentences = page.get_by_role("region", name="Sentences and their records")
    await sentences.get_by_role("button").first.click()
    await expect(page.locator("#panel mark").first).to_be_visible()
