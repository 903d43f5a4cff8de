"""What a conclusion says led to what: its cause part and its effect part. English and Chinese. Pure."""

import re
from dataclasses import dataclass

from models.offline.causal_words import EVIDENCE_LABEL, LATE_ADVERB, LATE_ADVERB_ZH, QUOTED
from models.offline.review.links import (
    ACTIVE,
    BACK,
    BACK_WEAK,
    BARE_NOUN,
    COPULA,
    CUT,
    EN_FIRST,
    FORWARD,
    IDENTIFIER,
    LABEL,
    LINKS,
    NAMED_BEFORE,
    NOT_BUT,
    PERFECT,
    RECORDED,
    SAYING_MIN,
    SENTENCE_END,
    SO_MUCH,
    WHY,
    ZH_BECAUSE,
    ZH_BY,
    ZH_RESULT,
)
from models.offline.terms import term_set


@dataclass(frozen=True)
class Telling:
    """What led to what; ``cause`` is the whole text where nothing else is told."""

    cause: str
    effect: str
    """Empty if no effect is told apart."""
    is_explicit: bool
    """True if a causal word says so, not only the order of the clauses."""
    last: str = ""
    """The effect at the end of the chain; empty if no effect is told apart."""

    @property
    def opening(self) -> str:
        """The cause part, with so much of what follows as is needed to say something."""
        return self.cause if _says(self.cause) else _first_saying(f"{self.cause}, {self.effect}")

    @property
    def root(self) -> str:
        """The first clauses of the cause part, as many as say something."""
        return _first_saying(self.cause)


def active(text: str) -> Telling | None:
    """Who did what to whom, where a verb of doing alone tells it ("A filled B"); None if none does."""
    match = ACTIVE.search(masked_quotes(text))
    if match is None or not text[: match.start()].strip():
        return None
    return _told(text[: match.start()], text[match.start() :])


def clauses(text: str) -> tuple[str, ...]:
    """The text cut at its punctuation and conjunctions, code and quotations kept whole; short scraps left out."""
    masked = masked_quotes(text)
    found: list[str] = []
    start = 0
    for match in [*CUT.finditer(masked), None]:
        found.append(text[start : match.start() if match else len(text)].strip(" ,，;；:：.。、()（）"))
        start = match.end() if match else 0
    return tuple(part for part in found if len(part) > 1)


def masked_quotes(text: str) -> str:
    """The text with quoted stretches, and a "so" that only says how much, blanked; same length."""
    return SO_MUCH.sub(_blank, QUOTED.sub(_blank, text))


def _blank(match: re.Match[str]) -> str:
    return "□" * len(match.group())


def tell(text: str) -> Telling:
    """Cause and effect part of a conclusion."""
    said = EVIDENCE_LABEL.sub(lambda m: "。" if "。" in m.group() else ". ", NOT_BUT.sub("", text.strip()))
    moved = LATE_ADVERB_ZH.sub(lambda m: f"{m.group(1)}{m.group(3)}{m.group(2)}", said)
    whole = LATE_ADVERB.sub(lambda m: f"{m.group(1)}{m.group(3)} {m.group(2)}", moved)
    for reader in (_zh_result, _why, _named_before, _labelled, _because_first, _backward, _forward):
        found = reader(whole)
        if found is not None and found.cause.strip():
            return found
    return _narrated(whole)


def parts(text: str) -> tuple[str, ...]:
    """Clauses, also cut at causal words."""
    masked = masked_quotes(text)
    found: list[str] = []
    start = 0
    for match in [*LINKS.finditer(masked), None]:
        found += clauses(text[start : match.start() if match else len(text)])
        start = match.end() if match else 0
    return tuple(found)


def _first_saying(text: str) -> str:
    """The beginning of the text up to the clause by which it holds enough words."""
    found = ""
    for clause in clauses(text):
        found = f"{found}, {clause}".strip(", ")
        if _says(found):
            return found
    return found or text


def _says(text: str) -> bool:
    return len(term_set(IDENTIFIER.sub(" ", text))) >= SAYING_MIN


def _zh_result(text: str) -> Telling | None:
    match = ZH_RESULT.search(masked_quotes(text))
    if match is None:
        return None
    effect = f"{text[: match.start()]}, {text[slice(*match.span('effect'))]}".strip(" ,，")
    return Telling(text[slice(*match.span("cause"))], effect, is_explicit=True, last=effect)


