"""The knowledge base for people: add, list, delete and rebuild documents, and search with reasons. All blocking."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from config.settings import Settings
from graph.knowledge import KB_SCOPE, build_policy, build_stages, open_documents
from graph.runbooks import Runbooks
from graph.system import SystemClock
from tools.knowledge.explain import ExplainedHit as ExplainedHit
from tools.knowledge.explain import Explanation as Explanation
from tools.knowledge.explain import explain
from tools.knowledge.indexing import fold
from tools.knowledge.ingest_paths import PathsSummary as PathsSummary
from tools.knowledge.ingest_paths import Progress as Progress
from tools.knowledge.ingest_paths import ingest_paths
from tools.knowledge.rebuilding import RebuildSummary as RebuildSummary
from tools.knowledge.records import DocumentRecord as DocumentRecord
from tools.world import read_world


def ingest(
    settings: Settings, paths: Sequence[Path], *, category: str, progress: Callable[[Progress], None]
) -> PathsSummary:
    """What the files, and the documents of the folders, became.

    Raises:
        Misconfigured: a path does not exist, or index or embedding model cannot be used.
        RebuildInProgress: try again when it is done.
    """
    with open_documents(settings) as library:
        return ingest_paths(library, paths, kb_scope=KB_SCOPE, category=category, progress=progress)


def list_documents(settings: Settings) -> tuple[DocumentRecord, ...]:
    """The documents people added, by name.

    Raises:
        Misconfigured: index or embedding model cannot be used.
    """
    with open_documents(settings) as library:
        return library.documents(KB_SCOPE)


def delete_document(settings: Settings, doc_id: str) -> bool:
    """True if the document is gone; False if there was none.

    Raises:
        Misconfigured: index or embedding model cannot be used, or another process holds the index.
        RebuildInProgress: try again when it is done.
    """
    with open_documents(settings) as library:
        return library.delete(doc_id, kb_scope=KB_SCOPE)


def rebuild_documents(settings: Settings) -> RebuildSummary:
    """What the rebuild did.

    Raises:
        Misconfigured: index or embedding model cannot be used, or another process holds the index.
        RebuildInProgress: one is under way.
        ModelFailed: the embedding model did not answer; nothing has changed.
        IndexUnavailable: the index did not answer; nothing has changed.
    """
    with open_documents(settings) as library:
        return library.rebuild()


def search_explained(settings: Settings, world: Path | None, question: str, *, category: str | None) -> Explanation:
    """The search that a diagnosis over this folder would make, with its reasons; None: the documents people added.

    Raises:
        Misconfigured: the folder, the index or the embedding model cannot be used.
        IndexUnavailable: the index did not answer.
        ModelFailed: the embedding model did not answer.
    """
    with ExitStack() as opened:
        place = read_world(world) if world else None
        edition = Runbooks(settings, place, SystemClock(), opened).now()
        assert edition is not None, "where there is nothing else the bundled runbooks are searched"
        base = edition.base
        folded = fold(category) if category else None
        policy, stages = build_policy(settings, base), build_stages(settings)
        return explain(base, policy, question, kb_scope=KB_SCOPE, category=folded, stages=stages)
