"""How a text says that one thing led to another: causal chains, cause first. English and Chinese. Pure."""

import re
from dataclasses import dataclass

from models.offline.sentences import sentences

_QUOTED = re.compile(r"“[^”]*”|\"[^\"\n]*\"|「[^」]*」|『[^』]*』|`[^`]*`|‘[^’]*’")

_LABEL = re.compile(
    r"(?:(?P<of>[^.;。；]*?)\s*(?:的)\s*)?(?:根本原因|根因|真正的?原因|直接原因|原因)(?:[^。；，,：:是]{0,12})?(?:就是|在于|是|为|在|：|:)\s*(?P<zh>[^。；]+)"
    r"|\b(?:root |real |actual |underlying |most likely |likely )*(?:cause|culprit|reason)\b(?:\s+(?:of|for|behind|why)\s+(?P<en_of>[^.;:]*?))?\s*(?:\bis\b|\bwas\b|\bare\b|\bwere\b|\blies in\b|:|—|–)\s*(?:that\s+)?(?P<en>[^;]+)",
    re.IGNORECASE,
)
_NAMED_AFTER = re.compile(
    r"^(?P<cause>[^.;]+?)\s+(?:is|was|are|were)\s+(?:the |an? )?(?:root |real |actual |underlying |likely )*(?:cause|culprit|reason)\b(?:\s+(?:of|for|behind|why)\s+(?P<effect>[^;]+))?"
    r"|^(?P<zcause>[^。；]+?)(?:是|为)(?P<zeffect>[^。；，]*?)的?(?:根本原因|根因|真正原因|直接原因|原因)",
    re.IGNORECASE,
)
_BY = re.compile(
    r"(?P<effect>[^。；，,]*?)(?:是|均|都|系)?(?:由于?|因(?!此|而|为))(?P<cause>[^。；]+?)(?:所)?(?:导致|引起|造成|引发|触发|所致)(?:的|了)?(?P<after>[^。；，,]*)"
)
_SINCE_FIRST = re.compile(
    r"(?:^|[。；;：:，,]\s*)(?:由于|因为|因(?!此|而))(?P<cause>[^，,。；]+)[，,](?P<effect>[^。；]+)"
)
_WHEN_FIRST = re.compile(
    r"^(?:because(?: of)?|since|as|when|once|after|due to|owing to|following|with)\s+(?P<cause>[^,;]+),\s*(?P<effect>[^;]+)",
    re.IGNORECASE,
)

