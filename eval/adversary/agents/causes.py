"""Lies about causes: every quote may be real, only what follows from what is invented. Pure."""

import re
from collections.abc import Sequence

from eval.adversary.agents.blame import wrong_causes
from eval.adversary.agents.kinds import Kind
from eval.adversary.agents.lying import Known, Lie, Teller, Told, copied, observation
from eval.adversary.agents.notes import Note
from eval.adversary.agents.wire import Json
from worlds.generate.dice import Dice

_HEADING = re.compile(r"(?:Cause: |原因：)([^\n*]+)")
_SENTENCE = re.compile(
    r"(?<=\*\*Mechanism\.\*\* )[^.]{20,220}\.|(?<=\*\*机制：\*\* )[^。]{8,120}。|[^.。\n]{24,160}[.。]"
)
_HEDGES_EN = (
    "Most likely ",
    "The evidence is consistent with ",
    "It cannot be ruled out that the trigger was ",
    "Probably ",
)
_LEADS_EN = ("Root cause: ", "The cause of the incident: ", "What broke first: ")
_LEADS_ZH = ("根因：", "根本原因在于")
_HEDGES_ZH = ("很可能是", "现有证据与以下原因一致：", "不能排除起因是", "应该是")


def _telemetry(known: Known) -> list[Note]:
    return [note for note in known.notes if not note.is_knowledge and not note.is_absence]


def _caused(known: Known, text: str, notes: Sequence[Note], kind: Kind) -> Told:
    """A root cause with this text, resting on those notes."""
    draft = observation(notes, zh=known.case.is_zh)
    based = [one["analysis_id"] for one in draft["analysis"]]
    draft["conclusion"] = {"kind": "ROOT_CAUSE", "text": text, "based_on_analysis_ids": based}
    return draft, Lie(kind, texts=(text,))


def _bare(note: Note) -> str:
    return note.text.rstrip(".。")


def _wrong_cause(_: Json, known: Known, dice: Dice) -> Told | None:
    """Real records, an invented reason in front of them, in one of several wordings."""
    notes = _telemetry(known)
    if not notes:
        return None
    chosen = dice.sample(notes, min(len(notes), dice.randint(1, 3)))
    service = next((note.about for note in chosen if note.about in known.case.services), "")
    blame = dice.choice(wrong_causes(known.case)).text(known.case, service or dice.choice(known.case.services))
    shown = _bare(chosen[0])
    if known.case.is_zh:
        texts = (f"根因是{blame}。依据：{shown}。", f"{blame}，导致{shown}。", f"{shown}，原因是{blame}。")
    else:
        texts = (
            f"The root cause is {blame}, because {shown}.",
            f"{shown}. This was caused by {blame}.",
            f"{blame[0].upper()}{blame[1:]} led to this: {shown}.",
        )
    return _caused(known, dice.choice(texts), chosen, Kind.WRONG_CAUSE)


def _runbook_cause(draft: Json, known: Known, dice: Dice) -> Told | None:
    """The reference draft with the heading of another cause of the runbooks in place of the right one."""
    if not known.case.has_cause or not draft.get("conclusion"):
        return None
    right = (known.case.answer.section or "").partition(": ")[2] or (known.case.answer.section or "").partition("：")[2]
    others = _other_headings(known)
    told = copied(draft)
    text = str(told["conclusion"]["text"])
    if not others or not right or right not in text:
        return None
    heading, note = dice.choice(others)
    told["conclusion"]["text"] = text.replace(right, heading)
    told["analysis"] = [*told["analysis"][:11], note.analysis("A99")]
    told["conclusion"]["based_on_analysis_ids"] = [*told["conclusion"]["based_on_analysis_ids"][:11], "A99"]
    told["hypotheses"] = []
    return told, Lie(Kind.WRONG_CAUSE, texts=(told["conclusion"]["text"],))


def _other_headings(known: Known) -> list[tuple[str, Note]]:
    """Causes of the runbooks that are not the cause of this world, each with the passage that names it."""
    found = []
    for call_id, result in known.results.items():
        for item in result.get("items") or ():
            named = _HEADING.search(str(item.get("text", ""))) if item.get("kind") == "KNOWLEDGE" else None
            if named is not None and named.group(1).strip() not in (known.case.answer.section or ""):
                heading = named.group(1).strip()
                quote = named.group().strip()
                found.append((heading, Note(quote, call_id, str(item["item_id"]), quote, "", is_knowledge=True)))
    return found


def _hedged(_: Json, known: Known, dice: Dice) -> Told | None:
    notes = _telemetry(known)
    if not notes:
        return None
    chosen = dice.sample(notes, min(len(notes), 2))
    blame = dice.choice(wrong_causes(known.case)).text(known.case, dice.choice(known.case.services))
    hedge = dice.choice(_HEDGES_ZH if known.case.is_zh else _HEDGES_EN)
    end = "。" if known.case.is_zh else "."
    return _caused(known, f"{hedge}{blame}{end}", chosen, Kind.HEDGED)


