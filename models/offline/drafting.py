"""A view → the draft: extractive, each statement quoting its evidence. Pure."""

import re
from datetime import UTC, datetime

from models.offline.causes import Candidate, trail
from models.offline.evidence import Json, Pages, filters_text, stretch, who
from models.offline.lexicon import REMEDY
from models.offline.observing import observation_answer
from models.offline.probes import marker_probes
from models.offline.queries import news
from models.offline.ranking import Match
from models.offline.reading import SeenItem, has_cjk
from models.offline.sentences import blocks, paragraphs, plain, sentences
from models.offline.soundness import telltales
from models.offline.telemetry import first_time
from models.offline.view import View
from models.offline.weighing import kind_of, near_changes
from models.offline.wording import Words, quoted_text

_LABEL_END = re.compile(r"^\s*[.:：。]?\s*")
MAX_PROOFS = 3
OWN_STRONG = 0.5
MAX_HYPOTHESES = 4
MAX_NAMED = 8
_MAX_FACTS = 4
_MAX_ABSENCES = 3


def build_draft(view: View) -> Json:
    """The complete draft; ``conclusion`` is null unless a cause is proven or a narrow question answered."""
    words = Words(view.case.is_zh)
    pages = Pages(words)
    if view.question.is_narrow:
        conclusion, best = observation_answer(view, pages), None
    else:
        best = view.leader
        conclusion = _root_cause(view, pages, best) if best is not None else None
    if conclusion is None:
        _collected_facts(view, pages)
    hypotheses = _hypotheses(view, pages, best) if not view.question.is_narrow else []
    return {
        "conclusion": conclusion,
        "analysis": pages.entries,
        "action_plan": _actions(pages, best) if best is not None and conclusion is not None else [],
        "recommendations": [],
        "hypotheses": hypotheses,
        "limitations": _limitations(view, words, concluded=conclusion is not None),
    }


def _root_cause(view: View, pages: Pages, best: Match) -> Json | None:
    proofs, basis = _proofs(view, pages, best)
    runbook = pages.runbook(cause_passages(best))
    if not basis or not runbook:
        return None
    if best.change is not None:
        change_id, change_text = pages.event(best.change)
        if change_id not in basis:
            proofs.append(change_text)
            basis.append(change_id)
    effect_id, effect = _effect(view, pages, best)
    if effect_id and view.symptom is not None:
        basis += [pages.lead(hit.event, view.symptom) for hit in best.hits if hit.event.is_series and hit.worth > 0][:1]
    blamed = blamed_service(best)
    text = pages.words.root_cause(
        blamed, _phrase(best.candidate, pages.words), [_inner(p) for p in proofs], _inner(effect)
    )
    ids = dict.fromkeys((*basis, effect_id, runbook))
    return {"kind": "ROOT_CAUSE", "text": text, "based_on_analysis_ids": [i for i in ids if i]}


def _proofs(view: View, pages: Pages, best: Match) -> tuple[list[str], list[str]]:
    """Statements of the cause's own telltales: one per kind of record, of the service blamed; else of any.

    The symptom is no telltale: it is what is to be explained.
    """
    blamed = blamed_service(best)
    own = [
        hit for hit in best.hits if hit.worth > 0 and (hit.is_own or (hit.event.is_row and hit.worth >= OWN_STRONG))
    ] or list(best.hits)
    own = [hit for hit in own if not view.scene.is_symptom(hit.event)] or own
    near = [hit for hit in own if hit.event.is_row or hit.event.service.lower() == blamed.lower()] or own
    kinds = {kind_of(hit.event): hit for hit in reversed(near)}
    chosen = sorted(kinds.values(), key=lambda hit: (-hit.worth, hit.event.is_row))[:MAX_PROOFS]
    proofs = dict(pages.event(hit.event, hit.words) for hit in chosen)
    proofs.pop("", None)
    return list(proofs.values()), list(proofs)


def _effect(view: View, pages: Pages, best: Match) -> tuple[str, str]:
    """The symptom, unless it began before the telltales; empty where it cannot follow from them."""
    symptom = view.symptom
    if symptom is None:
        return "", ""
    first = first_time(hit.event for hit in telltales(best, view.scene))
    if first is not None and symptom.first is not None and symptom.first < first:
        return "", ""
    return pages.event(symptom)


def blamed_service(best: Match) -> str:
    """The service whose log first carries a telltale of the cause's own; else the one a row names; else empty."""
    logs = [
        hit for hit in best.hits if hit.worth >= OWN_STRONG and hit.is_own and not hit.event.is_row and who(hit.event)
    ]
    dated = sorted(logs, key=lambda hit: (hit.event.first is None, hit.event.first or datetime.max.replace(tzinfo=UTC)))
    rows = [best.change] if best.change is not None else []
    events = [*(hit.event for hit in dated), *rows, *(hit.event for hit in best.hits if hit.worth > 0)]
    return next((name for event in events if (name := who(event))), "")


def _phrase(candidate: Candidate, words: Words) -> str:
    """The cause as the document words it; in quotation marks where the report is in another language."""
    return candidate.phrase if has_cjk(candidate.phrase) == words.is_zh else quoted_text(candidate.phrase)


def _inner(sentence: str) -> str:
    return sentence.rstrip(".。")


