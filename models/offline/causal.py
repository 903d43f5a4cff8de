"""How a text says that one thing led to another: causal chains, cause first. English and Chinese. Pure."""

import re
from dataclasses import dataclass

from models.offline.causal_words import (
    BY,
    CONCLUDES,
    EVIDENCE_LABEL,
    EVIDENTIAL,
    LABEL,
    LATE_ADVERB,
    LATE_ADVERB_ZH,
    LINK,
    LINK_WEAK,
    NAMED_AFTER,
    QUOTED,
    RELATIVE,
    SINCE_FIRST,
    STARTS_FORWARD,
    WHEN_FIRST,
)
from models.offline.sentences import sentences


@dataclass(frozen=True)
class Chain:
    """Stretches of a text, each said to have led to the next."""

    spans: tuple[str, ...]
    is_weak: bool = False
    """True if the text only says that one came after the other."""


@dataclass(frozen=True)
class Told:
    """What a text says about causes."""

    chains: tuple[Chain, ...]
    named: tuple[str, ...]
    """What it calls the cause outright."""

    @property
    def causes(self) -> tuple[str, ...]:
        """Every stretch that is said to be a first cause."""
        return (*self.named, *(chain.spans[0] for chain in self.chains if not chain.is_weak))


def fronted(text: str) -> str:
    """The text with adverbs of consequence moved before the subject they follow, to stand between two parts."""
    moved = LATE_ADVERB.sub(lambda m: f"{m.group(1)}{m.group(3)} {m.group(2)}", text)
    return LATE_ADVERB_ZH.sub(lambda m: f"{m.group(1)}{m.group(3)}{m.group(2)}", moved)


def tell(text: str) -> Told:
    """The causal statements of a text; evidence given as a reason for believing is not one."""
    chains: list[Chain] = []
    named: list[str] = []
    for passage in _passages(fronted(text)):
        label = _labelled(passage)
        if label is not None:
            cause, effect = label
            named.append(_first_span(cause))
            chains += _chains_of(cause, effect)
        else:
            chains += [chain for chain in (_chain(passage),) if chain is not None]
    return Told(tuple(chains), tuple(span for span in named if span))


def says_cause(text: str) -> bool:
    """True if a causal word stands outside quotation marks."""
    masked = _masked(text)
    return bool(LINK.search(masked) or re.search(r"\bcause|\bculprit\b|根因|原因", masked, re.IGNORECASE))


def link_spans(masked: str) -> list[tuple[int, int]]:
    """Where a text without its quoted stretches links one thing to another; a verb of doing counts as of no length."""
    found = [*LINK.finditer(masked), *LINK_WEAK.finditer(masked)]
    return sorted((m.start(), m.start() if m.lastgroup == "act" else m.end()) for m in found)


def _passages(text: str) -> list[str]:
    """Sentences, one that goes on from the one before joined to it; evidence labels left out."""
    joined: list[str] = []
    without = EVIDENCE_LABEL.sub(lambda match: "。" if "。" in match.group() else ". ", text)
    for sentence in sentences(without.replace("; ", ", ").replace("；", "，")):
        if joined and STARTS_FORWARD.match(sentence):
            joined[-1] = f"{joined[-1].rstrip('.。；; ')} , {sentence}"
        else:
            joined.append(sentence)
    return joined


def _labelled(passage: str) -> tuple[str, str] | None:
    """(cause, effect) where the passage calls something the cause; the effect may be empty."""
    masked = _masked(passage)
    after = NAMED_AFTER.match(masked)
    if after and (after.group("cause") or after.group("zcause")):
        group = "cause" if after.group("cause") else "zcause"
        effect = "effect" if group == "cause" else "zeffect"
        return _slice(passage, after, group), _slice(passage, after, effect)
    match = LABEL.search(masked)
    if match is None:
        return None
    cause = _slice(passage, match, "en") or _slice(passage, match, "zh")
    effect = _slice(passage, match, "en_of") or _slice(passage, match, "of")
    return (cause, effect) if cause.strip() else None


def _chains_of(cause: str, effect: str) -> list[Chain]:
    """The chain inside a named cause, with the effect it is named for at its end."""
    inner = _chain(cause)
    spans = inner.spans if inner is not None and not inner.is_weak else (cause,)
    whole = (*spans, effect) if effect.strip() else spans
    return [Chain(tuple(whole))] if len(whole) > 1 else []


def _first_span(cause: str) -> str:
    inner = _chain(cause)
    return inner.spans[0] if inner is not None and not inner.is_weak else cause.strip()


def _chain(passage: str) -> Chain | None:
    masked = _masked(passage)
    for pattern in (SINCE_FIRST, BY):
        match = pattern.search(masked)
        if match and match.group("cause").strip():
            effect = _slice(passage, match, "effect") + (_slice(passage, match, "after") if pattern is BY else "")
            return _of_parts(_slice(passage, match, "cause"), effect)
    first = WHEN_FIRST.match(masked)
    if first:
        weak = re.match(r"(?:when|once|after|following|with|as)\b", masked, re.IGNORECASE) is not None
        found = _of_parts(_slice(passage, first, "cause"), _slice(passage, first, "effect"))
        return Chain(found.spans, weak) if found is not None else None
    return _linked(passage, masked, LINK, weak=False) or _linked(passage, masked, LINK_WEAK, weak=True)


def _of_parts(cause: str, effect: str) -> Chain | None:
    """A chain of a cause and an effect that may each hold further links."""
    if not cause.strip() or not effect.strip():
        return None
    left, right = (_linked(part, _masked(part), LINK, weak=False) for part in (cause, effect))
    return Chain((*(left.spans if left else (cause.strip(),)), *(right.spans if right else (effect.strip(),))))


def _linked(passage: str, masked: str, link: re.Pattern[str], *, weak: bool) -> Chain | None:
    """Stretches between links, put in order: what follows a backward link goes before what it explains."""
    order: list[str] = []
    at, start, before, has_proof = 0, 0, "", False
    for match in [*link.finditer(masked), None]:
        end = match.start() if match else len(passage)
        raw = passage[start:end]
        span = RELATIVE.sub("", raw).strip(" ,，;；:：.。")
        is_proof = before == "back" and EVIDENTIAL.match(masked[start:end]) is not None
        has_proof = has_proof or is_proof
        if span and not is_proof:
            order.insert(min(at, len(order)), span)
        if match is None:
            break
        explained, before = before == "back", match.lastgroup or ""
        start = match.start() if before == "act" else match.end()
        here = order.index(span) if span in order else 0
        at = (
            here
            if before == "back"
            else here + 1
            if explained or before == "act" or _goes_on(raw, match.group())
            else len(order)
        )
    return Chain(tuple(order), weak) if len(order) > 1 or (order and has_proof) else None


def _goes_on(before: str, link: str) -> bool:
    """True if the link goes on from the stretch just told: a relative clause, a participle, a Chinese verb."""
    after_comma = before.rstrip().endswith((",", "，"))
    is_verb = "ing" in link.lower() or ("\u3400" <= link.strip()[:1] <= "\u9fff" and not CONCLUDES.match(link))
    return RELATIVE.search(before) is not None or (after_comma and is_verb)


def _slice(passage: str, match: re.Match[str], group: str) -> str:
    start, end = match.span(group)
    return passage[start:end] if start >= 0 else ""


def _masked(text: str) -> str:
    """The text with quoted stretches blanked, same length: their words are evidence, not the author's links."""
    return QUOTED.sub(lambda match: "□" * len(match.group()), text)
