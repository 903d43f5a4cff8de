"""The only door to Milvus: an embedded file or a server, same code and schema.

Keeps to what both engines do: FLAT cosine, a BM25 function over white-space tokens, RRF, literal filters,
full-row upserts, flush after writing. Each call has a timeout. Nothing of the engine's own text leaves but in
``IndexUnavailable.detail``.
"""

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from grpc import RpcError  # type: ignore[import-untyped]
from pymilvus import AnnSearchRequest, DataType, Function, FunctionType, MilvusClient, MilvusException, RRFRanker

from state.model.errors import Misconfigured
from tools.knowledge.index_port import IndexHit, IndexQuery, IndexRow, IndexSpec, IndexUnavailable
from tools.knowledge.vectors import Vectors

logging.getLogger("pymilvus").setLevel(logging.CRITICAL)

RRF_K = 60
ANALYZER = {"tokenizer": "whitespace"}
"""The text is already segmented."""
_BATCH = 200
_OUTPUT = ["evidence_key", "doc_id", "category", "path", "title", "breadcrumb", "content", "dense"]
_VARCHARS = {
    "doc_id": 200,
    "kb_scope": 200,
    "category": 600,
    "path": 2000,
    "title": 1000,
    "breadcrumb": 2500,
    "content": 65_000,
}
"""Bytes a text field may take."""
_PROBE_SCOPE = "\x01self-test"


class MilvusIndex:
    """One open collection. Thread-safe; every method blocks."""

    def __init__(self, address: str, spec: IndexSpec, *, token: str = "", timeout_s: float = 5.0) -> None:
        """Connects, and makes the collection if it is absent (``is_new``: it is empty).

        Raises:
            IndexUnavailable: the engine does not answer in time.
            Misconfigured: a new collection failed its self-test (analyzer, vectors or fusion not supported).
        """
        self._name = spec.collection
        self._timeout_s = timeout_s
        with _translated("connect"):
            self._client = MilvusClient(address, token=token, timeout=timeout_s, dedicated=True)
        try:
            self.is_new = self._prepare(spec)
        except BaseException:
            self.close()
            raise

    def count(self) -> int:
        """How many chunks it holds."""
        with _translated("count"):
            rows = self._client.query(
                self._name, filter='doc_id != ""', output_fields=["count(*)"], timeout=self._timeout_s
            )
        return int(rows[0]["count(*)"])

    def upsert(self, rows: Sequence[IndexRow]) -> None:
        """Write whole rows; searchable when this returns.

        Raises:
            IndexUnavailable: not written, or not all of it.
        """
        with _translated("upsert"):
            for first in range(0, len(rows), _BATCH):
                batch = [_to_milvus(row) for row in rows[first : first + _BATCH]]
                self._client.upsert(self._name, batch, timeout=self._timeout_s * 4)
            self._client.flush(self._name, timeout=self._timeout_s * 4)

    def delete(self, evidence_keys: Collection[str]) -> None:
        """Delete these chunks; absent ones are no error.

        Raises:
            IndexUnavailable: not deleted.
        """
        keys = sorted(evidence_keys)
        with _translated("delete"):
            for first in range(0, len(keys), _BATCH):
                named = ", ".join(literal(key) for key in keys[first : first + _BATCH])
                self._client.delete(self._name, filter=f"evidence_key in [{named}]", timeout=self._timeout_s)

    def clear(self) -> None:
        """Delete every chunk.

        Raises:
            IndexUnavailable: not deleted.
        """
        with _translated("clear"):
            self._client.delete(self._name, filter='doc_id != ""', timeout=self._timeout_s * 4)

    def search(self, query: IndexQuery) -> tuple[IndexHit, ...]:
        """Hits in fused order, at most ``query.limit``; empty: nothing in that scope and category.

        Raises:
            IndexUnavailable: the engine does not answer in time.
        """
        requests = _requests(query)
        with _translated("search"):
            found = self._client.hybrid_search(
                self._name,
                requests,
                RRFRanker(RRF_K),
                limit=query.limit,
                output_fields=_OUTPUT,
                timeout=self._timeout_s,
            )
        return tuple(_to_hit(hit, query.vector) for hit in found[0])

    def close(self) -> None:
        """Close the connection; idempotent."""
        self._client.close()

    def _prepare(self, spec: IndexSpec) -> bool:
        with _translated("open"):
            self._drop_unsafe(spec)
            if self._client.has_collection(self._name, timeout=self._timeout_s):
                self._client.load_collection(self._name, timeout=self._timeout_s * 4)
                return False
            self._create(spec)
        self._self_test(spec)
        return True

    def _drop_unsafe(self, spec: IndexSpec) -> None:
        for name in spec.unsafe_collections:
            if self._client.has_collection(name, timeout=self._timeout_s):
                self._client.drop_collection(name, timeout=self._timeout_s)

    def _create(self, spec: IndexSpec) -> None:
        schema = self._client.create_schema(auto_id=False, enable_dynamic_field=False, description=spec.description)
        schema.add_field("evidence_key", DataType.VARCHAR, max_length=300, is_primary=True)
        for name, size in _VARCHARS.items():
            schema.add_field(name, DataType.VARCHAR, max_length=size)
        schema.add_field(
            "search_text", DataType.VARCHAR, max_length=65_000, enable_analyzer=True, analyzer_params=ANALYZER
        )
        schema.add_field("sparse", DataType.SPARSE_FLOAT_VECTOR)
        schema.add_field("dense", DataType.FLOAT_VECTOR, dim=spec.dimension)
        bm25 = Function("bm25", FunctionType.BM25, input_field_names=["search_text"], output_field_names=["sparse"])
        schema.add_function(bm25)
        indexes = self._client.prepare_index_params()
        indexes.add_index("dense", index_type="FLAT", metric_type="COSINE")
        indexes.add_index("sparse", index_type="SPARSE_INVERTED_INDEX", metric_type="BM25")
        self._client.create_collection(self._name, schema=schema, timeout=self._timeout_s * 4)
        # Waiting for each index would sleep half a second; an empty one is ready, and the self-test proves it.
        self._client.create_index(self._name, indexes, timeout=self._timeout_s * 4, sync=False)
        self._client.load_collection(self._name, timeout=self._timeout_s * 4)

    def _self_test(self, spec: IndexSpec) -> None:
        """A row written must be found by word and by vector: engines accept schemas that they cannot serve.

        Raises:
            Misconfigured: it was not.
        """
        try:
            self.upsert([_probe(spec)])
            hits = self.search(IndexQuery(_probe(spec).vector, "self-test-word", _PROBE_SCOPE, None, 2))
            self.delete(["self-test"])
        except IndexUnavailable as error:
            self._drop()
            raise Misconfigured("knowledge index", f"self-test failed at {error.operation!r}") from error
        both_lists = 2 / (RRF_K + 1)
        if len(hits) != 1 or abs(hits[0].fused_score - both_lists) > 1e-4 or hits[0].cosine < 0.99:
            self._drop()
            raise Misconfigured("knowledge index", "self-test failed: a written row was not found by word and vector")

    def _drop(self) -> None:
        with _translated("drop"):
            self._client.drop_collection(self._name, timeout=self._timeout_s)


