"""A page into Markdown: headings, lists, tables and code kept; scripts, styles and hidden text dropped.

Links keep their words and lose their address, pictures keep their alternative text. Nothing is fetched.
"""

import warnings

from bs4 import BeautifulSoup, Comment, Tag, XMLParsedAsHTMLWarning
from markdownify import MarkdownConverter

from tools.knowledge.formats.extracted import Extracted
from tools.knowledge.formats.hidden import INVISIBLE, is_hidden
from tools.knowledge.formats.kinds import Unreadable

MAX_DEPTH = 150
"""Elements inside each other; real pages stay below 50."""
MAX_ELEMENTS = 200_000
MAX_MARKS = 3 * MAX_ELEMENTS
"""Opening angle brackets: begin and end of each element, and some more."""


def extract_html(text: str) -> Extracted:
    """The page. Its title and its meta keywords and description come along.

    Raises:
        Unreadable: it is nested deeper than 150 elements, or holds more than 200 000.
    """
    # Building the tree of what is refused afterwards would take minutes.
    if text.count("<") > MAX_MARKS:
        raise Unreadable(f"holds more than {MAX_ELEMENTS} elements")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        page = BeautifulSoup(text, "lxml")
    _check_size(page)
    title = " ".join(page.title.get_text(" ").split()) if page.title else ""
    keywords, summary = _meta(page, "keywords"), _meta(page, "description")
    _drop_unseen(page)
    markdown = MarkdownConverter(
        heading_style="ATX", bullets="-", escape_asterisks=False, escape_underscores=False, escape_misc=False,
        strip=["a", "img"], code_language_callback=_language,
    ).convert_soup(page)  # fmt: skip
    parts = tuple(part for word in keywords.replace("，", ",").split(",") if (part := word.strip()))
    return Extracted(markdown=_tidy(markdown), title=title, keywords=parts[:50], summary=summary[:500])


def _check_size(page: BeautifulSoup) -> None:
    """Walks without recursion: a page may be nested deeper than the stack.

    Raises:
        Unreadable: too deep or too many.
    """
    count = 0
    waiting: list[tuple[int, Tag]] = [(1, page)]
    while waiting:
        depth, tag = waiting.pop()
        children = [child for child in tag.contents if isinstance(child, Tag)]
        count += len(children)
        if depth > MAX_DEPTH:
            raise Unreadable(f"is nested deeper than {MAX_DEPTH} elements")
        if count > MAX_ELEMENTS:
            raise Unreadable(f"holds more than {MAX_ELEMENTS} elements")
        waiting.extend((depth + 1, child) for child in children)


def _meta(page: BeautifulSoup, name: str) -> str:
    tag = page.find("meta", attrs={"name": lambda value: bool(value) and str(value).lower() == name})
    return " ".join(str(tag.get("content") or "").split()) if isinstance(tag, Tag) else ""


def _drop_unseen(page: BeautifulSoup) -> None:
    for comment in page.find_all(string=lambda text: isinstance(text, Comment)):
        comment.extract()
    for tag in page.find_all(list(INVISIBLE)):
        tag.extract()
    for tag in page.find_all(is_hidden):
        tag.extract()
    for picture in page.find_all("img"):
        picture.replace_with(str(picture.get("alt") or ""))


def _language(tag: Tag) -> str:
    inner = tag.find("code")
    classes = [
        *(tag.get_attribute_list("class")),
        *(inner.get_attribute_list("class") if isinstance(inner, Tag) else []),
    ]
    found = (str(name).removeprefix("language-") for name in classes if name and str(name).startswith("language-"))
    return next(found, "")


def _tidy(markdown: str) -> str:
    """Without blanks at line ends and runs of empty lines."""
    lines = [line.rstrip() for line in markdown.replace("\u00a0", " ").split("\n")]
    kept = [line for number, line in enumerate(lines) if line or (number and lines[number - 1])]
    return "\n".join(kept).strip("\n")
