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
from typing import Literal, Self

from state.model.base import Value
from state.model.errors import Misconfigured
from state.model.language import Bilingual
from state.ports import Clock
from state.private_folder import make_private_folder
from tools.knowledge.chunking import ChunkSettings
from tools.knowledge.formats.worker import ParsingProcess
from tools.knowledge.index_port import IndexSpec, IndexUnavailable
from tools.knowledge.milvus_index import IndexAccess, MilvusIndex
from tools.knowledge.milvus_process import IndexFileTaken, MilvusLite
from tools.knowledge.private_copy import copy_index
from tools.knowledge.records import DocumentRecord, Records
from tools.knowledge.recovery import recover_rebuild, settle_counts
from tools.knowledge.segmentation import Segmenter
from tools.knowledge.serving import ServingIndex
from tools.knowledge.target import Target, delete_versions
from tools.knowledge.vectors import EmbeddingModel, VectorCache, Vectors
from tools.knowledge.writer_lock import WriterLock

PRIVATE_INDEX = Bilingual(
    en="The knowledge index is in use by another process; a private copy was built for this run.",
    zh="知识库索引正被另一个进程使用；本次运行使用临时构建的私有副本。",
)
_QUERIES_KEPT = 256
_START_S = 10.0
_OPEN_S = 60.0


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
    ca_file: str = ""
    """Certificates to trust of a server; empty: those of the system."""
    search_mode: Literal["hybrid", "dense"] = "hybrid"
    """``dense`` also accepts a server that cannot search by word."""


@dataclass(frozen=True)
class _Opened:
    index: MilvusIndex
    records: Records
    engine: MilvusLite | None
    folder: Path
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
            self.parser = ParsingProcess()
            opened.callback(self.parser.close)
            inner = _open(settings, self.spec, opened)
            self.records, self.is_private = inner.records, inner.is_private
            self.index = ServingIndex(inner.index, inner.records)
            self.home = inner.folder
            self.shared_home = settings.home
            self.writer = WriterLock(inner.folder)
            self._engine = inner.engine
            self.lost: tuple[DocumentRecord, ...] = ()
            self.recover(is_new=inner.index.is_new)
            self._close = opened.pop_all()
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

    def recover(self, *, is_new: bool = False) -> None:
        """Puts in order what a killed writer left, unless another process is writing. ``lost``: documents to add again.

        Rows of a version that never came in force are deleted, a half-made collection of a rebuild is dropped.

        Raises:
            Misconfigured: the collection of a server holds other rows than the records of this home say.
        """
        with self.writer.held_if_free() as is_free:
            if is_free:
                self._recover(is_new)

    def forget_deleted(self) -> None:
        """Rewrites the files without what was deleted from them: the embedded index, records and vectors.

        A server is asked to compact, which it does in its own time. The embedded engine cannot read its file meanwhile,
        and would answer with less than there is: searches wait.
        """
        if self._engine is not None:
            with self.index.searches.alone():
                self._engine.compact()
        else:
            self.index.current.compact()
        self.records.file.forget_traces()
        self.vectors.forget_traces()

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

    def _recover(self, is_new: bool) -> None:
        try:
            recover_rebuild(self.index, self.records)
            delete_versions(Target(self.index.current, self.records), self.records.hidden())
            self.lost = settle_counts(self.index, self.records, is_new=is_new, is_ours=self._engine is not None)
            self.forget_texts(self.records.drop(self.spec.unsafe_collections))
        except IndexUnavailable as error:
            raise Misconfigured("knowledge index", str(error)) from error

    def _embed_query(self, query: str) -> Vectors:
        vector: Vectors = self.embedder.embed([query])[0]
        vector.flags.writeable = False
        return vector


def _open(settings: LibrarySettings, spec: IndexSpec, opened: ExitStack) -> _Opened:
    engine, folder, is_private = _engine(settings, opened)
    address = settings.uri if engine is None else engine.address
    assert address is not None
    try:
        # Whoever makes a collection tests it; two at once would take each other's probe for their own.
        records = Records(folder / "records.db", spec.collection)
        opened.callback(records.close)
        with WriterLock(folder, "open").held(within_s=_OPEN_S):
            index = MilvusIndex(
                address,
                spec,
                token=settings.token,
                timeout_s=settings.timeout_s,
                access=IndexAccess(settings.ca_file, settings.search_mode == "hybrid", records.collection),
            )
        opened.callback(index.close)
    except IndexUnavailable as error:
        raise Misconfigured("knowledge index", f"{settings.uri or settings.home / 'index.db'}: {error}") from error
    return _Opened(index, records, engine, folder, is_private)


def _engine(settings: LibrarySettings, opened: ExitStack) -> tuple[MilvusLite | None, Path, bool]:
    """The engine if it is ours, folder of the records, and whether both are private to this process."""
    if settings.uri is not None:
        return None, settings.home, False
    try:
        return _start(settings.home, opened), settings.home, False
    except IndexFileTaken:
        private = Path(tempfile.mkdtemp(prefix="rootproof-kb-"))
        opened.callback(shutil.rmtree, private, ignore_errors=True)
        copy_index(settings.home, private)
        return _start(private, opened), private, True


def _start(folder: Path, opened: ExitStack) -> MilvusLite:
    engine = MilvusLite(folder / "index.db", timeout_s=_START_S)
    opened.callback(engine.close)
    return engine
