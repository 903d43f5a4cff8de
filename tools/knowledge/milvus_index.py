"""The only door to Milvus: an embedded file or a server, same code and schema.

Keeps to what all engines do: FLAT cosine, a BM25 function over white-space tokens, literal filters, full-row upserts.
A server without BM25 is found out by a self-test. Each call has a timeout. Nothing of the engine's own text leaves but
in ``IndexUnavailable.detail``.
"""

import logging
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

from grpc import RpcError, StatusCode  # type: ignore[import-untyped]  # grpcio has no types
from pymilvus import MilvusClient, MilvusException

from state.model.errors import Misconfigured
from tools.knowledge import milvus_schema
from tools.knowledge.index_port import (
    IndexHit,
    IndexQuery,
    IndexRow,
    IndexSpec,
    IndexUnavailable,
    RankedLists,
)
from tools.knowledge.milvus_errors import translated
from tools.knowledge.milvus_rows import OUTPUT, listed, literal, row_id, to_hit, to_milvus, unhidden, where
from tools.knowledge.milvus_schema import DENSE_ONLY, found_probe, is_ours, probe, probe_query
from tools.knowledge.vectors import Vectors

logging.getLogger("pymilvus").setLevel(logging.CRITICAL)

_BATCH = 200
_STRONG = "Strong"
_NO_PINGS = {"grpc.keepalive_time_ms": 2**31 - 1}
"""For the embedded engine, our own child on a socket of this machine: it takes pings for an attack and hangs up."""
_MAKING_S = 30.0
"""At least, for making and loading a collection: a busy server takes seconds for an empty one."""
_NO_WORDS = "this server cannot search by word (BM25): use Milvus 2.5 or later, or set ROOTPROOF_SEARCH_MODE to dense"
_FOREIGN = "a collection {name} with another schema is there and was left alone: use another name or another database"


@dataclass(frozen=True)
class IndexAccess:
    """What of an index is wanted, and how its server is trusted."""

    ca_file: str = ""
    """Certificates to trust of a server; empty: those of the system."""
    words_wanted: bool = True
    """Searches will ask by word; without, a server that cannot do that is good enough."""
    collection: str = ""
    """Another one than that named after the spec."""


