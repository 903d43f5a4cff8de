"""The chat models of one OpenAI-compatible endpoint, as the settings describe it: one connection pool for all roles."""

from typing import Literal

from config.settings import Settings
from models.openai_compatible import (
    OPENAI_URL,
    Endpoint,
    OpenAICompatible,
    build_openai_model,
    open_client,
)
from state.model.enums import ModelRole
from state.model.errors import Misconfigured
from state.model.this_machine import is_loopback


class EndpointModels:
    """Builds models that share one pool. Connects to nothing by itself.

    Raises Misconfigured when api.openai.com is to be asked without a key.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._base_url = settings.model_base_url or OPENAI_URL
        if self._base_url == OPENAI_URL and settings.model_api_key is None:
            raise Misconfigured("ROOTPROOF_MODEL_API_KEY", "api.openai.com needs a key; set it, or another address")
        self._client = open_client(self._base_url)

    @property
    def is_external(self) -> bool:
        """True unless the endpoint is on this machine."""
        return not is_loopback(self._base_url)

    def build(self, role: ModelRole, name: str) -> OpenAICompatible:
        """The model ``name`` as that role asks it."""
        endpoint = Endpoint(
            name=name,
            base_url=self._base_url,
            api_key=self._settings.model_api_key,
            temperature=self._settings.model_temperature,
            max_tokens_field=self._max_tokens_field(),
            json_replies=self._settings.model_json_mode and role is not ModelRole.AGENT,
        )
        return build_openai_model(endpoint, self._client)

    async def aclose(self) -> None:
        """Close the pool; again is harmless."""
        await self._client.aclose()

    def _max_tokens_field(self) -> Literal["max_tokens", "max_completion_tokens"]:
        wanted = self._settings.model_max_tokens_field
        if wanted != "auto":
            return wanted
        return "max_completion_tokens" if self._base_url == OPENAI_URL else "max_tokens"
