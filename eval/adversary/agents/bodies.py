"""Chat completions as providers send them, and as they should not. Pure."""

from collections.abc import Sequence

from eval.adversary.agents.wire import Json

USAGE: Json = {"prompt_tokens": 900, "completion_tokens": 60, "total_tokens": 960}


def completion(
    content: object = None,
    calls: Sequence[Json] = (),
    *,
    usage: object = USAGE,
    finish: object = None,
    role: object = "assistant",
) -> Json:
    """One completion; every part may be something it should not be."""
    message: Json = {"role": role, "content": content}
    if calls:
        message["tool_calls"] = list(calls)
    reason = finish if finish is not None else ("tool_calls" if calls else "stop")
    choice = {"index": 0, "message": message, "finish_reason": reason}
    body: Json = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1_700_000_000, "model": "hostile"}
    return {**body, "choices": [choice], **({} if usage is None else {"usage": usage})}


def tool_call(call_id: object, name: object, arguments: object) -> Json:
    """One tool call; ``arguments`` goes out as it is."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
