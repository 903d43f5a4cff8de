"""No vendor is reached, logs are plain, and only types the state names come back from checkpoints."""

import hashlib
import os
from collections.abc import Iterator

import pytest

os.environ["LANGGRAPH_STRICT_MSGPACK"] = "true"
os.environ["LANGSMITH_TRACING"] = "false"

import structlog


def plain_logs() -> None:
    """Every line to standard output as it is then, so that a test can read it."""
    structlog.reset_defaults()
    structlog.configure(processors=[structlog.processors.add_log_level, structlog.processors.KeyValueRenderer()])


plain_logs()


@pytest.fixture(autouse=True)
def _own_logs() -> Iterator[None]:
    """A test that configures the logs of the process leaves none of it to the next one."""
    yield
    plain_logs()


pytest.register_assert_rewrite("tests.contracts")
"""Assertions of the contract suites explain themselves like those of test files."""

_ID_CHARS = 100


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    """A long text or many bytes are named by length and digest: ids travel to every worker and into every report."""
    if not isinstance(val, str | bytes) or len(val) <= _ID_CHARS:
        return None
    data = val if isinstance(val, bytes) else val.encode(errors="surrogatepass")
    return f"{argname}-{len(val)}-{hashlib.sha256(data).hexdigest()[:8]}"
