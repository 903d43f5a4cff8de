"""The embeddings endpoint over a socket: batches, order, lies, slowness; and an ingest that survives it."""

import json

import numpy as np
import pytest

from models.embedding_endpoint import MAX_TEXT_CHARS, EndpointEmbedder
from state.model.errors import ModelFailed
from tests.tools.knowledge.sample_docs import SteppingClock
from tests.wire_server import Reply, WireServer
from tools.knowledge.ingest import ingest_folder
from tools.knowledge.library import KnowledgeBase, LibrarySettings


def entry(index, vector):
    return {"index": index, "embedding": vector}


def reply(*entries, **more):
    return Reply(json.dumps({"data": entries}).encode(), **more)


def by_length(received, *, shuffled=True):
    """Vectors [length of text, 1], in the order of a server that does not keep any."""
    texts = received.body["input"]
    entries = [entry(n, [len(text), 1]) for n, text in enumerate(texts)]
    return reply(*sorted(entries, key=lambda each: each["index"] * 7 % 11 if shuffled else 0))


def embed(server, texts, **more):
    embedder = EndpointEmbedder(server.base_url, "m", dimension=2, timeout_s=0.3, **more)
    try:
        return embedder.embed(texts)
    finally:
        embedder.close()


def test_every_text_gets_its_own_vector_across_batches_that_come_back_in_any_order():
    texts = ["x" * (n + 1) for n in range(150)]
    with WireServer(respond=by_length) as server:
        vectors = embed(server, texts)

    assert len(server.requests) == 3
    assert np.allclose(vectors[:, 0] / vectors[:, 1], np.arange(1, 151))


def test_a_text_is_sent_up_to_its_bound():
    with WireServer(respond=by_length) as server:
        embed(server, ["连" * (MAX_TEXT_CHARS + 1)])

    assert len(server.requests[0].body["input"][0]) == MAX_TEXT_CHARS


@pytest.mark.parametrize(
    "lie",
    [
        reply(entry(0, [1, 2, 3]), entry(1, [1, 2, 3])),
        reply(entry(0, [1, 2]), entry(1, [1])),
        reply(entry(0, [1, 2]), entry(0, [1, 2])),
        reply(entry(0, [1, 2])),
        reply(entry(0, [1, 2]), entry(1, [1, 2]), entry(2, [1, 2])),
        reply(entry(0, [1, 2]), entry(1, [1, float("nan")])),
        reply(entry(0, [1, 2]), entry(1, [1, float("inf")])),
        reply(entry(0, [1, 2]), entry(1, [1, None])),
        reply(entry(0, [1, 2]), entry(1, "AAAA")),
    ],
    ids=["dimension", "ragged", "twice", "short", "long", "nan", "inf", "null", "base64"],
)
def test_a_reply_that_lies_is_no_vector(lie):
    with WireServer(lie) as server, pytest.raises(ModelFailed) as caught:
        embed(server, ["a", "b"])

    assert caught.value.kind == "unparsable"


def test_a_reply_of_another_dimension_is_not_worth_another_try():
    with WireServer(reply(entry(0, [1, 2, 3]))) as server, pytest.raises(ModelFailed) as caught:
        embed(server, ["a"])

    assert caught.value.retryable is False


def test_bytes_that_drip_in_do_not_prolong_the_timeout():
    with WireServer(reply(entry(0, [1, 2]), delay_s=0.2, pause_s=0.2)) as server:
        with pytest.raises(ModelFailed) as caught:
            embed(server, ["a"])

    assert caught.value.kind == "timeout"


def test_an_endless_reply_is_cut_off(monkeypatch):
    monkeypatch.setattr("models.embedding_endpoint.MAX_REPLY_BYTES", 1000)
    with WireServer(Reply(b" " * 1001)) as server, pytest.raises(ModelFailed) as caught:
        embed(server, ["a"])

    assert (caught.value.kind, caught.value.retryable) == ("unparsable", False)


@pytest.mark.parametrize("broken", [Reply(b"", drop=True), Reply(b"{}" * 99, cut_after=10)], ids=["dropped", "cut"])
def test_a_broken_connection_is_typed(broken):
    with WireServer(broken) as server, pytest.raises(ModelFailed) as caught:
        embed(server, ["a"])

    assert caught.value.retryable is True


def test_an_ingest_gets_over_an_endpoint_that_fails_twice(tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# A\n\nThe connection pool is exhausted.\n")
    failures = [Reply(b"{}", status=503), Reply(b"{}", status=429)]

    def respond(received):
        return failures.pop() if failures else by_length(received)

    with WireServer(respond=respond) as server:
        embedder = EndpointEmbedder(server.base_url, "m", dimension=2)
        settings = LibrarySettings(home=tmp_path / "home", kb="kb", precise_min=0.5, reference_min=0.2)
        with KnowledgeBase(settings, embedder, SteppingClock()) as base:
            summary = ingest_folder(base, docs, kb_scope="s")
        embedder.close()

    assert (summary.documents, summary.failed, failures) == (1, (), [])
    assert len(server.requests) == 3
