"""Where documents are written: a collection and the records that belong to it."""

from collections.abc import Collection
from dataclasses import dataclass

from tools.knowledge.milvus_index import MilvusIndex
from tools.knowledge.records import Records


@dataclass(frozen=True)
class Target:
    """One collection."""

    index: MilvusIndex
    records: Records


def delete_versions(target: Target, versions: Collection[str]) -> None:
    """Removes rows that are hidden already, and forgets that they were.

    Raises:
        IndexUnavailable: not removed; they stay hidden.
    """
    gone = set(versions) - {""}
    if gone:
        target.index.delete_versions(gone)
        target.records.reveal(gone)
