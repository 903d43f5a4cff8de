"""Settings: defaults, sources and their order, and every wrong value named with its way out."""

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from config.load import load_settings
from config.settings import Settings
from state.model.enums import Language
from state.model.errors import Misconfigured

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    import os

    for name in [name for name in os.environ if name.upper().startswith("ROOTPROOF_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(folder: Path, text: str) -> Path:
    file = folder / "rootproof.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def refused(**overrides: Any) -> Misconfigured:
    with pytest.raises(Misconfigured) as caught:
        load_settings(overrides=overrides)
    return caught.value


def test_nothing_set_gives_a_working_offline_product() -> None:
    settings = load_settings()

    assert settings == Settings()
    assert (settings.model, settings.recording, settings.redaction) == ("offline", "redacted", "external_models")


def test_home_is_the_users_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    assert Settings().home == tmp_path / "rootproof"
    assert not Settings().home.exists()


def test_tilde_is_the_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("ROOTPROOF_HOME", "~/data")

    assert load_settings().home == tmp_path / "data"


def test_command_line_wins_over_environment_wins_over_file(
    monkeypatch: pytest.MonkeyPatch, clean_environment: Path
) -> None:
    written(clean_environment, "model: from-file\nmax_tool_calls: 3\nretention_days: 9\n")
    monkeypatch.setenv("ROOTPROOF_MODEL", "from-env")
    monkeypatch.setenv("ROOTPROOF_MAX_TOOL_CALLS", "4")

    settings = load_settings(overrides={"model": "from-cli", "world": None})

    assert (settings.model, settings.max_tool_calls, settings.retention_days) == ("from-cli", 4, 9)


def test_settings_built_directly_ignore_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROOTPROOF_MODEL", "from-env")

    assert Settings().model == "offline"


def test_named_file_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text("language: zh\n", encoding="utf-8")
    monkeypatch.setenv("ROOTPROOF_CONFIG", str(other))

    assert load_settings().language is Language.ZH
    assert load_settings(other).language is Language.ZH


def test_empty_file_and_empty_variable_change_nothing(monkeypatch: pytest.MonkeyPatch, clean_environment: Path) -> None:
    written(clean_environment, "# nothing yet\n")
    monkeypatch.setenv("ROOTPROOF_MODEL", "")

    assert load_settings() == Settings()


@pytest.mark.parametrize("text", ["recording: off", 'recording: "off"', "recording: false"])
def test_yaml_off_means_off(clean_environment: Path, text: str) -> None:
    written(clean_environment, text)

    assert load_settings().recording == "off"


def test_secret_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROOTPROOF_MODEL_API_KEY", "sk-very-secret")
    settings = load_settings()

    assert settings.model_api_key == SecretStr("sk-very-secret")
    assert "sk-very-secret" not in repr(settings) + settings.model_dump_json()


WRONG = [
    ("max_tool_calls", "many", "valid integer"),
    ("max_tool_calls", "-1", "greater than or equal to 0"),
    ("max_model_calls", "0", "greater than or equal to 1"),
    ("deadline_s", "0", "greater than 0"),
    ("max_run_age_s", "9999", "less than or equal to 7200"),
    ("recording", "everything", "'off', 'redacted' or 'full'"),
    ("redaction", "sometimes", "'never', 'external_models' or 'always'"),
    ("language", "fr", "'en'"),
    ("time_zone", "Mars/Olympus", "Asia/Shanghai"),
    ("time_zone", "../etc/passwd", "Asia/Shanghai"),
    ("model_base_url", "models.example.com", "http://"),
    ("model_base_url", "ftp://models.example.com", "http://"),
    ("model_base_url", "http://user:pw@models.example.com", "without user"),
    ("model_temperature", "3", "less than or equal to 2"),
    ("log_level", "loud", "'debug'"),
]


@pytest.mark.parametrize(("key", "value", "said"), WRONG)
def test_wrong_value_names_its_variable_and_the_way_out(
    monkeypatch: pytest.MonkeyPatch, key: str, value: str, said: str
) -> None:
    monkeypatch.setenv(f"ROOTPROOF_{key.upper()}", value)

    error = refused()

    assert error.key == f"ROOTPROOF_{key.upper()}"
    assert said in error.why
    assert str(Settings.model_fields[key].description) in error.why
    assert "pw@" not in str(error)


def test_wrong_value_in_the_file_names_the_file(clean_environment: Path) -> None:
    written(clean_environment, "retention_days: never\n")

    assert refused().key == "retention_days in rootproof.yaml"


def test_wrong_value_of_the_command_line_names_the_key() -> None:
    assert refused(log_level="loud").key == "log_level"


def test_unknown_key_in_the_file_is_refused_with_the_near_one(clean_environment: Path) -> None:
    written(clean_environment, "max_tool_call: 3\n")

    error = refused()

    assert error.key == "max_tool_call in rootproof.yaml"
    assert "max_tool_calls" in error.why


def test_misspelt_variable_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROOTPROOF_MODEL_BASEURL", "http://127.0.0.1/v1")

    error = refused()

    assert (error.key, "model_base_url" in error.why) == ("ROOTPROOF_MODEL_BASEURL", True)


def test_variables_of_a_cluster_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ROOTPROOF_SERVICE_HOST", "ROOTPROOF_PORT", "ROOTPROOF_PORT_8000_TCP_ADDR", "ROOTPROOF_SERVICE_PORT"):
        monkeypatch.setenv(name, "tcp://10.0.0.1:8000")

    assert load_settings() == Settings()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"model: [unclosed", "not valid YAML at line"),
        (b"- a\n- b\n", "key: value"),
        (b"just words", "key: value"),
        (b"model: \xff\xfe", "not UTF-8"),
        (b"a: &a [*a]\n", "no such setting"),
        (b"!!python/object/apply:os.system ['true']", "not valid YAML"),
        (b"#" * 300_000, "larger than"),
    ],
)
def test_unreadable_file_is_named(clean_environment: Path, content: bytes, said: str) -> None:
    (clean_environment / "rootproof.yaml").write_bytes(content)

    assert said in str(refused())


def test_named_file_that_is_missing_or_a_folder_is_named(clean_environment: Path) -> None:
    for path in (clean_environment / "none.yaml", clean_environment):
        with pytest.raises(Misconfigured) as caught:
            load_settings(path)
        assert caught.value.key == str(path)


def test_every_setting_says_what_it_means() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


def rows() -> dict[str, str]:
    return dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", DOCUMENT, re.MULTILINE))


def shown_default(name: str) -> str:
    default = Settings.model_fields[name].get_default()
    if name == "home":
        return "user's data folder"
    return "unset" if default is None else f"`{str(default).lower() if isinstance(default, bool) else default}`"


@pytest.mark.parametrize("name", list(Settings.model_fields))
def test_every_setting_is_documented_with_default_and_meaning(name: str) -> None:
    assert rows()[name] == f"{shown_default(name)} | {Settings.model_fields[name].description}"


def test_nothing_else_is_documented() -> None:
    assert set(rows()) == set(Settings.model_fields)
