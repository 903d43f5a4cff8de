"""The reply to a tool call as plain bounded JSON: what was said, and what was left unread. Pure."""

import json
import math
from collections.abc import Mapping, Sequence

from mcp_types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
)

from state.model.enums import Coverage, ToolCode
from state.model.errors import ToolFailed
from state.model.strict_json import MAX_DEPTH
from tools.contract import RawResult
from tools.mcp.arguments import canonical_json
from tools.mcp.known_secrets import KnownSecrets
from tools.mcp.words import plain_words
from tools.valid_text import valid_text

MAX_NAMED = 10
MAX_NAME_CHARS = 120
MAX_INTEGER = 10**30
_MAX_UNWRAPPED = 4
NO_SECRETS = KnownSecrets()
_MORE = frozenset({
    "nextcursor", "nextpage", "nextpagetoken", "nexttoken", "hasmore", "truncated", "incomplete", "partial",
    "isincomplete", "istruncated", "moreresults", "limitreached",
})  # fmt: skip
"""Top-level keys, in lower case and without ``_`` and ``-``, by which a reply says that it is not all."""


MAX_RAW_BYTES = 128 * 1024
"""Of the texts together, or of the structured content."""
MAX_TOLD_TOO_BYTES = 4 * MAX_RAW_BYTES
"""Of texts beside structured content, which they repeat with indentation."""


def check_size(result: CallToolResult) -> None:
    """Return if the reply may be read. Nothing of it is decoded or copied for this.

    Raises:
        ToolFailed: RESULT_TOO_LARGE, else TOOL_EXECUTION_ERROR: it is nested too deep.
    """
    texts = sum(len(block.text.encode(errors="replace")) for block in result.content if isinstance(block, TextContent))
    structured = _weight(result.structured_content)
    if structured > MAX_RAW_BYTES or texts > (MAX_TOLD_TOO_BYTES if structured else MAX_RAW_BYTES):
        raise ToolFailed(ToolCode.RESULT_TOO_LARGE, log_detail=f"over {MAX_RAW_BYTES} bytes")


def _weight(value: object, depth: int = 0) -> int:
    """The least bytes that the JSON text of the value has; 0 for none.

    Raises:
        ToolFailed: TOOL_EXECUTION_ERROR: it is nested too deep.
    """
    if depth > MAX_DEPTH:
        raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail=f"reply nested deeper than {MAX_DEPTH}")
    if isinstance(value, Mapping):
        return 2 + sum(4 + len(str(key)) + _weight(part, depth + 1) for key, part in value.items())
    if isinstance(value, list):
        return 2 + sum(1 + _weight(part, depth + 1) for part in value)
    if isinstance(value, str):
        return 2 + len(value)
    return 0 if value is None and depth == 0 else 1


def read_result(result: CallToolResult, secrets: KnownSecrets = NO_SECRETS) -> RawResult:
    """What ``project`` works from: ``parts``, each ``{"json": value}`` or ``{"text": prose}``, and ``unread`` by name.

    A text that is JSON is kept as its value, so that secrets and identifiers in it are found by their keys; one that
    only repeats the structured content is left out. Coverage is PARTIAL where contents were left unread or the reply
    itself says that there is more. The secrets are in none of it.

    Raises:
        ToolFailed: as ``check_size``; TOOL_EXECUTION_ERROR, where the server calls its reply an error or it holds what
            is no evidence.
    """
    check_size(result)
    if result.is_error:
        said = " ".join(block.text for block in result.content if isinstance(block, TextContent))
        raise ToolFailed(
            ToolCode.TOOL_EXECUTION_ERROR,
            log_detail=f"the server says: {secrets.gone(plain_words(secrets.gone(said), 400))}",
        )
    unread = [secrets.gone(name) for name in _unread(result.content)]
    parts = [{kind: secrets.gone_from(value) for kind, value in part.items()} for part in _parts(result)]
    is_part = bool(unread) or any(_says_more(part.get("json")) for part in parts)
    payload: dict[str, object] = {"parts": parts, "unread": unread}
    return RawResult(payload=payload, coverage=Coverage.PARTIAL if is_part else Coverage.COMPLETE)


