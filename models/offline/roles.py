"""Which words documents use for causes and which for effects. Pure.

A word's role lies between 1 (only causes are told with it) and -1 (only effects); a word no document places has none.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from models.offline.causal import tell
from models.offline.causes import Candidate, trail
from models.offline.lexicon import SYMPTOM_HEADING
from models.offline.reading import SeenItem
from models.offline.sentences import blocks, plain
from models.offline.terms import Term, term_set

SURE = 1.0
"""Weight from which a word's role is fully known; a word told of once in passing keeps a weak one."""
_PHRASE, _TOLD, _TITLE, _SYMPTOM, _ASKED = 1.0, 0.4, 0.6, 0.5, 1.0


@dataclass(frozen=True)
class Roles:
    """Weights of words as cause and as effect."""

    as_cause: dict[Term, float]
    as_effect: dict[Term, float]

    def of(self, term: Term) -> float | None:
        """Role of one word; None if nothing places it."""
        cause, effect = self.as_cause.get(term, 0.0), self.as_effect.get(term, 0.0)
        total = cause + effect
        return (cause - effect) / max(SURE, total) if total else None

    def of_span(self, words: Iterable[Term]) -> float:
        """Mean role of the placed words; 0 if none is placed."""
        placed = [role for term in words if (role := self.of(term)) is not None]
        return sum(placed) / len(placed) if placed else 0.0


def without_names(text: str, names: Sequence[str]) -> str:
    """The text with the given names left out, whatever their letter case."""
    for name in names:
        text = re.sub(rf"(?<![A-Za-z0-9_-]){re.escape(name)}(?![A-Za-z0-9_-])", " ", text, flags=re.IGNORECASE)
    return text


def roles_of(
    question: str, causes: Sequence[Candidate], documents: Sequence[SeenItem], services: Sequence[str]
) -> Roles:
    """Roles from headings that name causes, sentences that tell of them, titles, symptom sections and the question."""
    as_cause: dict[Term, float] = defaultdict(float)
    as_effect: dict[Term, float] = defaultdict(float)
    for cause in causes:
        _add(as_cause, cause.phrase, _PHRASE)
        for chain in tell(plain(cause.body)).chains:
            _add(as_cause, chain.spans[0], _TOLD)
            _add(as_effect, chain.spans[-1], _TOLD)
    for document in documents:
        above = trail(document)
        _add(as_effect, above[0] if above else "", _TITLE)
        for block in blocks(document.text, above[-1] if above else ""):
            if SYMPTOM_HEADING.search(block.heading):
                _add(as_effect, plain(block.body), _SYMPTOM)
    _add(as_effect, without_names(question, services), _ASKED)
    return Roles(as_cause, as_effect)


def _add(weights: dict[Term, float], text: str, weight: float) -> None:
    for term in term_set(text):
        if not term.startswith("n:"):
            weights[term] += weight
