"""Numbers that only number the entries of a list: "1. … 2. …". A number that stands alone is no mark."""

import re

_MARK = re.compile(
    r"(?:(?m:^)\s{0,8}|(?<=[;,。.:] )|(?<=[;。:]))"
    r"(?:\(?(?P<n>\d{1,2})(?:[)、]|[.:](?=\s))|step (?P<step>\d{1,2})(?!\w)|第(?P<zh>\d{1,2})步)"
    r"(?=[\s:,.、]{0,3}[^\W\d_])",
    re.IGNORECASE,
)


def list_marks(text: str) -> tuple[tuple[int, int], ...]:
    """Spans of the marks of lists in the folded text: at least two, counting up from 1, each followed by words.

    Each mark stands at the start of a line or behind a punctuation mark.
    """
    spans: list[tuple[int, int]] = []
    run: list[tuple[int, int]] = []
    for match in _MARK.finditer(text):
        number = int(match["n"] or match["step"] or match["zh"])
        if number != len(run) + 1:
            spans += run if len(run) > 1 else []
            run = []
        if number == len(run) + 1:
            run.append(match.span())
    return (*spans, *(run if len(run) > 1 else ()))
