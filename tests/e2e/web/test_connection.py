"""What happens to the connection while a run is watched: it breaks in the middle, or the service itself goes and comes back."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.web.conftest import ZONE
from tests.e2e.web.relay import Relay
from tests.e2e.web.serving import PATIENCE_MS, Served, serve
from tests.stand_ins.loki import LokiStandIn

pytestmark = pytest.mark.e2e

QUESTION = "Why does payment-service fail since 30 minutes?"
CONFIG = """
sources:
  shop:
    kind: loki
    url: {url}
    selector: {{env: prod}}
    timeout_s: 60
"""
TOLD = "all => all.map(one => one.textContent)"


@pytest.fixture
def loki() -> Iterator[LokiStandIn]:
    """Ten minutes of a service that fails."""
    with LokiStandIn() as server:
        now = int(datetime.now(UTC).timestamp())
        for second in range(600, 0, -20):
            line = "ERROR HikariPool-1 - Connection is not available, request timed out after 30000ms"
            server.push((now - second) * 10**9, line, {"env": "prod", "service": "payment-service"})
        yield server


def configured(folder: Path, logs: Relay) -> dict[str, str]:
    (folder / "sources.yaml").write_text(CONFIG.format(url=logs.url))
    return {"ROOTPROOF_CONFIG": str(folder / "sources.yaml")}


@asynccontextmanager
async def browsing(browser: Browser, url: str) -> AsyncIterator[Page]:
    context = await browser.new_context(base_url=url, locale="en-GB", timezone_id=ZONE)
    context.set_default_timeout(PATIENCE_MS)
    page = await context.new_page()
    yield page
    await context.close()


async def started(opened: AsyncExitStack, coming: AbstractContextManager[Served]) -> Served:
    """The service, waited for in a thread: meanwhile its log server is reached through this loop."""
    return await asyncio.to_thread(opened.enter_context, coming)


async def ask_until_it_searches(page: Page) -> str:
    """The id of a run that waits for its first search."""
    await page.goto("/")
    await page.get_by_label("Question").fill(QUESTION)
    await page.get_by_label("Question").press("Enter")
    await page.wait_for_url("**/#/runs/*")
    await expect(page.locator(".now")).to_contain_text("Searching the logs")
    return page.url.rpartition("/")[2]


async def check_alone(page: Page, run_id: str, seen: list[str]) -> None:
    """The same is told by a page that never watched the run, from its kept events."""
    other = await page.context.new_page()
    await other.goto(f"/#/runs/{run_id}")
    await other.get_by_text("How it went").click()
    await expect(other.locator(".timeline li")).to_have_text(seen)


async def test_a_connection_that_breaks_in_the_middle_is_taken_up_where_it_broke(
    browser: Browser, chromium: Path, loki: LokiStandIn, tmp_path: Path
) -> None:
    async with AsyncExitStack() as opened:
        logs = await opened.enter_async_context(Relay(loki.url).open())
        served = await started(opened, serve(None, tmp_path / "home", env=configured(tmp_path, logs)))
        way = await opened.enter_async_context(Relay(served.url).open())
        page = await opened.enter_async_context(browsing(browser, way.url))
        logs.hold()
        run_id = await ask_until_it_searches(page)
        before = await page.locator(".timeline li").evaluate_all(TOLD)

        way.cut()
        await expect(page.locator(".now")).to_contain_text("The connection was lost")
        way.mend()
        await expect(page.locator(".now")).not_to_contain_text("The connection was lost")
        assert await page.locator(".timeline li").evaluate_all(TOLD) == before
        logs.release()

        await expect(page.locator("article[data-outcome]")).to_be_visible()
        await page.get_by_text("How it went").click()
        seen = await page.locator(".timeline li").evaluate_all(TOLD)
        await check_alone(page, run_id, seen)
        assert seen[: len(before)] == before
        assert len(seen) > len(before) >= 1
        assert any("last-event-id: " in head.lower() for head in way.heard)


async def test_a_service_that_is_killed_and_comes_back_goes_on_with_the_run_under_the_open_page(
    browser: Browser, chromium: Path, loki: LokiStandIn, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    async with AsyncExitStack() as opened:
        logs = await opened.enter_async_context(Relay(loki.url).open())
        env = configured(tmp_path, logs)
        served = await started(opened, serve(None, home, env=env))
        page = await opened.enter_async_context(browsing(browser, served.url))
        logs.hold()
        run_id = await ask_until_it_searches(page)
        await page.get_by_role("button", name="Keep running if I leave").click()
        await expect(page.get_by_text("The run goes on when you leave this page.")).to_be_visible()

        os.kill(served.process.pid, signal.SIGKILL)
        served.process.wait()
        await expect(page.locator(".now")).to_contain_text("The connection was lost")
        logs.release()
        await started(opened, serve(None, home, env=env, port=served.port))

        await expect(page.locator("article[data-outcome]")).to_be_visible()
        await page.get_by_text("How it went").click()
        seen = await page.locator(".timeline li").evaluate_all(TOLD)
        run = await (await page.request.get(f"/api/runs/{run_id}")).json()
        assert run["run_state"] != "RUNNING"
        await check_alone(page, run_id, seen)
        assert seen.count("Run started") == 1
        # The page itself goes on too, without a reload.
        await page.get_by_role("link", name="Runs", exact=True).click()
        await expect(page.locator(".list a.title")).to_have_text([QUESTION])
