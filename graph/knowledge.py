"""The knowledge base of a process: which one it is, with which embedding model, and the tool over it."""

from contextlib import ExitStack

from config.settings import Settings
from models.embedding import Embedder, Thresholds, thresholds_for
from models.embedding_endpoint import EndpointEmbedder
from models.embedding_packaged import PackagedEmbedder
from state.model.errors import Misconfigured
from state.model.ids import digest8
from state.model.world import SourceKind, World
from state.ports import Clock
from tools.knowledge.chunking import ChunkSettings
from tools.knowledge.ingest import IngestSummary, ingest_folder
from tools.knowledge.library import KnowledgeBase, LibrarySettings
from tools.knowledge.lookup_knowledge import LookupKnowledge
from tools.knowledge.selection import SearchPolicy
from worlds import library_path

KB_SCOPE = "local"
"""Corpus of the command line; a caller's key decides it when served."""
BUNDLED_KB = "library"


def open_knowledge(
    settings: Settings, world: World, clock: Clock, opened: ExitStack
) -> tuple[KnowledgeBase, IngestSummary]:
    """The knowledge base of the world, or the bundled library, brought up to date. Blocking.

    Raises:
        Misconfigured: the index or the embedding model cannot be used.
    """
    folders = world.of_kind(SourceKind.KNOWLEDGE)
    folder = folders[0].path if folders else library_path()
    kb = f"{world.name}-{digest8(str(world.path))}" if folders else BUNDLED_KB
    embedder = build_embedder(settings)
    thresholds = thresholds_for(embedder.name, _configured_thresholds(settings))
    kept = LibrarySettings(
        home=settings.home / "knowledge" / kb,
        kb=folders[0].name if folders else BUNDLED_KB,
        precise_min=thresholds.precise_min,
        reference_min=thresholds.reference_min,
        chunks=ChunkSettings(chunk_chars=settings.chunk_chars, overlap_chars=settings.chunk_overlap_chars),
    )
    base = KnowledgeBase(kept, embedder, clock)
    opened.callback(base.close)
    return base, ingest_folder(base, folder, kb_scope=KB_SCOPE)


def build_lookup(settings: Settings, base: KnowledgeBase) -> LookupKnowledge:
    """The tool over the knowledge base, as the settings want it. Blocking."""
    policy = SearchPolicy(
        precise_min=base.spec.precise_min,
        reference_min=base.spec.reference_min,
        retrieve_k=settings.retrieve_k,
        return_n=settings.return_n,
        hybrid=settings.search_mode == "hybrid",
    )
    return LookupKnowledge(base, policy, kb_scope=KB_SCOPE)


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
