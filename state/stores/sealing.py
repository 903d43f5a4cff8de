"""Text sealed with the operator's key: nobody else can read it, and what was changed does not open. Pure.

One secret serves several purposes; each has a key of its own, so that what one sealed no other opens.
"""

import base64

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from pydantic import SecretStr


class Seal:
    """The seal of one purpose."""

    def __init__(self, key: SecretStr, purpose: bytes) -> None:
        made = HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose).derive(key.get_secret_value().encode())
        self._fernet = Fernet(base64.urlsafe_b64encode(made))

    def close(self, text: str) -> str:
        """The text sealed; a third longer."""
        return self._fernet.encrypt(text.encode("utf-8", "backslashreplace")).decode()

    def open(self, token: str) -> str | None:
        """The text; None if another key or purpose sealed it, or it was changed."""
        try:
            return self._fernet.decrypt(token).decode()
        except (InvalidToken, ValueError):
            return None
