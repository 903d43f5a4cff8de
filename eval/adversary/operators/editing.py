"""Operators that change words of one visible text: where they may, and which change is taken."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from eval.adversary.operators.operator import Mutate, Mutation
from eval.adversary.operators.scene import Place, Scene, with_text
from state.model.draft import MAX_TEXT_CHARS
from worlds.generate.dice import Dice


@dataclass(frozen=True)
class Edit:
    """Other words for one span of a text."""

    start: int
    end: int
    words: str

    def apply(self, text: str) -> str:
        """The text with the span replaced."""
        return text[: self.start] + self.words + text[self.end :]


Edits = Callable[[Scene, Place, Dice], Iterable[Edit]]
"""Edits of one text, each of which makes it wrong for sure."""


def one_edit(edits: Edits, *, with_limitations: bool = False) -> Mutate:
    """The mutation that makes one of the edits, each text of the draft with any being equally likely."""

    def mutate(scene: Scene, dice: Dice) -> Mutation | None:
        places = list(scene.places(with_limitations=with_limitations))
        dice.shuffle(places)
        for place in places:
            found = [edit for edit in edits(scene, place, dice) if _fits(edit, place.text)]
            if found:
                text = found[dice.randrange(len(found))].apply(place.text)
                return Mutation(with_text(scene.draft, place.path, text))
        return None

    return mutate


def _fits(edit: Edit, text: str) -> bool:
    changed = edit.apply(text)
    return changed != text and len(changed) <= MAX_TEXT_CHARS


def added(text: str, words: str, *, is_zh: bool) -> Edit:
    """The edit that adds a clause before the last mark of the text."""
    end = len(text.rstrip("。.！!?？ \n"))
    return Edit(end, end, f"{'，' if is_zh else ', '}{words}")


def sentence_after(text: str, words: str, *, is_zh: bool) -> Edit:
    """The edit that adds a sentence behind the text."""
    mark = "" if text.rstrip().endswith(("。", ".", "!", "！")) else "。" if is_zh else "."
    return Edit(len(text), len(text), f"{mark}{'' if is_zh else ' '}{words}")


def only(edits: Edits, holds: Callable[[Scene, Place], bool]) -> Edits:
    """The edits of texts of which that holds."""

    def edited(scene: Scene, place: Place, dice: Dice) -> Iterator[Edit]:
        if holds(scene, place):
            yield from edits(scene, place, dice)

    return edited