def cause_passages(match: Match) -> list[tuple[SeenItem, str]]:
    """The heading that names the cause and the sentences that name the telltales seen."""
    candidate = match.candidate
    passages = [
        (item, stretch(candidate.written))
        for item in candidate.items
        if candidate.written and candidate.written in item.text
    ][:1]
    for hit in match.hits[:3]:
        if hit.worth > 0:
            passages += _sentence_with(candidate, hit.marker.text)
    if not passages:
        passages = [(item, stretch(s)) for item in candidate.items for s in sentences(item.text) if len(s) > 20][:1]
    return list(dict.fromkeys(passages))


def _sentence_with(candidate: Candidate, words: str) -> list[tuple[SeenItem, str]]:
    found = (
        (item, stretch(s, words))
        for item in candidate.items
        for s in sentences(item.text)
        if words in " ".join(s.split())
    )
    return list(found)[:1]


def _actions(pages: Pages, best: Match) -> list[Json]:
    """The first step the document gives for this cause, verbatim."""
    for item in best.candidate.items:
        steps = _remedies(item)
        analysis_id = pages.runbook([(item, step) for step in steps[:1]])
        if analysis_id:
            action = _without_label(steps[0])
            return [{"action": action, "based_on_analysis_ids": [analysis_id], "requires_human_confirmation": True}]
    return []


def _without_label(step: str) -> str:
    """The step in plain words, without the label before it, in either language."""
    label = next((plain(paragraph.label) for paragraph in paragraphs(step)), "")
    text = plain(step)
    return _LABEL_END.sub("", text.removeprefix(label)) if label and text.startswith(label) else text


def _remedies(item: SeenItem) -> list[str]:
    """Paragraphs labelled or headed as steps to take, as written."""
    above = trail(item)
    found: list[str] = []
    for block in blocks(item.text, above[-1] if above else ""):
        in_remedy = REMEDY.match(block.heading) is not None
        for paragraph in paragraphs(block.body):
            in_remedy = REMEDY.match(paragraph.label) is not None if paragraph.label else in_remedy
            if in_remedy and len(paragraph.text) > len(paragraph.label) + 8:
                found.append(stretch(paragraph.text))
    return found


def _collected_facts(view: View, pages: Pages) -> None:
    """What was seen and what was not, for a draft without conclusion."""
    notable = news(view)
    facts = [view.symptom] if view.symptom is not None else []
    for event in dict.fromkeys([*facts, *notable]) if notable else facts:
        if len(pages.entries) < _MAX_FACTS:
            pages.event(event)
    for row in near_changes(view.events, view.onset)[:1]:
        pages.event(row)
    for result in [r for r in view.case.observations if r.status == "NO_EVIDENCE"][:_MAX_ABSENCES]:
        pages.absence(result)


def _hypotheses(view: View, pages: Pages, best: Match | None) -> list[Json]:
    """The causes that were considered, each resting on what the document or the telemetry says."""
    found: list[Json] = []
    for match in view.matches[:MAX_HYPOTHESES]:
        if not match.is_excluded and match is not best and not _is_worth_naming(match, concluded=best is not None):
            continue
        basis = _hypothesis_basis(pages, match)
        status = "EXCLUDED" if match.is_excluded else "SUPPORTED" if match is best else "OPEN"
        if basis:
            found.append({"text": match.candidate.phrase, "status": status, "based_on_analysis_ids": basis})
    return found


def _is_worth_naming(match: Match, *, concluded: bool) -> bool:
    """Beside a conclusion only causes that something spoke for; else all that share anything."""
    return any(hit.worth > 0 for hit in match.hits) if concluded else match.score > 0


def _hypothesis_basis(pages: Pages, match: Match) -> list[str]:
    runbook = pages.runbook(cause_passages(match))
    shown = pages.event(match.against[0].event, match.against[0].words)[0] if match.is_excluded else ""
    return [i for i in (shown, runbook) if i] if runbook else []


def _limitations(view: View, words: Words, *, concluded: bool) -> Json:
    scopes = [f"{r.source} ({f})" if (f := filters_text(r)) else r.source for r in view.case.observations if r.source]
    missing: list[str] = []
    next_check: str | None = None
    if not concluded:
        phrases = [match.candidate.phrase for match in view.matches[:2] if not match.is_excluded]
        missing = words.what_is_needed() if view.question.is_vague else words.no_proof(phrases)
        if view.question.unheld:
            missing = [words.no_source(view.question.unheld, list(view.toolbox.services[:MAX_NAMED])), *missing]
        next_check = None if view.question.is_vague or view.question.unheld else _next_check(view, words)
    return {"scope": words.searched(scopes), "missing_info": missing, "next_check": next_check}


def _next_check(view: View, words: Words) -> str:
    """The search that would separate the leading two causes."""
    for match in [m for m in view.matches[:2] if not m.is_excluded]:
        seen = {hit.marker for hit in match.hits}
        probe = next((m.text for m in match.candidate.markers if m not in seen and m.weight >= 0.5), "")
        rival = next((m.candidate.phrase for m in view.matches[:2] if m is not match), "")
        if probe:
            return words.separate(probe, match.candidate.phrase, rival)
    probes = marker_probes(view)
    return words.separate(probes[0], view.matches[0].candidate.phrase, "") if probes else words.widen()
