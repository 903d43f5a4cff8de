"""What every embedding model must do, and thresholds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.embedding import SHIPPED_THRESHOLDS, Embedder, Thresholds, thresholds_for
from models.embedding_hashing import HashingEmbedder
from models.embedding_packaged import PackagedEmbedder
from state.model.errors import Misconfigured

PACKAGED = PackagedEmbedder()
TEXTS = ["database connection timed out", "数据库连接超时", "", "\x00", "x" * 3000, "🙂"]


@pytest.mark.parametrize(
    "embedder", [HashingEmbedder(), HashingEmbedder(32), PACKAGED], ids=["hashing", "small", "packaged"]
)
def test_one_unit_vector_a_text_in_order(embedder: Embedder):
    vectors = embedder.embed(TEXTS)

    assert (vectors.shape, vectors.dtype) == ((len(TEXTS), embedder.dimension), np.float32)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(vectors[1], embedder.embed(TEXTS[1:2])[0], atol=1e-4)


@pytest.mark.parametrize("embedder", [HashingEmbedder(), PACKAGED], ids=["hashing", "packaged"])
def test_no_text_gives_no_rows(embedder: Embedder):
    assert embedder.embed([]).shape == (0, embedder.dimension)


def test_the_packaged_model_knows_that_two_languages_say_the_same():
    english, chinese, other = PACKAGED.embed([TEXTS[0], TEXTS[1], "a recipe for apple cake"])

    assert english @ chinese > 0.7
    assert english @ other < 0.2


def test_the_hashing_model_is_the_same_on_every_machine():
    (vector,) = HashingEmbedder(8).embed(["connection pool 连接"])

    assert np.allclose(vector * np.sqrt(7), [1, 0, 0, -1, -2, 0, 0, -1])


@settings(max_examples=50)
@given(st.lists(st.text(max_size=50), max_size=5))
def test_the_hashing_model_embeds_any_text(texts):
    assert np.isfinite(HashingEmbedder().embed(texts)).all()


def test_models_that_ship_have_thresholds():
    assert {HashingEmbedder.name, PackagedEmbedder.name} == set(SHIPPED_THRESHOLDS)
    assert all(thresholds_for(name) == found for name, found in SHIPPED_THRESHOLDS.items())


def test_an_unknown_model_without_thresholds_is_refused_by_name():
    with pytest.raises(Misconfigured, match="bge-m3"):
        thresholds_for("bge-m3")


def test_configured_thresholds_win():
    assert thresholds_for("bge-m3", Thresholds(0.75, 0.5)) == (0.75, 0.5)


@pytest.mark.parametrize("wrong", [Thresholds(0.4, 0.5), Thresholds(0.5, 0.0), Thresholds(1.2, 0.5)])
def test_thresholds_that_make_no_sense_are_refused(wrong):
    with pytest.raises(Misconfigured):
        thresholds_for("hashing", wrong)
