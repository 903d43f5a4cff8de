"""The running service against its own OpenAPI document: made-up requests get documented replies and never a 5xx."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis.internal.conjecture.utils import many
from hypothesis_jsonschema import _from_schema
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.e2e.serve_command import SECRETS, ServeProcess, serve_process

pytestmark = pytest.mark.e2e

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_headers_conformance]
RATES = {
    "requests_per_minute": 100_000,
    "requests_per_minute_total": 1_000_000,
    "max_running": 200,
    "max_running_per_key": 200,
}
BOUNDED = settings(
    max_examples=3,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeProcess]:
    """Without a source of evidence: a made-up question is answered at once."""
    with serve_process(tmp_path_factory.mktemp("contract"), **RATES) as found:
        yield found
        assert "Traceback" not in found.log


@pytest.fixture(scope="module")
def interface(service: ServeProcess) -> Any:
    return schemathesis.openapi.from_url(f"{service.url}/openapi.json")


class Elements:
    """``many`` of Hypothesis with the protocol of before 6.170, which hypothesis-jsonschema 0.23 (its newest) asks for."""

    def __init__(self, data: Any, **sizes: Any) -> None:
        self._many = many(data, **sizes).__enter__()
        self._left = iter(self._many)

    def more(self) -> bool:
        return next(self._left, self) is None

    def reject(self, why: str | None = None) -> None:
        self._many.reject(why)


@pytest.fixture(scope="module", autouse=True)
def elements() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(_from_schema, "cu", SimpleNamespace(many=Elements))
        yield


made_up = schemathesis.pytest.from_fixture("interface")


STREAMS = "/(chat|events)$"
"""Described as text: what their events hold is tested in test_streams.py."""


@made_up.exclude(path_regex=STREAMS).parametrize()
@BOUNDED
def test_every_reply_is_documented(case: Any) -> None:
    case.call_and_validate(headers=bearer("operator"), checks=[*CHECKS, response_schema_conformance], timeout=60)


@made_up.include(path_regex=STREAMS).parametrize()
@BOUNDED
def test_every_stream_is_documented(case: Any) -> None:
    case.call_and_validate(headers=bearer("user"), checks=CHECKS, timeout=60)


@made_up.include(path_regex="/(raw|reasoning|export)$").parametrize()
@BOUNDED
def test_every_reply_to_an_auditor_is_documented(case: Any) -> None:
    case.call_and_validate(headers=bearer("auditor"), checks=[*CHECKS, response_schema_conformance], timeout=60)


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {SECRETS[key]}"}


def test_everything_the_contract_names_is_documented(service: ServeProcess) -> None:
    """An address of docs/http-api.md that the service does not describe would not be tried at all."""
    described = httpx.get(f"{service.url}/openapi.json").raise_for_status().json()["paths"]
    page = (Path(__file__).parents[2] / "docs" / "http-api.md").read_text(encoding="utf-8")
    addresses = {f"{method.upper()} {path}" for path, methods in described.items() for method in methods}

    assert len(addresses) >= 25
    for address in addresses:
        path = address.split()[1]
        assert path in page or path.rsplit("/", 1)[0] in page, address