def literal(text: str) -> str:
    """The text as a string literal of a filter: quotes and backslashes escaped, no control characters."""
    printable = "".join(char if char >= " " or char == "\x01" else " " for char in text)
    return '"' + printable.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _requests(query: IndexQuery) -> list[Any]:
    where = f"kb_scope == {literal(query.kb_scope)}"
    if query.category is not None:
        where += f" and category == {literal(query.category)}"
    dense = AnnSearchRequest([query.vector.tolist()], "dense", {"metric_type": "COSINE"}, query.limit, expr=where)
    if not query.search_text:
        return [dense]
    words = AnnSearchRequest([query.search_text], "sparse", {"metric_type": "BM25"}, query.limit, expr=where)
    return [dense, words]


def _to_milvus(row: IndexRow) -> dict[str, object]:
    texts = {name: _clip(getattr(row, name), size) for name, size in _VARCHARS.items()}
    return {
        "evidence_key": row.evidence_key,
        **texts,
        "search_text": row.search_text,
        "dense": row.vector.tolist(),
    }


def _clip(text: str, size: int) -> str:
    encoded = text.encode()
    return text if len(encoded) <= size else encoded[:size].decode(errors="ignore")


def _to_hit(hit: Mapping[str, Any], vector: Vectors) -> IndexHit:
    entity = hit["entity"]
    return IndexHit(
        evidence_key=entity["evidence_key"],
        doc_id=entity["doc_id"],
        category=entity["category"],
        path=entity["path"],
        title=entity["title"],
        breadcrumb=entity["breadcrumb"],
        content=entity["content"],
        fused_score=float(hit["distance"]),
        cosine=float(np.dot(np.asarray(entity["dense"], np.float32), vector)),
    )


def _probe(spec: IndexSpec) -> IndexRow:
    vector = np.zeros(spec.dimension, np.float32)
    vector[0] = 1.0
    return IndexRow("self-test", "self-test", _PROBE_SCOPE, "", "", "", "", "self-test", "self-test-word", vector)


@contextmanager
def _translated(operation: str) -> Iterator[None]:
    """Vendor errors become ours, here and nowhere else.

    Raises:
        IndexUnavailable: the wrapped call raised an error of the engine or of its transport.
    """
    try:
        yield
    except (MilvusException, RpcError, ConnectionError, TimeoutError) as error:
        timed_out = isinstance(error, TimeoutError) or "DEADLINE_EXCEEDED" in repr(error) or "timeout" in str(error)
        raise IndexUnavailable(operation, timed_out=timed_out, detail=str(error)[:500]) from error
