"""What a person does on the page, in a few words."""

import json
from urllib.request import Request, urlopen

from playwright.async_api import Page, expect

QUESTION = "Why are payments timing out since 14:05?"
CAUSE = "connection leak in newly released code"
VAGUE = "What broke?"


async def ask(page: Page, question: str) -> None:
    """Ask, and be on the page of the run."""
    await page.goto("/")
    await page.get_by_label("Question").fill(question)
    await page.get_by_role("button", name="Diagnose").click()
    await page.wait_for_url("**/#/runs/*")


async def ask_and_read(page: Page, question: str) -> str:
    """Ask, wait for the result, and give the id of the run."""
    await ask(page, question)
    await expect(page.locator("article[data-outcome]")).to_be_visible()
    return page.url.rpartition("/")[2]


def ended_run(url: str, question: str) -> str:
    """The id of a run that was asked without the page and has ended."""
    request = Request(f"{url}/api/chat", json.dumps({"query": question}).encode(), {"Content-Type": "application/json"})
    with urlopen(request) as reply:
        reply.read()
        return str(reply.headers["X-Run-Id"])


async def read(page: Page, run_id: str) -> None:
    """Be on the page of an ended run."""
    await page.goto(f"/#/runs/{run_id}")
    await expect(page.locator("article[data-outcome]")).to_be_visible()