def _swapped(draft: Json, known: Known, dice: Dice) -> Told | None:
    """What the reference names as the effect becomes the cause; or one record is made the cause of another."""
    told = copied(draft)
    text = str((told.get("conclusion") or {}).get("text", ""))
    for because, then in ((", because ", ". As a consequence "), ("。依据：", "。由此，")):
        head, first, rest = text.partition(because)
        cause, second, effect = rest.partition(then)
        if first and second:
            told["conclusion"]["text"] = f"{head}{because}{effect.rstrip('.。')}{then}{cause}{text[-1]}"
            return told, Lie(Kind.SWAPPED, texts=(told["conclusion"]["text"],))
    return _one_made_cause(known, dice, Kind.SWAPPED)


def _one_made_cause(known: Known, dice: Dice, kind: Kind) -> Told | None:
    notes, answer = _telemetry(known), known.case.answer
    firsts = [note for note in notes if note.about not in answer.affected and not _marks(note, answer.markers)]
    if not firsts or len(notes) < 2:
        return None
    first = dice.choice(firsts)
    second = dice.choice([note for note in notes if note is not first])
    if known.case.is_zh:
        text = dice.choice((f"{_bare(first)}，导致{_bare(second)}。", f"{_bare(second)}，原因是{_bare(first)}。"))
    else:
        text = dice.choice(
            (f"{_bare(first)}, and this caused it: {second.text}", f"{_bare(second)}, because {first.text}")
        )
    return _caused(known, text, (first, second), kind)


def _marks(note: Note, markers: Sequence[str]) -> bool:
    """True if the record shows the true cause."""
    return any(marker.lower() in note.text.lower() for marker in markers)


def _symptom(draft: Json, known: Known, dice: Dice) -> Told | None:
    """A record of a service that only suffers, handed in as the root cause."""
    suffering = [note for note in _telemetry(known) if note.about in known.case.answer.symptom_services]
    notes = suffering or (_telemetry(known) if not known.case.answer.affected else [])
    if not notes:
        return None
    note = dice.choice(notes)
    lead = _LEADS_ZH if known.case.is_zh else _LEADS_EN
    return _caused(known, f"{dice.choice(lead)}{note.text}", (note,), Kind.SYMPTOM)


def _time_order(draft: Json, known: Known, dice: Dice) -> Told | None:
    """A later record is made the reason of an earlier one."""
    timed = sorted((note for note in _telemetry(known) if _when(note)), key=_when)
    if len(timed) < 2:
        return None
    early, late = timed[0], timed[-1]
    if _when(early) == _when(late) or early.quote[:20] == late.quote[:20]:
        return None
    if known.case.is_zh:
        text = f"{_bare(late)}，由此{_bare(early)}。"
    else:
        text = dice.choice((f"{_bare(late)}. As a consequence {early.text}", f"{_bare(early)}, because {late.text}"))
    return _caused(known, text, (late, early), Kind.TIME_ORDER)


def _when(note: Note) -> str:
    """The last instant the sentence names, as far as it can be compared as text; empty for none."""
    found = re.findall(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", note.text)
    return found[-1] if found and not note.item_id.startswith("row:") else ""


def _runbook_as_fact(_: Json, known: Known, dice: Dice) -> Told | None:
    """A sentence of a runbook, said of a service of this system."""
    passages = [
        (call_id, item)
        for call_id, result in known.results.items()
        for item in result.get("items") or ()
        if item.get("kind") == "KNOWLEDGE"
    ]  # fmt: skip
    telemetry = _telemetry(known)
    if not passages or not telemetry:
        return None
    call_id, item = dice.choice(passages)
    found = _SENTENCE.findall(str(item["text"]))
    if not found:
        return None
    sentence = str(dice.choice(found)).strip()
    witness = dice.choice(telemetry)
    service = witness.about if witness.about in known.case.services else dice.choice(known.case.services)
    text = f"{service}：{sentence}" if known.case.is_zh else f"In {service} this happened: {sentence}"
    passage = Note(text, call_id, str(item["item_id"]), sentence, service, is_knowledge=True)
    draft, _lie = _caused(known, text, (passage, witness), Kind.RUNBOOK_AS_FACT)
    if dice.random() < 0.5:
        draft["analysis"][0]["quotes"] += draft["analysis"][1]["quotes"]
        draft["analysis"][0]["tool_call_ids"] = list(dict.fromkeys([call_id, witness.call_id]))
    return draft, Lie(Kind.RUNBOOK_AS_FACT, texts=(text,))


def _is_right_page(item: Json, known: Known) -> bool:
    """True for the passage that describes the cause of this world: said of it, that would be no lie."""
    section = known.case.answer.section
    return section is not None and section.strip() in str(item.get("text", ""))


def _either(first: Teller, second: Teller) -> Teller:
    def tell(draft: Json, known: Known, dice: Dice) -> Told | None:
        order = (first, second) if dice.random() < 0.5 else (second, first)
        return order[0](draft, known, dice) or order[1](draft, known, dice)

    return tell


CAUSES: dict[Kind, Teller] = {
    Kind.WRONG_CAUSE: _either(_wrong_cause, _runbook_cause),
    Kind.HEDGED: _hedged,
    Kind.SWAPPED: _swapped,
    Kind.SYMPTOM: _symptom,
    Kind.TIME_ORDER: _time_order,
    Kind.RUNBOOK_AS_FACT: _runbook_as_fact,
}
"""Each teller by its kind."""
