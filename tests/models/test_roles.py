"""Which model each role gets, from settings; and that everything wrong is named with its way out."""

import json
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from pydantic import SecretStr

from config.settings import Settings
from models.chat import ask
from models.offline.model import OfflineReasoner
from models.openai_compatible import OpenAICompatible
from models.roles import RoleModels, build_role_models, given_models
from models.scripted import ScriptedModel
from state.model.enums import ModelRole
from state.model.errors import Misconfigured
from tests.wire_server import WireServer, answers, completion

LOCAL = "http://127.0.0.1:9/v1"


def built(**settings: Any) -> RoleModels:
    return build_role_models(Settings(**settings))


def test_default_is_the_offline_reasoner_in_every_role() -> None:
    models = built()

    assert [type(models[role].model) for role in ModelRole] == [OfflineReasoner] * 4
    assert [models[role].model.role for role in ModelRole] == list(ModelRole)  # type: ignore[attr-defined]
    assert (models[ModelRole.AGENT].name, models.any_external) == ("offline", False)


def test_bounds_come_from_settings_and_constants() -> None:
    models = built(router_timeout_s=3)

    bounds = {role: (models[role].timeout_s, models[role].max_output_tokens) for role in ModelRole}

    assert bounds == {
        ModelRole.ROUTER: (3, 64),
        ModelRole.AGENT: (60, 4096),
        ModelRole.REPAIR: (30, 4096),
        ModelRole.SEMANTIC: (30, 512),
    }


@pytest.mark.parametrize("spec", ["openai:qwen2.5:7b", "qwen2.5:7b"])
async def test_endpoint_on_this_machine_needs_no_key_and_is_not_external(spec: str) -> None:
    models = built(model=spec, model_base_url=LOCAL)

    agent = models[ModelRole.AGENT]
    assert isinstance(agent.model, OpenAICompatible)
    assert (agent.name, agent.is_external, models.any_external) == ("qwen2.5:7b", False, False)
    await models.aclose()


async def test_endpoint_elsewhere_is_external() -> None:
    models = built(model="m", model_base_url="https://models.example.com/v1", model_api_key=SecretStr("k"))

    assert models.any_external
    await models.aclose()


async def test_role_can_have_its_own_model() -> None:
    models = built(model_agent="openai:big", model_base_url=LOCAL)

    assert [models[role].name for role in ModelRole] == ["offline", "big", "offline", "offline"]
    await models.aclose()


async def test_json_is_asked_for_in_every_role_but_the_agents() -> None:
    models = built(model="m", model_base_url=LOCAL)

    asked = {role: models[role].model.json_replies for role in ModelRole}  # type: ignore[attr-defined]

    assert asked == {ModelRole.ROUTER: True, ModelRole.AGENT: False, ModelRole.REPAIR: True, ModelRole.SEMANTIC: True}
    await models.aclose()


async def test_json_mode_can_be_turned_off() -> None:
    models = built(model="m", model_base_url=LOCAL, model_json_mode=False)

    assert not models[ModelRole.ROUTER].model.json_replies  # type: ignore[attr-defined]
    await models.aclose()


async def test_output_limit_field_follows_the_endpoint() -> None:
    local = built(model="m", model_base_url=LOCAL)
    hosted = built(model="openai:gpt-4.1", model_api_key=SecretStr("k"))
    forced = built(model="m", model_base_url=LOCAL, model_max_tokens_field="max_completion_tokens")

    fields = [models[ModelRole.AGENT].model.max_tokens_field for models in (local, hosted, forced)]  # type: ignore[attr-defined]

    assert fields == ["max_tokens", "max_completion_tokens", "max_completion_tokens"]
    for models in (local, hosted, forced):
        await models.aclose()


async def test_roles_share_one_connection_and_closing_twice_is_harmless() -> None:
    with WireServer(answers(completion("one")), answers(completion("two"))) as server:
        models = built(model="m", model_base_url=server.base_url)
        for role in (ModelRole.ROUTER, ModelRole.SEMANTIC):
            await ask(models[role].model, [HumanMessage("q")], timeout_s=5, max_output_tokens=9)
        await models.aclose()
        await models.aclose()

    assert server.n_connections == 1


async def test_script_is_played_role_by_role(tmp_path: Path) -> None:
    file = tmp_path / "script.json"
    file.write_text(json.dumps({"agent": [{"text": "hello"}]}), encoding="utf-8")
    models = built(model=f"scripted:{file}")

    reply = await ask(models[ModelRole.AGENT].model, [HumanMessage("q")], timeout_s=5, max_output_tokens=9)

    assert reply.text == "hello"
    assert models[ModelRole.AGENT].name == f"scripted:{file}"
    assert models[ModelRole.ROUTER].model.turns == ()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        ({"model": "gpt-4.1"}, "ROOTPROOF_MODEL"),
        ({"model": "ofline"}, "ROOTPROOF_MODEL"),
        ({"model": ""}, "ROOTPROOF_MODEL"),
        ({"model": "openai:"}, "ROOTPROOF_MODEL"),
        ({"model": "scripted:"}, "ROOTPROOF_MODEL"),
        ({"model_semantic": "judge"}, "ROOTPROOF_MODEL_SEMANTIC"),
        ({"model": "openai:gpt-4.1"}, "ROOTPROOF_MODEL_API_KEY"),
        ({"model_base_url": LOCAL}, "ROOTPROOF_MODEL"),
        ({"model": "scripted:/nowhere/x.json"}, "/nowhere/x.json"),
    ],
)
def test_unusable_model_names_the_key(settings: dict[str, Any], key: str) -> None:
    with pytest.raises(Misconfigured) as caught:
        built(**settings)

    assert caught.value.key == key


def test_offline_may_be_chosen_beside_an_address() -> None:
    assert built(model="offline", model_base_url=LOCAL)[ModelRole.AGENT].name == "offline"


def test_given_models_get_the_same_bounds() -> None:
    models = given_models({role: ScriptedModel() for role in ModelRole}, Settings(), name="scripted")

    assert models[ModelRole.SEMANTIC].max_output_tokens == 512
    assert not models.any_external
