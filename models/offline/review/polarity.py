"""Is anything denied that the evidence says, or said that it denies? Pure."""

import re
from collections.abc import Iterator

from models.offline.review.case import Case, Proof
from models.offline.review.likeness import content
from models.offline.review.reasons import Refusal
from models.offline.review.telling import clauses
from models.offline.terms import term_set

OPPOSITES = (
    ("c:succeed", "c:fail"),
    ("c:lower", "c:raise"),
    ("c:start", "c:stop"),
    ("c:primary", "c:replica"),
    ("c:upstream", "c:downstream"),
    ("c:producer", "c:consumer"),
    ("w:enabl", "w:disabl"),
)
_NOT_QUOTED = re.compile(
    r"\b(?:not|no|never|without|instead of|rather than)\s+(?:with\s+|any\s+|the\s+)?(?P<token>[A-Za-z][\w.]*=?[\w.-]*)",
    re.IGNORECASE,
)
_NOT_DONE = re.compile(
    r"(?:尚未|并未|未|没有)(?P<zh>[\u3400-\u9fff]{3,6})"
    r"|\b(?:will not be|was not|were not|not yet)\s+(?P<en>[a-z]{4,}ed)\b"
)
_TRUE_WORDS = {"true", "yes", "on", "1", "enabled"}
_SWITCHED_OFF = re.compile(r"关闭|禁用|停用|\b(?:disabled|switched off|turned off)\b", re.IGNORECASE)
_WITHOUT = re.compile(r"\bwithout\s+(?:an?\s+|any\s+)?(?P<what>[a-z]{4,})", re.IGNORECASE)
_IS_NOT = re.compile(r"(?P<before>[a-z]+ (?:is|are|was|were|has|have|did|does)) not (?P<after>[a-z]+)")
_HAS_NO = re.compile(r"\bno (?P<after>[a-z]{3,} (?:timed out|[a-z]+ed)\b(?! by| with| in| of))")
_DENIAL = re.compile(
    r"\b(?:no|not|never|without|none|nothing|nobody|cannot|neither|un\w+ed)\b|n't\b|没|并未|未|无(?!限)|不",
    re.IGNORECASE,
)


def polarity_agrees(case: Case) -> Refusal | None:
    """Nothing is denied that an item shows, and nothing affirmed that it denies."""
    texts = (case.text, *(s.text for s in case.statements if s.kind == "NORMAL"))
    for text in texts:
        for part in clauses(text):
            if (
                _denies_shown(case, part)
                or _turns_words(case, part)
                or _affirms_denied(case, part)
                or _turns_flag(case, part)
            ):
                return Refusal.POLARITY
    return Refusal.POLARITY if any(_is_opposite(case, part) for part in clauses(case.text)) else None


def _denies_shown(case: Case, part: str) -> bool:
    """True for "not expire=none" where the text has it, or "no evicted_keys" where the measure is above zero."""
    for match in _NOT_QUOTED.finditer(part):
        token = match.group("token").lower().rstrip(".")
        if "=" in token and any(token in p.item.text.lower() for p in case.telemetry):
            return True
        if "_" in token and _only_above_zero(case, token):
            return True
    return False


def _turns_words(case: Case, part: str) -> bool:
    """True for words that a line has with a "not" and the clause without, or a line without and the clause with."""
    low = " ".join(part.lower().split())
    lines = [" ".join(p.item.text.lower().split()) for p in case.telemetry]
    denied = {f"{m['before']} {m['after']}" for line in lines for m in _IS_NOT.finditer(line)}
    affirmed = {m["after"] for m in _HAS_NO.finditer(low)}
    return any(phrase in low and not any(phrase in line for line in lines) for phrase in denied) or any(
        _stands_plain(line, phrase) for line in lines for phrase in affirmed
    )


def _stands_plain(line: str, phrase: str) -> bool:
    at = line.find(phrase)
    return at >= 0 and _DENIAL.search(line[max(0, at - 12) : at]) is None


