"""Lies made of words: names, directions, negations, the part made the whole, characters that deceive the eye. Pure."""

import re

from eval.adversary.agents.kinds import Kind
from eval.adversary.agents.lying import Change, Known, Lie, Teller, Told, changed_text, copied, shown
from eval.adversary.agents.wire import Json
from worlds.generate.dice import Dice

_TURNED = (
    ("rose from", "fell from"),
    ("fell from", "rose from"),
    ("上升到", "下降到"),
    ("下降到", "上升到"),
    ("As a consequence", "Before that and without any connection"),
    ("started_at=", "rolled_back_at="),
    ("由此，", "与此无关，"),
)
"""What is said, and its opposite."""
_FROM_TO = re.compile(r"from (\S+) to (\S+)(?= at)|从 (\S+) (上升|下降)到 (\S+?)(?=。)")
_OLD_NEW = re.compile(r"old_value=([^,]+), new_value=([^,。]+)")
_SINCE = re.compile(r"from (\d{4}-\S+) on|从 (\d{4}-\S+) 起")
_NEGATED = (
    (" recorded “", " did not record “"),
    (" holds a row with ", " holds no row with "),
    (" is not available", " is available"),
    (" timed out", " did not time out"),
    (" failed", " did not fail"),
    (" rose from", " never rose from"),
    (" fell from", " never fell from"),
    ("Nothing was found", "Something was found"),
    ("记录了“", "没有记录“"),
    ("中有一行", "中没有这一行"),
    ("没有找到", "找到了"),
    ("被持久化刷盘拖住", "未被持久化刷盘拖住"),
    ("leak in newly released code", "leak not in newly released code"),
    ("index removed by", "index not removed by"),
)
_WIDER_EN = ("All services ", "Every service of the system ", "All hosts ", "Each pod ")
_WIDER_ZH = ("所有服务", "整个系统的每个服务", "全部主机")
_WIDE_TAIL_EN = (
    ", and so did all other services",
    ", on every host",
    ", always",
    ", and only there",
    " for every request",
)
_WIDE_TAIL_ZH = ("，其他所有服务也是如此", "，每台主机都一样", "，一直如此", "，且仅此一处")
_LOOKALIKE = {"a": "а", "e": "е", "o": "о", "p": "р", "c": "с", "i": "і", "x": "х"}
_INVISIBLE = ("\u200b", "\u2060", "\u00ad", "\u200d")


def _host(text: str, known: Known, dice: Dice) -> Change | None:
    """Another service, pod, pool or table of the same world, never one the statement is about."""
    names = [*known.case.services, *(note.about for note in known.notes if note.about)]
    there = [name for name in dict.fromkeys(names) if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)]
    others = [name for name in known.case.services if name not in text and name not in there]
    if not there or not others:
        return _invented_host(text)
    old, new = dice.choice(there), dice.choice(others)
    return _around(text, old, new)


def _invented_host(text: str) -> Change | None:
    found = re.search(r"\b[a-z]+(?:-[a-z0-9]+)+\b", text)
    return (found.group(), f"{found.group()}-9") if found else None


def _around(text: str, old: str, new: str) -> Change | None:
    place = re.search(rf"(?<![\w-]){re.escape(old)}(?![\w-])", text)
    if place is None:
        return None
    tail = text[place.end() : place.end() + 12]
    return old + tail, new + tail


def _direction(text: str, _: Known, dice: Dice) -> Change | None:
    changes: list[Change] = [(old, new) for old, new in _TURNED if old in text]
    for pattern in (_FROM_TO, _OLD_NEW):
        found = pattern.search(text)
        if found is not None:
            changes.append((found.group(), _exchanged(found)))
    since = _SINCE.search(text)
    if since is not None:
        at = since.group(1) or since.group(2)
        changes.append((since.group(), f"until {at}" if since.group(1) else f"直到 {at} 为止"))
    return dice.choice(changes) if changes else None


