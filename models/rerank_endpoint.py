"""A ``/rerank`` endpoint as Jina, Cohere and vLLM serve it. No hidden retries; errors are typed.

Fits ``tools.knowledge.stages.Reranker``; a search goes on without it when it fails.
"""

from collections.abc import Sequence

import httpx
from pydantic import BaseModel, Field, ValidationError

from models.embedding_endpoint import post_bounded
from state.model.errors import ModelFailed


class _Judged(BaseModel):
    index: int = Field(ge=0)
    relevance_score: float = Field(allow_inf_nan=False)


class _Reply(BaseModel):
    results: list[_Judged]


class EndpointReranker:
    """A cross-encoder behind HTTP. Thread-safe."""

    def __init__(self, base_url: str, model: str, *, api_key: str = "", timeout_s: float = 5.0) -> None:
        """Connects to nothing yet. ``base_url`` ends before ``/rerank``; ``timeout_s`` is for one question."""
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self.name = model
        self._url = f"{base_url.rstrip('/')}/rerank"
        self._timeout_s = timeout_s
        self._client = httpx.Client(headers=headers, timeout=timeout_s)

    def scores(self, question: str, passages: Sequence[str]) -> Sequence[float]:
        """One score a passage, in order; higher is better.

        Raises:
            ModelFailed: no usable reply, or not one score for each passage.
        """
        body = {"model": self.name, "query": question, "documents": list(passages), "top_n": len(passages)}
        reply = post_bounded(self._client, self._url, body, timeout_s=self._timeout_s)
        try:
            judged = {each.index: each.relevance_score for each in _Reply.model_validate_json(reply).results}
        except ValidationError as error:
            raise ModelFailed("unparsable", retryable=True) from error
        if sorted(judged) != list(range(len(passages))):
            raise ModelFailed("unparsable", retryable=True)
        return [judged[place] for place in range(len(passages))]

    def close(self) -> None:
        """Close the connections."""
        self._client.close()
