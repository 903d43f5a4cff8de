"""Sources and secrets of the settings file: what is wrong is named by key, and no secret stands in the file."""

import re
from pathlib import Path
from typing import get_args

import pytest
from pydantic import BaseModel

from config.load import load_settings
from config.sources import LokiSource, McpSource, McpTool, PostgresSource, Source
from state.model.errors import Misconfigured

GOOD = """
sources:
  app-logs: {kind: loki, url: "http://127.0.0.1:3100/", selector: {env: prod}, token: "env:LOKI_TOKEN"}
  orders:
    kind: postgres
    host: db.internal
    database: orders
    user: rootproof_ro
    password: file:/run/secrets/orders
    allowlist: {public.deployments: ["*"]}
  wiki: {kind: mcp, command: [wiki-mcp], tools: {search: {}}}
"""


@pytest.fixture(autouse=True)
def in_own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def settings_of(text: str) -> dict[str, object]:
    Path("rootproof.yaml").write_text(text, encoding="utf-8")
    return dict(load_settings().sources)


def refusal(text: str) -> str:
    with pytest.raises(Misconfigured) as caught:
        settings_of(text)
    return str(caught.value)


def test_sources_are_typed_by_kind() -> None:
    sources = settings_of(GOOD)

    assert [type(source) for source in sources.values()] == [LokiSource, PostgresSource, McpSource]
    assert isinstance(loki := sources["app-logs"], LokiSource) and loki.url == "http://127.0.0.1:3100"


@pytest.mark.parametrize(
    ("text", "key", "said"),
    [
        ("sources: {a: {kind: lokki}}", "sources.a", "lokki"),
        ("sources: {a: {url: 'http://h'}}", "sources.a", "kind"),
        ("sources: {a: {kind: loki, url: 'http://h'}}", "sources.a.selector", "required"),
        ("sources: {a: {kind: loki, url: 'h', selector: {a: b}}}", "sources.a.url", "http://"),
        ("sources: {a: {kind: loki, url: 'http://u:p@h', selector: {a: b}}}", "sources.a.url", "without user"),
        ("sources: {a: {kind: prometheus, url: 'http://h', tokn: x}}", "sources.a.tokn", "no such key"),
        ("sources: {a: {kind: prometheus, ulr: 'http://h'}}", "sources.a.ulr", "no such key"),
        ("sources: {a: {kind: prometheus, url: 'http://h', token: s3cret}}", "sources.a.token", "env:NAME"),
        ("sources: {'../a': {kind: prometheus, url: 'http://h'}}", "sources", "match"),
        ("sources: [a]", "sources", "dictionary"),
    ],
)
def test_what_is_wrong_with_a_source_is_named(text: str, key: str, said: str) -> None:
    message = refusal(text)

    assert message.startswith(key)
    assert said in message
    assert "s3cret" not in message


def test_a_bare_off_is_off() -> None:
    text = "sources: {a: {kind: postgres, database: d, user: u, tls: off, allowlist: {t: ['*']}}}"

    assert isinstance(source := settings_of(text)["a"], PostgresSource) and source.tls == "off"


def test_a_secret_in_the_file_is_refused_without_showing_it() -> None:
    message = refusal("model_api_key: sk-very-secret\n")

    assert "model_api_key in rootproof.yaml" in message
    assert "env:NAME" in message
    assert "sk-very-secret" not in message


def test_an_address_with_a_password_is_refused_in_the_file() -> None:
    assert "s3cret" not in refusal("database_url: postgresql://me:s3cret@db/x\n")


def test_an_address_without_a_password_may_stand_in_the_file() -> None:
    Path("rootproof.yaml").write_text("database_url: postgresql://me@db/x\n")

    url = load_settings().database_url

    assert url is not None and url.get_secret_value() == "postgresql://me@db/x"


@pytest.mark.parametrize("source", ["file", "variable"])
def test_a_reference_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, source: str) -> None:
    (tmp_path / "key").write_text("sk-from-file\n")
    monkeypatch.setenv("THE_KEY", "sk-from-file")
    reference = f"file:{tmp_path / 'key'}" if source == "file" else "env:THE_KEY"
    Path("rootproof.yaml").write_text(f"model_api_key: {reference}\n")

    key = load_settings().model_api_key

    assert key is not None and key.get_secret_value() == "sk-from-file"


@pytest.mark.parametrize("reference", ["env:NOT_SET_ANYWHERE", "file:/no/such/secret", "env:", "file:"])
def test_a_reference_to_nothing_names_key_and_place(reference: str) -> None:
    message = refusal(f"model_api_key: '{reference}'\n")

    assert message.startswith("model_api_key in rootproof.yaml")
    assert reference.partition(":")[2] in message


@pytest.mark.parametrize("key", ["sources", "keys", "cors_origins"])
def test_what_needs_json_in_the_environment_is_named(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setenv(f"ROOTPROOF_{key.upper()}", "{not json")

    with pytest.raises(Misconfigured, match=f"ROOTPROOF_{key.upper()}: is not JSON; write `{key}:`"):
        load_settings()


DOCUMENT = (Path(__file__).parents[2] / "docs" / "sources.md").read_text(encoding="utf-8")
KINDS = get_args(get_args(Source)[0])


@pytest.mark.parametrize("model", [*KINDS, McpTool])
def test_every_key_of_a_source_is_documented(model: type[BaseModel]) -> None:
    missing = [
        name
        for name, field in model.model_fields.items()
        if name != "kind"
        and not re.search(rf"^\| `{name}` \| .+ \| {re.escape(str(field.description))} \|$", DOCUMENT, re.M)
    ]

    assert missing == []


def test_every_kind_has_its_section() -> None:
    kinds = [kind for model in KINDS for kind in get_args(model.model_fields["kind"].annotation)]

    assert [kind for kind in kinds if f"`kind: {kind}`" not in DOCUMENT] == []
