"""The arguments of a call, checked against the pinned schema of the tool. Pure.

``pattern`` is neither shown nor checked: it is the server's program, run here on the model's text, and a hostile one
can run for hours. The server checks it itself.
"""

import json
from copy import deepcopy
from typing import ClassVar

from pydantic import ConfigDict

from state.model.enums import ToolCode
from state.model.errors import InvalidToolInput
from tools.contract import ToolInput
from tools.mcp.json_schema import Breach, first_breach
from tools.mcp.schema import Json

MAX_VALUE_CHARS = 80


class McpInput(ToolInput):
    """Arguments of any shape; ``schema_of_server`` says which is valid, and ``check_arguments`` checks it."""

    model_config = ConfigDict(extra="allow")

    schema_of_server: ClassVar[Json] = {}

    @classmethod
    def model_json_schema(cls, *args: object, **kwargs: object) -> Json:
        """The pinned schema, whatever form is asked for."""
        return deepcopy(cls.schema_of_server)

    @property
    def given(self) -> Json:
        """The arguments as they came."""
        return dict(self.model_extra or {})


def input_model(name: str, schema: Json) -> type[McpInput]:
    """The argument model of one tool: its JSON schema is the pinned one."""
    return type(name, (McpInput,), {"schema_of_server": schema, "__doc__": McpInput.__doc__, "__module__": __name__})


def check_arguments(schema: Json, given: Json) -> None:
    """Return if the arguments keep the schema.

    Raises:
        InvalidToolInput: INVALID_REQUEST, with the first parameter at fault.
    """
    breach = first_breach(schema, given)
    if breach is not None:
        raise InvalidToolInput(ToolCode.INVALID_REQUEST, _said(breach))


def with_defaults(schema: Json, given: Json) -> Json:
    """The arguments with the declared defaults of absent ones: what the scope of a search is compared by."""
    properties = schema.get("properties")
    declared = properties if isinstance(properties, dict) else {}
    defaults = {name: part["default"] for name, part in declared.items() if "default" in part}
    return {**defaults, **given}


def canonical_json(value: object) -> str:
    """The same text for the same arguments: keys sorted, no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _said(breach: Breach) -> str:
    """One sentence from names of the pinned schema and our own words."""
    place = ".".join(breach.path) or "input"
    found = list(breach.found) if isinstance(breach.found, dict) else []
    match breach.keyword:
        case "required":
            wanted = breach.expected if isinstance(breach.expected, list) else []
            return f"{place}: {', '.join(name for name in wanted if name not in found)} is missing"
        case "additionalProperties":
            unknown = [name[:MAX_VALUE_CHARS] for name in found if name not in breach.known]
            there_are = ", ".join(breach.known) or "none"
            return f"{place}: there is no parameter {', '.join(unknown)}; there are {there_are}"
        case "enum" | "type" | "const":
            return f"{place}: expected {breach.keyword} {str(breach.expected)[:200]}"
        case _:
            return f"{place}: does not keep {breach.keyword} {str(breach.expected)[:MAX_VALUE_CHARS]}"
