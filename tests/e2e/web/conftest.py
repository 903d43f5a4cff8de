"""The real service in a process of its own, and a real browser that shows its page."""

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, BrowserContext, Page, async_playwright, expect

from tests.e2e.web.asking import QUESTION, VAGUE, ended_run
from tests.e2e.web.serving import PATIENCE_MS, Served, serve
from tests.servers import missing
from worlds import build_world

expect.set_options(timeout=PATIENCE_MS)

CHROMIUM = Path("/usr/bin/chromium")
WORLD = "payment-timeouts"
ZONE = "America/New_York"
"""Of the browser; that of the world is another one, and the only one on the page."""


@pytest.fixture(scope="session")
def chromium() -> Path:
    if not CHROMIUM.exists():
        missing("no Chromium at /usr/bin/chromium")
    return CHROMIUM


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_world(WORLD, tmp_path_factory.mktemp("world") / WORLD)


@pytest.fixture(scope="module")
def service(chromium: Path, world: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One service a module, with a home of its own; nobody needs a key."""
    with serve(world, tmp_path_factory.mktemp("home")) as served:
        yield served


@pytest.fixture(scope="module")
def report_id(service: Served) -> str:
    """A run that ended with a report."""
    return ended_run(service.url, QUESTION)


@pytest.fixture(scope="module")
def fallback_id(service: Served) -> str:
    """A run that ended without a conclusion."""
    return ended_run(service.url, VAGUE)


@pytest.fixture
async def browser(chromium: Path) -> AsyncIterator[Browser]:
    async with async_playwright() as play:
        opened = await play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield opened
        await opened.close()


@pytest.fixture
async def context(browser: Browser, service: Served) -> AsyncIterator[BrowserContext]:
    opened = await browser.new_context(
        base_url=service.url, locale="en-GB", timezone_id=ZONE, viewport={"width": 1320, "height": 900}
    )
    opened.set_default_timeout(PATIENCE_MS)
    yield opened
    await opened.close()


@pytest.fixture
async def page(context: BrowserContext) -> AsyncIterator[Page]:
    """A page on which nothing may go wrong unnoticed: no error of a script, nothing that the policy refuses."""
    opened = await context.new_page()
    wrong: list[str] = []
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("console", lambda said: wrong.append(said.text) if "Content Security Policy" in said.text else None)
    yield opened
    assert wrong == []


@pytest.fixture
def picture(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Where a screenshot of that name is kept, among the files of this test session."""
    folder = tmp_path_factory.getbasetemp() / "screenshots"
    folder.mkdir(exist_ok=True)
    return lambda name: folder / f"{name}.png"
