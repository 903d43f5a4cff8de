"""The order in which documents tell an incident, and what they call a mere consequence. Pure."""

import re
from collections.abc import Iterator

from models.offline.causes import cause_heading, trail
from models.offline.lexicon import REMEDY, SYMPTOM_HEADING
from models.offline.review.case import Case, Proof
from models.offline.review.telling import clauses, tell
from models.offline.sentences import plain, sentences

_CONSEQUENCE = re.compile(
    r"\b(?:is|are|be|as)\b[^.;]{0,30}?\b(?:consequences?|results?|symptoms?|effects?|side effects?|victims?|fallout)\b"
    r"|\b(?:not|never|rather than)\s+(?:the |an? |its |their )?(?:root |real |actual )?"
    r"(?:origin|cause|trigger|source|reason)\b"
    r"|\bonly (?:follows?|reflects?)\b|\bmerely\b|\bfollow(?:s)? from\b"
    r"|(?:是|属于|只是|都是|均为|为)[^。；，,]{0,8}(?:结果|后果|表象|表现|症状|现象)|不是[^。；，,]{0,6}(?:起因|原因|根因|源头)|并非[^。；，,]{0,6}(?:起因|原因|根因|源头)",
    re.IGNORECASE,
)
_REMEDY_WORD = re.compile(
    r"^\W*(?:fix|remedy|relief|mitigation|action|check|cure|resolution|recovery|workaround|to (?:fix|recover|resolve)|"
    r"处置|处理|修复|缓解|恢复|建议|措施|解决|应急|操作)\s*[:：]",
    re.IGNORECASE,
)
_TRIGGER = re.compile(
    r"^\W*(?:often|usually|mostly|typically|in most cases)\b|\b(?:usual|typical|common|frequent|most likely)\s+"
    r"(?:trigger|cause|reason|origin)|^\W*(?:通常|往往|多半|一般)(?:是|由|因)|(?:常见|典型|主要)(?:诱因|原因|起因)",
    re.IGNORECASE,
)
"""A sentence that names what comes first, wherever it stands."""
_EFFECT_FIRST = re.compile(
    r"^(?P<effect>[^,;:，；：]+?)\s+(?:when|if|once|whenever|because|after|as soon as|because of|due to)\s+"
    r"(?P<cause>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_EARLIER = re.compile(
    r"^\W*(?:and\s+)?(?:(?:shortly|just|right|immediately|a little|minutes)\s+(?:before|earlier)(?:hand)?\b|"
    r"before (?:that|this|it|them)\b|beforehand\b|earlier,|在此之前|在这之前|此前|之前不久|不久之前|不久前|稍早|先前|前不久)",
    re.IGNORECASE,
)
"""A sentence that tells what came before the one it follows."""


def consequences(case: Case) -> tuple[str, ...]:
    """What the documents call a consequence, a symptom or not the origin."""
    found: list[str] = []
    for proof in case.knowledge:
        for sentence in sentences(proof.item.text):
            match = _CONSEQUENCE.search(sentence)
            if match:
                found += re.split(r"\s+and\s+|\s+or\s+|[,，、和及与]", _subject(sentence, match.start()))
    return tuple(part for part in found if part.strip())


def _subject(sentence: str, at: int) -> str:
    """The words before the verdict: the last clause, and the list it closes."""
    before = sentence[:at]
    return re.split(r"[;；]", before)[-1] if before.strip() else sentence


def steps(case: Case) -> tuple[tuple[str, ...], ...]:
    """For each document, its clauses, causes first and what the documents call symptoms last; remedies left out."""
    last = tuple(step for proof in case.knowledge if is_symptom(proof) for step in _steps(proof))
    return tuple((*_steps(proof), *last) for proof in case.knowledge if not is_symptom(proof))


def is_symptom(proof: Proof) -> bool:
    """True for a passage that lists what people notice."""
    above = trail(proof.item)
    return bool(above) and SYMPTOM_HEADING.search(above[-1]) is not None


def _steps(proof: Proof) -> Iterator[str]:
    named = next(filter(None, map(cause_heading, reversed(trail(proof.item)))), "")
    if named:
        yield named
    told = _in_time([plain(sentence) for sentence in sentences(proof.item.text)])
    for sentence in sorted(told, key=lambda one: _TRIGGER.search(one) is None):
        if not (_REMEDY_WORD.match(sentence) or REMEDY.match(sentence) or _CONSEQUENCE.search(sentence)):
            yield from _ordered(sentence)


def _in_time(told: list[str]) -> list[str]:
    """The sentences, one that says it comes before the one it follows put before that one."""
    ordered: list[str] = []
    for sentence in told:
        ordered.insert(max(0, len(ordered) - 1) if _EARLIER.match(sentence) else len(ordered), sentence)
    return ordered


def _ordered(sentence: str) -> Iterator[str]:
    turned = _EFFECT_FIRST.match(sentence)
    if turned:
        yield from clauses(turned.group("cause"))
        yield from clauses(turned.group("effect"))
        return
    told = tell(sentence)
    yield from clauses(told.cause)
    yield from clauses(told.effect)