def _affirms_denied(case: Case, part: str) -> bool:
    """The clause says plainly what a line of its component says was not done."""
    for proof in case.telemetry:
        for match in _NOT_DONE.finditer(proof.item.text):
            said = match.group("zh") or match.group("en")
            at = part.lower().find(said.lower())
            if at >= 0 and not _DENIAL.search(part[max(0, at - 12) : at]) and not _is_affirmed(case, said):
                return True
    return any(
        re.search(rf"\bwith\s+(?:an?\s+)?{match.group('what')}\b", part, re.IGNORECASE)
        and not re.search(rf"\bwith\s+(?:an?\s+)?{match.group('what')}\b", p.item.text, re.IGNORECASE)
        for p in case.telemetry
        for match in _WITHOUT.finditer(p.item.text)
    )


def _is_affirmed(case: Case, said: str) -> bool:
    """True if some item says it without denying it."""
    places = [(p.item.text, m.start()) for p in case.proofs for m in re.finditer(re.escape(said), p.item.text)]
    return any(not _DENIAL.search(text[max(0, at - 8) : at]) for text, at in places)


def _only_above_zero(case: Case, measure: str) -> bool:
    values = [p.pairs[measure] for p in case.telemetry if measure in p.pairs]
    return bool(values) and all(v.isdigit() and int(v) > 0 for v in values)


def _turns_flag(case: Case, part: str) -> bool:
    """A flag named in the clause is said to be the other way round than the component's item has it."""
    names = case.named_in(part)
    owned = [p for p in case.telemetry if any(p.mentions(name) for name in names)]
    flags = [(key, value.lower(), p) for p in owned for key, value in _flags(p)]
    for key, value, _ in flags:
        said = _said_of(case, key, part)
        others = {v.lower() in _TRUE_WORDS for k, v, _ in flags if k == key}
        if said is not None and len(others) == 1 and said is not (value in _TRUE_WORDS):
            return True
    return False


def _flags(proof: Proof) -> Iterator[tuple[str, str]]:
    return ((k, v) for k, v in proof.pairs.items() if v.lower() in {"true", "false"})


def _said_of(case: Case, flag: str, part: str) -> bool | None:
    """What the clause says of the flag; None if it does not speak of it."""
    words = {t for t in term_set(flag.replace("_", " ")) if not t.startswith("i:")}
    if not words or not _speaks_of(words, flag, part):
        return None
    return (
        _SWITCHED_OFF.search(part) is None
        and _DENIAL.search(part) is None
        and "=false" not in part.lower()
        and " false" not in part.lower()
    )


def _speaks_of(words: set[str], flag: str, part: str) -> bool:
    said = term_set(part)
    synonyms = {"c:lock": ("加锁", "锁"), "w:auto": ("自动",), "w:activ": ("活跃", "激活"), "w:enabl": ("启用", "开启")}
    shared = {w for w in words if w in said or any(s in part for s in synonyms.get(w, ()))}
    return len(shared) == len(words) or (
        len(words) > 1
        and any(w.startswith("c:") for w in shared)
        and flag.split("_")[-1] in {"taken", "held", "enabled", "active"}
    )


def _is_opposite(case: Case, part: str) -> bool:
    """The telemetry of the clause's subject has only the opposite of one of its words."""
    words = content(case, part)
    for pair in OPPOSITES:
        for said, other in (pair, pair[::-1]):
            if said in words and other not in words and _all_say(case, words, said, other):
                return True
    return False


def _all_say(case: Case, words: frozenset[str], said: str, other: str) -> bool:
    rest = {w for w in words if w != said and w[:2] in {"i:", "w:", "n:"}}
    speaking = [p for p in case.telemetry if len(rest & p.terms) >= 2]
    everywhere = any(said in p.terms for p in case.proofs)
    return bool(speaking) and not everywhere and all(other in p.terms for p in speaking)
