"""An OpenAI-compatible ``/embeddings`` endpoint. No hidden retries; errors are typed and hold no text of the server.

What it returns is bounded in bytes and time before it is kept.
"""

import time
from collections.abc import Mapping, Sequence

import httpx
import numpy as np
from pydantic import BaseModel, ValidationError

from models.embedding import Vectors, unit
from state.model.errors import ModelFailed

_BATCH = 64
MAX_TEXT_CHARS = 8000
"""Of one text: what follows would only make models with a shorter window refuse the batch."""
MAX_REPLY_BYTES = 32 * 2**20
"""64 vectors of 4096 numbers are about 6 MiB."""


class _Entry(BaseModel):
    index: int
    embedding: list[float]


class _Reply(BaseModel):
    data: list[_Entry]


class EndpointEmbedder:
    """A model behind HTTP. Thread-safe."""

    def __init__(
        self, base_url: str, model: str, *, api_key: str = "", dimension: int | None = None, timeout_s: float = 30.0
    ) -> None:
        """Asks the endpoint once for the dimension if none is given. ``base_url`` ends before ``/embeddings``.

        ``timeout_s``: for one batch, from the first byte sent to the last byte received.

        Raises:
            ModelFailed: the endpoint does not answer, or not in the expected shape.
        """
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self.name = model
        self._timeout_s = timeout_s
        self._url = f"{base_url.rstrip('/')}/embeddings"
        self._client = httpx.Client(headers=headers, timeout=timeout_s)
        self.dimension = dimension or self._post(["dimension"]).shape[1]

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, in order.

        Raises:
            ModelFailed: no usable reply; vectors of another length than ``dimension`` are none.
        """
        batches = [self._post(list(texts[first : first + _BATCH])) for first in range(0, len(texts), _BATCH)]
        if any(batch.shape[1] != self.dimension for batch in batches):
            raise ModelFailed("unparsable", retryable=False)
        return unit(np.concatenate(batches)) if batches else np.empty((0, self.dimension), np.float32)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _post(self, texts: list[str]) -> Vectors:
        body = {"model": self.name, "input": [text[:MAX_TEXT_CHARS] for text in texts], "encoding_format": "float"}
        return _vectors(post_bounded(self._client, self._url, body, timeout_s=self._timeout_s), len(texts))


def post_bounded(client: httpx.Client, url: str, body: Mapping[str, object], *, timeout_s: float) -> bytes:
    """The body of a 200 reply, at most 32 MiB, all of it within ``timeout_s``.

    Raises:
        ModelFailed: refused, unreachable, too slow or too long; it holds no text of the server.
    """
    until = time.monotonic() + timeout_s
    try:
        with client.stream("POST", url, json=body) as response:
            return _bounded(response, until)
    except httpx.TimeoutException as error:
        raise ModelFailed("timeout", retryable=True) from error
    except httpx.ConnectError as error:
        raise ModelFailed("connect", retryable=True) from error
    except httpx.HTTPError as error:
        raise ModelFailed("transport", retryable=True) from error


def _bounded(response: httpx.Response, until: float) -> bytes:
    """The body.

    Raises:
        ModelFailed: refused, too long, or not there in time although bytes keep coming.
    """
    _check(response.status_code)
    body = bytearray()
    for part in response.iter_bytes():
        body += part
        if len(body) > MAX_REPLY_BYTES:
            raise ModelFailed("unparsable", retryable=False)
        if time.monotonic() > until:
            raise ModelFailed("timeout", retryable=True)
    return bytes(body)


def _check(status: int) -> None:
    if status == httpx.codes.TOO_MANY_REQUESTS:
        raise ModelFailed("rate_limited", retryable=True)
    if status >= httpx.codes.INTERNAL_SERVER_ERROR:
        raise ModelFailed("server_error", retryable=True)
    if status != httpx.codes.OK:
        raise ModelFailed("refused", retryable=False)


def _vectors(body: bytes, expected: int) -> Vectors:
    """Vectors in order of their index.

    Raises:
        ModelFailed: another shape, another number, unequal lengths or values that are not finite.
    """
    try:
        entries = sorted(_Reply.model_validate_json(body).data, key=lambda entry: entry.index)
        vectors = np.array([entry.embedding for entry in entries], dtype=np.float32)
    except (ValidationError, ValueError) as error:
        raise ModelFailed("unparsable", retryable=True) from error
    complete = [entry.index for entry in entries] == list(range(expected))
    if not complete or vectors.ndim != 2 or vectors.shape[1] == 0 or not np.isfinite(vectors).all():
        raise ModelFailed("unparsable", retryable=True)
    return vectors
