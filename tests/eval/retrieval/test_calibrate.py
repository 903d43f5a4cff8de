"""The commands, on small inputs."""

import pytest

from eval.retrieval import __main__ as command
from eval.retrieval import calibrate, scale
from eval.retrieval.gates import GATES, missed
from eval.retrieval.scoring import Answered, Item, Question
from eval.retrieval.tables import judged, thresholds
from models.embedding_hashing import HashingEmbedder


@pytest.fixture
def inputs(tmp_path):
    library = tmp_path / "library"
    library.mkdir()
    (library / "pool.md").write_text("# Pool\n\nThe connection pool is exhausted.\n")
    (library / "disk.md").write_text("# Disk\n\nNo space is left on the volume.\n")
    questions = tmp_path / "q.yaml"
    entry = "  - {{lang: en, kind: {}, ask: '{}', expects: [{}]}}\n"
    questions.write_text(
        "questions:\n"
        + entry.format("topic", "connection pool exhausted", "pool.md")
        + entry.format("topic", "no space left", "disk.md")
        + entry.format("near", "zebra", "")
    )
    return library, questions


def test_thresholds_of_a_library_and_questions_of_ones_own(inputs, capsys):
    library, questions = inputs

    code = calibrate.main(["--library", str(library), "--questions", str(questions), "--embedder", "hashing"])

    printed = capsys.readouterr()
    assert code == 0
    assert "given, 2 documents, 2 chunks" in printed.err
    assert printed.out.startswith("hashing: reference_min 0.")


@pytest.mark.parametrize("arguments", [["--library", "/absent", "--questions", "/absent"], ["--library", "/absent"]])
def test_a_missing_input_is_exit_code_two(arguments, capsys):
    assert calibrate.main(arguments) == 2
    assert capsys.readouterr().err


def test_absent_public_runbooks_are_said_and_the_library_is_measured(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("ROOTPROOF_PUBLIC_RUNBOOKS", str(tmp_path / "absent"))

    code = command.main(["--embedders", "hashing"])

    printed = capsys.readouterr()
    assert "The public runbooks are absent" in printed.err
    assert "| library | hybrid |" in printed.out
    assert "| hashing |" in printed.out
    assert code in (0, 1)


def test_an_unknown_embedder_is_exit_code_two(capsys):
    assert command.main(["--embedders", "nonsense", "--corpora", "library"]) == 2
    assert "nonsense" in capsys.readouterr().err


def answers(rank, *, half="held"):
    items = tuple(Item("right" if n == rank else f"w{n}", 0.9 if n == rank else 0.1) for n in range(1, 6))
    return Answered(Question("q", "en", "title", ("right",), half), items)


def test_a_gate_is_missed_by_held_out_questions_alone():
    corpus = GATES[0].corpus
    good, bad = answers(1), answers(0)

    assert list(missed({corpus: {"hybrid": [good, answers(0, half="tune")]}})) == []
    assert list(missed({corpus: {"hybrid": [good, bad]}})) == [
        f"{corpus}, hybrid: recall@5 0.500 is below {GATES[0].recall_at_5:.2f}"
    ]
    assert list(missed({})) == []


def test_thresholds_come_from_the_tune_half_and_are_judged_on_the_other():
    tune = [answers(1, half="tune")] * 20
    (row,) = judged("m", [*tune, answers(1), answers(0)])

    assert thresholds(tune) == (0.9, 0.9)
    assert "| m | 0.90 | 0.90 | 1.00 |" in row
    assert "1 of 1" in row


def test_the_scale_table_has_a_row_a_size():
    said = []

    scale.run([40], None, said.append, embedder=HashingEmbedder(), searches=8)

    lines = "\n".join(said).splitlines()
    assert lines[2].startswith("| 40 | ")
    assert lines[0].count("|") == lines[2].count("|")
