"""What ``lookup_knowledge`` tells the model about the knowledge base. Pure."""

from collections.abc import Sequence

from state.model.redaction import is_clean, redact_text
from tools.knowledge.records import DocumentRecord, DocumentState

MAX_DESCRIPTION_BYTES = 4 * 1024
_MAX_TITLE_CHARS = 120
_PURPOSE = (
    "Search the runbooks and documents of the knowledge base for a symptom, an error text or a component. "
    "Returns up to {return_n} passages, verbatim, best first. A passage says what is generally true; it never proves "
    "that something happened here. Ask once per topic, in the words of the problem; category is optional and "
    "narrows the search to one of the categories below."
)


def describe(kb: str, records: Sequence[DocumentRecord], *, return_n: int) -> str:
    """Purpose, then titles by category, at most 4 KiB; what does not fit is counted."""
    ready = sorted(_ready(records), key=lambda record: (record.category, record.title))
    head = f"{_PURPOSE.format(return_n=return_n)}\nKnowledge base {kb}: {len(ready)} documents."
    lines: list[str] = []
    for index, record in enumerate(ready):
        line = f"- [{redact_text(record.category) or 'none'}] {redact_text(record.title)[:_MAX_TITLE_CHARS]}"
        rest = f"- and {len(ready) - index} more"
        if _size([head, *lines, line, rest]) > MAX_DESCRIPTION_BYTES:
            return "\n".join([head, *lines, rest])
        lines.append(line)
    return "\n".join([head, *lines])


def terms(kb: str, records: Sequence[DocumentRecord]) -> tuple[str, ...]:
    """Names the catalogue vouches for: the knowledge base, its categories and titles; none that held a secret."""
    ready = list(_ready(records))
    categories = sorted({record.category for record in ready if record.category})
    named = (kb, *categories, *sorted({record.title for record in ready}))
    return tuple(name for name in named if is_clean(name))


def _ready(records: Sequence[DocumentRecord]) -> Sequence[DocumentRecord]:
    return [record for record in records if record.state is DocumentState.READY]


def _size(lines: Sequence[str]) -> int:
    return len("\n".join(lines).encode())
