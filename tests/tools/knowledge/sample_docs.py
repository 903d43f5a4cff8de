"""A small bilingual library and what the tests need to open it."""

from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np

from models.embedding_hashing import HashingEmbedder
from state.model.errors import ModelFailed
from tools.knowledge.chunking import ChunkSettings
from tools.knowledge.library import KnowledgeBase, LibrarySettings
from tools.knowledge.segmentation import Segmenter

SCOPE = "team-a"

DOCS = {
    "database/pool.md": """---
title: Connection pool runbook
keywords: [connection pool, HikariCP]
category: Database
---

# Connection pool runbook

Callers wait for a database connection.

### Cause: leaked connection

A branch of the code never returns its connection to the pool. ProxyLeakTask names the frame.

### Cause: pool too small

Every connection does useful work and the waiting queue grows at the traffic peak.
""",
    "network/tls.md": """---
title: Certificates
category: network
---

# Certificates

## Expired

The handshake fails because the certificate expired; renew it.

## Chain

The intermediate certificate is missing from the chain.
""",
    "messaging/backlog.md": """---
title: 消息堆积
keywords: [消息队列, 堆积]
category: 消息
---

# 消息堆积

### 原因：消费变慢

消费者处理变慢，消息在队列里堆积。

### 原因：顺序消息被卡住

一条坏消息反复重试，后面的消息都在等待。
""",
    "plain.md": "No head and no heading here, only a note about printers and paper trays.\n",
}


class SteppingClock:
    """Every reading is one second later."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC)

    def monotonic(self) -> float:
        self.seconds += 1.0
        return self.seconds


class CountingEmbedder(HashingEmbedder):
    """Counts what it is asked for; fails as often as told before it answers."""

    def __init__(self, failures: int = 0, *, retryable: bool = True) -> None:
        super().__init__()
        self.failures = failures
        self.retryable = retryable
        self.texts: list[str] = []

    def embed(self, texts):  # type: ignore[no-untyped-def]
        if self.failures:
            self.failures -= 1
            raise ModelFailed("connect", retryable=self.retryable)
        self.texts += texts
        return super().embed(texts)


def write_docs(folder: Path, docs: dict[str, str] = DOCS) -> Path:
    for path, text in docs.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


@cache
def shared_segmenter() -> Segmenter:
    """The Chinese dictionary takes a second to load: once a session."""
    return Segmenter(Path(mkdtemp(prefix="rootproof-test-words-")))


def open_base(home: Path, embedder=None, *, kb: str = "library", chunks: ChunkSettings | None = None) -> KnowledgeBase:  # type: ignore[no-untyped-def]
    settings = LibrarySettings(home=home, kb=kb, precise_min=0.5, reference_min=0.2, chunks=chunks or ChunkSettings())
    return KnowledgeBase(settings, embedder or HashingEmbedder(), SteppingClock(), segmenter=shared_segmenter())


def axis(number: int, dimension: int = 16) -> np.ndarray:
    return np.eye(dimension, dtype=np.float32)[number]
