"""The embeddings endpoint, against a local server that speaks its wire format."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from models.embedding_endpoint import EndpointEmbedder
from state.model.errors import ModelFailed


class Endpoint:
    """Answers with vectors [length of text, 1, 2], last first; or with what a test tells it to."""

    def __init__(self) -> None:
        self.requests: list[dict[str, object]] = []
        self.keys: list[str | None] = []
        self.status = 200
        self.body: bytes | None = None
        self.delay_s = 0.0


@pytest.fixture
def endpoint():
    told = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            told.requests.append({"path": self.path, **request})
            told.keys.append(self.headers.get("Authorization"))
            time.sleep(told.delay_s)
            data = [{"index": n, "embedding": [len(t), 1, 2]} for n, t in enumerate(request["input"])]
            body = told.body if told.body is not None else json.dumps({"data": data[::-1]}).encode()
            self.send_response(told.status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    told.url = f"http://127.0.0.1:{server.server_port}/v1"
    yield told
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def embedder(endpoint):
    made = EndpointEmbedder(endpoint.url, "m", dimension=3, api_key="k", timeout_s=0.3)
    yield made
    made.close()


def test_vectors_come_back_in_order_of_the_texts_as_unit_vectors(endpoint, embedder):
    vectors = embedder.embed(["a", "bbbb"])

    assert np.allclose(vectors, np.array([[1, 1, 2], [4, 1, 2]]) / np.sqrt([[6], [21]]))
    assert endpoint.requests == [
        {"path": "/v1/embeddings", "model": "m", "input": ["a", "bbbb"], "encoding_format": "float"}
    ]
    assert endpoint.keys == ["Bearer k"]


def test_many_texts_go_in_batches(endpoint, embedder):
    assert embedder.embed(["x"] * 130).shape == (130, 3)
    assert [len(request["input"]) for request in endpoint.requests] == [64, 64, 2]


def test_the_dimension_is_asked_for_if_it_is_not_given(endpoint):
    embedder = EndpointEmbedder(endpoint.url + "/", "m")

    assert (embedder.dimension, len(endpoint.requests)) == (3, 1)
    embedder.close()


@pytest.mark.parametrize(
    ("status", "kind", "retryable"),
    [(429, "rate_limited", True), (500, "server_error", True), (503, "server_error", True), (401, "refused", False)],
)
def test_a_refusal_is_typed_and_not_retried_here(endpoint, embedder, status, kind, retryable):
    endpoint.status, endpoint.body = status, b'{"error": "secret words of the server"}'

    with pytest.raises(ModelFailed) as caught:
        embedder.embed(["a"])

    assert (caught.value.kind, caught.value.retryable, len(endpoint.requests)) == (kind, retryable, 1)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "body",
    [
        b"not json",
        b"{}",
        b'{"data": []}',
        b'{"data": [{"index": 1, "embedding": [1, 2, 3]}]}',
        b'{"data": [{"index": 0, "embedding": []}]}',
        b'{"data": [{"index": 0, "embedding": [1, 2]}]}',
        b'{"data": [{"index": 0, "embedding": [1, 2, 1e999]}]}',
    ],
)
def test_a_reply_without_one_vector_a_text_is_unparsable(endpoint, embedder, body):
    endpoint.body = body

    with pytest.raises(ModelFailed) as caught:
        embedder.embed(["a"])

    assert caught.value.kind == "unparsable"


def test_an_endpoint_that_is_slow_is_a_timeout(endpoint, embedder):
    endpoint.delay_s = 0.5

    with pytest.raises(ModelFailed) as caught:
        embedder.embed(["a"])

    assert (caught.value.kind, caught.value.retryable) == ("timeout", True)


def test_an_endpoint_that_is_not_there_is_a_connection_failure():
    with pytest.raises(ModelFailed) as caught:
        EndpointEmbedder("http://127.0.0.1:9/v1", "m", timeout_s=0.3)

    assert (caught.value.kind, caught.value.retryable) == ("connect", True)
