"""Honest statements about what a run has seen: each is true by construction and quotes the item it comes from. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from eval.adversary.agents.wire import Json

_LOG_HEAD = re.compile(r"^\S+ (?:[A-Z]+ )?(\S+) (.+)", re.DOTALL)
_FIRST_SENTENCE = re.compile(r"[^.。\n]{12,160}[.。]")
QUOTE_CHARS = 150


@dataclass(frozen=True)
class Note:
    """One statement with what it rests on."""

    text: str
    call_id: str
    item_id: str
    """Empty for an absence, which cites its whole scope."""
    quote: str
    about: str
    """Service, table or metric the sentence is about; empty where it names none."""
    is_knowledge: bool = False

    @property
    def is_absence(self) -> bool:
        """True for a statement about an empty result."""
        return not self.item_id

    def analysis(self, analysis_id: str) -> Json:
        """The note as one analysis of a draft."""
        quote = {"tool_call_id": self.call_id, "item_id": self.item_id, "text": self.quote}
        return {
            "analysis_id": analysis_id,
            "kind": "NEGATIVE_OBSERVATION" if self.is_absence else "NORMAL",
            "text": self.text,
            "tool_call_ids": [self.call_id],
            "quotes": [] if self.is_absence else [quote],
            "derived": [],
        }


def notes_of(results: Mapping[str, Json], *, zh: bool) -> tuple[Note, ...]:
    """Every statement that can be made, in order of the results; empty if nothing was found."""
    return tuple(note for call_id, result in results.items() for note in _of_result(call_id, result, zh=zh))


def _of_result(call_id: str, result: Json, *, zh: bool) -> Iterator[Note]:
    if result.get("evidence_status") == "NO_EVIDENCE":
        yield _absence(call_id, result, zh=zh)
    whole = result.get("coverage") == "COMPLETE" and not result.get("truncated")
    for item in result.get("items") or ():
        note = _of_item(call_id, item, zh=zh, whole=whole)
        if note is not None:
            yield note


def _absence(call_id: str, result: Json, *, zh: bool) -> Note:
    scope = result.get("scope") or {}
    filters = ", ".join(f"{name}={value}" for name, value in (scope.get("filters") or {}).items())
    window = scope.get("window") or {}
    span = f"{window.get('start')} and {window.get('end')}" if window else ""
    source = str(scope.get("source", ""))
    if zh:
        between = f"{window.get('start')} 到 {window.get('end')} 之间" if window else ""
        text = f"在 {source} 中{between}没有找到记录{f'（{filters}）' if filters else ''}。"
    else:
        between = f" between {span}" if span else ""
        text = f"Nothing was found in {source}{between}{f' with {filters}' if filters else ''}."
    return Note(text=text, call_id=call_id, item_id="", quote="", about=source)


def _of_item(call_id: str, item: Json, *, zh: bool, whole: bool) -> Note | None:
    item_id, text = str(item.get("item_id", "")), str(item.get("text", ""))
    fields = item.get("fields") or {}
    if item.get("kind") == "KNOWLEDGE":
        return _passage(call_id, item_id, text)
    match item_id.partition(":")[0]:
        case "log":
            return _event(call_id, item_id, text, fields, zh=zh)
        case "pat":
            return _pattern(call_id, item_id, text, fields, zh=zh, whole=whole)
        case "row":
            return _row(call_id, item_id, text, zh=zh)
        case "ser":
            return _series(call_id, item_id, text, fields, zh=zh)
        case _:
            return None


def _passage(call_id: str, item_id: str, text: str) -> Note | None:
    found = _FIRST_SENTENCE.search(text.lstrip("# "))
    if found is None:
        return None
    return Note(found.group().strip(), call_id, item_id, found.group().strip(), "", is_knowledge=True)


def _event(call_id: str, item_id: str, text: str, fields: Json, *, zh: bool) -> Note | None:
    head = _LOG_HEAD.match(text)
    service, at = str(fields.get("service", "")), str(fields.get("ts", ""))
    if head is None or not service or not at:
        return None
    quote = head.group(2).split("\n")[0][:QUOTE_CHARS].rstrip()
    said = f"{service} 在 {at} 记录了“{quote}”。" if zh else f"{service} recorded “{quote}” at {at}."
    return Note(said, call_id, item_id, quote, service)


def _pattern(call_id: str, item_id: str, text: str, fields: Json, *, zh: bool, whole: bool) -> Note | None:
    service, first, count = str(fields.get("service", "")), fields.get("first_ts"), fields.get("count")
    quote = text.split("\n")[0][:QUOTE_CHARS].rstrip()
    if not service or first is None:
        return None
    times = f" {count} 次" if whole and count else ""
    if zh:
        said = f"{service} 从 {first} 起记录了“{quote}”{times}。"
    else:
        often = f" {count} times" if whole and count else ""
        said = f"{service} recorded “{quote}”{often} from {first} on."
    return Note(said, call_id, item_id, quote, service)


def _row(call_id: str, item_id: str, text: str, *, zh: bool) -> Note:
    table, quote = item_id.split(":")[1], ", ".join(text.split("\n")[0].split(", ")[:5])
    said = f"{table} 中有一行：{quote}。" if zh else f"{table} holds a row with {quote}."
    return Note(said, call_id, item_id, quote, table)


def _series(call_id: str, item_id: str, text: str, fields: Json, *, zh: bool) -> Note | None:
    name, quote = text.partition(": ")[0], text.partition("; ")[0][: 2 * QUOTE_CHARS]
    before, after, at = (fields.get(key) for key in ("level_before", "level_after", "change_at"))
    if not isinstance(before, int | float) or not isinstance(after, int | float):
        return None
    if zh:
        moved = "上升" if after > before else "下降"
        said = f"{name} 在 {at} 从 {before:g} {moved}到 {after:g}。"
    else:
        moved = "rose" if after > before else "fell"
        said = f"{name} {moved} from {before:g} to {after:g} at {at}."
    return Note(said, call_id, item_id, quote, name.partition("{")[0])
