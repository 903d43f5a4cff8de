"""The system prompts by role: text of ``config/prompts/*.md`` and its SHA-256, read once when imported.

Prompts are language-independent English and hold no place-holders: facts travel in the user message.
Each rule a prompt must state has its own test.
"""

from importlib.resources import files
from types import MappingProxyType

from state.model.base import Value
from state.model.enums import ModelRole
from state.model.ids import digest


class Prompt(Value):
    """One system prompt."""

    role: ModelRole
    text: str
    sha256: str
    """Of the text; in the trace and in evaluations, so that a change of quality can be traced to a change of words."""


def _read(role: ModelRole) -> Prompt:
    text = files("config").joinpath("prompts", f"{role.value}.md").read_text(encoding="utf-8").strip()
    return Prompt(role=role, text=text, sha256=digest(text))


PROMPTS = MappingProxyType({role: _read(role) for role in ModelRole})
"""Every role has one. Read at import, so that no file is read inside the event loop."""
