"""A managed library in an engine, and what its tests need around it."""

from datetime import UTC, datetime, timedelta

from tests.tools.knowledge.sample_docs import SteppingClock
from tools.knowledge.document_library import DocumentLibrary
from tools.knowledge.index_port import IndexQuery
from tools.knowledge.library import KnowledgeBase

SCOPE = "team-a"


class Ids:
    """Counted identities."""

    def __init__(self) -> None:
        self.count = 0

    def uuid(self) -> str:
        self.count += 1
        return f"task-{self.count}"


class MovedClock(SteppingClock):
    """A clock that a test sets forward."""

    def __init__(self) -> None:
        super().__init__()
        self.moved_s = 0.0

    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self.moved_s)


def add(library: DocumentLibrary, text: str | bytes, name: str = "a.md", **options):  # type: ignore[no-untyped-def]
    content = text.encode() if isinstance(text, str) else text
    return library.add(content, kb_scope=options.pop("scope", SCOPE), name=name, **options)


def found(base: KnowledgeBase, words: str, *, scope: str = SCOPE) -> list[str]:
    """Contents of every hit, alphabetically."""
    query = IndexQuery(base.query_vector(words), base.segmenter.search_text(words), scope, None, 50)
    ranked = base.index.ranked(query)
    return sorted({hit.content for hit in (*ranked.nearest, *ranked.matching)})


def state(library: DocumentLibrary, name: str = "a.md") -> tuple[str, str]:
    """State and problem of a document."""
    record = next(record for record in library.documents(SCOPE) if record.path == name)
    return record.state.value, record.problem
