"""One engine and one filled knowledge base for the whole session: making a collection takes a second."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools.knowledge.sample_docs import SCOPE, open_base, shared_segmenter, write_docs
from tools.knowledge.ingest import ingest_folder
from tools.knowledge.library import KnowledgeBase
from tools.knowledge.milvus_process import MilvusLite
from tools.knowledge.segmentation import Segmenter


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    """Holds ``DOCS``; tests only read it."""
    folder = write_docs(tmp_path_factory.mktemp("docs"))
    with open_base(tmp_path_factory.mktemp("home") / "kb") as opened:
        ingest_folder(opened, folder, kb_scope=SCOPE)
        yield opened


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MilvusLite]:
    """A bare engine for tests that make their own collections."""
    running = MilvusLite(tmp_path_factory.mktemp("engine") / "e.db", timeout_s=10)
    yield running
    running.close()


@pytest.fixture(scope="session", autouse=True)
def segmenter() -> Iterator[Segmenter]:
    shared = shared_segmenter()
    yield shared
    shutil.rmtree(shared.cache_folder)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return write_docs(tmp_path / "docs")
