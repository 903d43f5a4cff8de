"""An OpenAI-compatible ``/embeddings`` endpoint. No hidden retries; errors are typed and hold no text of the server."""

from collections.abc import Sequence

import httpx
import numpy as np
from pydantic import BaseModel, ValidationError

from models.embedding import Vectors, unit
from state.model.errors import ModelFailed

_BATCH = 64


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

        Raises:
            ModelFailed: the endpoint does not answer, or not in the expected shape.
        """
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self.name = model
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
        body = {"model": self.name, "input": texts, "encoding_format": "float"}
        try:
            response = self._client.post(self._url, json=body)
        except httpx.TimeoutException as error:
            raise ModelFailed("timeout", retryable=True) from error
        except httpx.ConnectError as error:
            raise ModelFailed("connect", retryable=True) from error
        except httpx.HTTPError as error:
            raise ModelFailed("transport", retryable=True) from error
        if response.status_code != httpx.codes.OK:
            raise _refusal(response.status_code)
        return _vectors(response.content, len(texts))


def _refusal(status: int) -> ModelFailed:
    if status == httpx.codes.TOO_MANY_REQUESTS:
        return ModelFailed("rate_limited", retryable=True)
    if status >= httpx.codes.INTERNAL_SERVER_ERROR:
        return ModelFailed("server_error", retryable=True)
    return ModelFailed("refused", retryable=False)


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
