"""Numbers that keep their digits and lose their unit."""

import re
from collections.abc import Iterator, Mapping

from eval.adversary.operators.editing import Edit, Edits, one_edit
from eval.adversary.operators.mentions import NumberMention
from eval.adversary.operators.numbers import known_numbers
from eval.adversary.operators.operator import MutationClass, Operator
from eval.adversary.operators.scene import Place, Scene
from eval.adversary.operators.stock import read_number
from worlds.generate.dice import Dice

Units = Mapping[str, tuple[str, ...]]
"""Unit as written → units of which each makes the number another amount."""

_TIMES: Units = {
    "ms": ("s", "min"),
    "s": ("ms", "min"),
    "min": ("s", "h"),
    "millisecond": ("second", "minute"),
    "milliseconds": ("seconds", "minutes"),
    "second": ("minute", "millisecond"),
    "seconds": ("milliseconds", "minutes"),
    "minute": ("second", "hour"),
    "minutes": ("seconds", "hours"),
    "hours": ("minutes", "days"),
    "毫秒": ("秒", "分钟"),
    "秒": ("毫秒", "分钟"),
    "分钟": ("秒", "小时"),
    "小时": ("分钟", "天"),
    "天": ("小时", "分钟"),
}
_SIZES: Units = {
    "KB": ("MB", "GB"),
    "MB": ("KB", "GB", "TB"),
    "GB": ("MB", "TB", "KB"),
    "MiB": ("GiB", "KiB"),
    "GiB": ("MiB", "TiB"),
    "bytes": ("KB", "MB"),
}
_SHARES: Units = {"%": (" percentage points", "‰"), "percent": ("percentage points",)}
_SHARES_ZH: Units = {"%": (" 个百分点", "‰")}
_COUNTS: Units = {
    "times": ("seconds", "%", "MB"),
    "次": ("秒", "%", "毫秒"),
    "条": ("秒", "%"),
    "个": ("%", "秒"),
    "行": ("%", "MB"),
    "笔": ("%", "秒"),
}


def _other_unit(units: Units) -> Edits:
    def edits(scene: Scene, place: Place, _: Dice) -> Iterator[Edit]:
        for mention in known_numbers(scene, place):
            for unit in units.get(mention.unit.strip(), ()):
                yield from _replaced(scene, mention, unit)

    return edits


def _replaced(scene: Scene, mention: NumberMention, unit: str) -> Iterator[Edit]:
    """The unit in place of the written one, unless some text of the run says that number with it."""
    gap = " " if mention.unit.startswith(" ") and unit[0] not in " %‰" else ""
    words = f"{gap}{unit}"
    if read_number(mention.number) and not _is_written(scene, mention.number, unit):
        yield Edit(mention.end, mention.end + len(mention.unit), words)


def _is_written(scene: Scene, number: str, unit: str) -> bool:
    stock = scene.stock
    return any(stock.holds_word(f"{number}{gap}{unit.strip()}") for gap in ("", " "))


def _shares(scene: Scene, place: Place, dice: Dice) -> Iterator[Edit]:
    return iter(_other_unit(_SHARES_ZH if scene.is_zh else _SHARES)(scene, place, dice))


def _unit_on_a_count(scene: Scene, place: Place, dice: Dice) -> Iterator[Edit]:
    """A bare number of things gets a unit of time, size or share."""
    for mention in known_numbers(scene, place):
        named = place.text[max(0, mention.start - 24) : mention.start]
        if mention.unit or not read_number(mention.number) or re.search(r"[A-Za-z_][=:] ?$", named):
            continue
        for unit in dice.sample(("%", " 毫秒", " MB") if scene.is_zh else ("%", " ms", " MB"), 3):
            if not _is_written(scene, mention.number, unit):
                yield Edit(mention.end, mention.end, unit)


def _operator(name: str, sentence: str, edits: Edits) -> Operator:
    return Operator(name, MutationClass.UNIT, sentence, one_edit(edits))


UNIT_OPERATORS = (
    _operator("unit of time", "Milliseconds become seconds, seconds minutes, and the like.", _other_unit(_TIMES)),
    _operator("unit of size", "Megabytes become gigabytes, and the like.", _other_unit(_SIZES)),
    _operator("unit of share", "Per cent become percentage points or per mille.", _shares),
    _operator("unit for a count", "Times or rows become seconds, megabytes or per cent.", _other_unit(_COUNTS)),
    _operator("unit invented", "A number without a unit gets one.", _unit_on_a_count),
)
