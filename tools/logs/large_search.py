"""Searches one large file block by block: reads only blocks that may hold a match, and of them only likely lines."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from tools.logs.block import Block
from tools.logs.block_lines import BlockLines
from tools.logs.candidates import Looked, is_out, look, pieces
from tools.logs.cutting import starts_record
from tools.logs.file_index import FileChanged, FileIndex, OpenFile
from tools.logs.kept import Kept, Read
from tools.logs.matching import matching
from tools.logs.opened_block import OpenedBlock
from tools.logs.port import LogEvent, LogQuery
from tools.logs.read_file import ReadFile, ReadingStopped, is_json_file, read_pieces
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
        """Add all matches of the file, in its order; those of a block of which few records are read in time order.

        Raises:
            FileChanged: the file is no longer the one that was surveyed.
            ReadingStopped: the search was cancelled.
        """
        refuse_changed(self.index, self.file)
        read = self._records
        for block in self.index.blocks:
            if is_out(block, self.query):
                continue
            if self.is_cancelled():
                raise ReadingStopped
            self._search(block, kept, read)

    def _search(self, block: Block, kept: Kept, read: Read) -> None:
        layout, contains = block.contents.layout, self.query.contains
        load = cache(lambda: self.index.bytes_of(block, self.file))
        looked = look(load(), block, contains) if contains else Looked(None, None)
        if layout is None or looked.hits is not None:
            for event in self._read(block, load(), looked.hits):
                kept.add(event)
            return
        lines = BlockLines(layout, block.first_line, load)
        opened = OpenedBlock(block, lines, self.query, looked.rarest, read=read, path=self.index.path)
        n_known = _n_known(block, self.query)
        kept.take(
            len(opened.matches) if n_known is None else n_known,
            lambda places: opened.found(opened.matches[places.start : places.stop : places.step]),
        )

    def _read(self, block: Block, data: bytes, hits: Sequence[int] | None) -> Iterator[LogEvent]:
        """The matches among the records of a block with these hits, or among all; in time order."""
        is_json = is_json_file(self.index.path)
        likely: Iterable[tuple[bytes, int]] = [(data, block.first_line)]
        if hits is not None:
            likely = pieces(data, block.first_line, hits, self._starts, is_json=is_json)
        window = self.query.window
        return matching(self._records(likely).between(window.start, window.end), self.query, self.is_cancelled)

    def _starts(self, raw: bytes) -> bool:
        return starts_record(raw, self.reference)

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
