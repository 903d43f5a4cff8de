"""One hostile model: the agent and the repair model of one run, answering over the wire what its plan says."""

import json
from collections.abc import Awaitable, Callable, Sequence
from difflib import get_close_matches

from eval.adversary.agents.bodies import completion, tool_call
from eval.adversary.agents.case import Case, renamed
from eval.adversary.agents.kinds import Kind
from eval.adversary.agents.lying import Known, Lie, copied, observation, shown_texts, without_conclusion
from eval.adversary.agents.moves import Ask
from eval.adversary.agents.notes import Note, notes_of
from eval.adversary.agents.plan import TELLERS, HandIn, Plan
from eval.adversary.agents.seen import Seen
from eval.adversary.agents.wire import Json, Sent, as_json
from state.model.tool_call import SUBMIT_TOOL
from worlds.generate.dice import dice_for

AGENT_MODEL, REPAIR_MODEL = "hostile-agent", "hostile-repair"
MAX_MOVES = 40
"""Above every limit of a run: a search that gets so far was not stopped."""
Plant = Callable[[Kind, str], Awaitable[str | None]]
"""Puts a record that may not be cited into the run, made from a real one; gives its id."""


class HostileAgent:
    """Plays one plan. What it falsified is in ``lies`` once it has handed in."""

    def __init__(self, plan: Plan, case: Case, *, plant: Plant, foreign_ids: Sequence[str] = ()) -> None:
        self.plan, self.case, self.seen = plan, case, Seen()
        self.lies: tuple[Lie, ...] = ()
        self.n_repairs = 0
        self._plant, self._foreign = plant, foreign_ids
        self._moves = plan.search(case, dice_for(plan.seed, "moves"))
        self._n_asked = self._n_handed_in = 0
        self._honest: Json = {}
        self._false: Json = {}
        self._odd_dice = dice_for(plan.seed, "odd")
        self.error: Exception | None = None
        """A fault of the agent itself: then its run proves nothing."""

    @property
    def changed(self) -> list[list[str]]:
        """What stands in the false draft and not in the honest one, each with what it replaced; empty: an addition."""
        honest, false = shown_texts(self._honest), shown_texts(self._false)
        new = [text for text in false if text and text not in honest]
        return [[next(iter(get_close_matches(text, honest, 1, 0.8)), ""), text] for text in new]

    async def answer(self, request: Json) -> Sent:
        """The reply to one request of the agent or the repair role."""
        try:
            return await self._answer(request)
        except Exception as error:
            self.error = error
            raise

    async def _answer(self, request: Json) -> Sent:
        if request.get("model") == REPAIR_MODEL:
            return self._repair(request)
        self.seen.read(request)
        completed = await self._completion()
        if self.plan.odd is not None and self.seen.n_requests in self.plan.odd_at:
            return self.plan.odd(completed, self._odd_dice)
        return as_json(completed)

    def _repair(self, request: Json) -> Sent:
        self.n_repairs += 1
        asked = json.loads(request["messages"][1]["content"])
        text = self.plan.repair(asked, self._honest, dice_for(self.plan.seed, "repair"))
        return as_json(completion(text))

    async def _completion(self) -> Json:
        stopped = self.seen.stopped and not self.plan.insists
        move = None if stopped or self._n_handed_in or self._n_asked >= MAX_MOVES else next(self._moves, None)
        return self._ask(move) if move is not None else await self._hand_in()

    def _ask(self, move: Ask) -> Json:
        self._n_asked += 1
        call_id = move.call_id if move.call_id is not None else f"call_{self._n_asked}"
        arguments: object = move.raw
        if arguments is None:
            arguments = json.dumps({"previous_observation": self._previous(move), "input": move.input})
        extra = [
            tool_call(f"extra_{self._n_asked}_{index}", tool, _enveloped(given))
            for index, (tool, given) in enumerate(move.extra)
        ]
        return completion(None, [tool_call(call_id, move.tool, arguments), *extra])

    def _previous(self, move: Ask) -> object:
        if move.previous is not None:
            return move.previous
        if self.seen.awaiting is None:
            return None
        said = self.plan.gains[self._n_asked % len(self.plan.gains)] if move.gain == "GAINED" else move.gain
        return {"tool_call_id": self.seen.awaiting, "information_gain": said}

    async def _hand_in(self) -> Json:
        self._n_handed_in += 1
        if self._n_handed_in == 1:
            await self._write_drafts()
        text = self._text()
        if self.plan.hand_in is HandIn.MESSAGE:
            return completion(text)
        submitted = tool_call(f"submit_{self._n_handed_in}", SUBMIT_TOOL, text)
        tool, given = self.case.walk[0]
        search = tool_call("beside_1", tool, _enveloped(given))
        match self.plan.hand_in:
            case HandIn.WITH_SEARCH:
                return completion(None, [submitted, search])
            case HandIn.BEHIND_SEARCH if self._n_handed_in == 1:
                return completion(None, [search, submitted])
            case _:
                return completion(None, [submitted])

    def _text(self) -> str:
        """What is handed in this time."""
        if self._n_handed_in > 1 and self.plan.second != "same":
            return _written(self._honest if self.plan.second == "honest" else self._false)
        if self.plan.trick is not None:
            return self.plan.trick(self._honest, self._false, dice_for(self.plan.seed, "trick"))
        return _written(self._false)

    async def _write_drafts(self) -> None:
        dice = dice_for(self.plan.seed, "draft")
        notes = notes_of(self.seen.results, zh=self.case.is_zh)
        dice_notes = list(notes)
        dice.shuffle(dice_notes)
        self._honest = self._base(dice_notes)
        known = Known(
            case=self.case,
            results=self.seen.results,
            notes=dice_notes,
            failed_ids=self.seen.failed,
            foreign_ids=self._foreign,
            planted=await self._planted(),
        )
        draft, told = copied(self._honest), []
        for kind in self.plan.lies:
            lied = TELLERS[kind](draft, known, dice)
            if lied is not None:
                draft, lie = lied
                told.append(lie)
                if self.plan.kind is not Kind.MIXED:
                    break
        self._false, self.lies = draft, tuple(told)

    async def _planted(self) -> dict[Kind, str]:
        """The dead record that the first lie needs; made of a result of this run."""
        first = self.plan.lies[0] if self.plan.lies else None
        if first not in {Kind.PROJECTING_ID, Kind.EXPIRED_ID} or not self.seen.results:
            return {}
        planted = await self._plant(first, next(iter(self.seen.results)))
        return {} if planted is None else {first: planted}

    def _base(self, notes: Sequence[Note]) -> Json:
        """The honest draft: the reference where it can be cited, else an observation, else none."""
        if not self.plan.narrow and self.case.has_cause:
            ids = self._ids_of_walk()
            if all(f"call_{position + 1}" in ids for position in self.case.cited):
                return renamed(self.case.draft, ids)
        telemetry = [note for note in notes if not note.is_knowledge]
        about = [note for note in telemetry if note.about == self.plan.service]
        chosen = (about or telemetry)[:3]
        if self.plan.narrow and chosen and not chosen[0].is_absence:
            return observation(chosen, zh=self.case.is_zh)
        return without_conclusion(chosen, zh=self.case.is_zh)

    def _ids_of_walk(self) -> dict[str, str]:
        """Reference id → id in this run, for the requests of the walk that were answered."""
        ids: dict[str, str] = {}
        for position, request in enumerate(self.case.walk):
            found = [one for one, asked in self.seen.asked.items() if asked == request and one in self.seen.results]
            if found:
                ids[f"call_{position + 1}"] = found[0]
        return ids


def _enveloped(given: Json) -> str:
    return json.dumps({"previous_observation": None, "input": given})


def _written(draft: Json) -> str:
    return json.dumps(draft, ensure_ascii=False)
