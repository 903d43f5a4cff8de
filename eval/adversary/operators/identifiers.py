"""Names that are nearly right, and names of something else."""

import re
from collections.abc import Callable, Iterator

from eval.adversary.operators.editing import Edit, Edits, one_edit
from eval.adversary.operators.operator import MutationClass, Operator
from eval.adversary.operators.scene import Place, Scene
from eval.adversary.operators.stock import fold
from worlds.generate.dice import Dice

_TOKEN = re.compile(r"(?<![A-Za-z0-9_.@/:-])[A-Za-z0-9][A-Za-z0-9_.@/:-]*[A-Za-z0-9](?![A-Za-z0-9_@/-])")
_TIMELIKE = re.compile(r"\d{1,4}[-:T.]\d|\d+(?:\.\d+)?(?:%|[A-Za-z]{1,3})?$")
_VERSION = re.compile(r"v?\d+(?:\.\d+){1,3}(?:-[a-z0-9]+)?")
_CODE = re.compile(
    r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z]{6,}|[A-Z]{2,}-?\d{3,}|E[A-Z]{5,}|[A-Za-z.]*[a-z](?:Exception|Error)"
)
_STATUS = re.compile(r"(?<![\d.:=-])[45]\d\d(?![\d.:%])(?=s?(?:$|[\s,;.，。；、）)]|[\u4e00-\u9fff]))")
_NODE = re.compile(r"(?:[a-z0-9]+-)+\d+[a-z0-9]*|(?:\d{1,3}\.){3}\d{1,3}|[a-z]+-[a-z0-9]*\d[a-z0-9]*")
_OPAQUE = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9@.]*[0-9a-f]{6,}|[a-z]+[-_]?\d{4,}|(?=.*\d)[A-Za-z0-9]{8,}")
_JOINED = re.compile(
    r"[a-z]+(?:_[a-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|[A-Za-z]+\.[A-Za-z.]+"
)
_PATH = re.compile(r"(?:/[A-Za-z][A-Za-z0-9_-]*)*/(?P<last>[A-Za-z][A-Za-z0-9_-]{3,})(?![A-Za-z0-9.])")
_LETTERS, _DIGITS = "abcdefghijklmnopqrstuvwxyz", "0123456789"

Names = Callable[[Scene], frozenset[str]]


def services(scene: Scene) -> frozenset[str]:
    """Names in fields that say who it was, as written."""
    return _field_values(scene, "service", "application_name", "application", "app", "consumer_group", "job")


def tables(scene: Scene) -> frozenset[str]:
    """Tables that the queries of the run read, and catalogued names with a separator."""
    read = (
        re.findall(r"\b(?:FROM|JOIN)\s+([A-Za-z_][\w.]*)", one.scope.query or "", re.IGNORECASE)
        for one in scene.results
    )
    return frozenset(name for names in read for name in names)


def hosts(scene: Scene) -> frozenset[str]:
    """Names in fields that say where it was."""
    return _field_values(scene, "host", "node", "pod", "instance", "container", "hostname")


def _field_values(scene: Scene, *names: str) -> frozenset[str]:
    fields = (item.fields.get(name) for result in scene.results for item in result.items for name in names)
    return frozenset(one for one in fields if isinstance(one, str) and re.fullmatch(r"[A-Za-z][\w.-]{2,60}", one))


