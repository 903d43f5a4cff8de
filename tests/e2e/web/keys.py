"""Services with keys, and browsers that hold one."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser, Locator, Page, expect

from tests.e2e.web.conftest import ZONE
from tests.e2e.web.serving import PATIENCE_MS, Served

KEYS = {
    "night-shift": ("user", "the-night-shift-has-this-key-01"),
    "platform": ("operator", "the-platform-team-has-this-key-02"),
    "control": ("auditor", "internal-control-has-this-key-03"),
}


def with_keys(folder: Path) -> Mapping[str, str]:
    """Variables of a service that knows those keys."""
    lines = [f"  {name}: {{secret: env:KEY_{index}, roles: [{role}]}}" for index, (name, (role, _)) in _numbered()]
    (folder / "keys.yaml").write_text("keys:\n" + "\n".join(lines) + "\n")
    secrets = {f"KEY_{index}": secret for index, (_, (_, secret)) in _numbered()}
    return {"ROOTPROOF_CONFIG": str(folder / "keys.yaml"), **secrets}


def bearer(name: str) -> Mapping[str, str]:
    return {"Authorization": f"Bearer {KEYS[name][1]}"}


def _numbered() -> enumerate[tuple[str, tuple[str, str]]]:
    return enumerate(KEYS.items())


@asynccontextmanager
async def signed_in(browser: Browser, served: Served, name: str) -> AsyncIterator[Page]:
    """A page whose person has typed that key, with nothing but the keyboard."""
    context = await browser.new_context(
        base_url=served.url, locale="en-GB", timezone_id=ZONE, viewport={"width": 1320, "height": 900}
    )
    context.set_default_timeout(PATIENCE_MS)
    page = await context.new_page()
    await page.goto("/")
    await expect(page.get_by_label("Key", exact=True)).to_be_focused()
    await page.keyboard.type(KEYS[name][1])
    await page.keyboard.press("Enter")
    await expect(page.get_by_text(f"Signed in as {name}")).to_be_visible()
    yield page
    await context.close()


async def tab_to(wanted: Locator) -> None:
    """Tab until that control has the focus, as somebody without a mouse finds it."""
    await expect(wanted).to_be_visible()
    for _ in range(200):
        await wanted.page.keyboard.press("Tab")
        if await wanted.evaluate("one => one === document.activeElement"):
            return
    raise AssertionError(f"no way to {wanted} with the keyboard")
