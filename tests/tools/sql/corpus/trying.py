"""What one run of a fuzzer tries, and what must hold of every text to run.

``ROOTPROOF_FUZZ_SECONDS`` makes each run longer; ``ROOTPROOF_FUZZ_SEED`` starts elsewhere.
"""

import os
from collections.abc import Iterator
from itertools import islice
from time import monotonic

from sqlglot import exp, parse

from tests.tools.sql.corpus.fuzzing import statements
from tests.tools.sql.corpus.world import ALLOWLIST
from tools.sql.catalogue import Dialect

SECONDS = float(os.environ.get("ROOTPROOF_FUZZ_SECONDS", "0"))
SEED = int(os.environ.get("ROOTPROOF_FUZZ_SEED", "1"))
READABLE = {
    (table, column) for table, columns in ALLOWLIST.items() for column in columns if column not in ("email", "api_key")
}


def tried(dialect: Dialect, *, in_suite: int) -> Iterator[str]:
    """The statements of this run: ``in_suite`` in an ordinary one, else as many as fit in the time asked for."""
    if not SECONDS:
        yield from islice(statements(dialect, SEED), in_suite)
        return
    end = monotonic() + SECONDS
    for sql in statements(dialect, SEED):
        if monotonic() > end:
            return
        yield sql


def check_tree(sql: str, dialect: Dialect) -> None:
    """One SELECT; every table allowlisted, every column with its table, of the allowlist and not masked."""
    (tree,) = parse(sql, dialect=dialect.value)
    assert isinstance(tree, exp.Select)
    assert len(list(tree.find_all(exp.Select))) == 1
    tables = {table.alias_or_name: table.name for table in tree.find_all(exp.Table)}
    assert set(tables.values()) <= set(ALLOWLIST)
    assert {(tables[column.table], column.name) for column in tree.find_all(exp.Column)} <= READABLE
