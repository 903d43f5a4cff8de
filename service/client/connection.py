"""What both clients agree on before they connect: address, key, language, times. Pure."""

import secrets
from urllib.parse import urlsplit

import httpx2

from config.secret_ref import is_header_text
from service.client.course import SILENCE_S

DEFAULT_URL = "http://127.0.0.1:8460"
CONNECT_S = 10.0
UNBOUNDED = httpx2.Limits(max_connections=None, max_keepalive_connections=20, keepalive_expiry=2.0)
"""A stream keeps its connection for as long as its run takes, so their number is that of the streams. Idle
ones are given up before the service does that (after 5 s): a request on one just being closed would be lost."""


def checked_url(base_url: str) -> str:
    """The address without a trailing slash.

    Raises:
        ValueError: it is no http or https address, or carries a user or a password.
    """
    parts = urlsplit(base_url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("an http:// or https:// address is expected, such as http://127.0.0.1:8460")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("an address without user, password, query or fragment is expected; give the key as key=")
    return base_url.rstrip("/")


def headers_of(key: str | None, language: str | None) -> dict[str, str]:
    """Headers of every request.

    Raises:
        ValueError: the key cannot stand in a header; it is not repeated.
    """
    headers = {"User-Agent": "rootproof-client"}
    if key is not None:
        if not key or not is_header_text(key):
            raise ValueError("the key is empty, holds a line break or is no plain ASCII text")
        headers["Authorization"] = f"Bearer {key}"
    if language is not None:
        headers["Accept-Language"] = language
    return headers


def request_timeout(timeout_s: float) -> httpx2.Timeout:
    """For requests with one reply."""
    return httpx2.Timeout(timeout_s, connect=min(timeout_s, CONNECT_S))


def stream_timeout(timeout_s: float) -> httpx2.Timeout:
    """For streams: as long as they please, as long as the service shows that it lives."""
    return httpx2.Timeout(timeout_s, connect=min(timeout_s, CONNECT_S), read=SILENCE_S)


def fresh_key() -> str:
    """An Idempotency-Key that nobody else makes."""
    return secrets.token_hex(16)