_FORWARD = (
    r"\b(?:directly |in turn |then |thereby |ultimately |eventually |has |have |had |and )*"
    r"(?:caus(?:ed|es|ing)|led to|leads? to|leading to|result(?:ed|s|ing) in|trigger(?:ed|s|ing)|brought (?:down|about)|produc(?:ed|es|ing)|"
    r"giv(?:es|ing) rise to|gave rise to|ma(?:de|kes|king)|forc(?:ed|es|ing)|prevent(?:ed|s|ing)|explains?|ended in|ends in|(?:is|was) responsible for|(?:is|was) behind|"
    r"leaving|drove|driving|pushed|pushing|propagated (?:in)?to|cascaded (?:in)?to|showed up as|surfaced as|which is why|that is why)\b"
    r"|[,;]?\s*\b(?:and so|so that|so|hence|thus|therefore|consequently|accordingly|subsequently|from then on|as a (?:result|consequence)(?!\s+of)|until)\b"
    r"|导致|引起|造成|致使|使得|引发|触发|从而|因此|所以|于是|因而|随之|也随之|进而|由此|以致|以至于|拖慢|拖垮|(?<![即天大])使(?!用|命|者)"
)
_BACKWARD = (
    r"\b(?:(?:is|was|are|were|been|being|mainly|directly|probably) )*(?:because(?: of)?|due to|caused by|triggered by|owing to|on account of|as a (?:result|consequence) of|the result of|a consequence of|resulting from|"
    r"result(?:s|ed) from|stem(?:s|med|ming) from|aris(?:es|ing) from|arose from|com(?:e|es|ing) from|came from|attributed to|traced (?:back )?to|"
    r"brought about by|brought down by|driven by|explained by|produced by|follow(?:s|ed) from|thanks to|down to)\b|\bsince\b(?!\s+(?:\d|then\b|yesterday|noon|midnight|last\b|this\b|about\b|around\b|early\b|when\b|the (?:release|deploy|rollout|start|upgrade|change|migration))|(?:\s+[\w.-]+){0,4}\s+(?:was|were|went|got|has been|had been)\s+(?:rolled|deployed|released|upgraded|installed|started|live|changed))"
    r"|是因为|是由于|因为|由于|源于|源自|归因于|起因于|起因是|归咎于"
)
_ACTIVE = (
    r"(?<!\bwas )(?<!\bwere )(?<!\bis )(?<!\bare )(?<!\bbeen )(?<!\bbeing )(?<!\bgot )(?<!\bgets )(?<!\bran )(?<!\bbe )"
    r"\b(?:exhausts?|exhausted|fill(?:s|ed)?(?: up)?|blocks?|blocked|slow(?:s|ed)(?: down)?|overloads?|overloaded|overwhelms?|overwhelmed|saturates?|saturated|"
    r"starves?|starved|drains?|drained|floods?|flooded|swamps?|swamped|clogs?|clogged|"
    r"crashed|broke|breaks|killed|delayed|delays|stopped|consumed|consumes|used up|uses up|evicted|occupied|occupies|took down|throttled)"
    r"(?=\s+(?:the|its|their|all|our|every|each|both|this|that|a|an|most|[a-z]+-[a-z]+)\b|\s+[A-Z][A-Za-z]*[A-Z0-9-])|(?<!被)(?:耗尽|占满|打满|压满|压垮|填满|写满|塞满|用光|撑满)了"
)
_WEAK = r"\b(?:right after|shortly after|soon after|just after|after|once|following|ever since)\b(?!\s+\d)"
_LINK = re.compile(f"(?P<back>{_BACKWARD})|(?P<fwd>{_FORWARD})|(?P<act>{_ACTIVE})", re.IGNORECASE)
_LINK_WEAK = re.compile(f"(?P<back>{_WEAK})", re.IGNORECASE)
_STARTS_FORWARD = re.compile(
    r"^\W*(?:as a (?:result|consequence)|consequently|therefore|thus|hence|so|this|that|which|these|it|they|in turn|then|因此|所以|于是|由此|从而|因而|进而|这|其后果|结果)",
    re.IGNORECASE,
)
_EVIDENTIAL = re.compile(
    r"^\s*(?:[^.;。；]{0,60}?)(?:\brecorded\b|\blogged\b|\blogs?\b|\bshows?\b|\bshowed\b|\bholds the row\b|\breports? say|\bevidence\b|\brunbook\b|\bwe (?:see|saw|find)\b|\btelemetry\b|\bmetrics\b|记录|日志|显示|可见|手册)",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"[,，]?\s*(?:\b(?:which|that|who)\b|这|它)\s*$", re.IGNORECASE)
_CONCLUDES = re.compile(r"因此|所以|于是|因而|由此|也?随之")
_EVIDENCE_LABEL = re.compile(
    r"(?:依据|证据|根据|佐证)\s*[：:].*?(?:。|$)|\b(?:evidence|proof|based on|seen in)\s*:.*?(?:\.\s|$)",
    re.IGNORECASE | re.DOTALL,
)


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


_ADVERB = r"(?:therefore|thus|hence|consequently|accordingly|subsequently)"
_LATE_ADVERB = re.compile(rf"(^|[,;.]\s+)((?:[^\s,;.:]+\s+){{1,4}}?)({_ADVERB})\s+", re.IGNORECASE)
_LATE_ADVERB_ZH = re.compile(r"(^|[，,；;。])([^，,；;。因从于]{1,14}?)(因此|因而|从而|于是|随之|也随之)")


def fronted(text: str) -> str:
    """The text with adverbs of consequence moved before the subject they follow, so that they stand between two parts."""
    moved = _LATE_ADVERB.sub(lambda m: f"{m.group(1)}{m.group(3)} {m.group(2)}", text)
    return _LATE_ADVERB_ZH.sub(lambda m: f"{m.group(1)}{m.group(3)}{m.group(2)}", moved)


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
    return bool(_LINK.search(masked) or re.search(r"\bcause|\bculprit\b|根因|原因", masked, re.IGNORECASE))


