"""Do numbers belong to whom they are said of? Pure."""

import re
from collections.abc import Iterator
from datetime import datetime

from models.offline.moments import any_instant
from models.offline.review.case import Case, Proof
from models.offline.review.likeness import content, telling_weight
from models.offline.review.reasons import Refusal
from models.offline.review.telling import clauses, tell
from models.offline.terms import stem, term_set

_NUMBER = re.compile(
    r"(?<![\w.:/@#-])\d+(?:\.\d+)?(?![\w:/@-]|\.\d)|(?<![\w.:/@#-])\d+(?:\.\d+)?(?=(?:[%]|ms|s|m|gb|mb|gib|mib)\b|[\u3400-\u9fff%])",
    re.IGNORECASE,
)
_GREEDY = re.compile(
    r"\b(?:empt(?:y|ies|ied)|exhaust\w*|us(?:e|es|ed|ing) up|fill(?:s|ed)?|flood\w*|overload\w*|saturat\w*|drain\w*|"
    r"hog\w*|eats?|ate|consum\w+|far above|exceed\w*|over the limit|most of|leak\w*|occup\w+)\b"
    r"|占满|耗尽|用尽|打满|占用|泄漏|泄露|撑满|写满|吃满|用光|超过|超出|压垮",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"(?<![\w.:/=-])(?P<n>\d+)\s+(?P<what>[A-Za-z]{3,}(?:\s+[a-z]{4,})?)")
_OUTCOMES = re.compile(
    r"(?<![\w.:/=-])(?P<n>\d{2,})\s*(?:[a-z]+\s+){1,2}(?:timed out|failed|were (?:lost|[a-z]+ed))\b"
    r"|(?<![\w.:/=-])(?P<zn>\d{2,})\s*(?:个|次|条|笔)?[\u3400-\u9fff]{2,4}(?:超时|失败)",
    re.IGNORECASE,
)
_COUNTS = re.compile(r"count|fail|error|timeout|reject|n_|num", re.IGNORECASE)
FAR = 3.0
NEAR_CHARS = 24


def amounts_belong(case: Case) -> Refusal | None:
    """A number said of a component stands in an item that names it, and a named measure has that value."""
    texts = (case.text, *(s.text for s in case.statements))
    parts = [part for text in texts for part in clauses(text)]
    if any(
        _is_anothers(case, part)
        or _is_siblings(case, part)
        or _is_other_measure(case, part)
        or _counts_else(case, part)
        or _counts_outcomes(case, part)
        for part in parts
    ) or _is_turned(case):
        return Refusal.AMOUNT
    return None


def numbers(text: str) -> tuple[str, ...]:
    """Plain numbers of two digits or more, as written; no times, versions or parts of names."""
    return tuple(n for n in _NUMBER.findall(text) if len(n) > 1)


def _is_anothers(case: Case, part: str) -> bool:
    names = case.named_in(part)
    for number in numbers(part) if names else ():
        holders = [p for p in case.telemetry if number in p.pairs.values()]
        if not holders or any(number in _loose(p) and p not in holders for p in case.telemetry):
            continue
        is_foreign = all(p.owners for p in holders) and not any(p.mentions(name) for p in holders for name in names)
        if is_foreign and _is_as_like(case, _around(part, number), names, holders):
            return True
    return False


def _is_as_like(case: Case, part: str, names: tuple[str, ...], holders: list[Proof]) -> bool:
    """The words around the number speak of an item of the named component no less than of those that hold it."""
    words = {t for t in content(case, part) if not t.startswith("n:")}
    named = [p for p in case.telemetry if any(p.mentions(name) for name in names)]
    own = max((telling_weight(case, words & p.terms) for p in named), default=0.0)
    return own >= max(telling_weight(case, words & p.terms) for p in holders)


def _around(part: str, number: str) -> str:
    at = part.find(number)
    return part[max(0, at - NEAR_CHARS) : at + len(number) + NEAR_CHARS]


def _is_siblings(case: Case, part: str) -> bool:
    """A number of one row is said of what only another row of the same columns is about."""
    rows = [p for p in case.telemetry if p.is_row]
    for number in numbers(part):
        holders = [p for p in rows if number in p.pairs.values()]
        if holders and all(_is_said_of_sibling(part, holder, rows) for holder in holders):
            return True
    return False


def _is_said_of_sibling(part: str, holder: Proof, rows: list[Proof]) -> bool:
    alike = [p for p in rows if p is not holder and p.item.fields.keys() == holder.item.fields.keys()]
    theirs = frozenset[str]().union(*(p.labels for p in alike)) - holder.labels
    own = holder.labels - frozenset[str]().union(*(p.labels for p in alike))
    return _names_one(part, theirs) and not _names_one(part, own)


def _names_one(part: str, labels: frozenset[str]) -> bool:
    return any(re.search(rf"(?<![\w-]){re.escape(label)}(?![a-zA-Z0-9_-])", part.lower()) for label in labels)


def _counts_else(case: Case, part: str) -> bool:
    """A number counts what a log line counts with another number ("wrote 9120 buffers; 0 files removed")."""
    for said in _COUNTED.finditer(part):
        nouns = {stem(word) for word in said.group("what").lower().split()}
        for proof in case.telemetry:
            counted = [
                (m.group("n"), {stem(w) for w in m.group("what").lower().split()})
                for m in _COUNTED.finditer(proof.item.text)
            ]
            same_number = [what for n, what in counted if n == said.group("n")]
            same_thing = [n for n, what in counted if what & nouns]
            if same_number and same_thing and said.group("n") not in same_thing:
                return True
    return False


