"""The keys a caller of the service may hold, as ``keys:`` of ``rootproof.yaml`` declares them. Plain typed values."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from config.secret_ref import is_header_text, read_secret
from config.sources import Secret
from state.model.caller import LOCAL_CALLER, Role
from state.model.errors import Misconfigured

KeyName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
MIN_SECRET_CHARS = 20


class Key(BaseModel):
    """One key: what a caller sends, and what it allows."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, hide_input_in_errors=True)

    secret: Secret
    """Where the key stands: `env:NAME` or `file:PATH`. At least 20 characters."""
    roles: frozenset[Role] = Field(min_length=1)
    """What it allows: `user`, `operator`, `auditor`; the latter two each include `user`."""


def read_keys(keys: dict[str, Key]) -> dict[str, str]:
    """The secret of each key by name. Reads environment and files.

    Raises:
        Misconfigured: a secret cannot be read, is short or cannot stand in a header, two keys share one, or a key is
            called ``local``, which owns the runs of the command line.
    """
    secrets: dict[str, str] = {}
    for name, key in keys.items():
        setting = f"keys.{name}.secret"
        if name == LOCAL_CALLER.name:
            raise Misconfigured(f"keys.{name}", "this name owns the runs of the command line; choose another")
        secret = read_secret(setting, key.secret)
        if len(secret) < MIN_SECRET_CHARS or not is_header_text(secret) or " " in secret:
            raise Misconfigured(
                setting,
                f"a key has at least {MIN_SECRET_CHARS} plain ASCII characters without a space; "
                "make one with: openssl rand -hex 32",
            )
        if secret in secrets.values():
            raise Misconfigured(setting, "another key has the same secret; each key needs its own")
        secrets[name] = secret
    return secrets
