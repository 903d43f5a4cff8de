"""The review input, parsed: what the draft says, and what each cited item proves. Pure."""

import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from models.offline.loose import Scalar, as_object, as_text, objects, scalars
from models.offline.moments import field_instant, parse_instant
from models.offline.reading import SeenItem
from models.offline.terms import Rarity, Term, term_set

OWNER_KEYS = frozenset(
    "service service_name app application application_name component svc job program unit host hostname node "
    "container client consumer_group group target pod instance".split()
)
"""Field names that say whom an item is about."""
_SAMPLE_KEYS = frozenset("taken_at sampled_at measured_at collected_at minute bucket_start observed_at".split())
_PLACE_KEYS = frozenset("queue topic namespace bucket table tenant pool region partition volume shard route".split())
_ONSET_KEYS = ("ts", "first_ts", "timestamp", "time")
_PAIR = re.compile(r"([A-Za-z_][\w.]*)=([^\s,;()]+)")
_NAME = re.compile(r"^[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)*$|^[\u3400-\u9fff]{2,12}$")
_NOT_SAID = frozenset({"ref", "based_on", "status", "kind", "requires_human_confirmation"})
_HYPHENED = re.compile(r"(?<![\w/.-])[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+(?![\w/-])")


_COMPONENT = re.compile(
    r"(?<![\w/.-])[a-z][a-z0-9]*(?:-[a-z0-9]+)*-(?:service|api|web|db|worker|job|gateway|gw|bff|server|cache|proxy|"
    r"agent|store|relay|engine|front|ui)(?![\w/-])"
)
"""Shape of a component's name."""


@dataclass(frozen=True)
class Statement:
    """One analysis of the draft."""

    kind: str
    text: str
    evidence: tuple[str, ...]
    """References of what it quotes."""


@dataclass(frozen=True)
class Proof:
    """One cited item, or one search that found nothing."""

    ref: str
    item: SeenItem
    is_row: bool
    is_found: bool

    @cached_property
    def text(self) -> str:
        """Its text and its fields' texts, for comparing words."""
        return " ".join((self.item.text, *(str(v) for v in self.item.fields.values() if isinstance(v, str))))

    @cached_property
    def terms(self) -> frozenset[Term]:
        """Terms of text, fields and names of fields."""
        return term_set(" ".join((self.text, *(name.replace("_", " ") for name in self.item.fields))))

    @cached_property
    def pairs(self) -> dict[str, str]:
        """Values by name: fields, and ``name=value`` in the text."""
        shown = {name.lower(): value for name, value in _PAIR.findall(self.item.text)}
        return shown | {name.lower(): _written(value) for name, value in self.item.fields.items()}

    @cached_property
    def owners(self) -> frozenset[str]:
        """Names, in lower case, in the fields that say whom it is about."""
        fields = self.item.fields.items()
        named = (v.lower() for k, v in fields if k.lower() in OWNER_KEYS and isinstance(v, str) and _NAME.match(v))
        return frozenset(named)

    @cached_property
    def labels(self) -> frozenset[str]:
        """Names in its fields that tell it from rows of the same kind, in lower case."""
        fields = self.item.fields.items()
        named = ((k.lower(), v.lower()) for k, v in fields if isinstance(v, str) and _NAME.match(v))
        return frozenset(v for k, v in named if k in OWNER_KEYS | _PLACE_KEYS or not v.isalpha())

    @cached_property
    def onset(self) -> datetime | None:
        """When what it tells of began; None for a sample (it tells a state) and for an undated item."""
        names = {name.lower(): value for name, value in self.item.fields.items()}
        if _SAMPLE_KEYS & names.keys():
            return None
        return field_instant(names, *_ONSET_KEYS) or _first_stamp(names) or parse_instant(self.item.text)

    def mentions(self, name: str) -> bool:
        """True if text or a field names it; ``-`` and ``_`` are the same."""
        return re.search(rf"(?<![a-z0-9]){re.escape(_plain(name))}(?![a-z0-9])", self._low) is not None

    @cached_property
    def _low(self) -> str:
        return _plain(self.text)


