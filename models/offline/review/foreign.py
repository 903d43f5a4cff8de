"""Does any clause speak of what no evidence, document or question knows? Pure."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from models.offline.reading import has_cjk
from models.offline.review.case import Case
from models.offline.review.plain_words import (
    ADVICE,
    ADVICE_CONCEPTS,
    ADVICE_ZH,
    COUNT_WORD,
    EVENTS,
    GRAVE,
    IRREGULAR,
    MAY_BE,
    MECHANISMS,
    PLAIN,
    PLAIN_ZH,
    STATES,
    VAGUE_CONCEPTS,
    ZH_EVENT,
)
from models.offline.review.reasons import Refusal
from models.offline.review.telling import parts
from models.offline.terms import Term, term_set, terms

ZH_PAIR = 0.75
"""What two Chinese characters outside the concept table count; they may be a manner of speaking."""
ZH_MORE = 0.375
"""What each further one adds."""
RUN_MAX = 3.0
"""Strange words in a row from which a clause tells something of its own."""
DEED_RUN = 2.0
"""The same where one of them is something done."""
CARRIED = 2
"""Shown words for each strange one in a row that make them a manner of speaking."""
DEED_CARRIED = 1.25
ZH_RUN_MAX = 3.5
"""Chinese is told apart worse: it takes more strange words."""
ZH_MIN = 1.875
ZH_EVENT_MIN = 1.5
ADVICE_MIN = 1.0
"""Strange words from which a step has an object of its own, where none is known."""
STRANGE_MIN = 3.0
SHOWN_SHARE = 0.5
"""Shown words for each strange one that a clause needs once it has ``STRANGE_MIN`` of those."""
_FINER = re.compile(
    r"\s+(?:which|who|when|where|that|before|because|so|although|though|since|whereas|while|plus|or)\s+|\s[–—-]\s|[–—、()（）!?！？\n]"
    r"|并且|以及|但是|(?<=[\u3400-\u9fff])(?:而(?!是|非)|且)",
    re.IGNORECASE,
)
_OTHER_SENSE = re.compile(
    r"\bserv(?:e|es|ed|ing)\b|\bswitch(?:ed|ing|es)?(?= (?:to|from|over|back)\b)"
    r"|\bmiss(?:ed|es|ing)?(?= (?:its|the|their|our)\b)",
    re.IGNORECASE,
)
"""No server, no switch, nothing absent."""
_WORD = re.compile(r"[A-Za-z]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_PROMPT = re.compile(
    r"\breviewer\b[^.;]{0,20}\bmust\b|[\"']verdict[\"']|\b(?:ignore|disregard)\b[^.;]{0,30}\binstructions?\b"
    r"|忽略[^。；]{0,12}指令|审核(?:者|员)?必须",
    re.IGNORECASE,
)
"""An item that gives orders to whoever judges the draft proves nothing."""


@dataclass(frozen=True)
class Known:
    """What may be spoken of."""

    terms: frozenset[Term]
    raw: str
    """The same as text, in lower case."""
    stems: frozenset[str]
    """First letters of its English words."""

    def has(self, term: Term) -> bool:
        """True if a term, or an English word with the same beginning, is known."""
        if term in self.terms or (term.startswith(("z:", "i:")) and term[2:] in self.raw):
            return True
        return term.startswith("w:") and len(term) - 2 >= PREFIX and term[2 : 2 + PREFIX] in self.stems


PREFIX = 5


@dataclass(frozen=True)
class Tally:
    """Words of one clause, in words."""

    shown: float
    strange: float
    vague: float
    run: float
    """Longest row of strange words."""
    deed_run: float
    """Longest row of them with something done in it."""
    is_zh: bool
    is_event: bool
    """True if a Chinese clause says that something was done or happened."""

    @property
    def is_strange(self) -> bool:
        """True if the clause tells something that is not known."""
        if not self.shown:
            return self._is_all_strange
        return (
            (self.run >= (ZH_RUN_MAX if self.is_zh else RUN_MAX) and self.shown < CARRIED * self.run)
            or (self.deed_run >= DEED_RUN and self.shown <= DEED_CARRIED * self.deed_run)
            or (self.strange >= STRANGE_MIN and self.shown < SHOWN_SHARE * self.strange)
        )

    @property
    def _is_all_strange(self) -> bool:
        """English: strange words, with one or more to say something of; Chinese: more than a manner of speaking."""
        if self.is_zh:
            return self.strange >= (ZH_EVENT_MIN if self.is_event else ZH_MIN) and self.strange >= 2 * self.vague
        return self.strange > 0 and self.strange + self.vague >= DEED_RUN


def nothing_is_foreign(case: Case) -> Refusal | None:
    """Every clause of every visible text speaks of what the evidence, its documents or the question know."""
    known = known_of(case)
    stated = (case.text, *(s.text for s in case.statements), *case.hypotheses)
    is_told = any(_is_foreign(known, text) for text in stated)
    is_advised = any(_is_foreign(known, text, is_advice=True) for text in case.actions)
    is_claimed = any(_is_foreign(known, text, only=_asserts) for text in case.limitations)
    every = (*stated, *case.actions, *case.limitations)
    is_masked = any(_mixes_scripts(text) for text in every)
    is_counted = any(
        m.group().lower() not in known.raw for text in every for one in (COUNT_WORD, GRAVE) for m in one.finditer(text)
    )
    is_invented = any(_names_mechanism(known, text) for text in stated)
    return Refusal.FOREIGN if is_invented or is_told or is_advised or is_claimed or is_masked or is_counted else None


def known_of(case: Case) -> Known:
    """Words of all that was found, searched for and asked."""
    proofs = [p for p in case.proofs if not _PROMPT.search(p.item.text)]
    found = frozenset[Term]().union(*(p.terms for p in proofs))
    extra = f"{case.question} {case.searched}"
    raw = " ".join((extra, *(p.text for p in proofs))).lower()
    every = found | term_set(extra)
    return Known(
        every,
        raw,
        frozenset(word[:PREFIX] for word in _WORD.findall(raw) if len(word) >= PREFIX),
    )


def _is_foreign(
    known: Known, text: str, *, is_advice: bool = False, only: Callable[[str], bool] = lambda _: True
) -> bool:
    counted = [tally(known, part, is_advice=is_advice) for part in fine_parts(text) if only(part)]
    return any(one.is_strange or (is_advice and not one.shown and one.strange >= ADVICE_MIN) for one in counted)


def _names_mechanism(known: Known, text: str) -> bool:
    """True if a clause says of something how it broke, and nothing known tells of that; a denial does not say it."""
    parted = (part for part in fine_parts(text) if MAY_BE.search(part) is None)
    return any(term in MECHANISMS and not known.has(term) for part in parted for term in terms(part))


def fine_parts(text: str) -> Iterator[str]:
    """Clauses, also cut at relative and joining words."""
    for part in parts(text):
        yield from (piece for piece in _FINER.split(part) if piece and piece.strip())


def tally(known: Known, part: str, *, is_advice: bool = False) -> Tally:
    """How many words of a clause are known, strange and vague."""
    shown = strange = vague = run = deed_run = longest = 0.0
    deeds = _deeds(part)
    has_deed, is_zh = False, has_cjk(part)
    before = ""
    inner: frozenset[Term] = frozenset()
    for term in terms(_without_plain(part, is_advice=is_advice)):
        if term in inner:
            continue
        size = _size(term, before)
        before = term[-1] if term.startswith("z:") else ""
        if _is_plain(term, is_advice=is_advice):
            vague += size * (term.startswith("c:") and (is_zh or term in EVENTS))
        elif known.has(term):
            shown += size
            inner = term_set(term[2:]) if term.startswith("i:") else inner
            run, has_deed = 0.0, False
        elif not term.startswith("i:"):
            strange, run = strange + size, run + size
            has_deed = has_deed or term in deeds
            longest, deed_run = max(longest, run), max(deed_run, run * has_deed)
    return Tally(shown, strange, vague, longest, deed_run, is_zh, ZH_EVENT.search(part) is not None)


def _size(term: Term, before: str) -> float:
    """In words; ``before`` is the last character of the pair before, empty if that was none."""
    if not term.startswith("z:"):
        return 1.0
    return ZH_MORE if before == term[2] else ZH_PAIR


def _is_plain(term: Term, *, is_advice: bool) -> bool:
    if term.startswith("n:"):
        return True
    if term.startswith("c:"):
        return term in (ADVICE_CONCEPTS if is_advice else VAGUE_CONCEPTS)
    return term.startswith("w:") and (term[2:] in PLAIN or (is_advice and term[2:] in ADVICE))


def _without_plain(part: str, *, is_advice: bool) -> str:
    bare = ADVICE_ZH.sub(" ", part) if is_advice else part
    return PLAIN_ZH.sub(lambda m: m["kept"] or " ", _OTHER_SENSE.sub(" ", bare))


def _deeds(part: str) -> frozenset[Term]:
    """Terms of the words in a past form of doing."""
    done = (w for w in _WORD.findall(part) if w.lower() in IRREGULAR or (len(w) > 4 and w.lower().endswith("ed")))
    return frozenset[Term]().union(*(term_set(word) for word in done))


def _asserts(part: str) -> bool:
    """True if the clause says that something is or happened, not what was read, is missing or only possible."""
    return MAY_BE.search(part) is None and (STATES.search(part) is not None or bool(_deeds(part)))


def _mixes_scripts(text: str) -> bool:
    """True for a word of Latin letters with one of another alphabet among them."""
    return any(len(_alphabets(word)) > 1 for word in _LETTERS.findall(text))


def _alphabets(word: str) -> set[str]:
    names = (unicodedata.name(char, "").split(" ")[0] for char in word)
    return {name for name in names if name in {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"}}
