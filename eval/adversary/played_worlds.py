"""Drafts of the offline reasoner over generated worlds: the real graph, sources and stores, in process.

Equal seeds give equal drafts. What was played is kept as JSON under a name that changes with the product's source,
so that a folder used again never answers for other code.
"""

import re
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import cast

from config.settings import Settings
from graph.app import App, open_app
from state.model.base import Value
from state.model.diagnosis import DiagnosisState, RunOptions
from state.model.draft import Draft
from state.model.enums import ConclusionKind, Language
from state.model.evidence import CanonicalRecord
from state.model.ids import RunId, ToolCallId, digest
from worlds import build_world
from worlds.answers import ExpectedAnswer, expected_answer

WORLDS: tuple[tuple[str, str | None], ...] = (
    ("payment-timeouts", None),
    ("payment-timeouts", "other-service"),
    ("payment-timeouts", "other-cause"),
    ("slow-query-after-deploy", None),
    ("slow-query-after-deploy", "other-cause"),
    ("downstream-dependency", None),
)
"""Name and variant of the worlds that hold a cause."""
_PRODUCT = ("config", "graph", "guards", "models", "nodes", "state", "tools", "worlds")
_READ = {".py", ".md", ".txt"}
_ROOT = Path(__file__).parents[2]
_CLOCK = re.compile(r"\d{1,2}:\d\d")


class PlayedDraft(Value):
    """A draft with a conclusion, as it was judged in its run."""

    name: str
    language: Language
    draft: Draft
    records: tuple[CanonicalRecord, ...]
    run_id: RunId
    question: str
    judged_at: datetime
    time_zone: str
    catalogue_terms: tuple[str, ...]
    answered_ids: tuple[ToolCallId, ...]
    repairs_left: int


class _Played(Value):
    """What one world gave."""

    drafts: tuple[PlayedDraft, ...]


@dataclass(frozen=True)
class _Ask:
    """One question to one world."""

    name: str
    question: str
    language: Language
    is_narrow: bool = False


async def play_worlds(
    seeds: Iterable[int], folder: Path, *, worlds: Iterable[tuple[str, str | None]] = WORLDS
) -> tuple[PlayedDraft, ...]:
    """The correct drafts of every seed and world, in order; a draft that names another cause is left out."""
    pairs = [(seed, name, variant) for seed in seeds for name, variant in worlds]
    return tuple([one for seed, name, variant in pairs for one in await _world(name, variant, seed, folder)])


async def _world(name: str, variant: str | None, seed: int, folder: Path) -> tuple[PlayedDraft, ...]:
    label = "-".join(filter(None, (name, variant, str(seed))))
    kept = folder / _edition() / f"{label}.json"
    if kept.is_file():
        return _Played.model_validate_json(kept.read_text(encoding="utf-8")).drafts
    place = folder / "worlds" / label
    if not place.exists():
        build_world(name, place, seed=seed, variant=variant)
    async with open_app(Settings(home=folder / "home", recording="off"), place) as app:
        expected = expected_answer(name, seed=seed, variant=variant)
        drafts = tuple([one async for one in _drafts(app, label, expected)])
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(_Played(drafts=drafts).model_dump_json(), encoding="utf-8")
    return drafts


async def _drafts(app: App, label: str, expected: ExpectedAnswer) -> AsyncIterator[PlayedDraft]:
    for ask in _asks(expected):
        played = await _play(app, ask, f"{label}-{ask.name}")
        if played is not None and (ask.is_narrow or _is_right(played.draft, expected)):
            yield played


def _asks(expected: ExpectedAnswer) -> Iterator[_Ask]:
    """Why, in both languages; for a plain world also whether it failed, and whether it logged what never happens."""
    since = next(iter(_CLOCK.findall(expected.question)))
    service = (*expected.symptom_services, *expected.affected)[0]
    en, zh = Language.EN, Language.ZH
    yield _Ask("why-en", expected.question, en)
    yield _Ask("why-zh", expected.question, zh)
    if expected.variant:
        return
    yield _Ask("any-en", f"Did {service} log any errors since {since}?", en, is_narrow=True)
    yield _Ask("any-zh", f"从 {since} 开始 {service} 有没有报错？", zh, is_narrow=True)
    yield _Ask("none-en", f"Did {service} log any OutOfMemoryError since {since}?", en, is_narrow=True)
    yield _Ask("none-zh", f"从 {since} 开始 {service} 有没有出现 OutOfMemoryError？", zh, is_narrow=True)


async def _play(app: App, ask: _Ask, name: str) -> PlayedDraft | None:
    """The draft of that run; None if it has no conclusion of the kind asked for."""
    run_id = app.new_run_id()
    await app.diagnose({"query": ask.question, "run_id": run_id}, RunOptions(language=ask.language), lambda _: None)
    snapshot = await app.runner.graph.aget_state({"configurable": {"thread_id": run_id}})
    state = cast(DiagnosisState, snapshot.values)
    draft = state["draft"]
    if draft is None or draft.conclusion is None:
        return None
    if (draft.conclusion.kind is ConclusionKind.OBSERVATION) is not ask.is_narrow:
        return None
    records = await app.runner.deps.canonical.records(run_id)
    facts = state["run"]
    assert facts is not None, "open_run ran"
    return PlayedDraft(
        name=name,
        language=ask.language,
        draft=draft,
        records=tuple(records),
        run_id=run_id,
        question=facts.query,
        judged_at=app.runner.deps.clock.now(),
        time_zone=facts.time_zone,
        catalogue_terms=tuple(sorted(app.runner.deps.catalogue_terms)),
        answered_ids=tuple(record.tool_call_id for record in records),
        repairs_left=1 - state["repairs"],
    )


def _is_right(draft: Draft, expected: ExpectedAnswer) -> bool:
    assert draft.conclusion is not None
    told = draft.conclusion.text.lower()
    names_cause = all(any(term.lower() in told for term in group) for group in expected.cause_terms)
    return names_cause and not any(term.lower() in told for term in expected.wrong_terms)


@cache
def _edition() -> str:
    """Eight hex digits of the product's source, runbooks included."""
    paths = (path for name in _PRODUCT for path in sorted((_ROOT / name).rglob("*")))
    texts = (f"{path.relative_to(_ROOT)}\n{path.read_text(encoding='utf-8')}" for path in paths if path.suffix in _READ)
    return digest("\n".join(texts))[:8]
