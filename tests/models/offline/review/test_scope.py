"""A conclusion may not make one place the whole system."""

import pytest

from models.offline.review.case import read_case
from models.offline.review.scope import scope_is_kept
from tests.models.offline.review.incidents import GEO, Draft


@pytest.mark.parametrize(
    ("text", "is_kept"),
    [
        ("A rebuild slowed all databases.", False),
        ("整个集群都变慢。", False),
        ("All clients of tiles-vol waited.", True),
        ("All 48 workers read from the volume.", True),
        ("Nearly all of the throughput went to tile-builder.", True),
        ("每次停顿数秒。", True),
    ],
)
def test_widening_words_need_the_same_words_in_the_evidence(text, is_kept):
    assert (scope_is_kept(read_case(GEO.request(Draft("", text)))) is None) is is_kept
