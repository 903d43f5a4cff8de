"""A knowledge base of a process: where it lives, with which embedding model, and the tool over it."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from config.settings import Settings
from graph.system import SystemClock, SystemIds
from models.embedding import Embedder, Thresholds, thresholds_for
from models.embedding_endpoint import EndpointEmbedder
from models.embedding_packaged import PackagedEmbedder
from models.rerank_endpoint import EndpointReranker
from state.model.errors import Misconfigured
from state.ports import Clock
from tools.knowledge.chunking import ChunkSettings
from tools.knowledge.document_library import DocumentLibrary
from tools.knowledge.library import KnowledgeBase, LibrarySettings
from tools.knowledge.lookup_knowledge import LookupKnowledge
from tools.knowledge.selection import SearchPolicy
from tools.knowledge.stages import NO_STAGES, Stages

KB_SCOPE = "local"
"""Corpus of the command line; a caller's key decides it when served."""
RERANK_S = 3.0
"""Seconds for reordering; after them the order is that of the search."""
BUNDLED_KB, DOCUMENTS_KB = "library", "documents"


def has_documents(settings: Settings) -> bool:
    """True if people ever added documents here. Opens nothing."""
    return (_home(settings, DOCUMENTS_KB) / "records.db").is_file()


def open_base(
    settings: Settings, name: str, clock: Clock, opened: ExitStack, *, place: str | None = None
) -> KnowledgeBase:
    """The knowledge base of that name, under ``place`` (its name) of the home folder. Blocking.

    Only the documents people added are kept on a configured Milvus server; what is read from a folder is embedded.

    Raises:
        Misconfigured: the index or the embedding model cannot be used.
    """
    embedder = build_embedder(settings)
    thresholds = thresholds_for(embedder.name, _configured_thresholds(settings))
    token = settings.milvus_token.get_secret_value() if settings.milvus_token else ""
    kept = LibrarySettings(
        home=_home(settings, place or name),
        kb=name,
        precise_min=thresholds.precise_min,
        reference_min=thresholds.reference_min,
        chunks=ChunkSettings(chunk_chars=settings.chunk_chars, overlap_chars=settings.chunk_overlap_chars),
        uri=settings.milvus_uri if name == DOCUMENTS_KB else None,
        token=token,
        search_mode=settings.search_mode,
    )
    base = KnowledgeBase(kept, embedder, clock)
    opened.callback(base.close)
    return base


@contextmanager
def open_documents(settings: Settings) -> Iterator[DocumentLibrary]:
    """The documents people add and delete, their index open for searching. Blocking.

    Raises:
        Misconfigured: the index or the embedding model cannot be used.
    """
    with ExitStack() as opened:
        library = DocumentLibrary(open_base(settings, DOCUMENTS_KB, SystemClock(), opened), SystemIds())
        opened.callback(library.close)
        yield library


def build_policy(settings: Settings, base: KnowledgeBase) -> SearchPolicy:
    """How the settings want a search to select."""
    return SearchPolicy(
        precise_min=base.spec.precise_min,
        reference_min=base.spec.reference_min,
        retrieve_k=settings.retrieve_k,
        return_n=settings.return_n,
        hybrid=settings.search_mode == "hybrid",
        neighbours=settings.neighbours,
    )


def build_lookup(settings: Settings, base: KnowledgeBase) -> LookupKnowledge:
    """The tool over the knowledge base, as the settings want it. Blocking."""
    return LookupKnowledge(base, build_policy(settings, base), kb_scope=KB_SCOPE, stages=build_stages(settings))


def build_stages(settings: Settings) -> Stages:
    """The optional stages of a search; none by default.

    Raises:
        Misconfigured: the reranker is unknown, or has no endpoint.
    """
    if settings.reranker is None:
        return NO_STAGES
    provider, _, name = settings.reranker.partition(":")
    if provider != "endpoint" or not name:
        raise Misconfigured("ROOTPROOF_RERANKER", f"no reranker {settings.reranker!r}: use endpoint:NAME")
    if settings.reranker_base_url is None:
        raise Misconfigured("ROOTPROOF_RERANKER_BASE_URL", "a reranker needs the address of its endpoint")
    key = settings.reranker_api_key.get_secret_value() if settings.reranker_api_key else ""
    return Stages(reranker=EndpointReranker(settings.reranker_base_url, name, api_key=key, timeout_s=RERANK_S))


def _home(settings: Settings, place: str) -> Path:
    return settings.home / "knowledge" / place


def build_embedder(settings: Settings) -> Embedder:
    """The embedding model of the settings. Blocking.

    Raises:
        Misconfigured: it is unknown, or has no endpoint.
    """
    if settings.embedder == "packaged":
        return PackagedEmbedder()
    provider, _, name = settings.embedder.partition(":")
    if provider != "openai" or not name:
        raise Misconfigured("ROOTPROOF_EMBEDDER", f"no embedder {settings.embedder!r}: use packaged or openai:NAME")
    url = settings.embedder_base_url or settings.model_base_url
    if url is None:
        raise Misconfigured("ROOTPROOF_EMBEDDER_BASE_URL", "an openai embedder needs the address of its endpoint")
    key = settings.embedder_api_key or settings.model_api_key
    secret = key.get_secret_value() if key else ""
    return EndpointEmbedder(url, name, api_key=secret, timeout_s=settings.embedder_timeout_s)


def _configured_thresholds(settings: Settings) -> Thresholds | None:
    """The thresholds of the settings, if both are set.

    Raises:
        Misconfigured: only one is.
    """
    given = (settings.embedder_precise_min, settings.embedder_reference_min)
    if given == (None, None):
        return None
    if given[0] is None or given[1] is None:
        raise Misconfigured("ROOTPROOF_EMBEDDER_PRECISE_MIN", "set it together with ROOTPROOF_EMBEDDER_REFERENCE_MIN")
    return Thresholds(precise_min=given[0], reference_min=given[1])
