"""The runbook library: both languages, valid front matter, one shape for every cause."""

import re

import pytest

from tests.worlds.runbooks import Cause, Page, read_library
from worlds import library_path

FRONT = {"title", "keywords", "summary", "category", "covers", "when_to_retrieve", "version"}
PAGES = read_library(library_path())
CAUSES = [cause for page in PAGES for cause in page.causes]
MAX_SECTION_CHARS = 1000


@pytest.fixture(params=PAGES, ids=lambda page: page.name)
def page(request: pytest.FixtureRequest) -> Page:
    return request.param


def is_labelled(cause: Cause) -> bool:
    places = [cause.text.find(label) for label in cause.labels]
    return -1 not in places and places == sorted(places)


def test_library_has_both_languages() -> None:
    n_chinese = sum(one.is_chinese for one in PAGES)

    assert len(PAGES) >= 18
    assert 0.3 <= n_chinese / len(PAGES) <= 0.5


def test_guide_for_authors_is_not_a_runbook() -> None:
    assert (library_path() / "_README.txt").is_file()
    assert not any("README" in one.name for one in PAGES)


def test_front_matter_is_complete_and_typed(page: Page) -> None:
    assert page.front.keys() == FRONT
    assert all(isinstance(page.front[key], list) and page.front[key] for key in ("keywords", "covers"))
    assert all(isinstance(page.front[key], str) and page.front[key] for key in FRONT - {"keywords", "covers"})


def test_page_offers_several_causes(page: Page) -> None:
    assert 2 <= len(page.causes) <= 5
    assert page.body.count("\n### ") == len(page.causes)


def test_titles_are_unique() -> None:
    assert len({one.front["title"] for one in PAGES}) == len(PAGES)
    assert len({one.heading for one in CAUSES}) == len(CAUSES)


def test_causes_have_all_labels_in_order() -> None:
    assert [cause.heading for cause in CAUSES if not is_labelled(cause)] == []


def test_causes_fit_one_passage() -> None:
    assert [cause.heading for cause in CAUSES if len(cause.text) > MAX_SECTION_CHARS] == []


def test_causes_name_at_least_two_markers() -> None:
    assert [cause.heading for cause in CAUSES if len(cause.signature) < 2] == []


def test_markers_are_shorter_than_four_words() -> None:
    markers = [marker for cause in CAUSES for marker in re.findall(r"`([^`]+)`", cause.text)]

    assert len(markers) > 150
    assert [marker for marker in markers if len(re.findall(r"\w+", marker)) > 3] == []
