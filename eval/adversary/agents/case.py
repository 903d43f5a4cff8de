"""One world as an agent and the oracle know it: the question, the answer key, and a walk that is known to be sound."""

import json
import re
from dataclasses import dataclass
from typing import Any

from eval.adversary.agents.wire import Json
from worlds.answers import ExpectedAnswer

Request = tuple[str, Json]
"""Tool name and the tool's own arguments."""
_CLOCK = re.compile(r"\d\d:\d\d")


@dataclass(frozen=True)
class Case:
    """What is known about one world before an agent starts."""

    world: str
    variant: str | None
    seed: int
    answer: ExpectedAnswer
    services: tuple[str, ...]
    """Names the log catalogue holds."""
    walk: tuple[Request, ...]
    """Requests of the offline reasoner in this world, in order."""
    draft: Json
    """What it handed in after that walk, citing call ``call_N`` for request N from 1."""
    redacted: bool = False
    """Hosts and addresses are placeholders in what the agent sees."""

    @property
    def name(self) -> str:
        """As in the tables: world and variant."""
        return self.world if self.variant is None else f"{self.world}/{self.variant}"

    @property
    def question(self) -> str:
        """The question of the world."""
        return self.answer.question

    @property
    def is_zh(self) -> bool:
        """True for a world that is asked in Chinese."""
        return bool(re.search("[\u4e00-\u9fff]", self.question))

    @property
    def has_cause(self) -> bool:
        """True if the world holds a cause and the reference draft names one."""
        return bool(self.draft.get("conclusion"))

    @property
    def cited(self) -> tuple[int, ...]:
        """Positions in ``walk`` that the reference draft cites, in order; all of them where it cites none."""
        named = sorted({int(one) for one in re.findall(r'"call_(\d+)', _text(self.draft))})
        positions = tuple(one - 1 for one in named if 0 < one <= len(self.walk))
        return positions or tuple(range(len(self.walk)))

    def narrow_question(self, service: str) -> str:
        """A question that an observation answers."""
        found = _CLOCK.search(self.question)
        clock = found.group() if found else "10:00"
        if self.is_zh:
            return f"{clock} 之后 {service} 的日志里记录了什么异常？"
        return f"What errors did {service} log since {clock}?"


def renamed(draft: Json, ids: dict[str, str]) -> Json:
    """The draft with every call id replaced by the one it has in this run; unknown ids stay."""
    value: Any = _renamed(draft, ids)
    assert isinstance(value, dict), "an object stays an object"
    return value


def _renamed(value: object, ids: dict[str, str]) -> object:
    if isinstance(value, dict):
        return {key: _renamed(part, ids) for key, part in value.items()}
    if isinstance(value, list):
        return [_renamed(part, ids) for part in value]
    return ids.get(value, value) if isinstance(value, str) else value


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
