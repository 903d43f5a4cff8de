"""What auditors alone may see, and that seeing it is recorded: raw evidence, export, reasoning; with the keyboard alone."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.web.asking import CAUSE, QUESTION
from tests.e2e.web.keys import bearer, signed_in, tab_to, with_keys
from tests.e2e.web.serving import ROOT, Served, serve
from tests.e2e.web.test_frame import serious
from tests.wire_server import WireServer, answers, completion

pytestmark = pytest.mark.e2e

PATIENCE_S = 120
THOUGHT = "First the pool, then the release. 先看连接池 <b>not markup</b>"


@dataclass(frozen=True)
class Kept:
    """A service with keys, and one run in it."""

    served: Served
    home: Path
    run_id: str

    def accesses(self) -> list[tuple[str, str]]:
        """Who saw what, as the service recorded it."""
        with sqlite3.connect(self.home / "control.db") as file:
            return list(file.execute("SELECT name, action FROM access_record ORDER BY access_no"))


def run_of(served: Served, question: str) -> str:
    asked = httpx.post(
        f"{served.url}/api/chat", json={"query": question}, headers=bearer("night-shift"), timeout=PATIENCE_S
    )
    return asked.headers["X-Run-Id"]


@pytest.fixture(scope="module")
def kept(chromium: Path, world: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    folder = tmp_path_factory.mktemp("audited")
    home = folder / "home"
    with serve(world, home, env={**with_keys(folder), "ROOTPROOF_ENCRYPTION_KEY": "of-the-operator"}) as served:
        yield Kept(served, home, run_of(served, QUESTION))


async def open_first_proof(page: Page, run_id: str) -> None:
    await page.goto(f"/#/runs/{run_id}")
    await expect(page.locator(".verdict .lead")).to_contain_text(CAUSE)
    await page.keyboard.press("1")
    await expect(page.locator("#panel mark").first).to_be_visible()


async def test_raw_evidence_is_opened_by_its_line_alone_and_recorded(
    browser: Browser, kept: Kept, picture: Callable[[str], Path]
) -> None:
    async with signed_in(browser, kept.served, "control") as page:
        await open_first_proof(page, kept.run_id)
        before = kept.accesses()

        raw = page.locator("#panel details", has_text="Raw result (recorded access)")
        await tab_to(raw.locator("summary"))
        await page.keyboard.press("Enter")

        await expect(raw.locator("pre")).to_contain_text("Connection leak detection triggered")
        assert kept.accesses() == [*before, ("control", "raw")]
        assert await serious(page) == []
        await page.screenshot(path=picture("auditor-raw"))


async def test_an_export_is_a_file_that_is_executed_again(browser: Browser, kept: Kept, tmp_path: Path) -> None:
    async with signed_in(browser, kept.served, "control") as page:
        await page.goto(f"/#/runs/{kept.run_id}/trace")
        await tab_to(page.get_by_role("button", name="Export for replay"))
        async with page.expect_download() as coming:
            await page.keyboard.press("Enter")
        download = await coming.value
        file = tmp_path / download.suggested_filename
        await download.save_as(file)

    assert download.suggested_filename == f"rootproof-{kept.run_id}.json"
    assert ("control", "export") in kept.accesses()
    told = subprocess.run(
        [sys.executable, "-c", "from service.cli import main; main()", "replay", "--file", str(file), "--json"],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "ROOTPROOF_HOME": str(tmp_path / "other")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(told.stdout)["identical"] is True


async def test_where_no_reasoning_is_kept_it_says_why(browser: Browser, kept: Kept) -> None:
    async with signed_in(browser, kept.served, "control") as page:
        await page.goto(f"/#/runs/{kept.run_id}/trace")

        await page.get_by_text("Reasoning of the model (recorded access)").click()

        await expect(page.get_by_text("The provider of the model returned no reasoning.")).to_be_visible()


@pytest.mark.parametrize("name", ["night-shift", "platform"])
async def test_nobody_else_is_offered_any_of_it(browser: Browser, kept: Kept, name: str) -> None:
    async with signed_in(browser, kept.served, name) as page:
        await open_first_proof(page, kept.run_id)
        await expect(page.get_by_text("Raw result")).to_have_count(0)
        await page.goto(f"/#/runs/{kept.run_id}/trace")

        await expect(page.get_by_role("heading", name="Tool calls")).to_be_visible()
        await expect(page.get_by_role("button", name="Export for replay")).to_have_count(0)
        await expect(page.get_by_text("Reasoning of the model")).to_have_count(0)


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_every_view_of_an_auditor_is_sound_for_assistive_technology(
    browser: Browser, kept: Kept, theme: str
) -> None:
    async with signed_in(browser, kept.served, "control") as page:
        await page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
        found = {}
        for path in ("/#/", "/#/runs", "/#/sessions", "/#/knowledge", f"/#/runs/{kept.run_id}"):
            await page.goto(path)
            await expect(page.locator("main h1")).to_be_visible()
            await page.wait_for_load_state("networkidle")
            found[path] = await serious(page)
        await page.goto(f"/#/runs/{kept.run_id}/trace")
        await page.get_by_text("Timeline (").click()
        await page.get_by_text("Reasoning of the model").click()
        await expect(page.get_by_text("returned no reasoning")).to_be_visible()
        found["trace"] = await serious(page)

    assert found == dict.fromkeys(found, [])


async def test_reasoning_is_shown_as_the_provider_gave_it_and_as_text(
    browser: Browser, chromium: Path, tmp_path: Path, picture: Callable[[str], Path]
) -> None:
    said = completion(
        '{"intent": "SYSTEM_CHAT"}',
        reasoning=THOUGHT,
        usage={"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12},
    )
    with WireServer(respond=lambda _: answers(said)) as provider:
        env = {
            **with_keys(tmp_path),
            "ROOTPROOF_ENCRYPTION_KEY": "of-the-operator",
            "ROOTPROOF_MODEL": "openai:wire-model",
            "ROOTPROOF_MODEL_BASE_URL": provider.url,
        }
        with serve(None, tmp_path / "home", env=env) as served:
            run_id = run_of(served, "Tell me about the weather in the harbour, please, and in some detail.")
            async with signed_in(browser, served, "control") as page:
                await page.goto(f"/#/runs/{run_id}/trace")
                await tab_to(page.locator("summary", has_text="Reasoning of the model"))
                await page.keyboard.press("Enter")

                thought = page.locator("details pre", has_text="First the pool").first
                await expect(thought).to_have_text(THOUGHT)
                assert await page.locator("main b").count() == 0
                await page.screenshot(path=picture("auditor-reasoning"), full_page=True)
