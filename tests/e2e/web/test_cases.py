"""What becomes of a judgement: an operator approves or declines it on the page, and only an approved case is found."""

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.web.asking import QUESTION
from tests.e2e.web.keys import bearer, signed_in, tab_to, with_keys
from tests.e2e.web.serving import Served, serve
from tests.e2e.web.test_frame import serious

pytestmark = pytest.mark.e2e

PATIENCE_S = 120
KEPT = "the release of MandateLookup never closed its zebrafish cursor"
REFUSED = "a quagga chewed through the fibre"


@pytest.fixture(scope="module")
def keyed(chromium: Path, world: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("cases")
    with serve(world, folder / "home", env=with_keys(folder)) as served:
        yield served


def offered(served: Served, correction: str) -> None:
    """A run, and what a person of the night shift says was really the cause."""
    with httpx.Client(base_url=served.url, headers=bearer("night-shift"), timeout=PATIENCE_S) as client:
        run_id = client.post("/api/chat", json={"query": QUESTION}).headers["X-Run-Id"]
        run = client.get(f"/api/runs/{run_id}").json()
        body = {"session_id": run["session_id"], "run_id": run_id, "verdict": "not_useful", "correction": correction}
        assert client.post("/api/feedback", json=body).json()["case_id"]


async def search(page: Page, words: str) -> None:
    await page.get_by_label("Search the runbooks").fill(words)
    await page.get_by_role("button", name="Search", exact=True).click()


async def test_an_approved_case_is_found_under_its_category(
    browser: Browser, keyed: Served, picture: Callable[[str], Path]
) -> None:
    offered(keyed, KEPT)
    async with signed_in(browser, keyed, "platform") as page:
        await page.goto("/#/knowledge")
        case = page.locator("#cases li", has_text=KEPT)
        await expect(case).to_have_count(1)
        await tab_to(case.locator("summary"))
        await page.keyboard.press("Enter")
        await expect(case.locator("pre")).to_contain_text(KEPT)
        await page.screenshot(path=picture("case"), full_page=True)
        await search(page, "zebrafish cursor never closed")
        await expect(page.locator("#hits")).not_to_contain_text("Loading")
        await expect(page.locator("#hits")).not_to_contain_text("zebrafish cursor")

        await tab_to(case.get_by_role("button", name="Approve"))
        await page.keyboard.press("Enter")

        await expect(page.get_by_text("Decided: approved")).to_be_visible()
        await expect(case).to_have_count(0)
        entry = page.locator("#documents li").filter(has=page.locator(".meta span", has_text="case"))
        await expect(entry.locator(".badge.good")).to_have_text("ready")
        await search(page, "zebrafish cursor never closed")
        await expect(page.locator("#hits li", has_text=KEPT).first).to_be_visible()
        await page.screenshot(path=picture("case-found"), full_page=True)


async def test_a_declined_case_is_gone_and_never_found(browser: Browser, keyed: Served) -> None:
    offered(keyed, REFUSED)
    async with signed_in(browser, keyed, "platform") as page:
        await page.goto("/#/knowledge")
        case = page.locator("#cases li", has_text=REFUSED)
        await expect(case).to_have_count(1)

        await tab_to(case.get_by_role("button", name="Decline"))
        await page.keyboard.press("Enter")

        await expect(page.get_by_text("Decided: declined")).to_be_visible()
        await expect(case).to_have_count(0)
        await search(page, "quagga chewed through the fibre")
        await expect(page.locator("#hits")).not_to_contain_text("Loading")
        await expect(page.locator("#hits")).not_to_contain_text(REFUSED)


async def test_only_an_operator_decides(browser: Browser, keyed: Served) -> None:
    offered(keyed, "a third cause")
    for name in ("night-shift", "control"):
        async with signed_in(browser, keyed, name) as page:
            await page.goto("/#/knowledge")

            await expect(page.get_by_role("heading", name="Documents")).to_be_visible()
            await page.wait_for_load_state("networkidle")
            await expect(page.get_by_role("button", name="Approve")).to_have_count(0)
            assert await serious(page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_the_decision_is_sound_for_assistive_technology(browser: Browser, keyed: Served, theme: str) -> None:
    offered(keyed, f"a cause in the {theme}")
    async with signed_in(browser, keyed, "platform") as page:
        await page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
        await page.goto("/#/knowledge")
        await expect(page.locator("#cases li").first).to_be_visible()
        await page.locator("#cases summary").first.click()

        assert await serious(page) == []
