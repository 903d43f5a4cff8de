"""Who sent this key. Secrets are kept as SHA-256 digests and compared in constant time."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass

from config.keys import Key
from state.model.caller import Caller

MAX_HEADER_CHARS = 4096


@dataclass(frozen=True)
class Keyring:
    """The declared keys; empty: keys are off, and only this machine may be served."""

    digests: tuple[tuple[bytes, Caller], ...] = ()

    @property
    def is_on(self) -> bool:
        """True if a caller must send a key."""
        return bool(self.digests)

    def caller_of(self, authorization: str) -> Caller | None:
        """Who sent this ``Authorization`` header; None: no bearer key, or none that is declared.

        Every declared key is compared, whichever fits, so that the time tells nothing.
        """
        scheme, _, secret = authorization[:MAX_HEADER_CHARS].partition(" ")
        if scheme.lower() != "bearer":
            return None
        sent, found = _digest(secret.strip()), None
        for digest, caller in self.digests:
            if hmac.compare_digest(sent, digest):
                found = caller
        return found


def make_keyring(keys: Mapping[str, Key], secrets: Mapping[str, str]) -> Keyring:
    """The ring of these keys; ``secrets`` by name. Pure."""
    return Keyring(
        tuple((_digest(secrets[name]), Caller(name=name, roles=key.roles)) for name, key in sorted(keys.items()))
    )


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
