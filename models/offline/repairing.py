"""The repair role: references put right where the right record can be found; visible text never changes. Pure."""

from dataclasses import dataclass

from models.offline.loose import as_list, as_object, as_text, objects, texts
from models.offline.sentences import sentences
from models.offline.terms import term_set

Json = dict[str, object]
MIN_SHARED = 2
MAX_QUOTE = 300


@dataclass(frozen=True)
class Known:
    """One item of a record."""

    call_id: str
    item_id: str
    text: str


@dataclass(frozen=True)
class Records:
    """What may be cited."""

    items: tuple[Known, ...]
    statuses: dict[str, str]
    """Call id → evidence status."""


def repair(request: Json) -> Json:
    """The whole draft; only ids, references, quotes and bases may differ from the one given."""
    draft = as_object(request.get("draft"))
    records = _records(request)
    analyses = [_analysis(entry, records) for entry in objects(draft.get("analysis"))]
    named = _with_ids(analyses)
    known = [as_text(entry.get("analysis_id")) for entry in named]
    return {
        **draft,
        "analysis": named,
        **{
            key: [_based(e, known) for e in objects(draft.get(key))]
            for key in ("action_plan", "recommendations", "hypotheses")
            if key in draft
        },
        **(
            {"conclusion": _based(as_object(draft["conclusion"]), known)}
            if isinstance(draft.get("conclusion"), dict)
            else {}
        ),
    }


def _records(request: Json) -> Records:
    found = list(objects(request.get("records")))
    items = [
        Known(as_text(record.get("tool_call_id")), as_text(item.get("item_id")), as_text(item.get("text")))
        for record in found
        for item in objects(record.get("items"))
    ]
    return Records(tuple(items), {as_text(r.get("tool_call_id")): as_text(r.get("evidence_status")) for r in found})


def _analysis(entry: Json, records: Records) -> Json:
    if entry.get("kind") == "NEGATIVE_OBSERVATION":
        calls = [call for call in texts(entry.get("tool_call_ids")) if records.statuses.get(call) == "NO_EVIDENCE"]
        empty = [call for call, status in records.statuses.items() if status == "NO_EVIDENCE"]
        return {
            **entry,
            "tool_call_ids": calls or (empty if len(empty) == 1 else as_list(entry.get("tool_call_ids"))),
            "quotes": [],
        }
    quotes = [_quote(quote, records) for quote in objects(entry.get("quotes"))] or _missing_quote(entry, records)
    found = [call for call in texts(entry.get("tool_call_ids")) if records.statuses.get(call) == "EVIDENCE_FOUND"]
    calls = list(dict.fromkeys((*found, *(as_text(quote.get("tool_call_id")) for quote in quotes))))
    return {**entry, "quotes": quotes, "tool_call_ids": calls or as_list(entry.get("tool_call_ids"))}


def _quote(quote: Json, records: Records) -> Json:
    """The quote as it stands if it holds; else pointed at the one place that holds its words."""
    words = as_text(quote.get("text"))
    own = Known(as_text(quote.get("tool_call_id")), as_text(quote.get("item_id")), "")
    holders = [item for item in records.items if words and words in item.text]
    if any((item.call_id, item.item_id) == (own.call_id, own.item_id) for item in holders):
        return quote
    near = [item for item in holders if item.call_id == own.call_id or item.item_id == own.item_id] or holders
    if near:
        return {"tool_call_id": near[0].call_id, "item_id": near[0].item_id, "text": words}
    return _closest(quote, own, words, records)


def _closest(quote: Json, own: Known, words: str, records: Records) -> Json:
    """A quote that is not verbatim: the sentence of the named item that shares nearly all its terms."""
    named = [item for item in records.items if (item.call_id, item.item_id) == (own.call_id, own.item_id)]
    wanted = term_set(words)
    for item in named:
        best = max(sentences(item.text), key=lambda s: len(term_set(s) & wanted), default="")
        if best and len(term_set(best) & wanted) >= max(MIN_SHARED, 0.7 * len(wanted)):
            return {"tool_call_id": item.call_id, "item_id": item.item_id, "text": best[:MAX_QUOTE]}
    return quote


def _missing_quote(entry: Json, records: Records) -> list[Json]:
    """For an analysis without quotes: the best matching sentence of the records it cites (else of any)."""
    cited = set(texts(entry.get("tool_call_ids")))
    wanted = term_set(as_text(entry.get("text")))
    pool = [item for item in records.items if item.call_id in cited] or list(records.items)
    scored = [(len(term_set(s) & wanted), item, s) for item in pool for s in sentences(item.text)]
    best = max(scored, key=lambda triple: triple[0], default=None)
    if best is None or best[0] < MIN_SHARED:
        return []
    return [{"tool_call_id": best[1].call_id, "item_id": best[1].item_id, "text": best[2][:MAX_QUOTE]}]


def _with_ids(entries: list[Json]) -> list[Json]:
    """Entries with unique ids: one that had none or a used one gets a fresh one."""
    used: set[str] = set()
    named: list[Json] = []
    for at, entry in enumerate(entries):
        own = as_text(entry.get("analysis_id"))
        if not own or own in used:
            own = next(
                f"A{n}"
                for n in range(at + 1, at + 1000)
                if f"A{n}" not in used and not _is_taken(f"A{n}", entries[at + 1 :])
            )
        used.add(own)
        named.append({**entry, "analysis_id": own})
    return named


def _is_taken(name: str, later: list[Json]) -> bool:
    return any(entry.get("analysis_id") == name for entry in later)


def _based(entry: Json, known: list[str]) -> Json:
    """The entry resting only on analyses that exist; on all of them if none is left and it needs one."""
    basis = texts(entry.get("based_on_analysis_ids"))
    kept = [name for name in dict.fromkeys(basis) if name in known]
    return {**entry, "based_on_analysis_ids": kept or known[:12]}
