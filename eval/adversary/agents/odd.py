"""Replies that no working provider sends: odd messages, impossible usage, broken HTTP. Pure builders."""

import json
from collections.abc import Callable

from eval.adversary.agents.bodies import USAGE, completion, tool_call
from eval.adversary.agents.wire import Json, Sent, as_json
from worlds.generate.dice import Dice

Odd = Callable[[Json, Dice], Sent]
"""(completion it would have been) → what is sent instead."""


def _message(completed: Json) -> Json:
    message = completed["choices"][0]["message"]
    return message if isinstance(message, dict) else {}


def _empty(_: Json, dice: Dice) -> Sent:
    bodies: tuple[Json, ...] = (
        completion(None),
        completion(""),
        completion(" \n\t"),
        completion([]),
        completion([{"type": "text", "text": ""}, {"type": "image_url"}, 7]),
        completion(None, finish="length"),
        completion("{", finish="content_filter"),
        completion("I am done searching and I am certain that the disk is full."),
        completion(None, [tool_call(None, None, None)]),
        {**completion(None), "choices": []},
        {**completion(None), "choices": None},
        {"id": "x", "object": "chat.completion"},
        {"choices": [{"message": {"role": "assistant", "reasoning_content": "The disk is full."}}]},
    )
    return as_json(dice.choice(bodies))


def _role(completed: Json, dice: Dice) -> Sent:
    """The right message under a role or reason that it cannot have."""
    message = {**_message(completed), "role": dice.choice(("user", "system", "tool", "developer", "", None, 7))}
    reason = dice.choice(("stop", "length", "content_filter", "tool_calls", "STOP_REQUIRED", None, 3))
    return as_json({**completed, "choices": [{"index": 0, "message": message, "finish_reason": reason}]})


def _several_choices(completed: Json, dice: Dice) -> Sent:
    other = {"index": 1, "message": {"role": "assistant", "content": "disk full"}, "finish_reason": "stop"}
    return as_json({**completed, "choices": dice.sample([completed["choices"][0], other], 2)})


def _old_form(completed: Json, dice: Dice) -> Sent:
    """``function_call`` as it was before tools."""
    calls = _message(completed).get("tool_calls") or [tool_call("c", "query_logs", "{}")]
    message = {"role": "assistant", "content": None, "function_call": calls[0]["function"]}
    return as_json({**completed, "choices": [{"index": 0, "message": message, "finish_reason": "function_call"}]})


ODD_REPLIES: tuple[Odd, ...] = (_empty, _empty, _role, _several_choices, _old_form)


def odd_usage(completed: Json, dice: Dice) -> Sent:
    """The right reply at an impossible price."""
    usages: tuple[object, ...] = (
        None,
        {},
        "free",
        {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
        {"prompt_tokens": -5, "completion_tokens": -1, "total_tokens": -6},
        {"prompt_tokens": 10**18, "completion_tokens": 10**18, "total_tokens": 2 * 10**18},
        {"prompt_tokens": 119_000, "completion_tokens": 900, "total_tokens": 119_900},
        {"prompt_tokens": 10**40, "completion_tokens": 1, "total_tokens": 1},
        {"prompt_tokens": 1.5, "completion_tokens": "12", "total_tokens": True},
        {"prompt_tokens": None, "completion_tokens": None},
        {"prompt_tokens": True, "completion_tokens": False},
        {"prompt_tokens": [1], "completion_tokens": {"a": 1}},
        {**USAGE, "total_tokens": 10**12, "prompt_tokens_details": {"cached_tokens": 10**12}},
    )
    usage = dice.choice(usages)
    body = {key: value for key, value in completed.items() if key != "usage"}
    return as_json(body if usage is None else {**body, "usage": usage})


def _status(_: Json, dice: Dice) -> Sent:
    status = dice.choice((500, 502, 503, 429, 401, 400, 404, 408, 409, 307, 204, 418))
    waits = ("0", "0.2", "9999", "-1", "soon", "Wed, 21 Oct 2015 07:28:00 GMT", "1e308", "NaN")
    headers = {"retry-after": dice.choice(waits)} if status in {429, 503} else {}
    error = {"error": {"message": "Traceback (most recent call last): secret", "code": dice.choice(("x", 500, None))}}
    if status == 307:
        headers = {"location": "http://127.0.0.1:1/v1/chat/completions"}
    return Sent(json.dumps(error).encode(), status=status, headers=headers)


def _error_with_200(_: Json, dice: Dice) -> Sent:
    errors: tuple[object, ...] = ({"code": 429}, "overloaded", {"code": 500, "message": "x"}, True)
    return as_json({"error": dice.choice(errors)})


def _no_json(completed: Json, dice: Dice) -> Sent:
    text = json.dumps(completed)
    bodies = (
        b"",
        b"<html><body>502 Bad Gateway</body></html>",
        f"data: {text}\n\ndata: [DONE]\n\n".encode(),
        f"event: message\ndata: {text[:40]}\n\n".encode(),
        b"\xff\xfe\x00\x01" * 40,
        f"{text}{text}".encode(),
        b"\xef\xbb\xbf" + text.encode(),
        ("[" * 40_000).encode(),
        b"null",
        b"[]",
        b'"ok"',
    )
    types = ("application/json", "text/event-stream", "text/html", "application/octet-stream")
    return Sent(dice.choice(bodies), headers={"content-type": dice.choice(types)})


def _cut(completed: Json, dice: Dice) -> Sent:
    body = json.dumps(completed).encode()
    return Sent(body, cut_after=dice.choice((0, 1, len(body) // 2, len(body) - 1)))


def _false_headers(completed: Json, dice: Dice) -> Sent:
    body = json.dumps(completed).encode()
    chosen: dict[str, str] = dice.choice(
        (
            {"content-encoding": "gzip"},
            {"content-type": "application/json; charset=utf-16"},
            {"content-length": str(max(1, len(body) - 7))},
            {"x-request-id": "x" * 9000},
            {"content-type": ""},
            {"set-cookie": "a=b", "link": "<http://127.0.0.1:1>; rel=next"},
        )
    )
    return Sent(body, headers=chosen, cut_after=len(body) if "content-length" in chosen else None)


def _shapes(completed: Json, dice: Dice) -> Sent:
    """Right JSON, wrong shape."""
    calls: tuple[object, ...] = (
        {"0": {}},
        "query_logs",
        [None],
        [{"id": 7, "type": "function", "function": {"name": "query_logs", "arguments": {"input": {}}}}],
        [{"id": "a", "type": "function", "function": {"name": 5, "arguments": "{}"}}],
        [{"id": "a", "type": "code", "function": {"name": "query_logs", "arguments": ["x"]}}],
        [{"id": "a", "type": "function"}],
        [tool_call(f"c{index}", "query_logs", "{}") for index in range(70)],
    )
    message = {"role": "assistant", "content": None, "tool_calls": dice.choice(calls)}
    return as_json({**completed, "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]})


def _large(completed: Json, dice: Dice) -> Sent:
    """Bodies at and above what is read."""
    size = dice.choice((300_000, 3_000_000, 9_000_000))
    return as_json({**completed, "padding": "x" * size})


BROKEN_HTTP: tuple[Odd, ...] = (
    _status,
    _status,
    _error_with_200,
    _no_json,
    _no_json,
    _cut,
    _false_headers,
    _shapes,
    _shapes,
    _large,
)
