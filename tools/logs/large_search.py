"""Searches one large file block by block: reads only blocks that may hold a match, and of them only likely lines."""

from collections.abc import Callable, Iterator

from tools.logs.candidates import is_out, pieces
from tools.logs.cutting import starts_record
from tools.logs.file_index import FileChanged, FileIndex, OpenFile
from tools.logs.matching import matching
from tools.logs.port import LogEvent, LogQuery
from tools.logs.read_file import ReadingStopped, read_pieces
from tools.logs.stamps import Reference


def found_in(
    index: FileIndex, file: OpenFile, query: LogQuery, reference: Reference, is_cancelled: Callable[[], bool]
) -> Iterator[LogEvent]:
    """All matches of the file; in time order within a block, blocks in the order of the file.

    Raises:
        FileChanged: the file is no longer the one that was surveyed.
        ReadingStopped: the search was cancelled.
    """
    refuse_changed(index, file)
    start, end = query.window.start, query.window.end
    is_json = index.path.suffix.lower() == ".jsonl"
    for block in index.blocks:
        if is_out(block, query):
            continue
        if is_cancelled():
            raise ReadingStopped
        data = index.bytes_of(block, file)
        likely = pieces(data, block, query, lambda raw: starts_record(raw, reference), is_json=is_json)
        read = read_pieces(likely, index.path, reference, is_cancelled=is_cancelled)
        yield from matching(read.between(start, end), query, is_cancelled)


def refuse_changed(index: FileIndex, file: OpenFile) -> None:
    """Return if the open file is the surveyed one, possibly longer by now.

    Raises:
        FileChanged: it is another, or became shorter.
    """
    size, _, inode = file.key()
    if inode != index.key[2] or size < index.key[0]:
        raise FileChanged(f"{index.path} was replaced while it was searched")