class MilvusIndex:
    """One open collection. Thread-safe; every method blocks."""

    def __init__(
        self,
        address: str,
        spec: IndexSpec,
        *,
        token: str = "",
        timeout_s: float = 5.0,
        access: IndexAccess = IndexAccess(),
    ) -> None:
        """Connects, and makes the collection if it is absent (``is_new``: it is empty).

        Raises:
            IndexUnavailable: the engine does not answer in time.
            Misconfigured: it refuses the token, a foreign collection has our name, a new collection failed its
                self-test, or words are wanted of a server that cannot search by word.
        """
        self._spec = spec
        self._name = access.collection or spec.collection
        self._timeout_s = timeout_s
        self._making_s = max(_MAKING_S, timeout_s * 4)
        self._lacks_words = False
        tls = {"server_pem_path": access.ca_file, "secure": True} if access.ca_file else {}
        pings = {"grpc_options": _NO_PINGS} if address.startswith("unix:") else {}
        with translated("connect"):
            self._client = MilvusClient(address, token=token, timeout=timeout_s, dedicated=True, **tls, **pings)
        try:
            self.is_embedded = not self._knows_its_version()
            self.is_new = self._prepare(access.words_wanted)
        except BaseException:
            self.close()
            raise

    def sibling(self, collection: str) -> Self:
        """Another collection of the same spec over the same connection, made if absent. Do not close it.

        Raises:
            IndexUnavailable: the engine does not answer in time.
            Misconfigured: as for the constructor.
        """
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._name, other._lacks_words = collection, not self.has_words
        other.is_new = other._prepare(self.has_words)
        return other

    @property
    def collection(self) -> str:
        """Name of the collection."""
        return self._name

    def count(self) -> int:
        """How many chunks it holds, of every version."""
        with translated("count"):
            rows = self._query('doc_id != ""', ["count(*)"])
        return int(rows[0]["count(*)"])

    def upsert(self, rows: Sequence[IndexRow]) -> None:
        """Write whole rows; searchable when this returns.

        Raises:
            IndexUnavailable: not written, or not all of it.
        """
        with translated("upsert"):
            for first in range(0, len(rows), _BATCH):
                batch = [to_milvus(row, with_words=self.has_words) for row in rows[first : first + _BATCH]]
                self._client.upsert(self._name, batch, timeout=self._timeout_s * 4)
            # Servers take seconds for a flush and limit their number; there, strong consistency is enough.
            if self.is_embedded:
                self._client.flush(self._name, timeout=self._timeout_s * 4)

    def delete(self, evidence_keys: Collection[str], version: str = "") -> None:
        """Delete these chunks of one version; absent ones are no error.

        Raises:
            IndexUnavailable: not deleted.
        """
        keys = sorted(row_id(key, version) for key in evidence_keys)
        with translated("delete"):
            for first in range(0, len(keys), _BATCH):
                named = listed(keys[first : first + _BATCH])
                self._client.delete(self._name, filter=f"row_id in {named}", timeout=self._timeout_s)

    def delete_versions(self, versions: Collection[str]) -> None:
        """Delete every chunk of these versions; absent ones are no error.

        Raises:
            IndexUnavailable: not deleted.
        """
        named = sorted(versions)
        with translated("delete"):
            for first in range(0, len(named), _BATCH):
                part = listed(named[first : first + _BATCH])
                self._client.delete(self._name, filter=f"version in {part}", timeout=self._timeout_s * 4)

    def clear(self) -> None:
        """Delete every chunk.

        Raises:
            IndexUnavailable: not deleted.
        """
        with translated("clear"):
            self._client.delete(self._name, filter='doc_id != ""', timeout=self._timeout_s * 4)

    def drop(self, collection: str) -> None:
        """Delete a whole collection of ours; an absent one is no error.

        Raises:
            IndexUnavailable: not deleted.
        """
        with translated("drop"):
            if self._client.has_collection(collection, timeout=self._timeout_s):
                self._client.drop_collection(collection, timeout=self._timeout_s * 4)

    def name_as(self, alias: str) -> None:
        """Make the alias lead here, for other programs, on servers that have aliases; else nothing happens.

        Raises:
            IndexUnavailable: the server has aliases and did not set it.
        """
        if self.is_embedded:
            return
        with translated("alias"):
            try:
                self._client.alter_alias(self._name, alias, timeout=self._timeout_s)
            except MilvusException:
                self._client.create_alias(self._name, alias, timeout=self._timeout_s)

    def compact(self) -> None:
        """Ask a server to remove deleted rows from its storage, which it does in its own time; else nothing happens."""
        if not self.is_embedded:
            with suppress(MilvusException, RpcError):
                self._client.compact(self._name, timeout=self._timeout_s)

    def ranked(self, query: IndexQuery) -> RankedLists:
        """Both lists of a search, each at most ``query.limit`` long; every hit with its own cosine.

        Raises:
            IndexUnavailable: the engine does not answer in time.
        """
        nearest = self._list(query, "dense", query.vector.tolist(), "COSINE")
        by_word = self.has_words and query.search_text
        matching = self._list(query, "sparse", query.search_text, "BM25") if by_word else ()
        return RankedLists(nearest, matching)

    def fetch(
        self,
        evidence_keys: Collection[str],
        *,
        kb_scope: str,
        vector: Vectors,
        hidden: frozenset[str] = frozenset(),
    ) -> tuple[IndexHit, ...]:
        """These chunks of the scope by key, as hits of ``vector`` without a score; absent ones are left out.

        Raises:
            IndexUnavailable: the engine does not answer in time.
        """
        if not evidence_keys:
            return ()
        parts = [f"kb_scope == {literal(kb_scope)}", f"evidence_key in {listed(evidence_keys)}", *unhidden(hidden)]
        with translated("fetch"):
            rows = self._query(" and ".join(parts), OUTPUT)
        hits = (to_hit({"entity": row, "distance": 0.0}, vector) for row in rows)
        return tuple(sorted(hits, key=lambda hit: hit.evidence_key))

    def close(self) -> None:
        """Close the connection; idempotent."""
        self._client.close()

    def _query(self, filter_: str, fields: list[str]) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self._client.query(
            self._name, filter=filter_, output_fields=fields, timeout=self._timeout_s, consistency_level=_STRONG
        )
        return rows

    def _list(self, query: IndexQuery, field: str, wanted: object, metric: str) -> tuple[IndexHit, ...]:
        with translated("search"):
            found = self._client.search(
                self._name,
                [wanted],
                filter=where(query),
                limit=query.limit,
                output_fields=OUTPUT,
                search_params={"metric_type": metric},
                timeout=self._timeout_s,
                anns_field=field,
                consistency_level=_STRONG,
            )
        judged_by = query.vector if query.judged_by is None else query.judged_by
        return tuple(to_hit(hit, judged_by) for hit in found[0])

    def _knows_its_version(self) -> bool:
        """Servers do, the embedded engine does not.

        Raises:
            RpcError: another failure than not knowing the question.
        """
        with translated("connect"):
            try:
                return bool(self._client.get_server_version(timeout=self._timeout_s))
            except RpcError as error:
                if error.code() is StatusCode.UNIMPLEMENTED:
                    return False
                raise

    def _prepare(self, words_wanted: bool) -> bool:
        full, dense = self._name, f"{self._name}{DENSE_ONLY}"
        with translated("open"):
            for name in self._spec.unsafe_collections:
                self.drop(name)
            exists = [name for name in (full, dense) if self._client.has_collection(name, timeout=self._timeout_s)]
        self.has_words = not exists or exists[0] == full
        if exists and (self.has_words or not words_wanted):
            self._open(exists[0])
            return False
        return self._make(full, dense, words_wanted)

    def _open(self, name: str) -> None:
        """Takes a collection that is there.

        Raises:
            Misconfigured: it is not ours.
        """
        self._name = name
        with translated("open"):
            described = self._client.describe_collection(name, timeout=self._timeout_s)
            if not is_ours(described, self._spec, with_words=self.has_words):
                raise Misconfigured("knowledge index", _FOREIGN.format(name=name))
            self._client.load_collection(name, timeout=self._making_s)

    def _make(self, full: str, dense: str, words_wanted: bool) -> bool:
        """Makes the collection, with words if the server can.

        Raises:
            Misconfigured: it cannot, and words are wanted; or not even vectors work.
        """
        self.has_words = True
        if not self._lacks_words and self._works(full):
            return True
        if words_wanted:
            raise Misconfigured("knowledge index", f"self-test failed: {_NO_WORDS}")
        self.has_words = False
        if self._works(dense):
            return True
        raise Misconfigured("knowledge index", "self-test failed: a written row was not found by its vector")

    def _works(self, name: str) -> bool:
        """A row written must be found by word and by vector: engines accept schemas that they cannot serve.

        What fails is deleted again.

        Raises:
            Misconfigured: the engine did not answer in time.
        """
        self._name = name
        try:
            with translated("create"):
                milvus_schema.create(
                    self._client, name, self._spec, with_words=self.has_words, timeout_s=self._making_s
                )
            self.upsert([probe(self._spec)])
            lists = self.ranked(probe_query(self._spec, with_words=self.has_words))
            self.delete(["self-test"])
        except IndexUnavailable as error:
            with suppress(IndexUnavailable):
                self.drop(name)
            if error.timed_out:
                raise Misconfigured("knowledge index", f"self-test failed at {error.operation!r}") from error
            return False
        if found_probe(lists.nearest, lists.matching, with_words=self.has_words):
            return True
        self.drop(name)
        return False