def link_spans(masked: str) -> list[tuple[int, int]]:
    """Where a text without its quoted stretches links one thing to another; a verb of doing counts as of no length."""
    found = [*_LINK.finditer(masked), *_LINK_WEAK.finditer(masked)]
    return sorted((m.start(), m.start() if m.lastgroup == "act" else m.end()) for m in found)


def _passages(text: str) -> list[str]:
    """Sentences, one that goes on from the one before joined to it; evidence labels left out."""
    joined: list[str] = []
    without = _EVIDENCE_LABEL.sub(lambda match: "。" if "。" in match.group() else ". ", text)
    for sentence in sentences(without.replace("; ", ", ").replace("；", "，")):
        if joined and _STARTS_FORWARD.match(sentence):
            joined[-1] = f"{joined[-1].rstrip('.。；; ')} , {sentence}"
        else:
            joined.append(sentence)
    return joined


def _labelled(passage: str) -> tuple[str, str] | None:
    """(cause, effect) where the passage calls something the cause; the effect may be empty."""
    masked = _masked(passage)
    after = _NAMED_AFTER.match(masked)
    if after and (after.group("cause") or after.group("zcause")):
        group = "cause" if after.group("cause") else "zcause"
        effect = "effect" if group == "cause" else "zeffect"
        return _slice(passage, after, group), _slice(passage, after, effect)
    match = _LABEL.search(masked)
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
    for pattern in (_SINCE_FIRST, _BY):
        match = pattern.search(masked)
        if match and match.group("cause").strip():
            effect = _slice(passage, match, "effect") + (_slice(passage, match, "after") if pattern is _BY else "")
            return _of_parts(_slice(passage, match, "cause"), effect)
    first = _WHEN_FIRST.match(masked)
    if first:
        weak = re.match(r"(?:when|once|after|following|with|as)\b", masked, re.IGNORECASE) is not None
        found = _of_parts(_slice(passage, first, "cause"), _slice(passage, first, "effect"))
        return Chain(found.spans, weak) if found is not None else None
    return _linked(passage, masked, _LINK, weak=False) or _linked(passage, masked, _LINK_WEAK, weak=True)


def _of_parts(cause: str, effect: str) -> Chain | None:
    """A chain of a cause and an effect that may each hold further links."""
    if not cause.strip() or not effect.strip():
        return None
    left, right = (_linked(part, _masked(part), _LINK, weak=False) for part in (cause, effect))
    return Chain((*(left.spans if left else (cause.strip(),)), *(right.spans if right else (effect.strip(),))))


def _linked(passage: str, masked: str, link: re.Pattern[str], *, weak: bool) -> Chain | None:
    """Stretches between links, put in order: what follows a backward link goes before what it explains."""
    order: list[str] = []
    at, start, before, has_proof = 0, 0, "", False
    for match in [*link.finditer(masked), None]:
        end = match.start() if match else len(passage)
        raw = passage[start:end]
        span = _RELATIVE.sub("", raw).strip(" ,，;；:：.。")
        is_proof = before == "back" and _EVIDENTIAL.match(masked[start:end]) is not None
        has_proof = has_proof or is_proof
        if span and not is_proof:
            order.insert(min(at, len(order)), span)
        if match is None:
            break
        before = match.lastgroup or ""
        start = match.start() if before == "act" else match.end()
        here = order.index(span) if span in order else 0
        at = here if before == "back" else here + 1 if before == "act" or _goes_on(raw, match.group()) else len(order)
    return Chain(tuple(order), weak) if len(order) > 1 or (order and has_proof) else None


def _goes_on(before: str, link: str) -> bool:
    """True if the link continues the stretch just told: a relative clause, a participle, a Chinese verb after a comma."""
    after_comma = before.rstrip().endswith((",", "，"))
    is_verb = "ing" in link.lower() or ("\u3400" <= link.strip()[:1] <= "\u9fff" and not _CONCLUDES.match(link))
    return _RELATIVE.search(before) is not None or (after_comma and is_verb)


def _slice(passage: str, match: re.Match[str], group: str) -> str:
    start, end = match.span(group)
    return passage[start:end] if start >= 0 else ""


def _masked(text: str) -> str:
    """The text with quoted stretches blanked, same length: their words are evidence, not the author's links."""
    return _QUOTED.sub(lambda match: "□" * len(match.group()), text)
