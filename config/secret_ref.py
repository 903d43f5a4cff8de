"""A secret by reference: ``env:NAME`` or ``file:PATH``. The settings file never holds the value itself."""

import os
from pathlib import Path

from state.model.errors import Misconfigured

_MAX_SECRET_BYTES = 64 * 1024
HOW = "write env:NAME (an environment variable) or file:PATH (a file that holds it)"


def is_reference(text: str) -> bool:
    """True if the text names a secret instead of being one. Pure."""
    return text.startswith(("env:", "file:"))


def read_secret(key: str, reference: str) -> str:
    """The value the reference names; of a file its text without the last line break.

    ``key`` is the setting, for the error.

    Raises:
        Misconfigured: it is no reference, or names nothing that can be read, or something empty.
    """
    place, _, name = reference.partition(":")
    if place == "env" and name:
        value = os.environ.get(name, "")  # noqa: TID251 - the door to the environment
        missing = f"the environment variable {name} is not set"
    elif place == "file" and name:
        value, missing = _file_text(key, Path(name).expanduser()), f"the file {name} is empty"
    else:
        raise Misconfigured(key, f"a secret is not written here; {HOW}")
    if not value:
        raise Misconfigured(key, missing)
    return value


def read_header_secret(key: str, reference: str) -> str:
    """The value, for an HTTP header.

    Raises:
        Misconfigured: as ``read_secret``; or it cannot stand in a header.
    """
    value = read_secret(key, reference)
    if not is_header_text(value):
        raise Misconfigured(key, "the secret holds a line break or is no plain ASCII text, so no header can carry it")
    return value


def is_header_text(text: str) -> bool:
    """True if the text can be the value of an HTTP header as it stands. Pure."""
    return text.isascii() and text.isprintable() and text == text.strip()


def _file_text(key: str, path: Path) -> str:
    """The text of a secret file.

    Raises:
        Misconfigured: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_SECRET_BYTES + 1)
        if len(data) > _MAX_SECRET_BYTES:
            raise Misconfigured(key, f"{path} is too large to be a secret")
        return data.decode().removesuffix("\n").removesuffix("\r")
    except OSError as error:
        raise Misconfigured(key, f"{path} cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise Misconfigured(key, f"{path} is not UTF-8 text") from None
