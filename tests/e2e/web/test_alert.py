"""A run that an alert started: its subject, and what else fires, shown as text and as not diagnosed."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.e2e.web.asking import read
from tests.e2e.web.test_frame import serious

pytestmark = pytest.mark.e2e

HOSTILE = "<img src=x onerror=document.title=1>"


def firing(name: str, at: str, **labels: str) -> dict[str, object]:
    return {"status": "firing", "labels": {"alertname": name, **labels}, "startsAt": f"2026-02-04T{at}:00Z"}


NOTIFICATION = {
    "version": "4",
    "groupKey": "{}:{job='shop'}",
    "status": "firing",
    "alerts": [
        firing("PaymentLatencyHigh", "06:06", service="payment-service", severity="critical"),
        firing("HighErrorRatio", "06:07", service="order-desk", severity="warning"),
        firing(HOSTILE, "06:08", instance="node-2a45"),
        *(firing(f"Noise{number}", "06:09") for number in range(22)),
    ],
}


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_what_fired_with_it_is_shown_and_not_diagnosed(
    page: Page, theme: str, picture: Callable[[str], Path]
) -> None:
    await page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
    started = await (await page.request.post("/api/alerts", data=NOTIFICATION)).json()
    await read(page, started["runs"][0]["run_id"])

    risks = page.locator("#related li")
    await expect(page.get_by_role("heading", name="Related, not diagnosed (24)")).to_be_visible()
    await expect(risks).to_have_count(20)
    await expect(risks.first).to_contain_text("HighErrorRatio")
    await expect(risks.first).to_contain_text("service=order-desk")
    await expect(risks.first).to_contain_text("since 2026-02-04 14:07:00 +08:00")
    await expect(risks.get_by_text("not diagnosed")).to_have_count(20)
    await expect(risks.nth(1)).to_contain_text(HOSTILE)
    await expect(page.get_by_text("More that fired and are not listed: 4")).to_be_visible()
    assert await page.locator("main img").count() == 0
    report = await page.locator(".verdict, .proofs").all_inner_texts()
    assert not any("HighErrorRatio" in part for part in report)
    assert await serious(page) == []
    await page.screenshot(path=picture(f"alert-{theme}"), full_page=True)


async def test_a_question_of_a_person_has_no_such_part(page: Page, report_id: str) -> None:
    await read(page, report_id)

    await expect(page.get_by_role("heading", name="The alert this run came from")).to_have_count(0)
