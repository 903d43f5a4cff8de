"""Identities: what they look like and how a derived one is made. Pure."""

import hashlib
import re
import uuid
from typing import NewType

RunId = NewType("RunId", str)
"""Opaque UUID text, one per request, on every step, call, event and row."""

SessionId = NewType("SessionId", str)
"""Given by the caller or generated; one session has many runs."""

ToolCallId = NewType("ToolCallId", str)
"""Unique in its run; minted by the model or replaced by the agent node."""

SESSION_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
TOOL_CALL_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")

_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "rootproof:run")


def derive_run_id(thread_id: str, serving_run_id: str) -> RunId:
    """Same run id for the same serving thread and serving run, on every machine."""
    return RunId(str(uuid.uuid5(_NAMESPACE, f"{thread_id}\n{serving_run_id}")))


def is_uuid(text: str) -> bool:
    """True if ``text`` is a UUID in its canonical lower-case form."""
    try:
        return str(uuid.UUID(text)) == text
    except ValueError:
        return False


def digest(text: str | bytes) -> str:
    """Full lower-case hex SHA-256 of the text (UTF-8) or bytes."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def digest8(text: str) -> str:
    """First 8 hex digits of the SHA-256: for item ids and scope ids, not for proof."""
    return digest(text)[:8]
