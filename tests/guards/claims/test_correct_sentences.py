"""False blocks: sentences a careful person would write about these items must pass, in both languages."""

import pytest

from guards.claims.check import Standing, uncarried
from guards.claims.clock import zone_of
from guards.claims.support import Support, read_counts, read_item, read_scope
from guards.claims.vocabulary import Vocabulary
from state.model.evidence import Item
from tests.guards.claims.correct_sentences import CHINESE, ENGLISH, PATTERN, result

CATALOGUE = Vocabulary.of(
    (
        "shop-logs",
        "payment-service",
        "order-service",
        "inventory",
        "orders",
        "orders-db",
        "库存服务",
        "支付网关",
        "status",
    )
)


@pytest.mark.parametrize(("cited", "zone_name", "sentence"), [*ENGLISH, *CHINESE])
def test_a_correct_sentence_is_not_blocked(cited: Item, zone_name: str, sentence: str) -> None:
    zone = zone_of(zone_name)
    projection = result(cited, PATTERN) if cited is not PATTERN else result(PATTERN)
    pieces = (read_item(cited, zone), read_scope(projection, zone), read_counts(projection))
    support = Support(zone, CATALOGUE, pieces, pieces)

    assert uncarried(sentence, support, question="", standing=Standing.FACT) == ()


def test_the_collection_is_large_enough_in_both_languages() -> None:
    assert len(ENGLISH) >= 25
    assert len(CHINESE) >= 12
