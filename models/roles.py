"""The chat model of every role, built from settings. The one place that knows which kinds of model there are."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from langchain_core.language_models.chat_models import BaseChatModel

from config.limits import MAX_OUTPUT_TOKENS, role_timeout_s
from config.settings import Settings
from models.offline.model import OfflineReasoner
from models.scripted import ScriptedModel
from models.turns import WrittenTurn, load_script
from state.model.enums import ModelRole
from state.model.errors import Misconfigured

if TYPE_CHECKING:
    from models.endpoint import EndpointModels

OFFLINE = "offline"
Close = Callable[[], Awaitable[None]]
_MODEL_KEYS = {"model", *(f"model_{role.value}" for role in ModelRole)}


@dataclass(frozen=True)
class RoleModel:
    """One role's model with its bounds."""

    role: ModelRole
    model: BaseChatModel
    name: str
    """As in traces and reports: ``offline``, the endpoint's model name, or ``scripted:FILE``."""
    is_external: bool
    """True if what it is asked leaves this machine."""
    timeout_s: float
    """For all attempts of one step."""
    max_output_tokens: int


@dataclass(frozen=True)
class RoleModels:
    """A model for every role."""

    by_role: Mapping[ModelRole, RoleModel]
    closers: tuple[Close, ...] = field(default=(), repr=False)

    def __getitem__(self, role: ModelRole) -> RoleModel:
        """The model of that role; every role has one."""
        return self.by_role[role]

    @property
    def any_external(self) -> bool:
        """True if some role's questions leave this machine."""
        return any(model.is_external for model in self.by_role.values())

    async def aclose(self) -> None:
        """Close the connections. Call it in the event loop that used the models; again is harmless."""
        for close in self.closers:
            await close()


def build_role_models(settings: Settings) -> RoleModels:
    """A model for every role, as the settings say. Connects to nothing; reads script files.

    Raises:
        Misconfigured: a model is unknown, needs an address or key that is not set, or its script is not usable.
    """
    builder = _Builder(settings)
    by_role = {role: builder.build(role) for role in ModelRole}
    return RoleModels(by_role=by_role, closers=builder.closers)


def given_models(models: Mapping[ModelRole, BaseChatModel], settings: Settings, *, name: str) -> RoleModels:
    """Ready models with the bounds of the settings: for tests, replay and evaluations. None counts as external."""
    return RoleModels(
        {role: _bounded(settings, role, model, name=name, is_external=False) for role, model in models.items()}
    )


class _Builder:
    """Builds role by role; endpoint and scripts are shared between roles."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._scripts: dict[str, dict[ModelRole, tuple[WrittenTurn, ...]]] = {}
        self._endpoint: EndpointModels | None = None

    @property
    def closers(self) -> tuple[Close, ...]:
        return (self._endpoint.aclose,) if self._endpoint else ()

    def build(self, role: ModelRole) -> RoleModel:
        override = getattr(self._settings, f"model_{role.value}")
        key = f"ROOTPROOF_MODEL_{role.value.upper()}" if override else "ROOTPROOF_MODEL"
        model, name, is_external = self._kind(role, override or self._settings.model, key)
        return _bounded(self._settings, role, model, name=name, is_external=is_external)

    def _kind(self, role: ModelRole, spec: str, key: str) -> tuple[BaseChatModel, str, bool]:
        provider, _, rest = spec.partition(":")
        if spec == OFFLINE:
            self._refuse_idle_endpoint()
            return OfflineReasoner(role=role), OFFLINE, False
        if provider == "scripted" and rest:
            return self._scripted(role, rest), spec, False
        if provider == "openai" and rest:
            return self._at_endpoint(role, rest)
        if self._settings.model_base_url and spec:
            return self._at_endpoint(role, spec)
        ways = "use offline, openai:NAME, scripted:FILE.json, or NAME with an address in ROOTPROOF_MODEL_BASE_URL"
        raise Misconfigured(key, f"no model {spec!r}: {ways}")

    def _refuse_idle_endpoint(self) -> None:
        if self._settings.model_base_url and not self._settings.model_fields_set & _MODEL_KEYS:
            why = "an address is set but no model: name the one to ask there, or choose offline"
            raise Misconfigured("ROOTPROOF_MODEL", why)

    def _scripted(self, role: ModelRole, file: str) -> BaseChatModel:
        if file not in self._scripts:
            self._scripts[file] = load_script(Path(file).expanduser())
        return ScriptedModel(turns=self._scripts[file].get(role, ()), name_shown=f"scripted:{file}")

    def _at_endpoint(self, role: ModelRole, name: str) -> tuple[BaseChatModel, str, bool]:
        if self._endpoint is None:
            # Imported here: the vendor libraries take 0.8 s, which a run without an endpoint must not pay.
            from models.endpoint import EndpointModels

            self._endpoint = EndpointModels(self._settings)
        return self._endpoint.build(role, name), name, self._endpoint.is_external


def _bounded(settings: Settings, role: ModelRole, model: BaseChatModel, *, name: str, is_external: bool) -> RoleModel:
    return RoleModel(
        role=role,
        model=model,
        name=name,
        is_external=is_external,
        timeout_s=role_timeout_s(settings, role),
        max_output_tokens=MAX_OUTPUT_TOKENS[role],
    )
