"""Numbers that the evidence does not hold."""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal

from eval.adversary.operators.editing import Edit, Edits, added, one_edit
from eval.adversary.operators.mentions import NumberMention, numbers_in
from eval.adversary.operators.operator import MutationClass, Operator
from eval.adversary.operators.scene import Place, Scene
from eval.adversary.operators.stock import read_number
from worlds.generate.dice import Dice

Change = Callable[[str, Dice], Iterator[str]]
"""Other numbers for a written one; whether they are wrong is checked afterwards."""


_BOUND = re.compile(
    r"(?:\b(?:more than|over|above|at least|less than|under|below|up to|at most|exceed(?:s|ed|ing)?)|[<>≥≤]"
    r"|超过|至少|不足|不到|低于|高于|最多)\s?$",
    re.IGNORECASE,
)


def known_numbers(scene: Scene, place: Place) -> Iterator[NumberMention]:
    """Numbers of the text that its evidence holds and that are no mere bound: another bound may be true as well."""
    stock = scene.stock_at(place.path)
    for one in numbers_in(place.text):
        is_bound = _BOUND.search(place.text, 0, one.start) is not None
        if not is_bound and stock.holds_number(one.number, is_time=one.is_time):
            yield one


def _unheld(change: Change) -> Edits:
    """Edits that put a number in place of a held one which nothing in the whole run may carry."""

    def edits(scene: Scene, place: Place, dice: Dice) -> Iterator[Edit]:
        for mention in known_numbers(scene, place):
            for number in change(mention.number, dice):
                if not scene.stock.holds_number(number, is_time=mention.is_time):
                    yield Edit(mention.start, mention.end, number)

    return edits


def _in_other_form(change: Change) -> Edits:
    """Edits of the form of a number that change its value by a power of ten, although a conversion would hold it."""

    def edits(scene: Scene, place: Place, dice: Dice) -> Iterator[Edit]:
        for mention in known_numbers(scene, place):
            for number in change(mention.number, dice):
                if not scene.stock.holds_exactly(number) and not scene.stock.holds_word(number):
                    yield Edit(mention.start, mention.end, number)

    return edits


def _other_digit(number: str, dice: Dice) -> Iterator[str]:
    places = [at for at, char in enumerate(number) if char.isdigit()]
    dice.shuffle(places)
    for at in places:
        for digit in dice.sample("123456789", 9):
            if digit != number[at]:
                yield number[:at] + digit + number[at + 1 :]


def _zero_added(number: str, _: Dice) -> Iterator[str]:
    if "," not in number and read_number(number):
        yield _plain(read_number(number) * 10)


def _zero_dropped(number: str, _: Dice) -> Iterator[str]:
    if "," not in number and "." not in number and number.endswith("0") and len(number) > 1:
        yield number[:-1]


def _one_off(number: str, dice: Dice) -> Iterator[str]:
    value = read_number(number)
    step = Decimal(1).scaleb(-len(number.partition(".")[2]))
    for sign in dice.sample((1, -1), 2):
        if value + sign * step > 0:
            yield _plain(value + sign * step)


def _digits_swapped(number: str, _: Dice) -> Iterator[str]:
    for at in range(len(number) - 1):
        one, other = number[at], number[at + 1]
        if one != other and one.isdigit() and other.isdigit() and not (at == 0 and other == "0"):
            yield number[:at] + other + one + number[at + 2 :]


def _too_precise(number: str, dice: Dice) -> Iterator[str]:
    for digit in dice.sample("123456789", 9):
        yield f"{number}{'' if '.' in number else '.'}{digit}"


