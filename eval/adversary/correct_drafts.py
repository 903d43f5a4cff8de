"""Correct drafts with the records they were judged by: what the guards must let pass, and what operators make wrong."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from eval.adversary.played_worlds import WORLDS, PlayedDraft, play_worlds
from eval.reviewer.cases import CaseKind, ReviewCase, load_cases
from guards.evidence import EvidenceContext
from state.model.draft import Draft
from state.model.enums import Language
from state.model.evidence import CanonicalRecord
from state.model.ids import ToolCallId

HAND_CHECKED = Path(__file__).parent / "hand_checked"
Records = Mapping[ToolCallId, CanonicalRecord]


class Source(StrEnum):
    """Where correct drafts come from."""

    WORLDS = "bundled incidents"
    """Written by the offline reasoner over generated worlds."""
    REVIEW_SET = "review set"
    """Written by hand for the semantic review (``eval.reviewer``)."""
    HAND_CHECKED = "hand-checked"
    """Written by hand for the evidence guard (``eval.adversary.hand_checked``)."""


@dataclass(frozen=True)
class CorrectDraft:
    """One draft in which everything holds, and everything a guard needs to see it."""

    name: str
    source: Source
    language: Language
    draft: Draft = field(repr=False)
    records: Records = field(repr=False)
    context: EvidenceContext = field(repr=False)
    repairs_left: int = 1
    """Repairs that its run still had."""
    spoken_of: frozenset[str] = frozenset()
    """Ids of the items that some correct draft about the same evidence cites."""


def played_drafts(
    seeds: Iterable[int], folder: Path, *, worlds: Iterable[tuple[str, str | None]] = WORLDS
) -> tuple[CorrectDraft, ...]:
    """Those of the offline reasoner over the worlds with these seeds, in fixed order.

    Effects: builds and diagnoses worlds below ``folder``; what is there already is read instead.
    """
    return _told_together(map(_of_world, asyncio.run(play_worlds(seeds, folder, worlds=worlds))))


def written_drafts() -> tuple[CorrectDraft, ...]:
    """The ones people wrote, in order of file and place."""
    sets = ((Source.REVIEW_SET, load_cases()), (Source.HAND_CHECKED, load_cases(HAND_CHECKED)))
    correct = ((source, case) for source, cases in sets for case in cases if case.kind is CaseKind.CORRECT)
    return _told_together(_of_case(case, source) for source, case in correct)


def _told_together(drafts: Iterable[CorrectDraft]) -> tuple[CorrectDraft, ...]:
    """The drafts, each knowing what those about the same incident (all but the last part of the name) cite."""
    kept = tuple(drafts)
    cited: dict[str, set[str]] = {}
    for one in kept:
        quotes = (quote for analysis in one.draft.analysis for quote in analysis.quotes)
        cited.setdefault(_incident(one), set()).update(quote.item_id for quote in quotes)
    return tuple(replace(one, spoken_of=frozenset(cited[_incident(one)])) for one in kept)


def _incident(draft: CorrectDraft) -> str:
    name, _, _ = draft.name.rpartition("-")
    return name.removesuffix("-why").removesuffix("-any").removesuffix("-none")


def _of_world(played: PlayedDraft) -> CorrectDraft:
    return CorrectDraft(
        name=played.name,
        source=Source.WORLDS,
        language=played.language,
        draft=played.draft,
        records={record.tool_call_id: record for record in played.records},
        context=EvidenceContext(
            run_id=played.run_id,
            question=played.question,
            judged_at=played.judged_at,
            time_zone=played.time_zone,
            catalogue_terms=played.catalogue_terms,
            answered_ids=frozenset(played.answered_ids),
        ),
        repairs_left=played.repairs_left,
    )


def _of_case(case: ReviewCase, source: Source) -> CorrectDraft:
    return CorrectDraft(case.name, source, case.language, case.draft, case.records, case.context)
