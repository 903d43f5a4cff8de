"""The review input, parsed: the draft's words, the evidence as events, and what documents name as causes. Pure."""

import re
from dataclasses import dataclass
from functools import cached_property

from models.offline.causal import Told, tell
from models.offline.causes import Candidate, candidates
from models.offline.loose import as_object, as_text, objects, scalars
from models.offline.question import mentions
from models.offline.ranking import Match, rank
from models.offline.reading import SeenItem
from models.offline.roles import Roles, roles_of
from models.offline.telemetry import SERVICE_NAMES, Event, event_of
from models.offline.terms import Rarity
from models.offline.weighing import Scene

_NAME = re.compile(r"^[A-Za-z\u3400-\u9fff][\w.\-\u3400-\u9fff]{1,62}$")


@dataclass(frozen=True)
class Statement:
    """One analysis of the draft."""

    ref: str
    kind: str
    text: str
    evidence: tuple[str, ...]
    """References of what it quotes."""


@dataclass(frozen=True)
class Evidence:
    """One cited item."""

    ref: str
    item: SeenItem
    is_sql: bool
    status: str

    @cached_property
    def event(self) -> Event:
        """The item as an event."""
        found = event_of(self.item)
        return found if not self.is_sql or found.is_row else _as_row(found)

    def mentions(self, name: str) -> bool:
        """True if text or a field names it."""
        return mentions(self.item.text, name) or any(mentions(str(value), name) for value in self.item.fields.values())


@dataclass(frozen=True)
class ReviewCase:
    """Everything the reviewer sees."""

    question: str
    kind: str
    text: str
    """Of the conclusion; empty if there is none."""
    statements: tuple[Statement, ...]
    evidence: tuple[Evidence, ...]

    @cached_property
    def telemetry(self) -> tuple[Evidence, ...]:
        """What happened, as far as something was found."""
        return tuple(e for e in self.evidence if not e.item.is_knowledge and e.status != "NO_EVIDENCE")

    @cached_property
    def absences(self) -> tuple[Evidence, ...]:
        """Searches that found nothing."""
        return tuple(e for e in self.evidence if e.status == "NO_EVIDENCE")

    @cached_property
    def knowledge(self) -> tuple[Evidence, ...]:
        """What documents say."""
        return tuple(e for e in self.evidence if e.item.is_knowledge)

    @cached_property
    def told(self) -> Told:
        """What the conclusion says about causes."""
        return tell(self.text)

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """Causes the documents name."""
        return candidates(e.item for e in self.knowledge)

    @cached_property
    def matches(self) -> tuple[Match, ...]:
        """The same causes, weighed against the cited telemetry."""
        return rank(self.candidates, Scene(tuple(e.event for e in self.telemetry)))

    @cached_property
    def rarity(self) -> Rarity:
        """Of terms among the cited telemetry."""
        return Rarity([searchable(e) for e in self.telemetry])

    @cached_property
    def services(self) -> tuple[str, ...]:
        """Names that stand in service-like fields of the telemetry."""
        named = (
            str(v)
            for e in self.evidence
            for k, v in e.item.fields.items()
            if k.lower() in SERVICE_NAMES and isinstance(v, str)
        )
        return tuple(dict.fromkeys(name for name in named if _NAME.match(name)))

    @cached_property
    def roles(self) -> Roles:
        """Which words the documents give to causes, and which to effects."""
        return roles_of(self.question, self.candidates, [e.item for e in self.knowledge], self.services)


def read_review(request: dict[str, object]) -> ReviewCase:
    """The review input; what is missing is empty."""
    draft = as_object(request.get("draft"))
    conclusion = as_object(draft.get("conclusion"))
    return ReviewCase(
        question=as_text(request.get("question")),
        kind=as_text(conclusion.get("kind")),
        text=as_text(conclusion.get("text")).strip(),
        statements=tuple(_statement(entry) for entry in objects(draft.get("analysis"))),
        evidence=tuple(_evidence(entry) for entry in objects(request.get("evidence"))),
    )


def searchable(evidence: Evidence) -> str:
    """Text and field values of an item, for comparing words."""
    return " ".join(
        (evidence.item.text, *(str(value) for value in evidence.item.fields.values() if isinstance(value, str)))
    )


def _statement(entry: dict[str, object]) -> Statement:
    refs = tuple(as_text(quote.get("evidence")) for quote in objects(entry.get("quotes")))
    return Statement(as_text(entry.get("ref")), as_text(entry.get("kind")), as_text(entry.get("text")), refs)


def _evidence(entry: dict[str, object]) -> Evidence:
    ref = as_text(entry.get("ref"))
    item = SeenItem(
        call_id=ref,
        item_id=ref,
        is_knowledge=entry.get("kind") == "KNOWLEDGE",
        text=as_text(entry.get("text")),
        fields=scalars(entry.get("fields")),
    )
    return Evidence(ref, item, as_text(entry.get("tool")) == "query_sql", as_text(entry.get("evidence_status")))


def _as_row(event: Event) -> Event:
    return Event(
        event.item, event.service, "", event.first, event.last, event.count, event.count_before, "row", is_pattern=False
    )
