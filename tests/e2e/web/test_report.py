"""Ask, watch, read the report, open what proves it."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.e2e.web.asking import CAUSE, QUESTION, ask, read
from tests.e2e.web.serving import Served

pytestmark = pytest.mark.e2e


async def test_a_question_is_followed_live_until_its_report(page: Page, picture: Callable[[str], Path]) -> None:
    await ask(page, QUESTION)

    await expect(page.locator(".timeline li", has_text="Searched the logs")).to_be_visible()
    await page.screenshot(path=picture("live"))
    await expect(page.get_by_role("heading", name="Root cause")).to_be_visible()
    await expect(page.locator(".verdict .lead")).to_contain_text(CAUSE)
    await page.screenshot(path=picture("report"), full_page=True)


async def test_a_reload_attaches_to_the_same_run(page: Page) -> None:
    await ask(page, QUESTION)
    run = page.url

    await page.reload()

    await expect(page.locator(".verdict .lead")).to_contain_text(CAUSE)
    assert page.url == run


async def test_how_it_went_can_be_read_afterwards(page: Page, report_id: str) -> None:
    await read(page, report_id)

    await page.get_by_text("How it went").click()

    await expect(page.locator(".timeline li.stopped")).to_contain_text("Stopped collecting")


async def test_a_cited_log_line_stands_in_its_context_with_the_quote_marked(
    page: Page, report_id: str, picture: Callable[[str], Path]
) -> None:
    await read(page, report_id)

    await page.locator("#proof-1 .cite").click()

    panel = page.get_by_role("complementary")
    await expect(panel.locator("li.is-cited mark")).to_contain_text("Connection leak detection triggered")
    assert await panel.locator("li.is-context").count() > 0
    await page.screenshot(path=picture("evidence-log"))


async def test_every_proof_marks_exactly_the_words_it_quotes(page: Page, report_id: str) -> None:
    await read(page, report_id)
    reply = await page.request.get(f"/api/runs/{report_id}")
    analyses = (await reply.json())["report"]["analysis"]

    for number, analysis in enumerate(analyses, start=1):
        await page.locator(f"#proof-{number} .cite").click()
        await expect(page.locator("#panel mark").first).to_be_visible()
        shown = " ".join(await page.locator("#panel").all_inner_texts())
        told = "".join(await page.locator("#panel mark").all_text_contents())
        assert all("".join(quote["text"].split()) in "".join(told.split()) for quote in analysis["quotes"]), shown


async def test_a_cited_row_is_a_table_with_its_cells_marked(
    page: Page, report_id: str, picture: Callable[[str], Path]
) -> None:
    await read(page, report_id)

    await page.locator(".proof", has_text="deployments holds a row").locator(".cite").click()

    row = page.locator("#panel tr.is-cited")
    await expect(row).to_have_count(1)
    await expect(row.locator("mark", has_text=re.compile("^payment-service$"))).to_be_visible()
    await page.screenshot(path=picture("evidence-row"))


async def test_escape_closes_the_evidence_and_returns_to_its_citation(page: Page, report_id: str) -> None:
    await read(page, report_id)
    cite = page.locator("#proof-2 .cite")
    await cite.click()
    await expect(page.locator("#panel mark").first).to_be_visible()

    await page.keyboard.press("Escape")

    await expect(page.locator("#panel")).to_be_hidden()
    await expect(cite).to_be_focused()


async def test_a_judgement_is_kept_with_the_run(page: Page, report_id: str) -> None:
    await read(page, report_id)

    await page.get_by_role("button", name="Not useful").click()
    await page.get_by_label("What was really the cause?").fill("the pool was made smaller")
    await page.get_by_role("button", name="Send").click()

    await expect(page.get_by_text("It was offered to the knowledge base")).to_be_visible()
    run = await (await page.request.get(f"/api/runs/{report_id}")).json()
    trace = await (await page.request.get(f"/api/diagnosis/{run['session_id']}/trace?run_id={report_id}")).json()
    assert [one["correction"] for one in trace["feedback"]] == ["the pool was made smaller"]


async def test_a_metric_is_drawn_beside_the_words_it_was_read_from(
    page: Page, report_id: str, picture: Callable[[str], Path]
) -> None:
    await read(page, report_id)
    await page.goto(f"/#/runs/{report_id}/trace")

    calls = page.get_by_role("region", name="Tool calls")
    row = calls.locator("tr", has_text="Metrics").filter(has=page.locator("button")).first
    await row.locator("button").click()

    await expect(page.locator("#panel .chart polyline")).to_be_visible()
    await expect(page.locator("#panel pre").last).to_contain_text("points")
    await page.screenshot(path=picture("evidence-metric"))


async def test_a_run_can_be_cancelled(page: Page) -> None:
    await ask(page, QUESTION)

    await page.get_by_role("button", name="Cancel the run").click()

    await expect(page.get_by_role("heading", name="Cancelled")).to_be_visible()


async def test_text_of_the_evidence_never_becomes_markup(page: Page, service: Served) -> None:
    await ask(
        page,
        'Why do payments fail since 14:05? <img src=x onerror="document.title=1"><script>document.title=2</script>',
    )

    await expect(page.locator("article[data-outcome]")).to_be_visible()

    assert await page.locator("main img, main script").count() == 0
    await expect(page.locator(".asked")).to_contain_text("<script>")