def _why(text: str) -> Telling | None:
    match = WHY.search(masked_quotes(text))
    return _told(text[: match.start()], text[match.end() :]) if match else None


def _named_before(text: str) -> Telling | None:
    match = NAMED_BEFORE.match(masked_quotes(text))
    if match is None or len(match.group("cause").strip()) < 4 or LABEL.match(text):
        return None
    effect = match.group("effect") or match.group("zeffect") or ""
    return _onward(text[: match.end("cause")], effect)


def _labelled(text: str) -> Telling | None:
    match = LABEL.match(masked_quotes(text))
    if match is None:
        return None
    before = match.group("of") or ""
    if COPULA.search(before):
        return _onward(f"{COPULA.sub('', before)}: {text[match.end() :]}", "")
    return _onward(text[match.end() :], f"{before} {match.group('en_of') or ''}".strip())


def _onward(cause: str, effect: str) -> Telling:
    """A named cause that may itself go on to effects."""
    inner = _forward(cause) or _narrated(cause)
    told = f"{inner.effect}, {effect}".strip(" ,")
    return Telling(inner.cause, told, is_explicit=True, last=effect or inner.last)


def _because_first(text: str) -> Telling | None:
    masked = masked_quotes(text)
    by = ZH_BY.match(masked)
    match = by or EN_FIRST.match(masked) or ZH_BECAUSE.search(masked)
    if match is None:
        return None
    cause, effect = text[slice(*match.span("cause"))], text[slice(*match.span("effect"))]
    rest = text[match.end() :]
    if not effect.strip():
        return None
    if by and rest[:1] in "。：；":
        return Telling(f"{cause}，{rest[1:]}", effect, is_explicit=True, last=effect)
    inner = _forward(cause)
    if inner:
        return Telling(inner.cause, f"{inner.effect}, {effect}", is_explicit=True, last=_last(effect))
    return _told(cause, f"{effect} {rest}")


def _backward(text: str) -> Telling | None:
    masked = masked_quotes(text)
    match = next((m for m in BACK.finditer(masked) if not _is_temporal(masked, m)), None)
    if match is None or not text[: match.start()].strip():
        return None
    onward = FORWARD.search(masked, match.end())
    end = onward.start() if onward else len(text)
    before = text[: match.start()]
    if RECORDED.match(text[match.end() :]):
        return _told(before, text[onward.end() :] if onward else "")
    after = SENTENCE_END.split(text[onward.end() :])[0] if onward else ""
    cause = text[match.end() : end]
    deeper = _backward(cause)
    if deeper is not None:
        cause, before = deeper.cause, f"{before}, {deeper.last}"
    return Telling(cause, f"{before}, {after}".strip(" ,"), is_explicit=True, last=before)


def _is_temporal(masked: str, link: re.Match[str]) -> bool:
    """True for a "since" that only gives a time: after a perfect tense, or before a bare noun."""
    if link.group().lower() != "since":
        return False
    clause = re.split(r"[,;:.]", masked[: link.start()])[-1]
    return PERFECT.search(clause) is not None or BARE_NOUN.match(masked, link.end()) is not None


def _forward(text: str) -> Telling | None:
    match = FORWARD.search(masked_quotes(text))
    if match is None or not text[: match.start()].strip() or not text[match.end() :].strip():
        return None
    return _told(text[: match.start()], text[match.end() :])


def _told(cause: str, effect: str) -> Telling:
    return Telling(cause, effect, is_explicit=True, last=_last(effect))


def _last(effect: str) -> str:
    """The last clause that says something."""
    return next((part for part in reversed(clauses(effect)) if len(term_set(part)) >= 2), effect)


def _narrated(text: str) -> Telling:
    """Clauses in the order they are told: the first is the cause, unless the sentence puts what came before last."""
    weak = BACK_WEAK.search(masked_quotes(text))
    if weak and text[: weak.start()].strip() and len(clauses(text)) == 1:
        return Telling(text[weak.end() :], text[: weak.start()], is_explicit=False, last=text[: weak.start()])
    cause = _first_saying(text)
    rest = [part for part in clauses(text) if part not in cause]
    effect = ", ".join(rest)
    return Telling(cause, effect, is_explicit=False, last=_last(effect))
