"""What one agent has been shown so far, read from its requests as a careful client of the protocol would read them."""

import json
from dataclasses import dataclass, field

from eval.adversary.agents.wire import Json


@dataclass
class Seen:
    """Grows with each request of one run."""

    question: str = ""
    language: str = "en"
    tools: tuple[str, ...] = ()
    """Names offered in the last request."""
    results: dict[str, Json] = field(default_factory=dict)
    """Observations with items, or empty ones, by call id, in order of arrival."""
    asked: dict[str, tuple[str, object]] = field(default_factory=dict)
    """Tool and input of each call, under the id that the conversation gives it."""
    failed: list[str] = field(default_factory=list)
    """Ids of calls that were answered with an error."""
    refused: int = 0
    awaiting: str | None = None
    """The call whose assessment is due."""
    stopped: bool = False
    invalid: bool = False
    """The last hand-in was named invalid."""
    n_requests: int = 0
    n_bound_after_stop: int = 0
    """Evidence tools offered after STOP_REQUIRED; must stay 0."""

    def read(self, request: Json) -> None:
        """Take in one request of the agent."""
        self.n_requests += 1
        messages = request.get("messages") or []
        self.tools = tuple(tool["function"]["name"] for tool in request.get("tools") or ())
        if not self.question and len(messages) > 1:
            opening = _object(messages[1].get("content"))
            self.question, self.language = str(opening.get("question", "")), str(opening.get("language", "en"))
        self.awaiting, self.invalid = None, False
        for message in messages[2:]:
            for call in message.get("tool_calls") or ():
                given = _object(call["function"]["arguments"]).get("input")
                self.asked.setdefault(str(call["id"]), (str(call["function"]["name"]), given))
            if message.get("role") in {"tool", "user"}:
                self._take(_object(message.get("content")))
        if self.stopped:
            self.n_bound_after_stop += sum(name != "submit_diagnosis" for name in self.tools)

    def _take(self, reply: Json) -> None:
        self.invalid = bool(reply.get("draft_invalid"))
        self.stopped = self.stopped or reply.get("stop_required") is True
        self.refused += bool(reply.get("rejected"))
        inside = reply.get("observation")
        observation = inside if isinstance(inside, dict) else reply
        call_id, status = observation.get("tool_call_id"), observation.get("evidence_status")
        if not isinstance(call_id, str) or status is None:
            return
        if status == "ERROR":
            self.failed += [call_id] if call_id not in self.failed else []
            self.awaiting = None
        elif call_id not in self.results or observation.get("items"):
            self.results[call_id] = observation
        if status == "EVIDENCE_FOUND":
            self.awaiting = None if observation.get("judged") else call_id
        elif status == "NO_EVIDENCE":
            self.awaiting = None


def _object(text: object) -> Json:
    try:
        value = json.loads(str(text))
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
