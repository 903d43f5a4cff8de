"""The page of ``replay --every-step``: whether the run came out the same from each of its steps. Pure."""

from typing import TYPE_CHECKING

from service.json_result import Json
from service.page import Headline, Listing, Page, Paragraph, Tone
from service.speech import Speech
from service.texts import trace as texts
from state.model.run import RunRow

if TYPE_CHECKING:
    from graph.replay_steps import StepReplay


def steps_page(row: RunRow, steps: "tuple[StepReplay, ...]", say: Speech) -> Page:
    """One line a step: its number, its node, and where the replay from there differs, if it does."""
    n_diverged = sum(not one.replay.identical for one in steps)
    tone = Tone.BAD if n_diverged else Tone.GOOD if steps else Tone.OPEN
    head = Headline(say(texts.STEPS_REPLAYED, run_id=row.run_id, n=len(steps)), tone)
    if not steps:
        return head, Paragraph(say(texts.STEPS_GONE))
    verdict = say(texts.STEPS_DIVERGED, n=n_diverged, total=len(steps)) if n_diverged else say(texts.STEPS_IDENTICAL)
    width = max(len(one.step.node) for one in steps)
    lines = tuple((f"{one.step.number:>5}  {one.step.node:<{width}}  ", _outcome(one, say)) for one in steps)
    return head, Paragraph(verdict), Listing(lines)


def steps_json(row: RunRow, steps: "tuple[StepReplay, ...]") -> Json:
    """The same; ``identical`` is null where no step is kept."""
    told = [
        {
            "number": one.step.number,
            "node": one.step.node,
            "checkpoint_id": one.step.checkpoint_id,
            "identical": one.replay.identical,
            "diverged_at": one.replay.diverged_at,
        }
        for one in steps
    ]
    return {
        "run_id": row.run_id,
        "identical": all(one.replay.identical for one in steps) if steps else None,
        "steps": told,
    }


def _outcome(one: "StepReplay", say: Speech) -> str:
    if one.replay.diverged_at is None:
        return say(texts.STEP_IDENTICAL)
    if one.replay.diverged_at == "result":
        return say(texts.STEP_RESULT)
    return say(texts.STEP_DIVERGED, step=one.replay.diverged_at)
