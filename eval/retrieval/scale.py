"""How search and writing grow with the number of chunks, on the embedded engine or a server; prints Markdown.

``python -m eval.retrieval.scale [--chunks 1000,10000,100000] [--uri URL]``. The search is the product's own: scope
filter, two lists, fusion, gate, selection. Vectors are stored beforehand, so that the engine is measured and not the
embedding model, which has a row of its own.
"""

import argparse
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from eval.retrieval.asking import Stopwatch
from eval.retrieval.corpora import library_corpus
from eval.retrieval.scale_rows import SCOPE, Seeds, pieces_of, rows, seeds
from models.embedding import Embedder, Vectors
from models.embedding_packaged import PackagedEmbedder
from tools.knowledge.index_port import IndexSpec
from tools.knowledge.milvus_index import MilvusIndex
from tools.knowledge.milvus_process import MilvusLite
from tools.knowledge.search import search
from tools.knowledge.segmentation import Segmenter
from tools.knowledge.selection import SearchPolicy

_POLICY = SearchPolicy(precise_min=0.5, reference_min=0.05)
_WRITE = 2000
_SEARCHERS = (1, 4, 8)
_TIMEOUT_S = 60.0


class _AllReady:
    """Records of a knowledge base in which every document can be searched."""

    def readiness(self, kb_scope: str) -> frozenset[tuple[str, bool]]:
        return frozenset({("category 1", True)})


class BenchBase:
    """What a search needs of a knowledge base, over a bare index; question vectors are known beforehand."""

    def __init__(self, index: MilvusIndex, segmenter: Segmenter, vectors: dict[str, Vectors]) -> None:
        self.index, self.segmenter = index, segmenter
        self.records, self.clock = _AllReady(), Stopwatch()
        self._vectors = vectors

    def query_vector(self, query: str) -> Vectors:
        """The stored vector."""
        return self._vectors[query]


@dataclass(frozen=True)
class Engine:
    """A running engine; ``pid`` and ``file`` only if it is ours."""

    address: str
    pid: int | None
    file: Path | None


@dataclass(frozen=True)
class Plan:
    """What is asked, and how often a cell."""

    asks: Sequence[str]
    searches: int


def measure(chunks: int, made_from: Seeds, base: BenchBase, engine: Engine, plan: Plan) -> str:
    """One row of the table. Effects: ``chunks`` rows in the index."""
    began = time.perf_counter()
    for first in range(0, chunks, _WRITE):
        base.index.upsert(list(rows(made_from, first, min(_WRITE, chunks - first))))
    written = chunks / (time.perf_counter() - began)
    cells = [f"{chunks:,}".replace(",", " "), f"{written:.0f}"]
    for category in (None, "category 1"):
        busy = _busy_ms(os.getpid()), _busy_ms(engine.pid)
        times, _ = _searched(base, plan, 1, category)
        cells.append(f"{median(times):.1f} / {_p95(times):.1f}")
        spent = _busy_ms(os.getpid()) - busy[0], _busy_ms(engine.pid) - busy[1]
        cells.append(" / ".join(f"{each / plan.searches:.1f}" for each in spent))
    for searchers in _SEARCHERS:
        times, seconds = _searched(base, plan, searchers, None)
        cells.append(f"{len(times) / seconds:.0f} ({_p95(times):.0f})")
    cells += [_megabytes(os.getpid()), _megabytes(engine.pid), _size(engine.file)]
    return f"| {' | '.join(cells)} |"


HEAD = (
    "| chunks | written a second | search, ms p50 / p95 | CPU ms, client / engine "
    "| with category, ms p50 / p95 | CPU ms | "
    + " | ".join(f"{n} searcher{'s' if n > 1 else ''}: searches a second (p95 ms)" for n in _SEARCHERS)
    + " | client MB | engine MB | disk MB |",
    "|---|---|---|---|---|---|---|---|---|---|---|---|",
)


def _searched(base: BenchBase, plan: Plan, searchers: int, category: str | None) -> tuple[list[float], float]:
    """Milliseconds of each search, and seconds in all."""
    times: list[float] = []
    parts = [
        [plan.asks[n % len(plan.asks)] for n in range(start, plan.searches, searchers)] for start in range(searchers)
    ]

    def work(part: Sequence[str]) -> None:
        for ask in part:
            began = time.perf_counter()
            search(base, _POLICY, ask, kb_scope=SCOPE, category=category)  # type: ignore[arg-type]
            times.append((time.perf_counter() - began) * 1000)

    threads = [threading.Thread(target=work, args=(part,)) for part in parts]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times, time.perf_counter() - began


@contextmanager
def _engine(uri: str | None) -> Iterator[Engine]:
    if uri is not None:
        yield Engine(uri, None, None)
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scale.db"
        lite = MilvusLite(file, timeout_s=10.0)
        try:
            yield Engine(lite.address, lite.pid, file)
        finally:
            lite.close()


@contextmanager
def _index(engine: Engine, size: int, dimension: int) -> Iterator[MilvusIndex]:
    spec = IndexSpec(kb=f"scale-{size}", model="bench", dimension=dimension, precise_min=1, reference_min=1)
    index = MilvusIndex(engine.address, spec, timeout_s=_TIMEOUT_S)
    try:
        yield index
    finally:
        index.clear()
        index.close()


def run(
    sizes: Sequence[int], uri: str | None, say: Callable[[str], None], *, embedder: Embedder, searches: int = 200
) -> None:
    """Says the table, one row a size, each on an index of its own."""
    folder = library_corpus().folder
    with tempfile.TemporaryDirectory() as cache:
        segmenter = Segmenter(Path(cache))
        made_from = seeds(folder, embedder, segmenter)
        asks = [question.ask for question in library_corpus().questions]
        known = dict(zip(asks, embedder.embed(asks), strict=True))
        say("\n".join(HEAD))
        for size in sizes:
            with _engine(uri) as engine, _index(engine, size, embedder.dimension) as index:
                say(measure(size, made_from, BenchBase(index, segmenter, known), engine, Plan(asks, searches)))
    pieces = list(pieces_of(folder))[:64]
    began = time.perf_counter()
    embedder.embed(pieces)
    say(f"\nembedding: {len(pieces) / (time.perf_counter() - began):.0f} chunks of 700 characters a second")


def _p95(times: Sequence[float]) -> float:
    return sorted(times)[int(len(times) * 0.95)]


def _busy_ms(pid: int | None) -> float:
    """Processor time of a process so far: unlike elapsed time it hardly depends on what runs beside it."""
    if pid is None:
        return 0.0
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def _megabytes(pid: int | None) -> str:
    if pid is None:
        return "–"
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return str(int(status.split("VmRSS:")[1].split()[0]) // 1024)


def _size(file: Path | None) -> str:
    if file is None:
        return "–"
    return str(sum(path.stat().st_size for path in file.parent.glob(f"{file.name}*")) // 2**20)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(prog="eval.retrieval.scale", description="Measure the index at size.")
    parser.add_argument("--chunks", default="1000,10000,100000")
    parser.add_argument("--uri", help="address of a Milvus server; without, the embedded engine")
    given = parser.parse_args(arguments)

    def say(line: str) -> None:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    run([int(size) for size in given.chunks.split(",")], given.uri, say, embedder=PackagedEmbedder())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