def _tokens(text: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    for found in _TOKEN.finditer(text):
        is_version = pattern is _VERSION and _VERSION.fullmatch(found.group())
        if pattern.fullmatch(found.group()) and (is_version or not _TIMELIKE.match(found.group())):
            yield found


def _shaped(pattern: re.Pattern[str]) -> Edits:
    """One character of a word of that shape changes; the word stands in the evidence and the new one nowhere."""

    def edits(scene: Scene, place: Place, dice: Dice) -> Iterator[Edit]:
        for found in _tokens(place.text, pattern):
            if scene.stock.holds_word(found.group()):
                yield from _misspelt(scene, found.start(), found.group(), dice)

    return edits


def _named(names: Names) -> Edits:
    """One character of a known name changes."""

    def edits(scene: Scene, place: Place, dice: Dice) -> Iterator[Edit]:
        for found in mentions(place.text, names(scene)):
            if re.search(r"[-_.\d]", found.group()):
                yield from _misspelt(scene, found.start(), found.group(), dice)

    return edits


def _swapped(names: Names) -> Edits:
    """A known name becomes another one of the run that nothing cited for this text holds."""

    def edits(scene: Scene, place: Place, _: Dice) -> Iterator[Edit]:
        near = scene.stock_at(place.path)
        for found in mentions(place.text, names(scene)):
            for other in sorted(names(scene)):
                if not near.holds_word(other) and fold(other) not in fold(place.text):
                    yield Edit(found.start(), found.end(), other)

    return edits


def mentions(text: str, names: frozenset[str]) -> Iterator[re.Match[str]]:
    """Where the text holds one of the names as a whole, longer names first."""
    for name in sorted(names, key=lambda one: (-len(one), one)):
        yield from re.finditer(rf"(?<![A-Za-z0-9_./-]){re.escape(name)}(?![A-Za-z0-9_]|[-.][A-Za-z0-9])", text)


def _misspelt(scene: Scene, start: int, word: str, dice: Dice) -> Iterator[Edit]:
    places = [at for at, char in enumerate(word) if char.isalnum()]
    dice.shuffle(places)
    for at in places[:4]:
        other = _other_char(word[at], dice)
        changed = word[:at] + other + word[at + 1 :]
        if not scene.stock.holds_word(changed):
            yield Edit(start, start + len(word), changed)


def _other_char(char: str, dice: Dice) -> str:
    pool = _DIGITS if char.isdigit() else _LETTERS
    other = dice.choice([one for one in pool if one != char.lower()])
    return other.upper() if char.isupper() else other


def _status(scene: Scene, place: Place, dice: Dice) -> Iterator[Edit]:
    """An HTTP status becomes another one."""
    for found in _STATUS.finditer(place.text):
        for other in dice.sample(("404", "418", "429", "500", "502", "503", "504", "401"), 8):
            if scene.stock.holds_word(found.group()) and not scene.stock.holds_word(other):
                yield Edit(found.start(), found.end(), other)


def _dropped_end(scene: Scene, place: Place, _: Dice) -> Iterator[Edit]:
    """A service loses or gains a part of its name: another service, that the run does not know."""
    for found in mentions(place.text, services(scene)):
        for other in (f"{found.group()}-v2", f"{found.group()}-replica", found.group().rpartition("-")[0]):
            if len(other) > 4 and "-" in other and not scene.stock.holds_word(other):
                yield Edit(found.start(), found.end(), other)


def _path(scene: Scene, place: Place, dice: Dice) -> Iterator[Edit]:
    """One letter of a path, with or without its host, changes."""
    for found in _PATH.finditer(place.text):
        start = found.end() - len(found["last"])
        if scene.stock.holds_word(found.group()):
            yield from _misspelt(scene, start, found["last"], dice)


def _operator(name: str, sentence: str, edits: Edits, *, with_limitations: bool = True) -> Operator:
    return Operator(name, MutationClass.IDENTIFIER, sentence, one_edit(edits, with_limitations=with_limitations))


IDENTIFIER_OPERATORS = (
    _operator("identifier request id", "One character of an opaque id changes.", _shaped(_OPAQUE)),
    _operator("identifier error code", "One character of an error code or exception changes.", _shaped(_CODE)),
    _operator("identifier HTTP status", "A status becomes another one.", _status),
    _operator("identifier host", "One character of a host, pod or address changes.", _shaped(_NODE)),
    _operator("identifier version", "One digit of a version changes.", _shaped(_VERSION)),
    _operator("identifier joined name", "One character of a setting, column or class changes.", _shaped(_JOINED)),
    _operator("identifier path", "One letter of a request path changes.", _path),
    _operator("identifier service", "One character of a service changes.", _named(services)),
    _operator("identifier table", "One character of a table changes.", _named(tables)),
    _operator("identifier service extended", "A service becomes one with a longer or shorter name.", _dropped_end),
    _operator(
        "identifier uncited service",
        "A service becomes another of the run that is not cited.",
        _swapped(services),
        with_limitations=False,
    ),
    _operator(
        "identifier uncited host",
        "A host becomes another of the run that is not cited.",
        _swapped(hosts),
        with_limitations=False,
    ),
    _operator(
        "identifier uncited table",
        "A table becomes another of the run that is not cited.",
        _swapped(tables),
        with_limitations=False,
    ),
)
