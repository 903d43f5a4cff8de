"""The YAML head of a document: read safely, bounded, never fatal. Pure."""

from collections.abc import Mapping
from typing import Any

from state.model.base import Value
from state.model.redaction import redact_text
from tools.bounded_yaml import UnreadableYaml, load_yaml

MAX_HEAD_CHARS = 16_000
MAX_VALUE_CHARS = 500
MAX_LIST = 50
_FENCES = ("---", "...")


class FrontMatter(Value):
    """What a document says about itself. Everything is optional and bounded."""

    title: str = ""
    keywords: tuple[str, ...] = ()
    """Enrich the embedded and the lexically searched text of every chunk."""
    summary: str = ""
    category: str = ""
    """As written; filters compare it folded."""
    covers: tuple[str, ...] = ()
    when_to_retrieve: str = ""
    version: str = ""


class Split(Value):
    """A document taken apart."""

    head: FrontMatter
    body: str
    """Text after the head, unchanged; the whole text if there is no readable head."""
    problem: str = ""
    """Why a head that is there was ignored; empty if it was read or absent."""


def split_front_matter(text: str) -> Split:
    """Head and body. A head that is not a YAML mapping stays part of the body and is named in ``problem``."""
    yaml_text, body = _cut(text)
    if yaml_text is None:
        return Split(head=FrontMatter(), body=text)
    try:
        loaded = load_yaml(yaml_text)
    except UnreadableYaml as error:
        return Split(head=FrontMatter(), body=text, problem=f"front matter {error}")
    if loaded is None:
        return Split(head=FrontMatter(), body=body)
    if not isinstance(loaded, Mapping):
        return Split(head=FrontMatter(), body=text, problem="front matter is not a mapping")
    return Split(head=_head(loaded), body=body)


def clean_head(head: FrontMatter) -> FrontMatter:
    """The same head, bounded and without secrets, whoever made it."""
    return _head(head.model_dump())


def _cut(text: str) -> tuple[str | None, str]:
    first, newline, rest = text.partition("\n")
    if not newline or first.rstrip() != "---":
        return None, text
    offset = 0
    for line in rest[:MAX_HEAD_CHARS].split("\n"):
        if line.rstrip() in _FENCES:
            return rest[:offset], rest[offset + len(line) + 1 :]
        offset += len(line) + 1
    return None, text


def _head(loaded: Mapping[Any, object]) -> FrontMatter:
    return FrontMatter(
        title=_text(loaded.get("title")),
        keywords=_texts(loaded.get("keywords")),
        summary=_text(loaded.get("summary")),
        category=_text(loaded.get("category")),
        covers=_texts(loaded.get("covers")),
        when_to_retrieve=_joined(loaded.get("when_to_retrieve")),
        version=_text(loaded.get("version")),
    )


def _text(value: object) -> str:
    """One line of a scalar; a container or nothing gives the empty text. Secrets are gone before anything is cut."""
    if value is None or isinstance(value, list | tuple | set | Mapping):
        return ""
    return " ".join(redact_text(str(value)).split())[:MAX_VALUE_CHARS]


def _texts(value: object) -> tuple[str, ...]:
    parts = value if isinstance(value, list | tuple) else _text(value).replace("，", ",").split(",")
    return tuple(text for part in parts[:MAX_LIST] if (text := _text(part)))


def _joined(value: object) -> str:
    return "; ".join(_texts(value))[:MAX_VALUE_CHARS] if isinstance(value, list) else _text(value)
