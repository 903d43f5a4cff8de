"""The calibration command and its questions."""

from pathlib import Path

from eval.retrieval import calibrate
from eval.retrieval.calibrate import load_questions

ROOT = Path(__file__).parents[3]
QUESTIONS = load_questions(ROOT / "eval" / "retrieval" / "questions.yaml")


def test_there_are_enough_questions_of_every_sort():
    by_language = {lang: [q for q in QUESTIONS if q.lang == lang] for lang in ("en", "zh", "mixed")}

    assert len(QUESTIONS) >= 60
    assert min(map(len, by_language.values())) >= 8
    assert sum(not q.expects for q in QUESTIONS) >= 15
    assert len({q.ask for q in QUESTIONS}) == len(QUESTIONS)


def test_every_expected_document_is_in_the_library():
    library = ROOT / "worlds" / "library"

    assert [path for q in QUESTIONS for path in q.expects if not (library / path).is_file()] == []


def test_the_command_prints_figures_and_thresholds(tmp_path, capsys):
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
        + entry.format("near", "xylophone", "")
    )

    code = calibrate.main(["--library", str(library), "--questions", str(questions), "--embedder", "hashing"])

    printed = capsys.readouterr().out
    assert code == 0
    assert "2 documents, 2 chunks" in printed
    assert "all              2   1.00   1.00   1.00" in printed
    assert "reference_min" in printed


def test_a_missing_library_is_exit_code_two(tmp_path, capsys):
    assert calibrate.main(["--library", str(tmp_path / "absent")]) == 2
    assert "does not exist" in capsys.readouterr().err
