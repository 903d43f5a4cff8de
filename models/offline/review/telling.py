"""What a conclusion says led to what: its cause part and its effect part. English and Chinese. Pure."""

import re
from dataclasses import dataclass

from models.offline.causal_words import BACKWARD, FORWARD, LATE_ADVERB, LATE_ADVERB_ZH, QUOTED

_WHY = re.compile(r"\b(?:is|are|was|were)\s+(?:the reason\s+)?why\b", re.IGNORECASE)
_NAMED_BEFORE = re.compile(
    r"^(?P<cause>.+?)(?:[,，]?\s*(?:which|this|that|这)?\s*(?:is|was|are|were|就是|正是|才是|是))\s*(?:the |an? )?"
    r"(?:(?:root |real |actual |underlying |likely )*(?:cause|culprit|origin|reason)\b"
    r"(?:\s+(?:of|for|behind)\s+(?P<effect>[^.;]+))?|(?P<zeffect>[^。；，,]*?)的?(?:根本原因|根因|起因|原因)\s*[。.]?$)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^(?P<of>[^.;:。；：]{0,80}?)(?:\b(?:the |a )?(?:root |real |actual |underlying |likely |first )*"
    r"(?:cause|origin|culprit|reason)\b(?:\s+(?:of|for|behind)\s+(?P<en_of>[^.:;]{1,80}?))?\s*"
    r"(?:is|was|are|were|lies in|:)\s*(?:that\s+)?|(?:的)?(?:根本原因|根因|起因|原因)\s*(?:就是|在于|是|为|：|:)\s*)",
    re.IGNORECASE,
)
_ZH_BECAUSE = re.compile(
    r"(?:^|[。；;，,])\s*(?:由于|因为)(?P<cause>[^。；]+?)[，,]\s*(?P<effect>(?:所以|因此|才|[^。；，,]{0,24}?才|[^。；])[^。；]*)"
)
_ZH_BY = re.compile(
    r"(?P<effect>[^。；，,]*?)(?:是|均|都)?由(?P<cause>[^。；]+?)(?:所)?(?:导致|引起|造成|引发|触发|所致)的?"
)
_EN_FIRST = re.compile(
    r"^(?:because(?: of)?|since|as|due to|owing to|with|after|when|once)\s+(?P<cause>[^,;:]+),\s*(?P<effect>.+)",
    re.IGNORECASE | re.DOTALL,
)
_BACK = re.compile(
    rf"(?:{BACKWARD})|\b(?:a |the )?victims? of\b|\b(?:is|was|are|were) (?:[a-z-]+ )?by(?= [a-z0-9-]+(?:'s)? \w+ing\b)",
    re.IGNORECASE,
)
_BACK_WEAK = re.compile(
    r"\b(?:right |shortly |soon |just )?after\b(?!\s+\d)|\bonce\b|\bfollowing\b(?=\s+(?:the|a)\b)", re.IGNORECASE
)
_FORWARD = re.compile(rf"(?:{FORWARD})|\band so\b|\buntil\b", re.IGNORECASE)
_CUT = re.compile(
    r"[;；。:：]|[，,](?!\d)|\.(?=\s|$)|\s+(?:and|but|then|while|whereas)\s+|而且|随后|然后|之后", re.IGNORECASE
)


@dataclass(frozen=True)
class Telling:
    """What led to what; ``cause`` is the whole text where nothing else is told."""

    cause: str
    effect: str
    """Empty if no effect is told apart."""
    is_explicit: bool
    """True if a causal word says so, not only the order of the clauses."""

    @property
    def root(self) -> str:
        """The first clause of the cause part that says something."""
        return next(iter(clauses(self.cause)), self.cause)


def clauses(text: str) -> tuple[str, ...]:
    """The text cut at its punctuation and conjunctions, code and quotations kept whole; short scraps left out."""
    masked = masked_quotes(text)
    found, start = [], 0
    for match in [*_CUT.finditer(masked), None]:
        found.append(text[start : match.start() if match else len(text)].strip(" ,，;；:：.。、()（）"))
        start = match.end() if match else 0
    return tuple(part for part in found if len(part) > 1)


def masked_quotes(text: str) -> str:
    """The text with quoted stretches blanked, same length."""
    return QUOTED.sub(lambda match: "□" * len(match.group()), text)


def tell(text: str) -> Telling:
    """Cause and effect part of a conclusion."""
    moved = LATE_ADVERB_ZH.sub(lambda m: f"{m.group(1)}{m.group(3)}{m.group(2)}", text.strip())
    whole = LATE_ADVERB.sub(lambda m: f"{m.group(1)}{m.group(3)} {m.group(2)}", moved)
    for reader in (_why, _named_before, _labelled, _because_first, _backward, _forward):
        found = reader(whole)
        if found is not None and found.cause.strip():
            return found
    return _narrated(whole)


def _why(text: str) -> Telling | None:
    match = _WHY.search(masked_quotes(text))
    return Telling(text[: match.start()], text[match.end() :], is_explicit=True) if match else None


def _named_before(text: str) -> Telling | None:
    match = _NAMED_BEFORE.match(masked_quotes(text))
    if match is None or len(match.group("cause").strip()) < 4 or _LABEL.match(text):
        return None
    effect = match.group("effect") or match.group("zeffect") or ""
    return _onward(text[: match.end("cause")], effect)


def _labelled(text: str) -> Telling | None:
    match = _LABEL.match(masked_quotes(text))
    if match is None:
        return None
    return _onward(text[match.end() :], f"{match.group('of') or ''} {match.group('en_of') or ''}".strip())


def _onward(cause: str, effect: str) -> Telling:
    """A named cause that may itself go on to effects."""
    inner = _forward(cause) or _narrated(cause)
    return Telling(inner.cause, f"{inner.effect}, {effect}".strip(" ,"), is_explicit=True)


def _because_first(text: str) -> Telling | None:
    masked = masked_quotes(text)
    match = _EN_FIRST.match(masked) or _ZH_BECAUSE.search(masked) or _ZH_BY.match(masked)
    if match is None:
        return None
    cause, effect = text[slice(*match.span("cause"))], text[slice(*match.span("effect"))]
    return Telling(cause, effect + " " + text[match.end() :], is_explicit=True) if effect.strip() else None


def _backward(text: str) -> Telling | None:
    masked = masked_quotes(text)
    match = _BACK.search(masked)
    if match is None or not text[: match.start()].strip():
        return None
    onward = _FORWARD.search(masked, match.end())
    end = onward.start() if onward else len(text)
    before = text[: match.start()]
    earlier = _forward(before)
    effect = f"{earlier.effect if earlier else before}, {text[onward.end() :] if onward else ''}"
    return Telling(text[match.end() : end], effect.strip(" ,"), is_explicit=True)


def _forward(text: str) -> Telling | None:
    match = _FORWARD.search(masked_quotes(text))
    if match is None or not text[: match.start()].strip() or not text[match.end() :].strip():
        return None
    return Telling(text[: match.start()], text[match.end() :], is_explicit=True)


def _narrated(text: str) -> Telling:
    """Clauses in the order they are told: the first is the cause, unless the sentence puts what came before last."""
    weak = _BACK_WEAK.search(masked_quotes(text))
    if weak and text[: weak.start()].strip() and len(clauses(text)) == 1:
        return Telling(text[weak.end() :], text[: weak.start()], is_explicit=False)
    parts = clauses(text)
    return Telling(parts[0] if parts else text, ", ".join(parts[1:]), is_explicit=False)
