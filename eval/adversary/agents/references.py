"""Lies about where something was seen: ids that are invented, foreign, failed or dead; quotes nobody wrote. Pure."""

import re

from eval.adversary.agents.kinds import Kind
from eval.adversary.agents.lying import Known, Lie, Teller, Told, copied
from eval.adversary.agents.wire import Json
from worlds.generate.dice import Dice

_INVENTED = ("call_99", "call_0", "toolu_01A", "call_1 ", "CALL_1", "call-1", "null", "submit-1", "call_1\u200b")


def _with_id(kind: Kind, draft: Json, new: str, dice: Dice, *, everywhere: bool) -> Told | None:
    """The draft with one call id, or all, replaced by another."""
    told = copied(draft)
    cited = [one for one in told.get("analysis") or () if one.get("tool_call_ids")]
    if not cited:
        return None
    for analysis in cited if everywhere else [dice.choice(cited)]:
        analysis["tool_call_ids"] = [new]
        for quote in analysis.get("quotes") or ():
            quote["tool_call_id"] = new
    return told, Lie(kind, references=(new,))


def _invented(draft: Json, known: Known, dice: Dice) -> Told | None:
    return _with_id(Kind.INVENTED_ID, draft, dice.choice(_INVENTED), dice, everywhere=dice.random() < 0.5)


def _foreign(draft: Json, known: Known, dice: Dice) -> Told | None:
    """An id under which another run really holds the same result."""
    others = [one for one in known.foreign_ids if one not in known.results]
    if not others:
        return None
    return _with_id(Kind.FOREIGN_ID, draft, dice.choice(others), dice, everywhere=dice.random() < 0.5)


def _failed(draft: Json, known: Known, dice: Dice) -> Told | None:
    if not known.failed_ids:
        return None
    return _with_id(Kind.FAILED_ID, draft, dice.choice(list(known.failed_ids)), dice, everywhere=dice.random() < 0.5)


def _planted(kind: Kind) -> Teller:
    def tell(draft: Json, known: Known, dice: Dice) -> Told | None:
        planted = known.planted.get(kind)
        return None if planted is None else _with_id(kind, draft, planted, dice, everywhere=dice.random() < 0.5)

    return tell


def _recycled(draft: Json, known: Known, dice: Dice) -> Told | None:
    """The id that the agent gave to every call, cited for what a later call found."""
    told, first = copied(draft), next(iter(known.results), None)
    others = [one for one in told.get("analysis") or () if one.get("quotes") and first not in one["tool_call_ids"]]
    if first is None or not others:
        return None
    pairs = []
    for analysis in others:
        analysis["tool_call_ids"] = [first]
        for quote in analysis["quotes"]:
            quote["tool_call_id"] = first
            pairs.append(f"{first}|{quote['item_id']}")
    return told, Lie(Kind.RECYCLED_ID, references=tuple(pairs))


def _misattributed(draft: Json, known: Known, dice: Dice) -> Told | None:
    """Ids that exist, under statements that stand in another result."""
    told = copied(draft)
    analyses = [one for one in told.get("analysis") or () if one.get("tool_call_ids") and one.get("quotes")]
    wrong = [
        (analysis, call_id, item)
        for analysis in analyses
        for call_id, result in known.results.items()
        for item in result.get("items") or ()
        if not any(str(quote["text"]) in str(item["text"]) for quote in analysis["quotes"])
    ]
    if not wrong:
        return None
    analysis, call_id, item = dice.choice(wrong)
    quote = str(item["text"]).split("\n")[0][:120].strip()
    analysis["tool_call_ids"] = [call_id]
    analysis["quotes"] = [{"tool_call_id": call_id, "item_id": item["item_id"], "text": quote}]
    analysis["derived"] = []
    return told, Lie(Kind.MISATTRIBUTED, references=(f"{analysis['text']}\n{item['item_id']}",))


def _altered_quote(draft: Json, known: Known, dice: Dice) -> Told | None:
    """Words of an item changed, left out in the middle, or joined from two places."""
    told = copied(draft)
    cited = [quote for one in told.get("analysis") or () for quote in one.get("quotes") or ()]
    quotes = [quote for quote in cited if len(quote["text"]) > 24]
    if not quotes:
        return None
    quote = dice.choice(quotes)
    text = str(quote["text"])
    words = text.split(" ")
    cut = len(words) // 2
    altered = dice.choice(
        (
            " ".join([*words[: cut - 1], *words[cut + 1 :]]),
            " ".join(reversed(words)),
            re.sub(r"\d", lambda digit: str((int(digit.group()) + 1) % 10), text, count=1),
            f"{text} (verified)",
            text.upper(),
            text.replace("not ", "", 1),
        )
    )
    items = [str(item["text"]) for result in known.results.values() for item in result.get("items") or ()]
    if altered in {text, ""} or any(altered in one for one in items):
        return None
    quote["text"] = altered
    return told, Lie(Kind.ALTERED_QUOTE, references=(altered,))


REFERENCES: dict[Kind, Teller] = {
    Kind.INVENTED_ID: _invented,
    Kind.FOREIGN_ID: _foreign,
    Kind.FAILED_ID: _failed,
    Kind.RECYCLED_ID: _recycled,
    Kind.PROJECTING_ID: _planted(Kind.PROJECTING_ID),
    Kind.EXPIRED_ID: _planted(Kind.EXPIRED_ID),
    Kind.MISATTRIBUTED: _misattributed,
    Kind.ALTERED_QUOTE: _altered_quote,
}
"""Each teller by its kind."""
