"""Reads the statement files: one case a line, its expectation after ``--:``, dialects after ``--@``."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tools.sql.catalogue import Dialect

FOLDER = Path(__file__).parent / "fixtures"


@dataclass(frozen=True)
class Case:
    """One statement, for one or more dialects."""

    dialects: tuple[Dialect, ...]
    sql: str
    expected: str

    @property
    def params(self) -> tuple[int | str, ...]:
        """A value for each placeholder: text for a pattern or a status, else a number."""
        before = self.sql.split("?")[:-1]
        return tuple("x" if text.rstrip().endswith(("LIKE", "status =", ",")) else 7 for text in before)


@cache
def load(name: str) -> tuple[Case, ...]:
    """The cases of a file, in its order."""
    dialects: tuple[Dialect, ...] = ()
    cases: list[Case] = []
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("--@"):
            dialects = tuple(Dialect(word) for word in line.split()[1:])
            continue
        sql, _, expected = line.rpartition(" --: ")
        cases.append(Case(dialects, sql, expected.strip()))
    return tuple(cases)
