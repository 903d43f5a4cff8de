"""Which runbooks a process searches now: those of its world, else the documents people added, else the bundled ones.

Documents come and go while a process runs, so that is asked anew for every run; a run keeps the answer it began with. A
base is opened once, when it is first needed, and stays open until the process ends. Thread-safe; everything blocks.
"""

import threading
from contextlib import ExitStack
from dataclasses import dataclass, field

from config.settings import Settings
from graph.knowledge import BUNDLED_KB, DOCUMENTS_KB, KB_SCOPE, has_documents, open_base
from state.model.ids import digest8
from state.model.world import SourceKind, World
from state.ports import Clock
from tools.knowledge.formats.kinds import ALL_SUFFIXES
from tools.knowledge.ingest import IngestSummary, ingest_folder
from tools.knowledge.library import KnowledgeBase
from tools.knowledge.records import DocumentRecord, DocumentState
from worlds import library_path

BUNDLED = frozenset({".md"})
"""What of the bundled library is a runbook: how one is written for it stands there too, as text."""


@dataclass(frozen=True)
class Edition:
    """The runbooks of one moment; two are equal if a search and a catalogue of them would be."""

    base: KnowledgeBase
    records: tuple[DocumentRecord, ...]
    """By path."""
    summary: IngestSummary | None = field(default=None, compare=False)
    """What bringing the base up to date did; None: nothing is brought into it from a folder."""

    @property
    def is_bundled(self) -> bool:
        """True if nobody gave any runbooks."""
        return self.base.name == BUNDLED_KB

    @property
    def titles(self) -> tuple[str, ...]:
        """Of the documents that can be found."""
        return tuple(record.title for record in self.records if record.version)


class Runbooks:
    """The knowledge bases of one process."""

    def __init__(
        self, settings: Settings, world: World | None, clock: Clock, opened: ExitStack, *, has_sources: bool = True
    ) -> None:
        """Opens nothing. ``opened`` closes what is opened; without sources the bundled runbooks are not searched."""
        self._settings = settings
        self._world = world
        self._clock = clock
        self._opened = opened
        self._has_sources = has_sources
        self._lock = threading.RLock()
        self._documents: KnowledgeBase | None = None
        self._folder: tuple[KnowledgeBase, IngestSummary] | None = None

    def now(self) -> Edition | None:
        """What a run that begins now searches; None: there are no sources and no documents.

        Raises:
            Misconfigured: the index or the embedding model cannot be used.
        """
        with self._lock:
            documents = self._added() if self._takes_documents else None
            if documents is not None:
                return Edition(documents, documents.records.documents(KB_SCOPE))
            if not self._has_sources:
                return None
            base, summary = self._from_folder()
            return Edition(base, base.records.documents(KB_SCOPE), summary)

    def documents(self) -> KnowledgeBase:
        """The base of the documents people add, made if there is none yet.

        Raises:
            Misconfigured: the index or the embedding model cannot be used.
        """
        with self._lock:
            if self._documents is None:
                self._documents = open_base(self._settings, DOCUMENTS_KB, self._clock, self._opened)
            return self._documents

    def searched(self) -> tuple[KnowledgeBase, ...]:
        """The documents people added, if there are any, and what a run searches if that is something else.

        Raises:
            Misconfigured: the index or the embedding model cannot be used.
        """
        with self._lock:
            now, added = self.now(), self._added()
            found = tuple(base for base in (added, now.base if now else None) if base is not None)
            return tuple(dict.fromkeys(found)) or (self._from_folder()[0],)

    @property
    def _takes_documents(self) -> bool:
        """False: the world brings its own runbooks, or asks for the bundled ones."""
        world = self._world
        return world is None or not (world.of_kind(SourceKind.KNOWLEDGE) or world.has_bundled_runbooks)

    def _added(self) -> KnowledgeBase | None:
        """The base of the documents, if one of them can be found, or could before its index was lost."""
        if self._documents is None and not has_documents(self._settings):
            return None
        base = self.documents()
        return base if any(map(_counts, base.records.documents(KB_SCOPE))) else None

    def _from_folder(self) -> tuple[KnowledgeBase, IngestSummary]:
        """The runbooks of the world, else the bundled ones."""
        if self._folder is None:
            folders = self._world.of_kind(SourceKind.KNOWLEDGE) if self._world else ()
            if self._world is None or not folders:
                base, path = open_base(self._settings, BUNDLED_KB, self._clock, self._opened), library_path()
                suffixes = BUNDLED
            else:
                place = f"{self._world.name}-{digest8(str(self._world.path))}"
                path, suffixes = folders[0].path, ALL_SUFFIXES
                base = open_base(self._settings, folders[0].name, self._clock, self._opened, place=place)
            self._folder = base, ingest_folder(base, path, kb_scope=KB_SCOPE, suffixes=suffixes)
        return self._folder


def _counts(record: DocumentRecord) -> bool:
    """True if a search finds the document, or found it and will again: it is not only waiting for its first time."""
    return bool(record.version) or (bool(record.updated_at) and record.state is not DocumentState.FAILED)
