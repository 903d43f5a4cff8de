"""Lies about amounts: a digit, a unit, a time, a count, a derived value. Each changes what the evidence says. Pure."""

import re
from datetime import datetime, timedelta

from eval.adversary.agents.kinds import Kind
from eval.adversary.agents.lying import Change, Known, Lie, Teller, Told, changed_text, copied
from eval.adversary.agents.wire import Json
from worlds.generate.dice import Dice

_NUMBER = re.compile(r"(?<![\w.:-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w:-])|(?<=[=\s(])\d+(?=(?:ms|s|m|MB|GB|KB)\b)")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")
_UNIT = re.compile(r"(?<=\d)( ?)(ms|seconds?|minutes?|millisecond\(s\)|MB|GB|KB|%|s|m)(?![\w])")
_ROUNDING = timedelta(seconds=1)
"""A time this near may be the same, rounded."""
_TIMES = re.compile(r"(\d+)( times| 次)")
_OTHER_UNIT = {
    "ms": "s",
    "s": "ms",
    "second": "minute",
    "seconds": "minutes",
    "minute": "hour",
    "minutes": "hours",
    "millisecond(s)": "second(s)",
    "MB": "GB",
    "GB": "MB",
    "KB": "MB",
    "%": " ms",
    "m": "s",
}


def _digit(text: str, known: Known, dice: Dice) -> Change | None:
    """One digit of one number becomes another, or the number becomes another number of the same evidence."""
    found = [match.group() for match in _NUMBER.finditer(_INSTANT.sub(" ", text))]
    if not found:
        return None
    old = dice.choice(found)
    others = [match.group() for note in known.notes for match in _NUMBER.finditer(note.text) if match.group() != old]
    if others and dice.random() < 0.4:
        new = dice.choice(others)
    else:
        at = dice.choice([index for index, char in enumerate(old) if char.isdigit()])
        new = old[:at] + str((int(old[at]) + dice.randint(1, 9)) % 10) + old[at + 1 :]
    return None if _value(new) == _value(old) else _in_context(text, old, new, dice)


def _value(number: str) -> float:
    return float(number.replace(",", ""))


def _in_context(text: str, old: str, new: str, dice: Dice) -> Change | None:
    """The number with a little of what stands around it, so that only this one changes."""
    alone = rf"(?<![\w.:-]){re.escape(old)}(?![\w:-])|(?<=[=\s(]){re.escape(old)}"
    places = list(re.finditer(alone, text))
    if not places:
        return None
    place = dice.choice(places)
    before = text[max(0, place.start() - 14) : place.start()]
    after = text[place.end() : place.end() + 6]
    return before + old + after, before + new + after


def _unit(text: str, _: Known, dice: Dice) -> Change | None:
    found = [match for match in _UNIT.finditer(text) if match.group(2) in _OTHER_UNIT]
    if not found:
        return None
    match = dice.choice(found)
    start = max(0, match.start() - 8)
    return text[start : match.end()], text[start : match.start(2)] + _OTHER_UNIT[match.group(2)]


def _time(text: str, known: Known, dice: Dice) -> Change | None:
    """Another minute, another hour, another zone, or the instant of another record."""
    found = _INSTANT.findall(text)
    if not found:
        return None
    old = dice.choice(found)
    unrelated = [note.text for note in known.notes if note.quote[:10] not in text]
    others = [other for one in unrelated for other in _INSTANT.findall(one)]
    match dice.randrange(4):
        case 0 if others:
            new = dice.choice(others)
        case 1:
            new = re.sub(r"(?:Z|[+-]\d\d:\d\d)$", dice.choice(("-05:00", "+05:30", "+01:00", "Z")), old)
        case 2:
            new = _moved(old, timedelta(hours=dice.choice((-2, -1, 1, 3))))
        case _:
            new = _moved(old, timedelta(minutes=dice.choice((-17, -9, -3, 2, 5, 11, 26))))
    return None if abs(_instant(new) - _instant(old)) < _ROUNDING else (old, new)


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _moved(text: str, by: timedelta) -> str:
    """The instant moved, written as it was."""
    moved = _instant(text) + by
    tail = re.search(r"(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$", text)
    return moved.strftime("%Y-%m-%dT%H:%M:%S") + (tail.group() if tail else "")


def _count(text: str, _: Known, dice: Dice) -> Change | None:
    found = _TIMES.search(text)
    if found is not None:
        wrong = max(2, int(found.group(1)) + dice.choice((-3, -1, 1, 2, 10, 100)))
        return (found.group(), f"{wrong}{found.group(2)}") if wrong != int(found.group(1)) else None
    quoted = re.search(r" recorded “| 记录了“", text)
    if quoted is None:
        return None
    often = {" recorded “": " recorded 4711 times “", " 记录了“": " 记录了 4711 次“"}
    return quoted.group(), often[quoted.group()]


def _derived(draft: Json, known: Known, dice: Dice) -> Told | None:
    """A computed value that the inputs do not give, with the sentence that shows it."""
    fields = [
        (call_id, str(item["item_id"]), name, float(value))
        for call_id, result in known.results.items()
        for item in result.get("items") or ()
        for name, value in (item.get("fields") or {}).items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    ]
    analyses = draft.get("analysis") or []
    if len(fields) < 2 or not analyses:
        return None
    told = copied(draft)
    first, second = dice.sample(fields, 2)
    right = {"sum": first[3] + second[3], "diff": first[3] - second[3]}
    op = dice.choice(tuple(right))
    value = right[op] + dice.choice((1.0, -1.0, 7.0, 100.0))
    inputs = [{"tool_call_id": one[0], "item_id": one[1], "field": one[2]} for one in (first, second)]
    target = dice.choice(told["analysis"])
    target["derived"] = [{"op": op, "inputs": inputs, "value": value, "rounding": dice.choice((None, 0, 2, -6))}]
    said = f"合计为 {value:g}。" if known.case.is_zh else f" Taken together that makes {value:g}."
    target["text"] = f"{target['text']}{said}"
    return told, Lie(Kind.DERIVED, texts=(target["text"],))


AMOUNTS: dict[Kind, Teller] = {
    Kind.DIGIT: changed_text(Kind.DIGIT, _digit),
    Kind.UNIT: changed_text(Kind.UNIT, _unit),
    Kind.TIME: changed_text(Kind.TIME, _time),
    Kind.COUNT: changed_text(Kind.COUNT, _count),
    Kind.DERIVED: _derived,
}
"""Each teller by its kind."""
