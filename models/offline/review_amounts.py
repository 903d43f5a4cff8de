"""Numbers, negations and scope words against the evidence. Pure."""

import re

from models.offline.review_case import Evidence, ReviewCase, searchable
from models.offline.review_clauses import Clause, clauses, speaking_of
from models.offline.review_reasons import Refusal
from models.offline.terms import Term, term_set

OPPOSITES = (
    ("c:succeed", "c:fail"),
    ("c:lower", "c:raise"),
    ("c:start", "c:stop"),
    ("c:hit", "c:miss"),
    ("c:primary", "c:replica"),
    ("c:upstream", "c:downstream"),
    ("c:producer", "c:consumer"),
    ("c:read", "c:write"),
    ("w:enabl", "w:disabl"),
)
_WIDE = re.compile(
    r"\b(?:all|every|each|any|entire|whole)\s+(?:of\s+)?(?:the\s+|our\s+|its\s+|"
    r"other\s+)?(?:\w+\s+)?(?:services?|systems?|customers?|users?|regions?|clusters?|hosts?|nodes?|"
    r"databases?|requests?|traffic|components?|platform|instances?|pods?|environments?|payments?|orders?|"
    r"apis?|endpoints?|deployments?|releases?)\b"
    r"|\b(?:always|everywhere|everything|everyone|nobody|never again|in general|globally|system-wide|"
    r"company-wide|completely down|permanently)\b|\bthe only\b|\bnothing else\b|\bno other\b|"
    r"\bexclusively\b"
    r"|(?:所有|全部|全体|整个|一切|每个|任何|各个)(?:的)?(?:服务|系统|用户|客户|请求|节点|主机|集群|数据库|"
    r"接口|流量|实例|平台|订单|支付|业务|组件)|始终|永远|从来|唯一|到处|全站|全网|完全不可用",
    re.IGNORECASE,
)
_VALUE = r"[“\"`]?(?P<{}>[\w.%-]+)[”\"`]?"
_FORMER = re.compile(r"old|was|prev|from|before|former|原|旧|从", re.IGNORECASE)
_LATER = re.compile(r"new|now|\bto\b|after|current|新|改为|变为", re.IGNORECASE)
_CHANGE = re.compile(
    rf"(?:\bfrom|从|由)\s*{_VALUE.format('old')}\s*(?:down to|up to|to|改为|改成|降到|降至|调到|调至|升到|"
    rf"升至|变为|变成|提高到|降低到)\s*{_VALUE.format('new')}",
    re.IGNORECASE,
)
_NO = re.compile(
    r"\b(?:no|without|never|not|nor)\s+(?:any\s+|a\s+|an\s+|"
    r"the\s+)?(?P<en>[A-Za-z][\w-]*(?:\s+[A-Za-z][\w-]*)?)|(?:没有|并未|未|无)(?P<zh>[\u3400-\u9fff]{2,4})",
    re.IGNORECASE,
)
_ADVERSE = frozenset(
    {
        "c:fail",
        "c:unavailable",
        "c:missing",
        "c:refuse",
        "c:exhausted",
        "c:full",
        "c:timeout",
        "c:expired",
        "c:drop",
        "c:leak",
        "c:stop",
        "c:wait",
        "c:kill",
        "c:oom",
        "c:crash",
        "c:evict",
        "c:miss",
        "c:slow",
    }
)
_NEGATIVE_WORD = re.compile(r"\b(?:no|not|never|without|cannot|can't|n't|none|nor|0)\b|没|未|无|不", re.IGNORECASE)


def amounts_belong(case: ReviewCase) -> Refusal | None:
    """A number said of a service occurs in an item that names it, and a change keeps its direction."""
    wrong = any(_is_misplaced(case, clause) for clause in clauses(case, case.text))
    return Refusal.AMOUNT if wrong or _is_turned(case) else None


