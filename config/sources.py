"""The systems a company really runs, as ``sources:`` of ``rootproof.yaml`` describes them. Plain typed values.

One entry a source: its name is what model, trace and reports call it. Every secret is a reference
(``config.secret_ref``).
"""

from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from config.secret_ref import HOW, is_reference
from state.model.enums import EvidenceKind

SourceName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]


def _secret(text: str) -> str:
    if not is_reference(text):
        raise ValueError(f"a secret is not written here; {HOW}")
    return text


def _address(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("an http:// or https:// address is expected")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError(
            "an address without user, password, query or fragment is expected; secrets have keys of their own"
        )
    return url.rstrip("/")


def _yaml_off(value: object) -> object:
    """YAML reads a bare ``off`` as false."""
    return "off" if value is False else value


Secret = Annotated[str, AfterValidator(_secret)]
"""``env:NAME`` or ``file:PATH``."""
Address = Annotated[str, AfterValidator(_address)]
Columns = dict[str, tuple[str, ...]]
"""Table, or ``schema.table``, → columns that may be read."""


class _Source(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, hide_input_in_errors=True)


class _Http(_Source):
    url: Address
    """Address of the server, up to but without its API path."""
    user: str | None = None
    """User of HTTP basic authentication."""
    password: Secret | None = None
    """Password of that user."""
    token: Secret | None = None
    """Bearer token, instead of user and password."""
    ca_file: Path | None = None
    """Certificates to trust instead of the system's."""
    timeout_s: float = Field(10.0, gt=0, le=60)
    """Seconds for one call of the tool."""


class LokiSource(_Http):
    """A Grafana Loki server."""

    kind: Literal["loki"]
    tenant: str | None = None
    """`X-Scope-OrgID` of a server with tenants."""
    selector: dict[str, str] = Field(min_length=1)
    """Labels every searched stream must have, such as `{env: prod}`; the model cannot leave them out."""
    service_label: str = "service"
    """Label that names the service."""
    level_label: str = "level"
    """Label or structured metadata that names the level, where there is one; else it is read from the line."""


class ElasticsearchSource(_Http):
    """An Elasticsearch or OpenSearch cluster."""

    kind: Literal["elasticsearch", "opensearch"]
    index: str = Field(min_length=1, max_length=200)
    """Index, alias or pattern that is searched, such as `logs-prod-*`."""
    api_key: Secret | None = None
    """`Authorization: ApiKey`, instead of user and password."""
    time_field: str = "@timestamp"
    """Field with the time of a record."""
    service_field: str = "service.name"
    """Field with the exact name of the service."""
    level_field: str = "log.level"
    """Field with the level."""
    message_field: str = "message"
    """Field with the text."""


class LogFolderSource(_Source):
    """A folder of log files on this machine."""

    kind: Literal["log_folder"]
    path: Path
    """The folder; read like the `logs/` of a world."""


class _Server(_Source):
    host: str = "127.0.0.1"
    """Name or address of the server."""
    database: str = Field(min_length=1)
    """Database that is read."""
    user: str = Field(min_length=1)
    """Account that can only read; `rootproof doctor` refuses another."""
    password: Secret | None = None
    """Its password."""
    tls: Annotated[Literal["off", "require", "verify"], BeforeValidator(_yaml_off)] = "verify"
    """`verify` checks the certificate and the name, `require` only encrypts; `off` is for a server on this machine."""
    ca_file: Path | None = None
    """Certificates to trust instead of the system's."""
    timeout_s: float = Field(5.0, gt=0, le=60)
    """Seconds for one statement, at the server too."""
    allowlist: Columns = Field(min_length=1)
    """What may be read; everything else does not exist for the model. `["*"]`: every column that is not sensitive."""
    masked: Columns = {}
    """Columns shown only as a mask, beside those that look sensitive by name."""
    max_plan_cost: float | None = Field(None, gt=0)
    """Ceiling of the server's own cost estimate; a dearer statement is refused before it runs."""


class PostgresSource(_Server):
    """A PostgreSQL database."""

    kind: Literal["postgres"]
    port: int = Field(5432, ge=1, le=65535)
    """Port of the server."""


class MysqlSource(_Server):
    """A MySQL or MariaDB database."""

    kind: Literal["mysql", "mariadb"]
    port: int = Field(3306, ge=1, le=65535)
    """Port of the server."""


class SqliteSource(_Source):
    """A SQLite file on this machine."""

    kind: Literal["sqlite"]
    path: Path
    """The file; opened read-only."""
    allowlist: Columns | None = None
    """What may be read. Unset: every table and column that is not sensitive."""


class PrometheusSource(_Http):
    """A Prometheus-compatible server; metrics, and its alerts unless an Alertmanager is configured."""

    kind: Literal["prometheus"]
    metrics: tuple[str, ...] = ("*",)
    """Metric names, or prefixes ending in `*`, that may be asked for."""


class AlertmanagerSource(_Http):
    """An Alertmanager."""

    kind: Literal["alertmanager"]


class McpTool(_Source):
    """One tool of an MCP server that may be used."""

    evidence_kind: EvidenceKind = EvidenceKind.KNOWLEDGE
    """TELEMETRY: a result may prove that something happened. KNOWLEDGE: it may not."""
    description: str | None = Field(None, max_length=1000)
    """Shown to the model instead of the server's own words."""


class McpSource(_Source):
    """An MCP server whose listed tools become evidence tools. Either `command` or `url`."""

    kind: Literal["mcp"]
    command: tuple[str, ...] | None = Field(None, min_length=1)
    """Program and arguments of a local server that speaks over its standard input and output."""
    env: dict[str, Secret] = {}
    """Environment of that program beside PATH, HOME and LANG."""
    url: Address | None = None
    """Address of a server that speaks streamable HTTP, its path included."""
    token: Secret | None = None
    """Bearer token for `url`."""
    ca_file: Path | None = None
    """Certificates to trust instead of the system's."""
    timeout_s: float = Field(15.0, gt=0, le=60)
    """Seconds for one call."""
    tools: dict[str, McpTool] = Field(min_length=1)
    """Tools that may be used, by the server's own name for them. Listing one declares that it only reads."""


Source = Annotated[
    LokiSource
    | ElasticsearchSource
    | LogFolderSource
    | PostgresSource
    | MysqlSource
    | SqliteSource
    | PrometheusSource
    | AlertmanagerSource
    | McpSource,
    Field(discriminator="kind"),
]