@dataclass(frozen=True)
class Case:
    """Everything the reviewer sees."""

    question: str
    kind: str
    text: str
    """Of the conclusion; empty if there is none."""
    statements: tuple[Statement, ...]
    proofs: tuple[Proof, ...]
    hypotheses: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    """Steps of the plan, then recommendations."""
    limitations: tuple[str, ...] = ()
    """Every text of the limitations."""
    searched: str = ""
    """Sources and filters of the searches."""

    @cached_property
    def telemetry(self) -> tuple[Proof, ...]:
        """What happened, as far as something was found."""
        return tuple(p for p in self.proofs if p.is_found and not p.item.is_knowledge)

    @cached_property
    def knowledge(self) -> tuple[Proof, ...]:
        """What documents say."""
        return tuple(p for p in self.proofs if p.is_found and p.item.is_knowledge)

    @cached_property
    def absences(self) -> tuple[Proof, ...]:
        """Searches that found nothing."""
        return tuple(p for p in self.proofs if not p.is_found)

    @cached_property
    def rarity(self) -> Rarity:
        """Of terms among all that was found."""
        return Rarity([p.text for p in self.telemetry + self.knowledge])

    @cached_property
    def spread(self) -> Counter[Term]:
        """In how many telemetry items each term is."""
        return Counter(term for p in self.telemetry for term in p.terms)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Services, hosts and other components the telemetry names, in lower case, longest first."""
        owners = {name for p in self.telemetry for name in p.owners}
        hyphened = {name.lower() for p in self.telemetry for name in _HYPHENED.findall(p.item.text)}
        return tuple(sorted(owners | hyphened, key=lambda name: (-len(name), name)))

    def is_component(self, name: str) -> bool:
        """True for a name that some item is about, or that is formed like a component's."""
        return any(name in p.owners for p in self.telemetry) or _COMPONENT.fullmatch(name) is not None

    def named_in(self, text: str) -> tuple[str, ...]:
        """Components that a text names: those of the telemetry in order of ``names``, then what is named like one."""
        low = text.lower()
        known = tuple(name for name in self.names if _stands(name, low))
        strange = (name for name in _COMPONENT.findall(low) if name not in known)
        return (*known, *dict.fromkeys(strange))


def read_case(request: dict[str, object]) -> Case:
    """The review input; what is missing is empty."""
    draft = as_object(request.get("draft"))
    conclusion = as_object(draft.get("conclusion"))
    return Case(
        question=as_text(request.get("question")),
        kind=as_text(conclusion.get("kind")),
        text=as_text(conclusion.get("text")).strip(),
        statements=tuple(_statement(entry) for entry in objects(draft.get("analysis"))),
        proofs=tuple(_proof(entry) for entry in objects(request.get("evidence"))),
        hypotheses=_said(draft.get("hypotheses")),
        actions=(*_said(draft.get("actions")), *_said(draft.get("recommendations"))),
        limitations=_said(draft.get("limitations")),
        searched=" ".join(
            as_text(entry.get(key)) for entry in objects(request.get("evidence")) for key in ("tool", "source")
        ),
    )


def _said(value: object) -> tuple[str, ...]:
    """Every text in a value, whatever its shape; references and states of a hypothesis left out."""
    if isinstance(value, str):
        return (value,) if value.strip() else ()
    if isinstance(value, dict):
        return tuple(text for key, one in value.items() if key not in _NOT_SAID for text in _said(one))
    return tuple(text for one in value for text in _said(one)) if isinstance(value, (list, tuple)) else ()


def _statement(entry: dict[str, object]) -> Statement:
    refs = tuple(as_text(quote.get("evidence")) for quote in objects(entry.get("quotes")))
    return Statement(as_text(entry.get("kind")), as_text(entry.get("text")), refs)


def _proof(entry: dict[str, object]) -> Proof:
    ref = as_text(entry.get("ref"))
    item = SeenItem(
        call_id=ref,
        item_id=ref,
        is_knowledge=entry.get("kind") == "KNOWLEDGE",
        text=as_text(entry.get("text")),
        fields=scalars(entry.get("fields")),
    )
    return Proof(ref, item, entry.get("tool") == "query_sql", entry.get("evidence_status") != "NO_EVIDENCE")


def _written(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _first_stamp(fields: dict[str, Scalar]) -> datetime | None:
    found = (parse_instant(value) for value in fields.values() if isinstance(value, str))
    return next((instant for instant in found if instant is not None), None)


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")


def _stands(name: str, low: str) -> bool:
    return re.search(rf"(?<![a-z0-9_-]){re.escape(name)}(?![a-z0-9_]|-[a-z0-9])", low) is not None
