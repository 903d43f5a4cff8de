"""What a question names, and what kind of answer it wants. Pure."""

import re
from dataclasses import dataclass

from models.offline.catalogue import Toolbox
from models.offline.lexicon import (
    ALERT_WORDS,
    CAUSE_WORDS,
    NARROW_ALERT,
    NARROW_METRIC,
    NARROW_WORDS,
    TROUBLE_TERMS,
    TROUBLE_ZH,
    ZH_STOP,
)
from models.offline.reading import Case
from models.offline.targets import named_code, unheld_service
from models.offline.terms import Term, is_identifier, term_set, terms

_CODE = re.compile(
    r"\b(?:[A-Z]{2,}[-_ ]?\d{2,}|[45]\d\d|[A-Z][A-Z0-9_]{3,}|\w+(?:Exception|Error)|0x[0-9a-fA-F]{2,})\b"
)
_TIME = re.compile(
    r"\d{1,2}:\d\d|\d{4}-\d\d|\b\d{1,2}\s*(?:am|pm|o'clock)\b|\b(?:last|past)\s+(?:\w+\s+)?(?:hour|minute|"
    r"day|night|week)s?\b|\byesterday\b|\btoday\b|\bsince\b|\bthis (?:morning|afternoon|evening)\b"
    r"|\d+\s*点|昨天|今天|今早|上午|下午|凌晨|昨晚|小时|分钟|最近",
    re.IGNORECASE,
)
_GENERIC_PARTS = frozenset(
    term
    for word in "api svc service server app web job worker db backend frontend core prod gateway v1 v2".split()
    for term in term_set(word)
)
_LITERAL = re.compile(r"[\"'`“「『]([^\"'`”」』]{2,80})[\"'`”」』]")
_ALERT_NAME = re.compile(r"(?<![\w.-])[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+(?![\w.-])")
MAX_SERVICES = 2
CHINESE_MIN = 3


@dataclass(frozen=True)
class Question:
    """One question, understood as far as rules go."""

    text: str
    services: tuple[str, ...]
    """Catalogued services it names, the surest first; empty if none."""
    terms: frozenset[Term]
    """All its terms."""
    content: frozenset[Term]
    """Its terms without words that only say something is wrong."""
    literals: tuple[str, ...]
    """What it quotes."""
    is_vague: bool
    """Names no catalogued entity, no code, no time and no symptom."""
    is_narrow: bool
    """Asks whether or how many, not why."""
    code: str = ""
    """The error, code or identifier it names; empty if none."""
    unheld: str = ""
    """The service it names that no log source holds; empty if none."""
    alert: str = ""
    """The alert it names; empty if none."""
    metric: str = ""
    """The catalogued metric it names; empty if none."""
    is_about_alerts: bool = False
    """It speaks of alerts, and there is somewhere to ask for them."""

    @property
    def sought(self) -> str:
        """The text a search for its answer must contain; empty for any failure."""
        return self.literals[0] if self.literals else self.code


def understand(case: Case, toolbox: Toolbox) -> Question:
    """The question of a case; a follow-up is read together with the question before it."""
    text = f"{case.question} {case.earlier_question}".strip()
    services = named_services(text, toolbox.entities)
    alert = named_alert(case.question, toolbox)
    metric = max((entry.name for entry in toolbox.metrics if mentions(text, entry.name)), key=len, default="")
    about_alerts = bool(toolbox.alerts) and bool(alert or ALERT_WORDS.search(case.question))
    content = term_set(text) - TROUBLE_TERMS
    held = _held(toolbox)
    has_anchor = bool(services or _CODE.search(text) or _TIME.search(text) or case.window or _catalogued(text, toolbox))
    asks_whether = NARROW_WORDS.search(case.question) or (about_alerts and NARROW_ALERT.search(case.question))
    is_asked = asks_whether or (metric and NARROW_METRIC.search(case.question))
    return Question(
        text=text,
        services=services,
        terms=term_set(text),
        content=content,
        literals=tuple(_LITERAL.findall(case.question)),
        is_vague=not has_anchor and not about_alerts and not _symptom(text, content),
        is_narrow=bool(is_asked) and not CAUSE_WORDS.search(case.question),
        code=named_code(case.question, held),
        unheld="" if services or alert or metric or not held else unheld_service(case.question, held),
        alert=alert,
        metric=metric,
        is_about_alerts=about_alerts,
    )


def named_alert(text: str, toolbox: Toolbox) -> str:
    """The catalogued alert the text names, else what it quotes or writes like a name beside a word for alerts."""
    if not toolbox.alerts:
        return ""
    known = max((n for one in toolbox.alerts for n in one.names if mentions(text, n)), key=len, default="")
    if known or not ALERT_WORDS.search(text):
        return known
    quoted = next(iter(_LITERAL.findall(text)), "")
    return quoted or next((match.group() for match in _ALERT_NAME.finditer(text)), "")


def _held(toolbox: Toolbox) -> str:
    """All that is said of what is held; empty where no names of services are known."""
    logs = toolbox.specs.get("query_logs")
    others = (toolbox.specs[name].description for name in ("query_metrics", "list_alerts") if name in toolbox.specs)
    return " ".join((logs.description, *toolbox.services, *others)) if logs is not None and toolbox.services else ""


def named_services(text: str, services: tuple[str, ...]) -> tuple[str, ...]:
    """Services named outright, else those whose distinctive words the text uses; at most two."""
    exact = tuple(name for name in services if mentions(text, name))
    if exact:
        return exact[:MAX_SERVICES]
    said = term_set(text)
    guessed = [(len(own), name) for name in services if (own := _distinctive(name)) and own <= said]
    return tuple(name for _, name in sorted(guessed, key=lambda pair: -pair[0]))[:MAX_SERVICES]


def mentions(text: str, name: str) -> bool:
    """True if the text holds the name as a whole word, whatever its letter case."""
    return re.search(rf"(?<![A-Za-z0-9_-]){re.escape(name)}(?![A-Za-z0-9_-])", text, re.IGNORECASE) is not None


def _distinctive(name: str) -> frozenset[Term]:
    return frozenset(term for term in terms(name) if not term.startswith("i:")) - _GENERIC_PARTS


def _catalogued(text: str, toolbox: Toolbox) -> bool:
    tokens = re.findall(r"[A-Za-z][\w.-]{3,}", text)
    return any(is_identifier(token) and mentions(toolbox.names, token) for token in tokens)


def _symptom(text: str, content: frozenset[Term]) -> bool:
    """A symptom is a concept of operations beyond trouble words, or two further words (three Chinese characters)."""
    words = sum(term.startswith("w:") for term in content)
    return (
        any(term.startswith(("c:", "i:", "n:")) for term in content) or words >= 2 or _chinese_left(text) >= CHINESE_MIN
    )


def _chinese_left(text: str) -> int:
    """Chinese characters left when words of trouble and of grammar are taken away."""
    for word in (*TROUBLE_ZH, *ZH_STOP):
        text = text.replace(word, "")
    return sum("\u3400" <= char <= "\u9fff" for char in text)
