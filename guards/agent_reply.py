"""What a reply of the agent model means. Pure: nothing is guessed, and only the first call counts."""

from collections.abc import Collection
from typing import Literal

from state.model.base import Value
from state.model.draft import Draft, InvalidDraft, parse_draft
from state.model.ids import TOOL_CALL_ID, RunId, ToolCallId, digest8
from state.model.tool_call import SUBMIT_TOOL, AskEvidence, DraftTurn, ModelCall

MAX_EXTRA_CALLS = 16


class HandedIn(Value):
    """The model submitted a valid draft."""

    tag: Literal["handed_in"] = "handed_in"
    draft: Draft


def read_agent_reply(
    text: str, calls: tuple[ModelCall, ...], *, run_id: RunId, round_: int, used: Collection[str]
) -> AskEvidence | HandedIn | DraftTurn:
    """A request, a draft, or an invalid hand-in. A plain message is read as a draft only if it is bare JSON.

    ``used``: call ids already in the run. A missing, illegal or reused id is replaced by a fresh one that is
    the same whenever this round is executed again.
    """
    if not calls:
        return _as_draft(None, text)
    renamed = _with_fresh_ids(calls[: MAX_EXTRA_CALLS + 1], run_id, round_, used)
    first = renamed[0]
    if first.name == SUBMIT_TOOL:
        return _as_draft(first, first.arguments)
    return AskEvidence(call=first, extra_calls=renamed[1:])


def _as_draft(call: ModelCall | None, text: str) -> HandedIn | DraftTurn:
    parsed = parse_draft(text)
    if isinstance(parsed, InvalidDraft):
        return DraftTurn(submitted=call, text=text[:32_768], invalid=parsed)
    return HandedIn(draft=parsed)


def _with_fresh_ids(
    calls: tuple[ModelCall, ...], run_id: RunId, round_: int, used: Collection[str]
) -> tuple[ModelCall, ...]:
    taken = set(used)
    renamed: list[ModelCall] = []
    for position, call in enumerate(calls):
        kept = call.tool_call_id
        if not TOOL_CALL_ID.fullmatch(kept) or kept in taken:
            kept = ToolCallId(f"call_{round_}_{position}_{digest8(f'{run_id}:{round_}:{position}')}")
        taken.add(kept)
        renamed.append(call.model_copy(update={"tool_call_id": kept}))
    return tuple(renamed)
