"""The collection we make: its fields and indexes, and whether one that is there is ours."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from pymilvus import DataType, Function, FunctionType, MilvusClient

from tools.knowledge.index_port import IndexHit, IndexQuery, IndexRow, IndexSpec
from tools.knowledge.milvus_rows import VARCHARS

ANALYZER = {"tokenizer": "whitespace"}
"""The text is already segmented."""
DENSE_ONLY = "_dense"
"""Ends the name of a collection on a server that cannot search by word."""
PROBE_SCOPE = "\x01self-test"
_TEXT_BYTES = 65_000


def create(client: MilvusClient, name: str, spec: IndexSpec, *, with_words: bool, timeout_s: float) -> None:
    """Makes the collection and loads it. Vendor errors pass through."""
    schema = client.create_schema(auto_id=False, enable_dynamic_field=False, description=spec.description)
    schema.add_field("row_id", DataType.VARCHAR, max_length=400, is_primary=True)
    for field, size in VARCHARS.items():
        schema.add_field(field, DataType.VARCHAR, max_length=size)
    schema.add_field("dense", DataType.FLOAT_VECTOR, dim=spec.dimension)
    indexes = client.prepare_index_params()
    indexes.add_index("dense", index_type="FLAT", metric_type="COSINE")
    if with_words:
        schema.add_field(
            "search_text", DataType.VARCHAR, max_length=_TEXT_BYTES, enable_analyzer=True, analyzer_params=ANALYZER
        )
        schema.add_field("sparse", DataType.SPARSE_FLOAT_VECTOR)
        bm25 = Function("bm25", FunctionType.BM25, input_field_names=["search_text"], output_field_names=["sparse"])
        schema.add_function(bm25)
        indexes.add_index("sparse", index_type="SPARSE_INVERTED_INDEX", metric_type="BM25")
    # Strong: whoever asks after a document became READY finds it, whichever process wrote it.
    client.create_collection(name, schema=schema, timeout=timeout_s, consistency_level="Strong")
    # Waiting for each index would sleep half a second; an empty one is ready, and the self-test proves it.
    client.create_index(name, indexes, timeout=timeout_s, sync=False)
    client.load_collection(name, timeout=timeout_s)


def is_ours(described: Mapping[str, Any], spec: IndexSpec, *, with_words: bool) -> bool:
    """True if a described collection has exactly our fields and the dimension of the model."""
    fields = {field["name"]: field for field in described["fields"]}
    wanted = {"row_id", *VARCHARS, "dense", *(("search_text", "sparse") if with_words else ())}
    if fields.keys() != wanted or not fields["row_id"].get("is_primary"):
        return False
    return int(fields["dense"].get("params", {}).get("dim", 0)) == spec.dimension


def probe(spec: IndexSpec) -> IndexRow:
    """A row that no search of a real scope finds."""
    vector = np.zeros(spec.dimension, np.float32)
    vector[0] = 1.0
    return IndexRow("self-test", "self-test", PROBE_SCOPE, "", "", "", "", "self-test", "self-test-word", vector)


def probe_query(spec: IndexSpec, *, with_words: bool) -> IndexQuery:
    """The search that must find it."""
    return IndexQuery(probe(spec).vector, "self-test-word" if with_words else "", PROBE_SCOPE, None, 2)


def found_probe(nearest: tuple[IndexHit, ...], matching: tuple[IndexHit, ...], *, with_words: bool) -> bool:
    """True if both lists that there should be hold exactly the probe."""
    lists = (nearest, matching) if with_words else (nearest,)
    return all(len(hits) == 1 and hits[0].cosine > 0.99 for hits in lists)
