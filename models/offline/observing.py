"""The answer to a narrow question: what was seen or not seen, without a causal word. Pure."""

from models.offline.evidence import MAX_EVENT_QUOTE, Json, Pages, filters_text, stretch
from models.offline.reading import Observation, SeenItem
from models.offline.targets import holds_code
from models.offline.telemetry import event_of
from models.offline.view import View

MAX_ALERTS = 5
MAX_SERIES = 3


def observation_answer(view: View, pages: Pages) -> Json | None:
    """The OBSERVATION conclusion from the search the question asked for; None if it was not answered.

    Not answered: it names a service that no source holds, or what was found only contains the code as a part.
    """
    if view.question.is_about_alerts:
        return _alerts(view, pages)
    if view.question.metric:
        return _value(view, pages)
    answered = [r for r in view.results("query_logs") if r.status != "ERROR"]
    if view.question.unheld or not answered:
        return None
    found = [r for r in answered if r.is_found and r.items]
    if not found:
        return _not_seen(answered, pages) if all(r.coverage != "PARTIAL" for r in answered) else None
    sought = "" if view.question.literals else view.question.sought
    fitting = [(r, kept) for r in found if (kept := [i for i in r.items if not sought or holds_code(i.text, sought)])]
    return _seen(*fitting[0], pages) if fitting else None


def _alerts(view: View, pages: Pages) -> Json | None:
    """Each alert the question asks about with its state; absence only inside the scope that was asked."""
    answered = [r for r in view.results("list_alerts") if r.status != "ERROR"]
    found = [item for r in answered for item in r.items if event_of(item).is_alert]
    if answered and not found:
        return _not_seen(answered, pages) if all(r.coverage == "COMPLETE" for r in answered) else None
    told = [pages.event(event_of(item)) for item in found[:MAX_ALERTS]]
    text = pages.words.answer("; ".join(text for _, text in told))
    return _observation(text, [analysis_id for analysis_id, _ in told]) if told else None


def _value(view: View, pages: Pages) -> Json | None:
    """The figures of the series the question asks for; absence only inside the scope that was asked."""
    answered = [r for r in view.results("query_metrics") if r.status != "ERROR"]
    found = [item for r in answered for item in r.items if event_of(item).is_series]
    if answered and not found:
        return _not_seen(answered, pages) if all(r.coverage == "COMPLETE" for r in answered) else None
    told = [pages.figures(event_of(item)) for item in found[:MAX_SERIES]]
    text = pages.words.answer("; ".join(text for _, text in told))
    return _observation(text, [analysis_id for analysis_id, _ in told]) if told else None


def _seen(result: Observation, items: list[SeenItem], pages: Pages) -> Json | None:
    is_whole = result.coverage == "COMPLETE" and not result.is_truncated and len(items) == len(result.items)
    text = pages.words.matched(
        result.source, result.total if is_whole else None, result.window, filters_text(result)
    ) + _how_often(result, items, pages)
    pattern = _main_pattern(items)
    analysis_id = pages.statement(text, result, pattern or items[0])
    return _observation(text, [analysis_id])


def _main_pattern(items: list[SeenItem]) -> SeenItem | None:
    """The most frequent pattern; None if none is shown."""
    patterns = [item for item in items if event_of(item).is_pattern and event_of(item).count > 0]
    return max(patterns, key=lambda item: event_of(item).count, default=None)


def _how_often(result: Observation, items: list[SeenItem], pages: Pages) -> str:
    """Count, first and last time of the most frequent pattern, where the search saw all of it; else empty."""
    pattern = _main_pattern(items)
    if pattern is None or result.coverage != "COMPLETE":
        return ""
    first, last = (str(pattern.fields.get(name) or "") for name in ("first_ts", "last_ts"))
    if not first or not last:
        return ""
    return pages.words.often(stretch(pattern.text, limit=MAX_EVENT_QUOTE), event_of(pattern).count, first, last)


def _not_seen(answered: list[Observation], pages: Pages) -> Json | None:
    ids = [pages.absence(result) for result in answered]
    texts = [str(entry["text"]) for entry in pages.entries if entry["analysis_id"] in ids]
    return _observation(" ".join(texts), ids)


def _observation(text: str, ids: list[str]) -> Json | None:
    kept = [analysis_id for analysis_id in ids if analysis_id]
    return {"kind": "OBSERVATION", "text": text, "based_on_analysis_ids": kept} if kept else None
