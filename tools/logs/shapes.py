"""Groups records that say the same with other values. Pure and deterministic.

A *shape* is the head of a message with its variable parts blanked. Shapes that differ only in words holding
values (numbers, paths, addresses) form one *template*; plain words never blend, so that "connection refused" and
"connection reset" stay two patterns. A blank is filled again where every record of the window has the same value.
"""

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from tools.logs.port import LogEvent

BLANK = "<*>"
HEAD_CHARS = 400
"""Of a message that take part in its shape."""

_VARIABLE = re.compile(
    r"<\*>"
    r"|0x[0-9a-fA-F]+"
    r"|(?<![A-Za-z0-9])[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
    r"|(?<=-)[a-z0-9]{8,10}-[a-z0-9]{5}(?![A-Za-z0-9-])"
    r"|(?<![A-Za-z0-9])(?:[A-Za-z]{1,40}\d{1,40}[A-Za-z]|\d{1,40}[A-Za-z]{1,40}\d)[A-Za-z0-9]*"
    r"|\d+(?:\.\d+)*"
)
_FRAME = re.compile(r"\s+at \S|\s*File \"|\.\.\. \d+ ")
_VALUE_WORD = re.compile(r"[/@]|<\*>")


@dataclass
class Template:
    """One pattern of a result."""

    text: str
    """Head of the message; ``<*>`` where its records differ."""
    service: str
    level: str
    events: list[LogEvent]
    """Its records in time order; never empty."""
    n_before: int = 0
    """Records that fit the text among those given as ``before``."""


@dataclass
class _Group:
    """Records of one service, level and shape."""

    shape: str
    events: list[LogEvent] = field(default_factory=list)
    constants: dict[int, str] = field(default_factory=dict)
    """Place of a blank → the value all its records have there."""

    @property
    def words(self) -> tuple[str, ...]:
        """The shape with constants filled in, word by word."""
        return tuple(_filled(self.shape, self.constants).split(" "))


def head(message: str) -> str:
    """The first line and, if another follows that is no stack frame, that one too; bounded."""
    first, _, rest = message.partition("\n")
    second = next((line for line in rest.split("\n", 4)[:3] if line.strip() and not _FRAME.match(line)), "")
    return (f"{first} {second.strip()}" if second else first)[:HEAD_CHARS]


def shape_of(event: LogEvent) -> str:
    """The head of its message with blanks; computed once per record."""
    if not event.shape:
        event.shape = _VARIABLE.sub(BLANK, head(event.message)) or " "
    return event.shape


def mine_templates(events: Sequence[LogEvent], before: Iterable[LogEvent] = ()) -> list[Template]:
    """The templates of ``events`` (in time order), in order of their first record."""
    now, earlier = _by_bucket(_grouped(events)), _by_bucket(_grouped(before))
    for members in now.values():
        for group in members:
            group.constants = _constants(group.events)
    return [_template(members, earlier.get(bucket, [])) for bucket, members in now.items()]


def _grouped(events: Iterable[LogEvent]) -> Iterable[_Group]:
    groups: dict[Hashable, _Group] = {}
    for event in events:
        key = (event.service, event.level, shape_of(event))
        group = groups.get(key)
        if group is None:
            group = groups[key] = _Group(key[2])
        group.events.append(event)
    return groups.values()


def _by_bucket(groups: Iterable[_Group]) -> dict[Hashable, list[_Group]]:
    buckets: dict[Hashable, list[_Group]] = defaultdict(list)
    for group in groups:
        buckets[_bucket(group)].append(group)
    return buckets


def _values(event: LogEvent) -> tuple[str, ...]:
    return tuple(_VARIABLE.findall(head(event.message)))


def _constants(events: Sequence[LogEvent]) -> dict[int, str]:
    """Places and values on which all records agree."""
    same = dict(enumerate(_values(events[0])))
    for event in events[1:]:
        if not same:
            break
        values = _values(event)
        same = {place: value for place, value in same.items() if values[place] == value}
    return same


def _filled(shape: str, constants: dict[int, str]) -> str:
    pieces = shape.split(BLANK)
    blanks = (constants.get(place, BLANK) for place in range(len(pieces) - 1))
    return "".join(part for pair in zip(pieces, (*blanks, ""), strict=True) for part in pair)


def _bucket(group: _Group) -> Hashable:
    """Groups with the same bucket become one template: same plain words at the same places."""
    event = group.events[0]
    kinds = tuple(_kind(word) for word in group.shape.split(" "))
    is_all_values = all(kind.endswith(BLANK) for kind in kinds)
    return event.service, event.level, group.shape if is_all_values else kinds


def _kind(word: str) -> str:
    """The word itself, or what stays of a word that holds a value: its key, or nothing."""
    if not _VALUE_WORD.search(word):
        return word
    key, equals, _ = word.partition("=")
    return f"{key}={BLANK}" if equals and not _VALUE_WORD.search(key) else BLANK


def _template(members: list[_Group], earlier: list[_Group]) -> Template:
    rows = [group.words for group in members]
    is_common = [len(set(column)) == 1 for column in zip(*rows, strict=True)]
    kinds = [_kind(word) for word in members[0].shape.split(" ")]
    words = [word if common else kind for word, common, kind in zip(rows[0], is_common, kinds, strict=True)]
    events = [event for group in members for event in group.events]
    if len(members) > 1:
        events.sort(key=lambda event: event.at)
    fixed = _fixed_values(members[0], is_common)
    shape_words = [
        word if common else None for word, common in zip(members[0].shape.split(" "), is_common, strict=True)
    ]
    n_before = sum(_n_fitting(group, shape_words, fixed) for group in earlier)
    return Template(" ".join(words).strip(), events[0].service, events[0].level, events, n_before)


def _fixed_values(group: _Group, is_common: list[bool]) -> list[tuple[int, int, str]]:
    """Word, place among the blanks of that word, and value of every blank that the template's text fills."""
    fixed: list[tuple[int, int, str]] = []
    place = 0
    for word_at, (word, common) in enumerate(zip(group.shape.split(" "), is_common, strict=True)):
        for blank_at in range(word.count(BLANK)):
            if common and place in group.constants:
                fixed.append((word_at, blank_at, group.constants[place]))
            place += 1
    return fixed


def _n_fitting(group: _Group, shape_words: list[str | None], fixed: list[tuple[int, int, str]]) -> int:
    """Records of an earlier group that the template's text describes, filled blanks included."""
    own_words = group.shape.split(" ")
    if any(word is not None and word != own for word, own in zip(shape_words, own_words, strict=True)):
        return 0
    if not fixed:
        return len(group.events)
    starts = list(accumulate((word.count(BLANK) for word in own_words), initial=0))
    wanted = [(starts[word_at] + blank_at, value) for word_at, blank_at, value in fixed]
    return sum(1 for event in group.events if _has_values(_values(event), wanted))


def _has_values(values: tuple[str, ...], wanted: list[tuple[int, str]]) -> bool:
    return all(values[place] == value for place, value in wanted)
