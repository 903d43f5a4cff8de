"""Every setting: meaning, unit, legal values, default. A plain typed value that reads nothing by itself.

``config.load`` fills it from the environment and ``rootproof.yaml``, once, at an entry point.
"""

from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import platformdirs
from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from config.keys import Key, KeyName
from config.sources import Source, SourceName
from state.model.enums import Language, RedactionPolicy


def default_home() -> Path:
    """The user's data folder of Rootproof, such as ``~/.local/share/rootproof``. Creates nothing."""
    return platformdirs.user_data_path("rootproof", appauthor=False)


class Settings(BaseSettings):
    """What an operator may choose. Keys in the environment carry the prefix ``ROOTPROOF_``."""

    model_config = SettingsConfigDict(
        env_prefix="ROOTPROOF_", extra="forbid", frozen=True, use_attribute_docstrings=True, hide_input_in_errors=True
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Only what is passed: a ``Settings`` built in a test never depends on the machine it runs on."""
        return (init_settings,)

    # Where things are
    home: Path = Field(default_factory=default_home)
    """Folder of the embedded stores. Default: the user's data folder, such as `~/.local/share/rootproof`."""
    world: Path | None = None
    """Folder of evidence to diagnose. Unset: the current folder if it looks like one."""

    # Systems
    sources: dict[SourceName, Source] = {}
    """Log servers, databases, metrics, alerts and MCP servers to ask for evidence, by name; each kind is described in `docs/sources.md`."""  # noqa: E501
    redis_url: SecretStr | None = None
    """Redis for the records of tool calls, such as `rediss://redis.internal:6379/0`. Unset: a file under `home`."""
    database_url: SecretStr | None = None
    """PostgreSQL or MySQL for runs, budget, events, audit and recordings, such as `postgresql://rootproof@db.internal/rootproof`. Unset: files under `home`."""  # noqa: E501
    checkpoint_url: SecretStr | None = None
    """PostgreSQL for checkpoints. Unset: `database_url` if that is PostgreSQL, else a file under `home`."""
    milvus_uri: str | None = None
    """Milvus server for knowledge, such as `https://milvus.internal:19530`. Unset: a file under `home`."""
    milvus_token: SecretStr | None = None
    """`user:password` or token of that server."""

    # Models
    model: str = "offline"
    """Model of all roles: `offline` (no key, no network), `openai:NAME` (any OpenAI-compatible endpoint; with `model_base_url` the bare NAME is enough) or `scripted:FILE.json` (plays written turns)."""  # noqa: E501
    model_router: str | None = None
    """Another model for routing only. Unset: `model`."""
    model_agent: str | None = None
    """Another model for the diagnosis itself. Unset: `model`."""
    model_repair: str | None = None
    """Another model for the repair of references. Unset: `model`."""
    model_semantic: str | None = None
    """Another model for the isolated review. Unset: `model`."""
    model_base_url: str | None = None
    """Address of the OpenAI-compatible endpoint, up to and including `/v1`. Unset: `https://api.openai.com/v1`."""
    model_api_key: SecretStr | None = None
    """Key of that endpoint. May stay unset only for an endpoint on this machine or one that asks for none."""
    model_temperature: float | None = Field(None, ge=0, le=2)
    """Sampling temperature, 0 to 2. Unset: not sent; some models admit only their own default."""
    model_max_tokens_field: Literal["auto", "max_tokens", "max_completion_tokens"] = "auto"
    """Name under which the output limit is sent. `auto`: `max_completion_tokens` to api.openai.com, else `max_tokens`."""  # noqa: E501
    model_json_mode: bool = True
    """Ask for `response_format: json_object` in routing, repair and review. Turn off where the endpoint refuses it."""
    router_timeout_s: float = Field(10.0, gt=0, le=600)
    """Seconds for routing, all attempts together."""
    agent_timeout_s: float = Field(60.0, gt=0, le=600)
    """Seconds for one step of the agent, all attempts together."""
    repair_timeout_s: float = Field(30.0, gt=0, le=600)
    """Seconds for the repair."""
    review_timeout_s: float = Field(30.0, gt=0, le=600)
    """Seconds for the review, all attempts together."""
    max_prompt_chars: int = Field(32_000, ge=8_000, le=2_000_000)
    """Characters of one agent prompt without the tool schemas; older observations are shortened to fit."""

    # What a run may spend
    max_model_calls: int = Field(20, ge=1, le=200)
    """Model calls of all roles in one run."""
    max_tool_calls: int = Field(12, ge=0, le=100)
    """Charged evidence tool calls in one run."""
    max_calls_per_tool: int = Field(6, ge=0, le=100)
    """Charged calls of one tool in one run."""
    max_total_tokens: int = Field(120_000, ge=1_000, le=5_000_000)
    """Prompt plus completion tokens of all roles in one run."""
    max_run_bytes: int = Field(8 * 1024 * 1024, ge=1024)
    """Request plus raw plus projection bytes of all tool calls in one run."""
    deadline_s: float = Field(180.0, gt=0, le=3600)
    """Active seconds until the hard deadline of a run."""
    max_run_age_s: float = Field(7200.0, gt=0, le=7200)
    """Seconds from opening until an unfinished run is closed. At most 7200: evidence lives only a little longer."""
    max_resumes: int = Field(2, ge=0, le=20)
    """How often an interrupted run is taken up again."""
    held_back_model_calls: int = Field(4, ge=0, le=50)
    """Model calls that collection leaves for one draft, one repair and two reviews."""
    held_back_tokens: int = Field(24_000, ge=0)
    """Tokens that collection leaves for the same."""
    held_back_s: float = Field(60.0, ge=0, le=3600)
    """Seconds that collection leaves for the same."""

    # When collection stops
    stop_after_consecutive_no_gain: int = Field(2, ge=1, le=20)
    """Results in a row without information gain until collection is saturated."""
    saturation_min_tools: int = Field(2, ge=0, le=10)
    """Different tools that must have answered before saturation. 0: no minimum."""
    stop_after_consecutive_protocol_violations: int = Field(2, ge=1, le=20)
    """Malformed tool calls in a row until collection stops."""
    stop_after_consecutive_tool_errors: int = Field(4, ge=1, le=20)
    """Tool errors in a row until collection stops."""

    # Knowledge
    embedder: str = "packaged"
    """Embedding model: `packaged` (bilingual, on this machine's CPU) or `openai:NAME`."""
    embedder_base_url: str | None = None
    """Address of the OpenAI-compatible embeddings endpoint. Unset: `model_base_url`."""
    embedder_api_key: SecretStr | None = None
    """Key of that endpoint. Unset: `model_api_key`."""
    embedder_timeout_s: float = Field(30.0, gt=0, le=600)
    """Seconds for one request to the embeddings endpoint."""
    embedder_precise_min: float | None = Field(None, ge=0, le=1)
    """Cosine from which a hit is PRECISE. Needed for an embedding model that ships without thresholds."""
    embedder_reference_min: float | None = Field(None, ge=0, le=1)
    """Cosine below which a hit is dropped. Needed for an embedding model that ships without thresholds."""
    search_mode: Literal["hybrid", "dense"] = "hybrid"
    """Knowledge search: `hybrid` (vectors and BM25, fused) or `dense` (vectors alone, as a control)."""
    chunk_chars: int = Field(1000, ge=200, le=8000)
    """Characters of one chunk at ingest."""
    chunk_overlap_chars: int = Field(100, ge=0, le=1000)
    """Characters that neighbouring chunks share; less than `chunk_chars`."""
    retrieve_k: int = Field(20, ge=1, le=200)
    """Hits fetched from the index for one search."""
    return_n: int = Field(5, ge=1, le=8)
    """Hits returned from one search."""
    neighbours: int = Field(0, ge=0, le=2)
    """Chunks of the same section returned before and after each hit; at most 8 items in all. 0: none."""
    reranker: str | None = None
    """Model that reorders the hits of a search, `endpoint:NAME`. Unset: none; the order is that of the search."""
    reranker_base_url: str | None = None
    """Address of the rerank endpoint (Cohere or Jina form, `POST /rerank`)."""
    reranker_api_key: SecretStr | None = None
    """Key of that endpoint."""

    # Service
    keys: dict[KeyName, Key] = {}
    """Keys of the callers of `rootproof serve`, by name: `{secret: env:NAME or file:PATH, roles: [user, operator, auditor]}`. Empty: only this machine is served."""  # noqa: E501
    cors_origins: tuple[str, ...] = ()
    """Origins whose pages may call the service from a browser, such as `https://ops.example.com`. Empty: its own page alone."""  # noqa: E501
    max_running: int = Field(32, ge=1, le=1000)
    """Runs that one process executes at a time; a further one is answered with 429."""
    max_running_per_key: int = Field(16, ge=1, le=1000)
    """Of these, runs of one key, those of its alerts included."""
    max_streams_per_key: int = Field(100, ge=1, le=1000)
    """Event streams that one key has open at a time in one process; a further one is answered with 429."""
    requests_per_minute: int = Field(120, ge=1, le=100_000)
    """Requests one key may make in a minute; a further one is answered with 429."""
    requests_per_minute_total: int = Field(1200, ge=1, le=1_000_000)
    """Requests all keys together may make in a minute."""
    disconnect_grace_s: float = Field(15.0, ge=1, le=3600)
    """Seconds after which a run that nobody watches any more is cancelled, unless it is detached."""

    # What is kept and shown
    redaction: RedactionPolicy = RedactionPolicy.EXTERNAL_MODELS
    """When hosts, pods, IPs and PIDs become placeholders: `never`, `external_models` (a model not on this machine) or `always`. Secrets and personal data are removed in any case."""  # noqa: E501
    recording: Literal["off", "redacted", "full"] = "redacted"
    """What is kept for replay: `off`, `redacted` (model requests and replies, projections) or `full` (also raw results, encrypted with `encryption_key`)."""  # noqa: E501
    encryption_key: SecretStr | None = None
    """Key for full recordings and provider reasoning. Unset: neither is stored."""
    retention_days: int = Field(30, ge=1, le=3650)
    """Days that runs, events and audit are kept."""
    language: Language | Literal["auto"] = "auto"
    """Language of everything written for people: `en`, `zh` or `auto` (that of the question)."""
    time_zone: str | None = None
    """IANA zone in which times are read and shown, such as `Asia/Shanghai`. Unset: the world's, else UTC."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Least severe log line written to stderr."""
    log_format: Literal["auto", "console", "json"] = "auto"
    """`json`: one object a line; `console`: for people; `auto`: console on a terminal, else json."""

    @field_validator("home", "world")
    @classmethod
    def _expand(cls, path: Path | None) -> Path | None:
        return path.expanduser() if path else None

    @field_validator("recording", mode="before")
    @classmethod
    def _yaml_off(cls, value: object) -> object:
        """YAML reads a bare ``off`` as false."""
        return "off" if value is False else value

    @field_validator("model_base_url", "embedder_base_url", "reranker_base_url", "milvus_uri")
    @classmethod
    def _endpoint(cls, url: str | None) -> str | None:
        if url is None:
            return None
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError("an http:// or https:// address is expected, such as http://127.0.0.1:11434/v1")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError(
                "an address without user, password, query or fragment is expected; keys have their own key"
            )
        return url.rstrip("/")

    @field_validator("cors_origins")
    @classmethod
    def _origin(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for origin in origins:
            parts = urlsplit(origin)
            if parts.scheme not in {"http", "https"} or origin != f"{parts.scheme}://{parts.netloc}" or "@" in origin:
                raise ValueError("an origin without path is expected, such as https://ops.example.com; `*` is none")
        return origins

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, name: str | None) -> str | None:
        try:
            return name and ZoneInfo(name).key
        except (KeyError, ValueError, OSError):
            raise ValueError("not a known IANA time zone; examples: UTC, Europe/Berlin, Asia/Shanghai") from None
