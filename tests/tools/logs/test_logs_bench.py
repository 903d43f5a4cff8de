"""The benchmark of log folders measures what it says."""

import asyncio

from eval.bench.logs import measure, render
from eval.bench.logs_corpus import write_corpus
from tools.logs import folder_source


def test_the_corpus_is_the_same_for_the_same_seed(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        write_corpus(tmp_path / name, 60_000)

    one, two = (sorted(path.read_bytes() for path in (tmp_path / name).rglob("*.*")) for name in ("one", "two"))
    assert one == two


def test_every_search_finds_something_and_a_narrow_one_reads_less(tmp_path, monkeypatch):
    monkeypatch.setattr(folder_source, "WHOLE_FILE_BYTES", 0)
    corpus = write_corpus(tmp_path, 1_500_000)

    sized = asyncio.run(measure(tmp_path, rounds=1))
    rows = {row.what: row for row in sized.rows}

    assert rows["literal, whole day"].found > 0
    assert rows["one service, whole day"].found > 0
    assert 0 < rows["five minutes"].mb_read < corpus.n_bytes / 1e6 / 2
    assert "| five minutes |" in render(sized)


def test_late_records_are_the_same_but_for_their_order_in_time(tmp_path):
    for name, late_s in (("ordered", 0), ("late", 7200)):
        (tmp_path / name).mkdir()
        write_corpus(tmp_path / name, 60_000, late_s=late_s)

    ordered, late = (
        [line[24:] for line in (tmp_path / name / "inventory" / "inventory-2026-03-02.1.log").read_text().splitlines()]
        for name in ("ordered", "late")
    )
    stamps = [
        line[:23]
        for line in (tmp_path / "late/scheduler/scheduler-2026-03-02.1.log").read_text().splitlines()
        if line[0] == "2"
    ]

    assert ordered == late
    assert stamps != sorted(stamps)
    assert "out of time order" in render(asyncio.run(measure(tmp_path / "late", rounds=1)), 600)
