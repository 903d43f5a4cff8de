"""Rows and filters in the engine's terms. Pure."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from tools.knowledge.index_port import IndexHit, IndexQuery, IndexRow
from tools.knowledge.vectors import Vectors

VARCHARS = {
    "evidence_key": 300,
    "version": 32,
    "doc_id": 200,
    "kb_scope": 200,
    "category": 600,
    "path": 2000,
    "title": 1000,
    "breadcrumb": 2500,
    "content": 65_000,
}
"""Text fields and the bytes each may take."""
OUTPUT = ["evidence_key", "version", "doc_id", "category", "path", "title", "breadcrumb", "content", "dense"]


def literal(text: str) -> str:
    """The text as a string literal of a filter: quotes and backslashes escaped, no control characters."""
    printable = "".join(char if char >= " " or char == "\x01" else " " for char in text)
    return '"' + printable.replace("\\", "\\\\").replace('"', '\\"') + '"'


def listed(texts: Collection[str]) -> str:
    """The texts as a list of a filter, in order of the alphabet."""
    return f"[{', '.join(literal(text) for text in sorted(texts))}]"


def where(query: IndexQuery) -> str:
    """The filter of a search: scope, category, and what is not to be seen yet or any more."""
    parts = [f"kb_scope == {literal(query.kb_scope)}"]
    if query.category is not None:
        parts.append(f"category == {literal(query.category)}")
    return " and ".join([*parts, *unhidden(query.hidden)])


def unhidden(versions: Collection[str]) -> tuple[str, ...]:
    """The filter that leaves out these versions; empty for none."""
    return (f"version not in {listed(versions)}",) if versions else ()


def to_milvus(row: IndexRow, *, with_words: bool) -> dict[str, object]:
    """The entity of a row. A text longer than its field is cut between characters."""
    texts = {name: _clip(getattr(row, name), size) for name, size in VARCHARS.items()}
    words: dict[str, object] = {"search_text": row.search_text} if with_words else {}
    return {"row_id": row_id(row.evidence_key, row.version), **texts, **words, "dense": row.vector.tolist()}


def row_id(evidence_key: str, version: str) -> str:
    """Identity of a row: two versions of a document can be in the index at once."""
    return f"{evidence_key}@{version}" if version else evidence_key


def to_hit(hit: Mapping[str, Any], vector: Vectors) -> IndexHit:
    """The hit of an entity, with its cosine to ``vector``."""
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
        version=entity["version"],
    )


def _clip(text: str, size: int) -> str:
    encoded = text.encode()
    return text if len(encoded) <= size else encoded[:size].decode(errors="ignore")