def _counts_outcomes(case: Case, part: str) -> bool:
    """A number of failures is, wherever it is shown, the value of a named measure that is not of them."""
    said = _OUTCOMES.search(part)
    number = (said["n"] or said["zn"]) if said else ""
    if not number or any(re.search(rf"(?<![\w.=]){number}(?![\w.])", p.item.text) for p in case.telemetry):
        return False
    named = [(p, key) for p in case.telemetry for key, value in p.pairs.items() if value == number]
    words = term_set(part)
    return bool(named) and not any(
        key in p.item.fields or _COUNTS.search(key) or words & term_set(key.replace("_", " ")) for p, key in named
    )


def _loose(proof: Proof) -> set[str]:
    return set(numbers(proof.item.text))


def _is_other_measure(case: Case, part: str) -> bool:
    """One number next to the full name of one measure that has another value wherever it is shown."""
    said = _NUMBER.findall(part)
    low = re.sub(r"[_\s.]+", " ", part.lower())
    if len(said) != 1:
        return False
    measures = {key for p in case.telemetry for key in p.pairs if key.count("_") and key.replace("_", " ") in low}
    values = {p.pairs[key] for p in case.telemetry for key in measures if key in p.pairs}
    numeric = {v for v in values if v.replace(".", "", 1).isdigit()}
    anywhere_else = any(said[0] in _loose(p) for p in case.telemetry if not p.is_row)
    return len(measures) == 1 and bool(numeric) and said[0] not in numeric and not anywhere_else


def rivals_are_smaller(case: Case) -> Refusal | None:
    """Who is blamed for using something up is not far behind another one in comparable rows."""
    told = tell(case.text)
    if not _GREEDY.search(told.cause):
        return None
    first = next((case.named_in(part) for part in clauses(told.cause) if case.named_in(part)), ())
    return Refusal.SUBJECT if any(_is_outdone(case, name, told.cause) for name in first) else None


def _is_outdone(case: Case, name: str, cause: str) -> bool:
    """Some other component's row dwarfs every comparable row of the blamed one."""
    by_rival: dict[str, list[bool]] = {}
    for mine, other in _compared(case, name, cause):
        by_rival.setdefault(other.ref, []).append(_is_dwarfed(mine, other))
    return any(all(dwarfed) for dwarfed in by_rival.values())


def _compared(case: Case, name: str, cause: str) -> Iterator[tuple[Proof, Proof]]:
    """Rows of the same columns: one of the blamed component, one of a component not named in the cause."""
    rows = [p for p in case.telemetry if p.is_row]
    named = set(case.named_in(cause))
    for mine in (p for p in rows if name in p.owners):
        for other in rows:
            if other.item.fields.keys() == mine.item.fields.keys() and other.owners and not other.owners & named:
                yield mine, other


def _is_dwarfed(mine: Proof, other: Proof) -> bool:
    """Every number that differs is far larger in the other row."""
    pairs = [(mine.item.fields[k], other.item.fields[k]) for k in mine.item.fields]
    sizes = [
        (float(a), float(b))
        for a, b in pairs
        if isinstance(a, int | float) and isinstance(b, int | float) and not isinstance(a, bool) and a != b
    ]
    return bool(sizes) and all(b >= FAR * max(a, 1.0) for a, b in sizes)


_VALUE = r"[“\"`]?(?P<{}>[\w%-]+(?:\.[\w%-]+)*)[”\"`]?"
_CHANGE = re.compile(
    rf"(?:\bfrom|从|由)\s*{_VALUE.format('old')}\s*(?:down to|up to|to|改为|改成|降到|降至|"
    r"调到|调至|升到|升至|变为|变成|提高到|降低到|到)"
    rf"\s*{_VALUE.format('new')}",
    re.IGNORECASE,
)
_FORMER = re.compile(r"old|was|prev|from|before|former|原|旧|从", re.IGNORECASE)
_LATER = re.compile(r"new|now|\bto\b|after|current|threads=|新|改为|变为", re.IGNORECASE)


def _is_turned(case: Case) -> bool:
    """True for "from A to B" where every item that marks both has them the other way round."""
    for text in (case.text, *(s.text for s in case.statements)):
        for match in _CHANGE.finditer(text):
            marks = [
                m for p in case.telemetry if (m := _direction(p.item.text, match.group("old"), match.group("new")))
            ]
            if marks and all(mark < 0 for mark in marks):
                return True
            if _runs_back(case, match.group("old"), match.group("new")):
                return True
    return False


def _runs_back(case: Case, old: str, new: str) -> bool:
    """In rows of the same columns the new value was measured before the old one."""
    rows = [(p, stamp) for p in case.telemetry if p.is_row and (stamp := _stamp(p)) is not None]
    pairs = [
        (before, after)
        for one, before in rows
        for other, after in rows
        for key, value in one.pairs.items()
        if value == old and other.pairs.get(key) == new and one.labels == other.labels
    ]
    return bool(pairs) and all(before > after for before, after in pairs)


def _stamp(proof: Proof) -> datetime | None:
    found = any_instant(proof.item.fields)
    return found[1] if found else None


def _direction(text: str, old: str, new: str) -> int:
    """Above 0 if the text marks ``old`` as former or ``new`` as later, below 0 if the other way round."""
    before_old, before_new = _before(text, old), _before(text, new)
    if old.lower() == new.lower() or before_old is None or before_new is None:
        return 0
    right = bool(_FORMER.search(before_old) or _LATER.search(before_new))
    wrong = bool(_LATER.search(before_old) or _FORMER.search(before_new))
    return int(right) - int(wrong)


def _before(text: str, value: str) -> str | None:
    match = re.search(rf"(?<![\w.]){re.escape(value)}(?![\w.])", text, re.IGNORECASE)
    return text[max(0, match.start() - 14) : match.start()] if match else None
