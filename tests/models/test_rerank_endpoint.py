"""The rerank endpoint over a socket."""

import json

import pytest

from models.rerank_endpoint import EndpointReranker
from state.model.errors import ModelFailed
from tests.wire_server import Reply, WireServer


def judged(*pairs):
    results = [{"index": index, "relevance_score": score} for index, score in pairs]
    return Reply(json.dumps({"results": results}).encode())


def ask(server, passages=("a", "b", "c")):
    reranker = EndpointReranker(server.base_url, "m", api_key="k", timeout_s=0.3)
    try:
        return reranker.scores("q", passages)
    finally:
        reranker.close()


def test_scores_come_back_in_the_order_of_the_passages():
    with WireServer(judged((2, 0.9), (0, 0.1), (1, -3.5))) as server:
        assert ask(server) == [0.1, -3.5, 0.9]

    assert server.requests[0].path == "/v1/rerank"
    assert server.requests[0].headers["authorization"] == "Bearer k"
    assert server.requests[0].body == {"model": "m", "query": "q", "documents": ["a", "b", "c"], "top_n": 3}


@pytest.mark.parametrize(
    "lie",
    [
        judged((0, 0.1), (1, 0.2)),
        judged((0, 0.1), (1, 0.2), (3, 0.2)),
        judged((0, 0.1), (1, 0.2), (2, float("nan"))),
        judged((0, 0.1), (1, 0.2), (-1, 0.2)),
        Reply(b"[]"),
        Reply(b"not json"),
    ],
    ids=["short", "unknown", "nan", "negative", "list", "text"],
)
def test_a_reply_without_one_score_a_passage_is_unparsable(lie):
    with WireServer(lie) as server, pytest.raises(ModelFailed) as caught:
        ask(server)

    assert caught.value.kind == "unparsable"


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply(b"{}", status=503), "server_error"),
        (Reply(b"{}", status=401), "refused"),
        (Reply(b"{}", delay_s=0.6), "timeout"),
        (Reply(b"{}", drop=True), "transport"),
    ],
    ids=["503", "401", "slow", "dropped"],
)
def test_a_failure_is_typed(reply, kind):
    with WireServer(reply) as server, pytest.raises(ModelFailed) as caught:
        ask(server)

    assert caught.value.kind == kind
