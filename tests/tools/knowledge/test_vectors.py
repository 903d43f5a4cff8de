"""The vector cache."""

import sqlite3

import numpy as np
import pytest

from state.model.ids import digest
from tests.tools.knowledge.sample_docs import CountingEmbedder
from tools.knowledge.vectors import VectorCache


@pytest.fixture
def cache(tmp_path):
    opened = VectorCache(tmp_path / "v.db")
    yield opened
    opened.close()


def test_each_text_is_computed_once(cache):
    model = CountingEmbedder()

    first = cache.embed(model, ["a b", "c", "a b"])
    second = cache.embed(model, ["c", "a b"])

    assert model.texts == ["a b", "c"]
    assert (first.computed, second.computed) == (2, 0)
    assert np.array_equal(first.vectors[[1, 0]], second.vectors)


def test_vectors_are_those_of_the_model_in_order(cache):
    model = CountingEmbedder()

    assert np.array_equal(cache.embed(model, ["x", "y"]).vectors, model.embed(["x", "y"]))


def test_another_model_has_other_vectors(cache):
    other = CountingEmbedder()
    other.name = "other"

    cache.embed(CountingEmbedder(), ["a"])

    assert cache.embed(other, ["a"]).computed == 1


def test_a_model_that_changed_its_dimension_is_asked_again(cache):
    cache.embed(CountingEmbedder(), ["a"])
    wider = CountingEmbedder()
    wider.dimension = 32

    assert cache.embed(wider, ["a"]).vectors.shape == (1, 32)


def test_a_forgotten_text_is_computed_again(cache):
    cache.embed(CountingEmbedder(), ["a", "b"])

    cache.forget([digest("a")])

    assert cache.embed(CountingEmbedder(), ["a", "b"]).computed == 1


def test_nothing_to_embed_gives_no_rows(cache):
    assert cache.embed(CountingEmbedder(), []).vectors.shape == (0, 256)


def test_the_cache_survives_its_process(tmp_path):
    first = VectorCache(tmp_path / "v.db")
    first.embed(CountingEmbedder(), ["a"])
    first.close()

    second = VectorCache(tmp_path / "v.db")

    assert second.embed(CountingEmbedder(), ["a"]).computed == 0
    second.close()


def test_a_file_that_is_no_database_is_replaced(tmp_path):
    (tmp_path / "v.db").write_bytes(b"not a database" * 100)

    cache = VectorCache(tmp_path / "v.db")

    assert cache.embed(CountingEmbedder(), ["a"]).computed == 1
    cache.close()


def test_a_folder_that_cannot_be_written_is_an_error_not_a_deletion(tmp_path):
    with pytest.raises(sqlite3.OperationalError):
        VectorCache(tmp_path / "absent" / "v.db")
