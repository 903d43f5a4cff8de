"""No vendor is reached, logs are plain, and only types the state names come back from checkpoints."""

import hashlib
import os

import pytest

os.environ["LANGGRAPH_STRICT_MSGPACK"] = "true"
os.environ["LANGSMITH_TRACING"] = "false"

import structlog

structlog.configure(processors=[structlog.processors.add_log_level, structlog.processors.KeyValueRenderer()])

pytest.register_assert_rewrite("tests.contracts")
"""Assertions of the contract suites explain themselves like those of test files."""

_ID_CHARS = 100


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    """A long text or many bytes are named by length and digest: ids travel to every worker and into every report."""
    if not isinstance(val, str | bytes) or len(val) <= _ID_CHARS:
        return None
    data = val if isinstance(val, bytes) else val.encode(errors="surrogatepass")
    return f"{argname}-{len(val)}-{hashlib.sha256(data).hexdigest()[:8]}"
