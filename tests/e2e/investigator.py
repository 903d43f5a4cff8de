"""A scripted agent that reads the conversation instead of counting its turns, so any process can take it up.

It wants the pages ``errors`` and ``deploys``, asks again for one that gave no result, then hands in its draft.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from models.turns import WrittenTurn
from tests.graph.stage import ask, gained, good_draft, null_draft, submit

PAGES_WANTED = ("errors", "deploys")


def next_turn(messages: Sequence[BaseMessage]) -> WrittenTurn:
    """The turn that follows from what the conversation holds."""
    answers = answered(messages)
    if answers and "stop_required" in str(messages[-1].content):
        return submit(_draft(answers))
    found = {page for page, _, body in answers if _is_found(body)}
    for page in PAGES_WANTED:
        if page not in found:
            attempt = 1 + sum(asked == page for asked, _, _ in answers)
            return ask(page, _assessment(answers), call_id=f"call-{page}-{attempt}")
    return submit(_draft(answers))


def _draft(answers: Sequence[tuple[str, str, Mapping[str, Any]]]) -> dict[str, object]:
    """The cause if the page that shows it was found, else no conclusion."""
    shown = [call_id for page, call_id, body in answers if page == "errors" and _is_found(body)]
    return good_draft(shown[0]) if shown else null_draft()


def answered(messages: Sequence[BaseMessage]) -> list[tuple[str, str, dict[str, Any]]]:
    """Page, call id and tool message of every call so far, in order."""
    asked = {
        call["id"]: call["args"]
        for message in messages
        if isinstance(message, AIMessage)
        for call in message.tool_calls
    }
    bodies = [(message.tool_call_id, _body(message)) for message in messages if isinstance(message, ToolMessage)]
    return [(str(asked[call_id]["input"]["page"]), call_id, body) for call_id, body in bodies]


def told_codes(messages: Sequence[BaseMessage]) -> list[str]:
    """Error codes the agent was told, in order."""
    return [str(body["code"]) for _, _, body in answered(messages) if "code" in body]


def _assessment(answers: Sequence[tuple[str, str, Mapping[str, Any]]]) -> dict[str, str] | None:
    """The last result judged GAINED, if it was one; an error awaits no judgement."""
    if not answers or not _is_found(answers[-1][2]):
        return None
    return gained(answers[-1][1])


def _is_found(body: Mapping[str, Any]) -> bool:
    return body.get("evidence_status") == "EVIDENCE_FOUND"


def _body(message: ToolMessage) -> dict[str, Any]:
    body = json.loads(str(message.content))
    assert isinstance(body, dict)
    inner = body.get("observation", body)
    assert isinstance(inner, dict)
    return inner
