"""The index as searches see it: the collection in force, without what is being written or removed."""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import TypeVar

from tools.knowledge.index_port import IndexHit, IndexQuery, IndexUnavailable, RankedLists
from tools.knowledge.milvus_index import MilvusIndex
from tools.knowledge.milvus_schema import DENSE_ONLY
from tools.knowledge.records import Records
from tools.knowledge.turnstile import Turnstile
from tools.knowledge.vectors import Vectors

T = TypeVar("T")
_TRIES = 3
"""A search that saw documents change under it is asked again this often at most."""


class ServingIndex:
    """Index and records of one knowledge base, read together. Thread-safe; every method blocks."""

    def __init__(self, index: MilvusIndex, records: Records) -> None:
        self._index = index
        self._records = records
        self._opened = {index.collection: index}
        self.searches = Turnstile()
        """Searches pass together; who rewrites the engine's file must be alone."""

    @property
    def current(self) -> MilvusIndex:
        """The collection in force. Raises IndexUnavailable if it is a new one that cannot be opened."""
        name = self._records.collection
        index = self._opened.get(name) or self._opened.get(f"{name}{DENSE_ONLY}")
        if index is None:
            index = self._opened.setdefault(name, self._index.sibling(name))
        return index

    def open(self, collection: str) -> MilvusIndex:
        """A collection beside the one in force, made if absent. Raises IndexUnavailable."""
        return self._opened.setdefault(collection, self._index.sibling(collection))

    def drop(self, collection: str) -> None:
        """Delete a collection that is not in force. Raises IndexUnavailable."""
        for name in (collection, f"{collection}{DENSE_ONLY}"):
            self._opened.pop(name, None)
            self._index.drop(name)

    def count(self) -> int:
        """How many chunks it holds."""
        return self.current.count()

    def clear(self) -> None:
        """Delete every chunk. Raises IndexUnavailable."""
        self.current.clear()

    def ranked(self, query: IndexQuery) -> RankedLists:
        """Both lists of a search. Raises IndexUnavailable."""
        return self._steady(lambda index, hidden: index.ranked(replace(query, hidden=hidden)))

    def fetch(self, evidence_keys: Collection[str], *, kb_scope: str, vector: Vectors) -> tuple[IndexHit, ...]:
        """These chunks by key. Raises IndexUnavailable."""
        return self._steady(
            lambda index, hidden: index.fetch(evidence_keys, kb_scope=kb_scope, vector=vector, hidden=hidden)
        )

    def _steady(self, ask: Callable[[MilvusIndex, frozenset[str]], T]) -> T:
        """The answer of an index that did not change what is in force while it answered.

        Raises:
            IndexUnavailable: it did not answer, and nothing had changed that would explain it.
            AssertionError: never; the last try returns or raises.
        """
        seen = (self._records.collection, self._records.hidden())
        for tried in range(1, _TRIES + 1):
            try:
                with self.searches.together():
                    answer = ask(self.current, seen[1])
            except IndexUnavailable:
                now = (self._records.collection, self._records.hidden())
                if now[0] == seen[0] or tried == _TRIES:
                    raise
            else:
                now = (self._records.collection, self._records.hidden())
                if now == seen or tried == _TRIES:
                    return answer
            seen = now
        raise AssertionError("unreachable: the last try returns or raises")
