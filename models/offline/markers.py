"""Literal telltales: code-like strings a document gives in backticks, and where they occur. Pure."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from models.offline.terms import is_identifier, terms
from models.offline.trends import told_trend

_TICKED = re.compile(r"`([^`]{3,200})`|[“\"]([^”\"\n]{12,160})[”\"]")
_HOLE = re.compile(
    r"<[^<>]{1,40}>|\{[^{}]{0,40}\}|\$\w+|\.{3,}|…|\*+|%[sd]|(?<![A-Za-z0-9])[NXnx]{1,4}(?![A-Za-z0-9])|"
    r"(?<==)[A-Z]{1,3}\b"
)
_COUNTED = re.compile(r"\d{4,}(?:\.\d+)?|\d+(?:\.\d+)?(?=\s?(?:ms|s|sec|seconds|MB|MiB|GB|KB|kB|bytes)\b)")
_COMMAND = re.compile(
    r"^(?:kubectl|oc|select|show|explain|docker|systemctl|journalctl|curl|grep|df|du|ps|top|psql|mysql|"
    r"redis-cli|helm|git|sudo|openssl|dig|nslookup|kafka-[\w-]+|query_\w+|lookup_\w+)\b",
    re.IGNORECASE,
)
_PUNCTUATED = re.compile(r"::|[()<>%@#|+\\]|[A-Za-z]/[A-Za-z]|^/")
_LEVELISH = re.compile(r"^(?:trace|debug|info|warn|warning|error|fatal|critical|true|false|null|none)$", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:no|not|without|never|neither|nor|absence of|missing)\s+(?:\w+\s+){0,2}(?:`[^`]*`\s+(?:or|nor|"
    r"and)\s+)?$|(?:没有|无|并无|未出现|未见|不含|缺少)[^。，,；]{0,4}$",
    re.IGNORECASE,
)
_HOLE_PATTERN = r".{0,80}?"
_METRIC_LIKE = re.compile(r"[A-Za-z]\w*[_:]\w+")
_NUMBER_PATTERN = r"(?:\d+(?:\.\d+)?|<[^<>]{1,20}>|\*+|#+)"
FULL_WEIGHT = 1.0


@dataclass(frozen=True)
class Marker:
    """A literal string that a document says to look for."""

    text: str
    weight: float
    """0.2 for one plain word, up to 1 for a phrase that nothing else says."""
    trend: str = ""
    """Which way the document says a metric of this name goes; empty if it does not say."""

    def found_in(self, text: str) -> str:
        """The verbatim stretch of ``text`` that carries the marker; empty if none does."""
        match = _pattern(self.text).search(text)
        return match.group() if match else ""

    @property
    def probe(self) -> str:
        """The longest literal stretch, for a search by substring."""
        parts = (part.strip(" .,:;=") for part in _HOLE.split(_COUNTED.sub("<n>", self.text)))
        return max(parts, key=len, default="")


def markers_in(text: str) -> tuple[Marker, ...]:
    """Markers in reading order, each once; commands, level names and what the text denies are none."""
    folded = unicodedata.normalize("NFKC", text)
    found = (
        match
        for match in _TICKED.finditer(folded)
        if not _DENIED.search(folded[max(0, match.start() - 24) : match.start()])
    )
    kept: dict[str, Marker] = {}
    for match in found:
        raw = " ".join((match.group(1) or match.group(2)).split())
        known = kept.get(raw)
        if _weight(raw) > 0 and (known is None or not known.trend):
            kept[raw] = Marker(raw, _weight(raw), _trend(folded, match, raw))
    return tuple(kept.values())


def _trend(text: str, match: re.Match[str], raw: str) -> str:
    """Only what can be the name of a metric goes up or down."""
    return told_trend(text, *match.span()) if _METRIC_LIKE.search(raw) else ""


@lru_cache(maxsize=4096)
def _weight(raw: str) -> float:
    """How much a marker says by its own form."""
    literal = _HOLE.sub(" ", raw).strip(" .,:;=")
    words = terms(literal)
    if len(literal) < 3 or _COMMAND.match(literal) or _LEVELISH.match(literal) or not words:
        return 0.0
    tokens = literal.split()
    if len(tokens) == 1:
        return _token_weight(literal, raw)
    if len(tokens) >= 3 or (len(tokens) == 2 and len(literal) >= 12) or len(words) >= 4:
        return FULL_WEIGHT
    return 0.8


def _token_weight(literal: str, raw: str) -> float:
    if literal.isdigit():
        return 0.2
    if "=" in literal:
        return 0.8
    if _PUNCTUATED.search(raw):
        return 0.5
    if literal.isupper() or re.search(r"[a-z][A-Z]|[A-Z]{3}|\d", literal):
        return 0.5
    return 0.4 if is_identifier(literal) or len(terms(literal)) > 1 else 0.2


@lru_cache(maxsize=4096)
def _pattern(marker: str) -> re.Pattern[str]:
    holes = _HOLE.split(marker.strip())
    body = _HOLE_PATTERN.join(_literal(part) for part in holes)
    left = r"(?<![A-Za-z0-9])" if marker[:1].isalnum() and marker[:1].isascii() else ""
    right = r"(?![A-Za-z0-9])" if marker[-1:].isalnum() and marker[-1:].isascii() else ""
    return re.compile(left + body + right, re.IGNORECASE)


def _literal(part: str) -> str:
    """Blanks match any blanks; a count of four digits or with a unit matches any count, others only themselves."""
    pieces = _COUNTED.split(part)
    literal = [re.sub(r"(?:\\?\s)+", r"\\s+", re.escape(piece)) for piece in pieces]
    joined = _NUMBER_PATTERN.join(literal)
    return re.sub(r"(?<!\d)(\d+)$", r"\1(?!\\.?\\d)", joined) if joined[-1:].isdigit() else joined
