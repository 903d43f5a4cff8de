"""An open knowledge base: its index, its records and its vector cache, under one home folder.

Milvus Lite admits one opener a file. Whoever finds the file taken gets a private index in a temporary folder,
filled from the shared vector cache, and says so.
"""

import shutil
import tempfile
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Self

from state.model.base import Value
from state.model.errors import Misconfigured
from state.model.language import Bilingual
from state.ports import Clock
from state.private_folder import make_private_folder
from tools.knowledge.chunking import ChunkSettings
from tools.knowledge.index_port import IndexSpec, IndexUnavailable
from tools.knowledge.milvus_index import MilvusIndex
from tools.knowledge.milvus_process import IndexFileTaken, MilvusLite
from tools.knowledge.records import Records
from tools.knowledge.segmentation import Segmenter
from tools.knowledge.vectors import EmbeddingModel, VectorCache, Vectors

PRIVATE_INDEX = Bilingual(
    en="The knowledge index is in use by another process; a private copy was built for this run.",
    zh="知识库索引正被另一个进程使用；本次运行使用临时构建的私有副本。",
)
_QUERIES_KEPT = 256
_START_S = 10.0


class LibrarySettings(Value):
    """Where a knowledge base lives, what it is called and how it is made."""

    home: Path
    """Folder of the embedded files; made if absent, readable by its owner only."""
    kb: str
    """Name of the knowledge base: the ``source`` of every result."""
    precise_min: float
    """Of the embedding model; stored with the collection."""
    reference_min: float
    chunks: ChunkSettings = ChunkSettings()
    uri: str | None = None
    """Address of a Milvus server; None: the embedded engine on a file under ``home``."""
    token: str = ""
    timeout_s: float = 5.0
    """For one search; writing calls get four times as long."""


@dataclass(frozen=True)
class _Opened:
    index: MilvusIndex
    records: Records
    is_private: bool


class KnowledgeBase:
    """Everything open for one knowledge base. Thread-safe; every method blocks."""

    def __init__(
        self, settings: LibrarySettings, embedder: EmbeddingModel, clock: Clock, *, segmenter: Segmenter | None = None
    ) -> None:
        """Opens the index, making what is absent; one that does not match its records is emptied for ingest to refill.

        ``segmenter``: shared by several knowledge bases of a process; else one of its own, cached under home.
        Effects: files under ``settings.home``; without ``settings.uri`` one child process until ``close``.

        Raises:
            Misconfigured: the index cannot be opened or does not answer.
        """
        self.name = settings.kb
        self.embedder = embedder
        self.chunk_settings = settings.chunks
        self.clock = clock
        self.spec = IndexSpec(
            kb=settings.kb,
            model=embedder.name,
            dimension=embedder.dimension,
            precise_min=settings.precise_min,
            reference_min=settings.reference_min,
        )
        with ExitStack() as opened:
            make_private_folder(settings.home)
            self.segmenter = segmenter or Segmenter(settings.home)
            self.vectors = VectorCache(settings.home / "vectors.db")
            opened.callback(self.vectors.close)
            inner = _open(settings, self.spec, opened)
            self._close = opened.pop_all()
        self.index, self.records, self.is_private = inner.index, inner.records, inner.is_private
        self.forget_texts(self.records.drop(self.spec.unsafe_collections))
        self._query_vector = lru_cache(maxsize=_QUERIES_KEPT)(self._embed_query)

    @property
    def notices(self) -> tuple[Bilingual, ...]:
        """What reports resting on this knowledge base must say."""
        return (PRIVATE_INDEX,) if self.is_private else ()

    def query_vector(self, query: str) -> Vectors:
        """Unit vector of a question; the last 256 are remembered.

        Raises:
            ModelFailed: the embedding model cannot be reached.
        """
        return self._query_vector(query)

    def forget_texts(self, text_sha256s: Iterable[str]) -> None:
        """Delete vectors of texts no document has any more. A private index leaves the shared cache alone."""
        if not self.is_private:
            self.vectors.forget(text_sha256s)

    def warm(self, question: str = "warm-up") -> None:
        """Load what the first search would load: the model (about 1 s) and, for Chinese, the dictionary (0.7 s).

        Raises:
            ModelFailed: the embedding model cannot be reached.
        """
        self.segmenter.search_text(question)
        self.query_vector(question)

    def close(self) -> None:
        """Ends the engine and closes all files; idempotent."""
        self._close.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _embed_query(self, query: str) -> Vectors:
        vector: Vectors = self.embedder.embed([query])[0]
        vector.flags.writeable = False
        return vector


def _open(settings: LibrarySettings, spec: IndexSpec, opened: ExitStack) -> _Opened:
    address, folder, is_private = _address(settings, opened)
    try:
        index = MilvusIndex(address, spec, token=settings.token, timeout_s=settings.timeout_s)
        opened.callback(index.close)
        records = Records(folder / "records.db", spec.collection)
        opened.callback(records.close)
        if index.is_new or index.count() != records.chunk_count():
            index.clear()
            records.clear()
    except IndexUnavailable as error:
        raise Misconfigured("knowledge index", f"{settings.uri or settings.home / 'index.db'}: {error}") from error
    return _Opened(index, records, is_private)


def _address(settings: LibrarySettings, opened: ExitStack) -> tuple[str, Path, bool]:
    """Address of the engine, folder of the records, and whether both are private to this process."""
    if settings.uri is not None:
        return settings.uri, settings.home, False
    try:
        return _start(settings.home, opened), settings.home, False
    except IndexFileTaken:
        private = Path(tempfile.mkdtemp(prefix="rootproof-kb-"))
        opened.callback(shutil.rmtree, private, ignore_errors=True)
        return _start(private, opened), private, True


def _start(folder: Path, opened: ExitStack) -> str:
    engine = MilvusLite(folder / "index.db", timeout_s=_START_S)
    opened.callback(engine.close)
    return engine.address
