"""Pages into Markdown."""

import pytest

from tools.knowledge.formats.html import extract_html
from tools.knowledge.formats.kinds import Unreadable


def read(body: str) -> str:
    return extract_html(f"<html><head><title>T</title></head><body>{body}</body></html>").markdown


def test_headings_lists_tables_and_code_are_kept():
    page = (
        "<h1>Pool</h1><p>Wait for <b>order_id</b> * 2.<h3>Cause</h3><ul><li>one<ul><li>inner</ul><li>two</ul>"
        "<table><tr><th>code<th>means<tr><td>E_17<td>full</table><pre><code class='language-sh'>ls -l\n  wc</code></pre>"
    )

    assert read(page) == (
        "# Pool\n\nWait for **order_id** * 2.\n\n### Cause\n\n- one\n  - inner\n- two\n\n"
        "| code | means |\n| --- | --- |\n| E_17 | full |\n\n```sh\nls -l\n  wc\n```"
    )


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>X</script>",
        "<style>X</style>",
        "<template>X</template>",
        "<noscript>X</noscript>",
        "<iframe src=//e>X</iframe>",
        "<svg><text>X</text></svg>",
        "<p hidden>X</p>",
        "<input type=hidden value=X>",
        "<!-- X -->",
        "<!--[if IE]>X<![endif]-->",
        "<p style='display:none'>X</p>",
        "<p style='Display : NONE !important'>X</p>",
        "<p style='display:/* */none'>X</p>",
        "<p style='visibility: hidden'>X</p>",
        "<p style='font-size:0px'>X</p>",
        "<p style='opacity:0'>X</p>",
        "<p style='position:absolute;left:-9999px'>X</p>",
        "<div style='display:none'><p><b>X</b></p></div>",
        "<select><option>X</select>",
    ],
)
def test_what_a_reader_does_not_see_is_dropped(hidden):
    assert read(f"<p>seen{hidden}</p>{hidden}<p>too") == "seen\n\ntoo"


@pytest.mark.parametrize("shown", ["opacity:0.5", "font-size:0.9em", "display:block", "left:-2px"])
def test_a_style_that_hides_nothing_keeps_the_text(shown):
    assert read(f"<p style='{shown}'>kept</p>") == "kept"


def test_links_keep_their_words_and_pictures_their_alternative_text():
    assert read("<a href='javascript:x'>way</a> <img alt='chart' src='http://127.0.0.1:9/x.png'>") == "way chart"


def test_title_keywords_and_description_come_along():
    page = extract_html(
        "<title> A  B </title><meta name=Keywords content='x, y，z'><meta name=description content='sum'>"
    )

    assert (page.title, page.keywords, page.summary) == ("A B", ("x", "y", "z"), "sum")


def test_nesting_beyond_any_real_page_is_refused():
    with pytest.raises(Unreadable, match="nested deeper than 150"):
        extract_html("<div>" * 5000 + "x")


def test_entities_do_not_grow():
    page = "<!DOCTYPE html [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;'>]><p>&b;&b;"

    assert len(extract_html(page).markdown) < 100
