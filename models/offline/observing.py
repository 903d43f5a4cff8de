"""The answer to a narrow question: what was seen or not seen, without a causal word. Pure."""

from models.offline.evidence import Json, Pages, filters_text
from models.offline.reading import Observation
from models.offline.view import View


def observation_answer(view: View, pages: Pages) -> Json | None:
    """The OBSERVATION conclusion from the search the question asked for; None if it was not answered."""
    answered = [r for r in view.results("query_logs") if r.status != "ERROR"]
    found = [r for r in answered if r.is_found and r.items]
    if found:
        return _seen(found[0], pages)
    return _not_seen(answered, pages) if answered and all(r.coverage != "PARTIAL" for r in answered) else None


def _seen(result: Observation, pages: Pages) -> Json | None:
    total = result.total if result.coverage == "COMPLETE" and not result.is_truncated else None
    text = pages.words.matched(result.source, total, result.window, filters_text(result))
    analysis_id = pages.statement(text, result, result.items[0])
    return _observation(text, [analysis_id])


def _not_seen(answered: list[Observation], pages: Pages) -> Json | None:
    ids = [pages.absence(result) for result in answered]
    texts = [str(entry["text"]) for entry in pages.entries if entry["analysis_id"] in ids]
    return _observation(" ".join(texts), ids)


def _observation(text: str, ids: list[str]) -> Json | None:
    kept = [analysis_id for analysis_id in ids if analysis_id]
    return {"kind": "OBSERVATION", "text": text, "based_on_analysis_ids": kept} if kept else None
