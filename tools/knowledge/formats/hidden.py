"""Which elements of a page a reader does not see. Pure."""

import re

from bs4 import Tag

INVISIBLE = (
    "script", "style", "template", "noscript", "iframe", "object", "embed", "applet", "svg", "canvas", "audio",
    "video", "head", "link", "meta", "select", "datalist", "frame", "frameset",
)  # fmt: skip
"""Elements whose content is no text of the page."""
_HIDING = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|opacity:0(?:\.0*)?(?:;|!|$)|font-size:0(?:\.0*)?(?:[a-z%]*)(?:;|!|$)"
    r"|(?:left|top|text-indent):-\d{3,}"
)
_CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def is_hidden(tag: Tag) -> bool:
    """True if the element's own markup hides it. Style sheets and colours are not looked at."""
    if tag.has_attr("hidden") or (tag.name == "input" and tag.get("type") == "hidden"):
        return True
    style = tag.get("style")
    plain = _CSS_COMMENT.sub("", str(style)).lower() if style else ""
    return bool(_HIDING.search("".join(plain.split())))
