"""Turns the reply of an MCP tool into citable items: generic, bounded, in the server's order. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from state.model.enums import EvidenceKind
from state.model.evidence import Item, Scalar
from state.model.ids import digest8
from tools.fitting import Fitted, cut, item_bytes
from tools.mcp.arguments import canonical_json
from tools.mcp.content import unwrapped
from tools.mcp.words import evidence_text, plain_words

MAX_ITEMS = 100
MAX_ITEM_CHARS = 2000
MAX_ITEM_BYTES = 8 * 1024
"""A heavier item goes without its fields; its text says the same."""
MAX_PARAGRAPH_CHARS = 600
MAX_FIELDS = 24
MAX_FIELD_CHARS = 200
MAX_FIELD_NAME_CHARS = 60


def project_items(payload: Mapping[str, object], *, kind: EvidenceKind, scope8: str, budget_bytes: int) -> Fitted:
    """One item per element of JSON parts, per paragraph or line of prose.

    The contents that were not read are named last, as KNOWLEDGE. Empty: the reply held nothing.
    """
    parts = _parts(payload)
    kept: list[Item] = []
    used, is_cut = 0, len(parts) > MAX_ITEMS
    seen: Counter[str] = Counter()
    unread = _unread_item(payload, scope8)
    used += item_bytes(unread) if unread else 0
    for part in parts[:MAX_ITEMS]:
        item = _item(part, kind, scope8, seen)
        used += item_bytes(item)
        if used > budget_bytes:
            is_cut = True
            break
        kept.append(item)
        is_cut = is_cut or part.is_cut
    return Fitted(items=(*kept, unread) if unread else tuple(kept), is_cut=is_cut)


def holds_nothing(payload: Mapping[str, object]) -> bool:
    """True if the reply is empty: no prose and no value anywhere, and nothing left unread."""
    given = payload.get("parts")
    parts = given if isinstance(given, list) else []
    return not payload.get("unread") and all(_is_bare(list(part.values())) for part in parts)


def _is_bare(value: object) -> bool:
    if isinstance(value, str):
        return not value.strip()
    if isinstance(value, list):
        return all(_is_bare(part) for part in value)
    if isinstance(value, Mapping):
        return all(_is_bare(part) for part in value.values())
    return value is None


@dataclass(frozen=True)
class _Part:
    """What becomes one item."""

    text: str
    identity: str
    """What the part is, before it is cut."""
    fields: Mapping[str, Scalar]
    is_cut: bool


def _parts(payload: Mapping[str, object]) -> list[_Part]:
    given = payload.get("parts")
    parts: list[_Part] = []
    for part in given if isinstance(given, list) else []:
        if "json" in part:
            parts += [_element(element) for element in _elements(unwrapped(part["json"]))]
        else:
            parts += [_passage(passage) for passage in _passages(evidence_text(str(part.get("text", ""))))]
    return [part for part in parts if part.text]


def _elements(value: object) -> list[object]:
    """What a JSON value lists; scalars of an object stay together."""
    if isinstance(value, list):
        return [element for element in value if _holds(element)]
    if not isinstance(value, Mapping):
        return [value] if _holds(value) else []
    plain = {key: part for key, part in value.items() if not isinstance(part, (list, Mapping))}
    nested = [
        {key: element}
        for key, part in value.items()
        if isinstance(part, (list, Mapping))
        for element in (part if isinstance(part, list) else [part])
        if _holds(element)
    ]
    return [*([plain] if plain else []), *nested]


def _holds(value: object) -> bool:
    """False for null and for what is empty."""
    return value is not None and not (isinstance(value, (str, list, Mapping)) and not value)


def _element(element: object) -> _Part:
    if not isinstance(element, Mapping):
        text = evidence_text(_scalar_text(element))
        return _Part(cut(text, MAX_ITEM_CHARS), canonical_json(element), {}, len(text) > MAX_ITEM_CHARS)
    inner = next(iter(element.values())) if len(element) == 1 else None
    shown = inner if isinstance(inner, Mapping) else element
    prefix = f"{plain_words(next(iter(element)), MAX_FIELD_NAME_CHARS)}: " if shown is inner else ""
    text = prefix + ", ".join(f"{_field_name(key)}={evidence_text(_scalar_text(part))}" for key, part in shown.items())
    return _Part(cut(text, MAX_ITEM_CHARS), canonical_json(element), _fields(shown), len(text) > MAX_ITEM_CHARS)


def _fields(element: Mapping[str, object]) -> dict[str, Scalar]:
    """The scalars of an element by name. A text too long for a field is in the item's text alone."""
    scalars = {
        _field_name(key): evidence_text(part) if isinstance(part, str) else part
        for key, part in element.items()
        if part is None
        or isinstance(part, (bool, int, float))
        or (isinstance(part, str) and len(part) <= MAX_FIELD_CHARS)
    }
    return dict(list(scalars.items())[:MAX_FIELDS])


def _field_name(key: object) -> str:
    return plain_words(str(key), MAX_FIELD_NAME_CHARS) or "value"


def _scalar_text(value: object) -> str:
    match value:
        case str():
            return value
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case int() | float():
            return repr(value)
        case _:
            return canonical_json(value)


def _passages(text: str) -> list[str]:
    """Paragraphs; the lines of long ones; a line over the bound in pieces, so that nothing is lost."""
    paragraphs = [part.strip() for part in text.split("\n\n")]
    passages: list[str] = []
    for paragraph in paragraphs if len(paragraphs) > 1 else text.split("\n"):
        whole = len(paragraph) <= MAX_PARAGRAPH_CHARS
        for line in [paragraph] if whole else paragraph.split("\n"):
            passages += [line[start : start + MAX_ITEM_CHARS] for start in range(0, len(line), MAX_ITEM_CHARS)]
    return [passage.strip() for passage in passages if passage.strip()]


def _passage(text: str) -> _Part:
    return _Part(text, text, {}, is_cut=False)


def _item(part: _Part, kind: EvidenceKind, scope8: str, seen: Counter[str]) -> Item:
    """The item under ``mcp:<scope8>:<hash8>``; an equal one that comes again is numbered."""
    item_id = f"mcp:{scope8}:{digest8(part.identity)}"
    seen[item_id] += 1
    if seen[item_id] > 1:
        item_id = f"{item_id}:{seen[item_id]}"
    item = Item(item_id=item_id, kind=kind, text=part.text, fields=dict(part.fields))
    return item if item_bytes(item) <= MAX_ITEM_BYTES else item.model_copy(update={"fields": {}})


def _unread_item(payload: Mapping[str, object], scope8: str) -> Item | None:
    unread = payload.get("unread")
    if not isinstance(unread, Sequence) or not unread:
        return None
    text = f"The reply also holds contents that were not read: {'; '.join(str(name) for name in unread)}."
    return Item(item_id=f"mcp:{scope8}:unread", kind=EvidenceKind.KNOWLEDGE, text=text)
