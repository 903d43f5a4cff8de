"""Written turns of a scripted model: their shape, their JSON file, and the templates in them. Pure but for reading.

A file is a list of turns, or one list per role (``{"router": […], "agent": […], …}``). A turn holds ``text`` or
``calls`` (each ``{name, arguments, id?}``; ``arguments`` an object, or text sent as it is), and may hold ``usage``
(``{"prompt_tokens", "completion_tokens"}``; null: none reported; absent: estimated), ``reasoning``, ``delay_s``,
``error`` (a failure kind, with ``retry_after_s``) or ``hang``.

Templates in any string, counted from 0 over the calls that got an observation in this conversation:
``$last_call_id``, ``$call_id[N]``, ``$item_id[N,I]`` and ``$item_text[N,I]`` (item I of call N).
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from langchain_core.messages import BaseMessage, ToolMessage
from pydantic import Field, TypeAdapter, ValidationError

from models.chat import FailureKind
from state.model.base import Value
from state.model.enums import ModelRole
from state.model.errors import Misconfigured
from state.model.strict_json import JsonProblem, parse_json_object

MAX_SCRIPT_BYTES = 16 * 1024 * 1024

_TEMPLATE = re.compile(r"\$(?:(last_call_id)|call_id\[(\d+)\]|item_(id|text)\[(\d+),(\d+)\])")


class WrittenUsage(Value):
    """What the turn reports as its cost."""

    prompt_tokens: int = Field(ge=0)
    completion_tokens: int = Field(ge=0)


class WrittenCall(Value):
    """One tool call of a turn."""

    name: str
    arguments: dict[str, object] | str = {}
    """An object, written as JSON; or text, sent as it is (for malformed arguments)."""
    id: str | None = None
    """None: a fresh one; an empty text is sent as a missing id."""


class WrittenTurn(Value):
    """One reply of a scripted model."""

    text: str = ""
    calls: tuple[WrittenCall, ...] = ()
    usage: WrittenUsage | None = WrittenUsage(prompt_tokens=0, completion_tokens=0)
    """None: not reported. Left at its default: estimated from the request and this turn."""
    reasoning: str | None = None
    delay_s: float = Field(0.0, ge=0, le=3600)
    """Seconds before the reply or the failure."""
    error: FailureKind | None = None
    """Fail in this way instead of replying."""
    retry_after_s: float = Field(0.0, ge=0)
    hang: bool = False
    """Never reply."""

    @property
    def estimates_usage(self) -> bool:
        """True if no usage was written."""
        return "usage" not in self.model_fields_set


class TemplateUnknown(ValueError):
    """A template names a call or item that the conversation does not hold."""

    def __init__(self, template: str) -> None:
        super().__init__(f"the conversation holds nothing for {template!r}")
        self.template = template


def load_script(path: Path) -> dict[ModelRole, tuple[WrittenTurn, ...]]:
    """The turns of each role; a file with one list is the agent's. A role without turns is absent.

    Raises:
        Misconfigured: the file cannot be read or is no script; names the place of the fault.
    """
    try:
        if path.stat().st_size > MAX_SCRIPT_BYTES:
            raise Misconfigured(str(path), f"larger than {MAX_SCRIPT_BYTES} bytes; this is no script")
        loaded = json.loads(path.read_text(encoding="utf-8"))
        by_role = loaded if isinstance(loaded, dict) else {ModelRole.AGENT.value: loaded}
        return _SCRIPT.validate_python(by_role)
    except OSError as error:
        raise Misconfigured(str(path), f"the script cannot be read ({error.strerror})") from None
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise Misconfigured(str(path), f"at {place}: {first['msg']}") from None
    except (ValueError, RecursionError):
        raise Misconfigured(str(path), "the script is not valid JSON in UTF-8") from None


_SCRIPT: TypeAdapter[dict[ModelRole, tuple[WrittenTurn, ...]]] = TypeAdapter(dict[ModelRole, tuple[WrittenTurn, ...]])


def fill_templates(value: object, messages: Sequence[BaseMessage]) -> object:
    """The same value with every template replaced from the conversation.

    Raises:
        TemplateUnknown: a template names what is not there.
    """
    if isinstance(value, str):
        if "$" not in value:
            return value
        observed = list(_observations(messages))
        return _TEMPLATE.sub(lambda match: _filled(match, observed), value)
    if isinstance(value, Mapping):
        return {key: fill_templates(part, messages) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [fill_templates(part, messages) for part in value]
    return value


def _observations(messages: Sequence[BaseMessage]) -> Iterator[dict[str, object]]:
    """Bodies of the tool messages that carry an observation, ERROR ones included, in order."""
    for message in messages:
        body = parse_json_object(str(message.content)) if isinstance(message, ToolMessage) else None
        if body is None or isinstance(body, JsonProblem):
            continue
        inside = body.get("observation")
        observation = inside if isinstance(inside, dict) else body
        if "evidence_status" in observation:
            yield observation


def _filled(match: re.Match[str], observed: Sequence[dict[str, object]]) -> str:
    last, call, part, item_call, item = match.groups()
    try:
        if last:
            return str(observed[-1]["tool_call_id"])
        if call:
            return str(observed[int(call)]["tool_call_id"])
        items = observed[int(item_call)]["items"]
        chosen = items[int(item)] if isinstance(items, list) else {}
        return str(chosen["item_id" if part == "id" else "text"])
    except (IndexError, KeyError):
        raise TemplateUnknown(match.group()) from None