def _is_misplaced(case: ReviewCase, clause: Clause) -> bool:
    services = [name for name in clause.names if name in case.services]
    for number in (term for term in clause.words if term.startswith("n:") and len(term) > 3):
        holders = [e for e in case.telemetry if number in term_set(searchable(e))]
        owned = [e for e in holders if any(e.mentions(name) for name in case.services)]
        if (
            services
            and holders
            and len(owned) == len(holders)
            and not any(e.mentions(n) for e in holders for n in services)
        ):
            return True
    return False


def _is_turned(case: ReviewCase) -> bool:
    """True for "from A to B" where every row that holds both has them the other way round."""
    match = _CHANGE.search(case.text)
    if match is None:
        return False
    rows = [order for e in case.telemetry if (order := _row_order(e, match.group("old"), match.group("new")))]
    return bool(rows) and all(order < 0 for order in rows)


def _row_order(evidence: Evidence, old: str, new: str) -> int:
    """1 if the item marks ``old`` as former or ``new`` as later, -1 if the other way round, 0 if it marks neither."""
    if old.casefold() == new.casefold() or not all(_cues(evidence, value) is not None for value in (old, new)):
        return 0
    former, later = _cues(evidence, old) or "", _cues(evidence, new) or ""
    right = bool(_FORMER.search(former) or _LATER.search(later))
    wrong = bool(_LATER.search(former) or _FORMER.search(later))
    return int(right) - int(wrong)


def _cues(evidence: Evidence, value: str) -> str | None:
    """The words right before a value in the item; None if the value is not there."""
    match = re.search(rf"(?<![\w.]){re.escape(value)}(?![\w.])", evidence.item.text, re.IGNORECASE)
    return evidence.item.text[max(0, match.start() - 14) : match.start()] if match else None


def negations_agree(case: ReviewCase) -> Refusal | None:
    """Nothing is denied that an item plainly says, and no word is used where all evidence has its opposite."""
    if any(
        _denies_plain_fact(case, text) for text in (case.text, *(s.text for s in case.statements if s.kind == "NORMAL"))
    ):
        return Refusal.NEGATION
    return Refusal.NEGATION if any(_is_opposite(case, clause) for clause in clauses(case, case.text)) else None


def _denies_plain_fact(case: ReviewCase, text: str) -> bool:
    documented = " ".join(e.item.text for e in case.evidence).casefold()
    for match in _NO.finditer(text):
        denied = term_set(match.group("en") or match.group("zh"))
        if match.group().casefold() in documented or not denied:
            continue
        if any(denied <= term_set(searchable(e)) and _is_plain(e) for e in case.telemetry) and not case.absences:
            return True
    return False


def _is_plain(evidence: Evidence) -> bool:
    """An item without any negative or adverse word: it affirms what it says."""
    return not _NEGATIVE_WORD.search(evidence.item.text) and not term_set(evidence.item.text) & _ADVERSE


def _is_opposite(case: ReviewCase, clause: Clause) -> bool:
    """The telemetry that speaks of the clause's subject has only the opposite of one of its words."""
    for pair in OPPOSITES:
        for said, other in (pair, pair[::-1]):
            if said in clause.words and other not in clause.words and _all_say(case, clause, said, other):
                return True
    return False


def _all_say(case: ReviewCase, clause: Clause, said: Term, other: Term) -> bool:
    speaking = speaking_of(case, clause.words - {said})
    everywhere = frozenset[Term]().union(*(term_set(searchable(e)) for e in case.evidence))
    return bool(speaking) and said not in everywhere and all(other in term_set(searchable(e)) for e in speaking)


def scope_is_kept(case: ReviewCase) -> Refusal | None:
    """No word that widens the statement beyond its evidence, unless the evidence uses the same words."""
    shown = " ".join(searchable(e) for e in case.evidence).casefold()
    wide = any(match.group().casefold() not in shown for match in _WIDE.finditer(case.text))
    return Refusal.TOO_WIDE if wide else None
