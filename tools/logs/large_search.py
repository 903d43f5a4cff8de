"""Searches one large file block by block: reads only blocks that may hold a match, and of them only likely lines."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from tools.logs.block import Block
from tools.logs.candidates import is_out, pieces
from tools.logs.cutting import starts_record
from tools.logs.file_index import FileChanged, FileIndex, OpenFile
from tools.logs.layout import Layout
from tools.logs.matching import Kept, matching
from tools.logs.opened_block import OpenedBlock
from tools.logs.port import LogEvent, LogQuery
from tools.logs.read_file import ReadFile, ReadingStopped, read_pieces
from tools.logs.stamps import Reference


def sure_matches(index: FileIndex, query: LogQuery) -> int:
    """Matches of the file that are known without reading it: at most as many as there are."""
    return sum(n for block in index.blocks if (n := _n_known(block, query)) is not None)


@dataclass(frozen=True)
class LargeSearch:
    """One query in one large file that is open."""

    index: FileIndex
    file: OpenFile
    query: LogQuery
    reference: Reference
    is_cancelled: Callable[[], bool]

    def find(self, kept: Kept) -> None:
        """Add all matches of the file; in time order within a block, blocks in the order of the file.

        Raises:
            FileChanged: the file is no longer the one that was surveyed.
            ReadingStopped: the search was cancelled.
        """
        refuse_changed(self.index, self.file)
        for block in self.index.blocks:
            if is_out(block, self.query):
                continue
            if self.is_cancelled():
                raise ReadingStopped
            layout = block.contents.layout
            if self.query.contains or layout is None or not block.contents.is_ordered:
                for event in self._read(block):
                    kept.add(event)
            else:
                self._count(block, layout, kept)

    def _read(self, block: Block) -> Iterator[LogEvent]:
        """The matches of a block, found in its text."""
        data = self.index.bytes_of(block, self.file)
        is_json = self.index.path.suffix.lower() == ".jsonl"
        likely = pieces(data, block, self.query, lambda raw: starts_record(raw, self.reference), is_json=is_json)
        window = self.query.window
        return matching(self._records(likely).between(window.start, window.end), self.query, self.is_cancelled)

    def _count(self, block: Block, layout: Layout, kept: Kept) -> None:
        """Add the matches of a block in time order; only those that are kept are read."""
        opened = OpenedBlock(block, layout, lambda: self.index.bytes_of(block, self.file), self._records)
        n_known = _n_known(block, self.query)
        kept.take(
            len(opened.matches(self.query)) if n_known is None else n_known,
            lambda places: opened.events(opened.matches(self.query)[places.start : places.stop : places.step]),
        )

    def _records(self, likely: Iterable[tuple[bytes, int]]) -> ReadFile:
        return read_pieces(likely, self.index.path, self.reference, is_cancelled=self.is_cancelled)


def _n_known(block: Block, query: LogQuery) -> int | None:
    """Matches of a block whose records all lie in the window; None: it has to be read to tell."""
    layout = block.contents.layout
    if query.contains or layout is None or not block.lies_within(query.window.start, query.window.end):
        return None
    return layout.n_of(query.service, query.level)


def refuse_changed(index: FileIndex, file: OpenFile) -> None:
    """Return if the open file is the surveyed one, possibly longer by now.

    Raises:
        FileChanged: it is another, or became shorter.
    """
    size, _, inode = file.key()
    if inode != index.key[2] or size < index.key[0]:
        raise FileChanged(f"{index.path} was replaced while it was searched")
