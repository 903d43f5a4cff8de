"""Opening what the settings name: what is wrong with a source is told by its key."""

from pathlib import Path

import pytest

from config.settings import Settings
from graph.configured_sources import open_configured
from graph.system import SystemClock
from state.model.errors import Misconfigured

KINDS = {
    "loki": {"url": "https://127.0.0.1:9", "selector": {"env": "prod"}},
    "elasticsearch": {"url": "https://127.0.0.1:9", "index": "logs-*"},
    "prometheus": {"url": "https://127.0.0.1:9"},
    "mcp": {"url": "https://127.0.0.1:9/mcp", "tools": {"search": {}}},
    "mysql": {"database": "d", "user": "u", "port": 9, "allowlist": {"t": ["*"]}},
}


@pytest.mark.parametrize("kind", list(KINDS))
@pytest.mark.parametrize("content", [None, b"", b"no certificate"])
async def test_certificates_that_cannot_be_used_are_named_by_their_key(
    kind: str, content: bytes | None, tmp_path: Path
) -> None:
    ca_file = tmp_path / "ca.pem"
    if content is not None:
        ca_file.write_bytes(content)
    settings = Settings(home=tmp_path, sources={"bad": {"kind": kind, "ca_file": ca_file, **KINDS[kind]}})

    with pytest.raises(Misconfigured) as caught:
        async with open_configured(settings, "UTC", SystemClock()):
            pass

    assert caught.value.key == "sources.bad.ca_file"
