"""How many tokens a request may cost, for the reservation made before it is sent. Pure, deterministic, no tokenizer.

Meant to be too high rather than too low: one token for three ASCII characters (JSON, ids and digits split finer than
prose), one and a half for any other character (CJK in the vocabularies in use: 0.6 to 1.5), four for the frame of each
message. Never below ``langchain_core.messages.utils.count_tokens_approximately``. Only text is counted: no message of
ours holds an image.
"""

import json
import math
from collections.abc import Mapping, Sequence

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

ASCII_PER_TOKEN = 3.0
TOKENS_PER_OTHER_CHAR = 1.5
TOKENS_PER_MESSAGE = 8
"""Role, separators, and the share of a name."""


def estimate_tokens(messages: Sequence[BaseMessage], tools: Sequence[Mapping[str, object]] = ()) -> int:
    """Tokens of the prompt, tool schemas included. The reply is not: add the call's maximum output."""
    schemas = sum(text_tokens(json.dumps(dict(tool))) for tool in tools)
    return schemas + sum(_message_tokens(message) for message in messages)


def text_tokens(text: str) -> int:
    """Tokens of one text, at least one if it is not empty."""
    ascii_chars = len(text.encode("ascii", "ignore"))
    return math.ceil(ascii_chars / ASCII_PER_TOKEN + (len(text) - ascii_chars) * TOKENS_PER_OTHER_CHAR)


def _message_tokens(message: BaseMessage) -> int:
    parts = [message.content if isinstance(message.content, str) else repr(message.content), message.name or ""]
    if isinstance(message, AIMessage):
        parts.append(repr(message.tool_calls) if message.tool_calls else "")
    if isinstance(message, ToolMessage):
        parts.append(message.tool_call_id)
    return TOKENS_PER_MESSAGE + sum(text_tokens(part) for part in parts)