def _exchanged(found: re.Match[str]) -> str:
    """The two values in each other's place."""
    values = [value for value in found.groups() if value and value not in {"上升", "下降"}]
    first, second = values[0], values[-1]
    mark = "\x00"
    return found.group().replace(first, mark, 1).replace(second, first, 1).replace(mark, second, 1)


def _negation(text: str, _: Known, dice: Dice) -> Change | None:
    changes = [(old, new) for old, new in _NEGATED if old in text]
    return dice.choice(changes) if changes else None


def _over_general(text: str, known: Known, dice: Dice) -> Change | None:
    """The one service becomes all, or all are added."""
    zh = known.case.is_zh
    subject = next((name for name in known.case.services if text.startswith(name)), None)
    if subject is not None and dice.random() < 0.5:
        wide = dice.choice(_WIDER_ZH if zh else _WIDER_EN)
        return text[: len(subject) + 8], wide.rstrip() + text[len(subject) : len(subject) + 8]
    tail = dice.choice(_WIDE_TAIL_ZH if zh else _WIDE_TAIL_EN)
    end = text.rstrip(".。")
    return (text, end + tail + text[len(end) :]) if len(end) > 8 else None


def _disguised(draft: Json, known: Known, dice: Dice) -> Told | None:
    """A name or a number that looks like the right one, or like another one than it is."""
    told = copied(draft)
    places = [(holder, key) for holder, key in shown(told) if re.search(r"[a-z]{4}|\d{2}", str(holder[key]))]
    if not places:
        return None
    holder, key = dice.choice(places)
    text = str(holder[key])
    change = dice.choice((_lookalike, _split, _turned_round, _wrong_digit_full_width))
    holder[key] = change(text, known, dice)
    return (told, Lie(Kind.DISGUISED, texts=(str(holder[key]),))) if holder[key] != text else None


def _lookalike(text: str, known: Known, dice: Dice) -> str:
    """A letter of a service's name from another script."""
    places = [match for name in known.case.services for match in re.finditer(re.escape(name), text)]
    at = [index for place in places for index in range(*place.span()) if text[index] in _LOOKALIKE]
    if not at:
        return text
    chosen = dice.choice(at)
    return text[:chosen] + _LOOKALIKE[text[chosen]] + text[chosen + 1 :]


def _split(text: str, _: Known, dice: Dice) -> str:
    """A digit more, behind a character that does not show."""
    found = list(re.finditer(r"\d{2,}", text))
    if not found:
        return text
    match = dice.choice(found)
    return text[: match.end()] + dice.choice(_INVISIBLE) + str(dice.randint(1, 9)) + text[match.end() :]


def _turned_round(text: str, _: Known, dice: Dice) -> str:
    """What a reader sees is not the order of what is written."""
    found = list(re.finditer(r"\d{2,}", text))
    if not found:
        return text
    match = dice.choice(found)
    return f"{text[: match.start()]}\u202e{match.group()[::-1]}\u202c{text[match.end() :]}"


def _wrong_digit_full_width(text: str, _: Known, dice: Dice) -> str:
    """Full-width digits of another value."""
    found = list(re.finditer(r"(?<![\w.:-])\d{2,}(?![\w:-])", text))
    if not found:
        return text
    match = dice.choice(found)
    wrong = str(int(match.group()) + dice.choice((1, 3, 10)))
    wide = "".join(chr(ord(char) + 0xFEE0) for char in wrong)
    return text[: match.start()] + wide + text[match.end() :]


WORDING: dict[Kind, Teller] = {
    Kind.HOST: changed_text(Kind.HOST, _host),
    Kind.DIRECTION: changed_text(Kind.DIRECTION, _direction),
    Kind.NEGATION: changed_text(Kind.NEGATION, _negation),
    Kind.OVER_GENERAL: changed_text(Kind.OVER_GENERAL, _over_general),
    Kind.DISGUISED: _disguised,
}
"""Each teller by its kind."""
