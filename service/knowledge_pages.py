"""Pages of ``ingest``, ``search`` and ``documents``. Pure."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from service.invocation import step
from service.json_result import Json
from service.page import Block, Entry, Heading, Headline, Page, Pairs, Paragraph, Source, Tone, Verbatim
from service.speech import Speech
from service.texts import knowledge as texts

if TYPE_CHECKING:
    from graph.documents import DocumentRecord, ExplainedHit, Explanation, PathsSummary, RebuildSummary

MAX_NAMED = 20
"""Problems named one by one."""


def ingested_page(summary: "PathsSummary", say: Speech) -> Page:
    """What was added, and what was not and why."""
    return tuple(_ingested(summary, say))


def _ingested(summary: "PathsSummary", say: Speech) -> Iterator[Block]:
    n_failed = len(summary.failed)
    counts = say(texts.INGESTED, added=summary.added, unchanged=summary.unchanged, failed=n_failed)
    yield Headline(counts, Tone.BAD if n_failed else Tone.GOOD)
    seconds = f"{summary.seconds:.1f}"
    yield Paragraph(say(texts.CHUNKS, embedded=summary.embedded, reused=summary.reused, seconds=seconds))
    if summary.added:
        yield step(say(texts.NEXT))
    for title, problems in (
        (texts.FAILED, summary.failed), (texts.NOTED, summary.noted), (texts.IGNORED, summary.ignored)
    ):  # fmt: skip
        if problems:
            yield Heading(say(title))
        for problem in problems[:MAX_NAMED]:
            yield Entry(say(texts.PROBLEM, path=problem.path, why=problem.why))
        if len(problems) > MAX_NAMED:
            yield Entry(say(texts.MORE, n=len(problems) - MAX_NAMED))


def documents_page(documents: "Sequence[DocumentRecord]", say: Speech) -> Page:
    """The documents with state and id."""
    if not documents:
        return (step(say(texts.NO_DOCUMENTS)),)
    return tuple(_documents(documents))


def _documents(documents: "Sequence[DocumentRecord]") -> Iterator[Block]:
    for one in documents:
        yield Entry(one.title or one.path, remark=one.state.value)
        yield Source(" · ".join(part for part in (one.doc_id, one.path, one.category, one.problem) if part))


def documents_json(documents: "Sequence[DocumentRecord]") -> list[Json]:
    """The same facts."""
    return [one.model_dump(mode="json", exclude={"settings"}) for one in documents]


def rebuilt_page(summary: "RebuildSummary", say: Speech) -> Page:
    """What the rebuild did."""
    values = summary.model_dump() | {"seconds": f"{summary.seconds:.1f}"}
    return (Headline(say(texts.REBUILT, **values), Tone.BAD if summary.failed else Tone.GOOD),)


def search_page(found: "Explanation", say: Speech, *, reasons: bool) -> Page:
    """The hits; with ``reasons`` how each was found, what was dropped, and how it was searched."""
    return tuple(_search(found, say, reasons=reasons))


def _search(found: "Explanation", say: Speech, *, reasons: bool) -> Iterator[Block]:
    if not found.hits:
        yield Headline(say(texts.NOTHING), Tone.OPEN)
    for number, hit in enumerate(found.hits, start=1):
        yield Entry(hit.breadcrumb or hit.title, marker=f"{number}.", remark=hit.place.level.value)
        yield Source(hit.path)
        if reasons:
            yield Source(_how(hit, say))
        yield Verbatim(hit.excerpt)
    if reasons:
        yield from _reasons(found, say)


def _how(hit: "ExplainedHit", say: Speech) -> str:
    place = hit.place
    return say(
        texts.HOW,
        level="–" if place.dropped else place.level.value,
        quality=f"{place.similarity:.2f}",
        sources=", ".join(hit.sources),
        fused=place.fused_rank,
        dense=place.dense_rank or "–",
        bm25=place.bm25_rank or "–",
        name=place.name_rank or "–",
    )


def _reasons(found: "Explanation", say: Speech) -> Iterator[Block]:
    trace = found.trace
    if found.dropped:
        yield Heading(say(texts.DROPPED))
    for hit in found.dropped[:MAX_NAMED]:
        why = hit.place.dropped.value if hit.place.dropped else "–"
        yield Entry(say(texts.DROPPED_HIT, title=hit.breadcrumb or hit.title, path=hit.path, why=why))
        yield Source(_how(hit, say))
    yield Heading(say(texts.ATTEMPTS))
    rows = [
        (
            one.name.value,
            say(
                texts.ATTEMPT,
                candidates=one.candidate_count,
                top=f"{one.top_similarity:.2f}",
                ms=one.duration_ms,
                embed_ms=one.embed_ms,
            ),
        )
        for one in trace.attempts
    ]
    if trace.fallback_reason is not None:
        rows.append(("fallback", say(texts.FELL_BACK, why=trace.fallback_reason.value)))
    rows.append((say(texts.COVERAGE), trace.coverage.value))
    rows.append((say(texts.THRESHOLDS), f"PRECISE ≥ {trace.precise_min:g}, REFERENCE ≥ {trace.reference_min:g}"))
    yield Pairs(tuple(rows))