def _parts(result: CallToolResult) -> list[dict[str, object]]:
    structured = plain_json(result.structured_content)
    told = _inner_text(structured)
    texts = [valid_text(block.text) for block in result.content if isinstance(block, TextContent)]
    if told is not None:
        return [_part(told), *(_part(text) for text in texts if text != told)]
    parts: list[dict[str, object]] = [{"json": structured}] if structured is not None else []
    repeated = _said_by(structured)
    told_too = map(_part, texts)
    return [*parts, *(part for part in told_too if "json" not in part or canonical_json(part["json"]) not in repeated)]


def _part(text: str) -> dict[str, object]:
    value = _read_json(text)
    return {"text": text} if value is None else {"json": value}


def _inner_text(structured: object) -> str | None:
    """The text of a reply that is a text in an object of one key, as servers wrap a plain string."""
    inner = next(iter(structured.values())) if isinstance(structured, Mapping) and len(structured) == 1 else None
    return inner if isinstance(inner, str) else None


def _said_by(structured: object) -> frozenset[str]:
    """Values that a text may repeat: the structured content, what it wraps, and each element of that."""
    if structured is None:
        return frozenset()
    inner = unwrapped(structured)
    elements = inner if isinstance(inner, list) else []
    return frozenset(canonical_json(value) for value in (structured, inner, *elements))


def unwrapped(value: object) -> object:
    """What is inside objects of a single key, such as ``{"result": [...]}``."""
    for _ in range(_MAX_UNWRAPPED):
        inner = next(iter(value.values())) if isinstance(value, Mapping) and len(value) == 1 else None
        if not isinstance(inner, (list, Mapping)):
            break
        value = inner
    return value


def plain_json(value: object, depth: int = 0) -> object:
    """The value if every store, hash and prompt can hold it.

    Raises:
        ToolFailed: TOOL_EXECUTION_ERROR: it is nested too deep, or has a number that JSON has not.
    """
    if depth > MAX_DEPTH:
        raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail=f"reply nested deeper than {MAX_DEPTH}")
    if isinstance(value, Mapping):
        return {valid_text(str(key)): plain_json(part, depth + 1) for key, part in value.items()}
    if isinstance(value, list):
        return [plain_json(part, depth + 1) for part in value]
    if isinstance(value, str):
        return valid_text(value)
    is_odd = isinstance(value, float) and not math.isfinite(value)
    if is_odd or (isinstance(value, int) and abs(value) > MAX_INTEGER):
        raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail="reply has a number that is none")
    return value


def _read_json(text: str) -> object | None:
    """The object or list that the whole text is; None if it is prose. Never raises."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return plain_json(json.loads(text))
    except (ValueError, RecursionError, ToolFailed):
        return None


def _unread(blocks: Sequence[ContentBlock]) -> list[str]:
    """One name for each content that is no text, then a count of the rest: nothing of them is fetched or kept."""
    names = [name for block in blocks if (name := _name(block)) is not None]
    rest = [f"{len(names) - MAX_NAMED} more"] if len(names) > MAX_NAMED else []
    return [*names[:MAX_NAMED], *rest]


def _name(block: ContentBlock) -> str | None:
    match block:
        case ImageContent(mime_type=kind):
            return f"image {plain_words(kind, MAX_NAME_CHARS)}"
        case AudioContent(mime_type=kind):
            return f"audio {plain_words(kind, MAX_NAME_CHARS)}"
        case ResourceLink(uri=uri):
            return f"link {plain_words(str(uri), MAX_NAME_CHARS)}"
        case EmbeddedResource(resource=resource):
            what = "file" if isinstance(resource, BlobResourceContents) else "document"
            return f"{what} {plain_words(str(resource.uri), MAX_NAME_CHARS)}"
        case _:
            return None


def _says_more(value: object) -> bool:
    if not isinstance(value, Mapping):
        return False
    return any(part and str(key).lower().replace("_", "").replace("-", "") in _MORE for key, part in value.items())