def _badly_rounded(number: str, dice: Dice) -> Iterator[str]:
    value = read_number(number)
    if value >= 100 and "." not in number:
        place = Decimal(10) ** (len(str(int(value))) - 2)
        for steps in dice.sample((2, 3, -2, 4), 4):
            yield _plain((value // place + steps) * place)


def _decimal_point_for_comma(number: str, _: Dice) -> Iterator[str]:
    if "." not in number and read_number(number) >= 1000:
        digits = number.replace(",", "")
        yield f"{digits[:-3]}.{digits[-3:]}"


def _thousand_times(number: str, _: Dice) -> Iterator[str]:
    if "." not in number and read_number(number) >= 1:
        yield f"{int(read_number(number)):,},000"


def _plain(value: Decimal) -> str:
    return f"{value.normalize():f}"


def _sign(scene: Scene, place: Place, _: Dice) -> Iterator[Edit]:
    for mention in known_numbers(scene, place):
        before = place.text[mention.start - 1 : mention.start]
        if (
            before in {" ", "=", "", "“"}
            and read_number(mention.number)
            and not scene.stock.holds_word(f"-{mention.number}")
        ):
            yield Edit(mention.start, mention.end, f"-{mention.number}")


def _ratio_as_percent(scene: Scene, place: Place, _: Dice) -> Iterator[Edit]:
    """92% becomes 0.92%, and a ratio of 0.92 becomes 0.92%."""
    for mention in known_numbers(scene, place):
        value = read_number(mention.number)
        if mention.unit.strip() == "%" and value:
            number = _plain(value / 100)
        elif not mention.unit and 0 < value < 1:
            number = mention.number
        else:
            continue
        if not scene.stock.holds_word(f"{number}%"):
            yield Edit(mention.start, mention.end + len(mention.unit), f"{number}%")


_IN_WORDS = {
    False: ("seventeen", "forty-three", "ninety-one", "three hundred", "seven thousand", "two million"),
    True: ("十七", "四十三", "九十一", "三百", "七千", "两百万"),
}
_VALUES = ("17", "43", "91", "300", "7000", "2000000")


def _in_words(scene: Scene, place: Place, _: Dice) -> Iterator[Edit]:
    """A number in front of its unit becomes another one in words."""
    for mention in known_numbers(scene, place):
        if mention.unit.strip() in {"", "%", "ms", "s", "min"} or not mention.unit.strip().isalpha():
            continue
        for words, value in zip(_IN_WORDS[scene.is_zh], _VALUES, strict=True):
            if not scene.stock.holds_number(value, is_time=mention.is_time):
                yield Edit(
                    mention.start, mention.end, words if mention.unit.startswith(" ") or scene.is_zh else f"{words} "
                )


def _invented(scene: Scene, place: Place, dice: Dice) -> Iterator[Edit]:
    for number in dice.sample((37, 58, 613, 4871, 90233), 5):
        if not scene.stock.holds_number(str(number)):
            words = f"一共 {number} 次" if scene.is_zh else f"{number} times altogether"
            yield added(place.text, words, is_zh=scene.is_zh)


def _uncited(scene: Scene, place: Place, dice: Dice) -> Iterator[Edit]:
    """A number that another result of the run holds, and what is cited here does not."""
    near = scene.stock_at(place.path)
    others = [
        str(one) for one in sorted(scene.stock.numbers) if one >= 10 and "E" not in str(one) and len(str(one)) < 9
    ]
    for mention in known_numbers(scene, place):
        for number in dice.sample(others, min(12, len(others))):
            if not near.holds_number(number, is_time=mention.is_time):
                yield Edit(mention.start, mention.end, number)


def _operator(name: str, sentence: str, edits: Edits, *, with_limitations: bool = False) -> Operator:
    return Operator(name, MutationClass.NUMBER, sentence, one_edit(edits, with_limitations=with_limitations))


NUMBER_OPERATORS = (
    _operator("number digit changed", "One digit of a number becomes another.", _unheld(_other_digit)),
    _operator("number zero added", "A number becomes ten times as large.", _unheld(_zero_added)),
    _operator("number zero dropped", "A number loses its last zero.", _unheld(_zero_dropped)),
    _operator("number off by one", "The last place of a number is one more or less.", _unheld(_one_off)),
    _operator("number digits swapped", "Two neighbouring digits change places.", _unheld(_digits_swapped)),
    _operator("number too precise", "A number gets a decimal place that was never measured.", _unheld(_too_precise)),
    _operator("number badly rounded", "A number is rounded to a value it does not round to.", _unheld(_badly_rounded)),
    _operator(
        "number point for comma",
        "The thousands separator becomes a decimal point.",
        _in_other_form(_decimal_point_for_comma),
    ),
    _operator(
        "number group added", "A group of three zeros is added behind a separator.", _in_other_form(_thousand_times)
    ),
    _operator("number sign", "A number becomes negative.", _sign),
    _operator("number ratio as percent", "A share and its hundredth are confused.", _ratio_as_percent),
    _operator("number in words", "A number becomes another one in words.", _in_words),
    _operator("number invented", "A count is added that nobody counted.", _invented),
    _operator("number of an uncited result", "A number of another result of the run takes the place.", _uncited),
)
