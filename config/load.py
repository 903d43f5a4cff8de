"""Fills ``Settings`` from the environment and ``rootproof.yaml``. Called only by entry points.

The environment wins over the file, what the command line gives wins over both. Whatever cannot be used
is a Misconfigured that names the key and the way out; the value of a secret is never shown, and the file holds none:
there a secret is a reference (``config.secret_ref``), and an address of a store has no password.
"""

import difflib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args
from urllib.parse import urlsplit

import yaml
from pydantic import SecretStr, ValidationError
from pydantic_settings import EnvSettingsSource, SettingsError

from config.secret_ref import HOW, is_reference, read_secret
from config.settings import Settings
from state.model.errors import Misconfigured

FILE_NAME = "rootproof.yaml"
CONFIG_VARIABLE = "ROOTPROOF_CONFIG"
"""Names another settings file than ``rootproof.yaml`` of the current folder."""

_PREFIX = "ROOTPROOF_"
_STRUCTURED = ("sources", "keys", "cors_origins")
"""Settings whose variable holds JSON."""
_MAX_FILE_BYTES = 256 * 1024


def load_settings(path: Path | None = None, overrides: Mapping[str, object] | None = None) -> Settings:
    """The settings in force.

    ``path``: the settings file; None takes ``$ROOTPROOF_CONFIG``, else ``rootproof.yaml`` of the current
    folder if there is one. ``overrides``: values of the command line by key; None values are ignored.

    Raises:
        Misconfigured: the file cannot be read, a key is unknown, or a value is not legal.
    """
    chosen = path or _named_file()
    file = chosen or Path(FILE_NAME)
    from_file = _read(file) if chosen or file.is_file() else {}
    _refuse_unknown(from_file, str(file))
    _refuse_misspelt(_environment_keys())
    from_env = _environment()
    from_file = {key: _revealed(f"{key} in {file}", key, value, in_file=True) for key, value in from_file.items()}
    from_env = {key: _revealed(f"{_PREFIX}{key.upper()}", key, value, in_file=False) for key, value in from_env.items()}
    given = {key: value for key, value in (overrides or {}).items() if value is not None}
    try:
        return Settings(**{**from_file, **from_env, **given})
    except ValidationError as error:
        key, why = _first_fault(error)
        raise Misconfigured(_shown(key, from_env=from_env, given=given, file=file), why) from None


def _named_file() -> Path | None:
    named = os.environ.get(CONFIG_VARIABLE)  # noqa: TID251 - the door to the environment
    return Path(named).expanduser() if named else None


def _environment_keys() -> list[str]:
    names = (name.upper() for name in os.environ)  # noqa: TID251 - the door to the environment
    return [name.removeprefix(_PREFIX).lower() for name in names if name.startswith(_PREFIX)]


def _environment() -> dict[str, Any]:
    """What the environment sets, by key.

    Raises:
        Misconfigured: a variable that needs JSON holds none.
    """
    try:
        return EnvSettingsSource(Settings, env_ignore_empty=True)()
    except SettingsError as error:
        # The library says which field it was only in its sentence.
        key = next((name for name in _STRUCTURED if f'"{name}"' in str(error)), "sources")
        variable = f"{_PREFIX}{key.upper()}"
        raise Misconfigured(variable, f"is not JSON; write `{key}:` into rootproof.yaml instead") from None


def _revealed(shown: str, key: str, value: object, *, in_file: bool) -> object:
    """The value with a secret's reference read; any other key's value as it is.

    Raises:
        Misconfigured: the reference leads nowhere, or the file holds the secret itself.
    """
    if not isinstance(value, str) or SecretStr not in get_args(Settings.model_fields[key].annotation):
        return value
    if is_reference(value):
        return read_secret(shown, value)
    if in_file and not _is_harmless_address(value):
        raise Misconfigured(shown, f"a secret is not written here; {HOW}")
    return value


def _is_harmless_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return bool(parts.scheme and parts.hostname) and parts.password is None and "password" not in parts.query
    except ValueError:
        return False


def _read(file: Path) -> dict[str, object]:
    try:
        if file.stat().st_size > _MAX_FILE_BYTES:
            raise Misconfigured(str(file), f"larger than {_MAX_FILE_BYTES} bytes; this is no settings file")
        loaded = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise Misconfigured(str(file), f"cannot be read ({error.strerror}); correct the path or its rights") from None
    except UnicodeDecodeError:
        raise Misconfigured(str(file), "is not UTF-8 text; save it as UTF-8") from None
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 1}" if mark else ""
        raise Misconfigured(str(file), f"is not valid YAML{where}; write one `key: value` a line") from None
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise Misconfigured(str(file), "one `key: value` a line is expected")
    return {str(key): value for key, value in loaded.items()}


def _refuse_unknown(from_file: Mapping[str, object], file: str) -> None:
    for key in from_file:
        if key not in Settings.model_fields:
            raise Misconfigured(f"{key} in {file}", f"no such setting.{_suggestion(key)}")


def _refuse_misspelt(names: list[str]) -> None:
    # Only near misses: clusters put variables of their own under our prefix, such as ROOTPROOF_SERVICE_HOST.
    for name in names:
        suggestion = _suggestion(name)
        if suggestion and name not in Settings.model_fields:
            raise Misconfigured(f"{_PREFIX}{name.upper()}", f"no such setting.{suggestion}")


def _suggestion(key: str) -> str:
    close = difflib.get_close_matches(key.lower(), Settings.model_fields, n=1, cutoff=0.85)
    return f" Did you mean {close[0]}?" if close else ""


def _first_fault(error: ValidationError) -> tuple[str, str]:
    """Dotted key and what is wrong with it."""
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    # A misspelt key is also a missing one: the misspelling tells more.
    first = next((fault for fault in faults if fault["type"] == "extra_forbidden"), faults[0])
    key, *inner = (str(part) for part in first["loc"])
    why = "no such key" if first["type"] == "extra_forbidden" else str(first["msg"]).removeprefix("Value error, ")
    if key == "sources" and inner:
        # Of a source, the second part is its kind: which of the models refused it.
        return ".".join((key, inner[0], *inner[2:])), f"{why}. See docs/sources.md"
    field = Settings.model_fields.get(key)
    return key, f"{why}. Meaning: {field.description}" if field else why


def _shown(key: str, *, from_env: Mapping[str, object], given: Mapping[str, object], file: Path) -> str:
    """The key under the name by which the person set it."""
    top, dot, rest = key.partition(".")
    if top in given:
        return key
    return f"{_PREFIX}{top.upper()}{dot}{rest}" if top in from_env else f"{key} in {file}"
