"""Numbers that number a list are no claims; a number that stands alone is one."""

import pytest

from guards.claims.extract import extract_claims
from guards.claims.folding import fold
from guards.claims.list_marks import list_marks
from guards.claims.vocabulary import Vocabulary


@pytest.mark.parametrize(
    ("text", "n_marks"),
    [
        ("1. restart\n2. observe\n3. report", 3),
        ("Step 1: restart\nStep 2: observe", 2),
        ("第1步 重启\n第2步 观察", 2),
        ("(1) the pool; (2) the queue", 2),
        ("依次为：1) 连接池；2) 队列", 2),
        ("1. restart\n2. observe\n\n1. report\n2. close", 4),
    ],
)
def test_marks_that_count_up_from_one_number_a_list(text: str, n_marks: int) -> None:
    assert len(list_marks(fold(text))) == n_marks


@pytest.mark.parametrize(
    ("text", "claimed"),
    [
        ("It lost:\n99) customers and\n98) orders", "99 98"),
        ("It hit (9) hosts", "9"),
        ("It failed at\nstep 12 of deployment", "12"),
        ("第12步 失败", "12"),
        ("1) host failed", "1"),
        ("It hit (1) hosts and (2) pods", "1 2"),
        ("1. \n2. ", "1 2"),
    ],
)
def test_any_other_number_is_a_claim(text: str, claimed: str) -> None:
    assert list_marks(text) == ()
    found = " ".join(claim.text.split()[0].strip("步.") for claim in extract_claims(text, Vocabulary()))
    assert found == claimed
