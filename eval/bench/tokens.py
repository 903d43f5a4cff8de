"""What is sent to the model in each bundled world, against the same prompts with every result in them unprojected.

The raw result is what the source port returned within its own server-side limits, secrets removed: what a plain tool
loop would append to its history. The same prompts are counted with the same estimate; nothing is sent twice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any
from uuid import UUID

from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.messages import BaseMessage, ToolMessage

from config.settings import Settings
from graph.app import App, open_app
from models.token_estimate import estimate_tokens, text_tokens
from state.model.diagnosis import RunOptions
from state.model.enums import InvocationStatus, ModelRole
from state.model.evidence import CanonicalRecord, parse_projection
from state.model.ids import RunId
from worlds import WorldInfo, build_world, bundled_worlds


@dataclass(frozen=True)
class WorldTokens:
    """One world, asked its own question. Everything is an estimate over all prompts of the agent, but ``others``."""

    world: str
    outcome: str
    tool_calls: int
    agent_calls: int
    sent: int
    """Whole prompts, tool schemas included."""
    schemas: int
    """The tool schemas in them."""
    results: int
    """The observations in them."""
    raw: int
    """The same results as the source ports returned them."""
    all_matches: int
    """The same with every match of a log search in it: scaled from the events shown to the matches counted."""
    others: int
    """Whole prompts of router, repair and review."""

    @property
    def whole_raw(self) -> int:
        """Whole prompts with raw results in them."""
        return self.sent - self.results + self.raw


@dataclass
class Prompts(AsyncCallbackHandler):
    """Keeps every prompt of one role."""

    seen: list[tuple[Sequence[BaseMessage], Sequence[Mapping[str, object]]]] = field(default_factory=list)

    async def on_chat_model_start(
        self,
        serialized: dict[str, Any],
        messages: list[list[BaseMessage]],
        *,
        run_id: UUID,
        **kwargs: Any,  # noqa: ANN401 - LangChain's signature
    ) -> None:
        """Note what is about to be sent."""
        tools = kwargs.get("invocation_params", {}).get("tools") or ()
        self.seen += [(batch, tools) for batch in messages]

    def whole(self) -> int:
        """Estimated tokens of all prompts."""
        return sum(estimate_tokens(messages, tools) for messages, tools in self.seen)

    def schemas(self) -> int:
        """Those of the tool schemas."""
        return sum(estimate_tokens([], tools) for _, tools in self.seen)

    def results(self, by_call: Mapping[str, int]) -> int:
        """Those of the tool messages; a call id in ``by_call`` counts as given there, not as it was sent."""
        return sum(
            by_call.get(message.tool_call_id, text_tokens(str(message.content)))
            for messages, _ in self.seen
            for message in messages
            if isinstance(message, ToolMessage)
        )


@dataclass(frozen=True)
class _Raw:
    call_id: str
    tokens: int
    all_matches: int


async def measure_tokens(folder: Path, *, n_worlds: int) -> list[WorldTokens]:
    """The first ``n_worlds`` bundled worlds, one home for all of them."""
    settings = Settings(home=folder / "home")
    return [await _asked(settings, folder / info.name, info) for info in bundled_worlds()[:n_worlds]]


async def _asked(settings: Settings, world: Path, info: WorldInfo) -> WorldTokens:
    build_world(info.name, world)
    async with open_app(settings, world) as app:
        prompts = _listen(app)
        run_id = app.new_run_id()
        result = await app.diagnose({"query": info.question, "run_id": run_id}, RunOptions(), lambda _: None)
        results = [await _raw_result(app, record) for record in await _ready(app, run_id)]
        usage = await app.records.stores.control.usage(run_id)
    agent = prompts.pop(ModelRole.AGENT)
    return WorldTokens(
        world=info.name,
        outcome=result.outcome.value,
        tool_calls=usage.tool_calls,
        agent_calls=len(agent.seen),
        sent=agent.whole(),
        schemas=agent.schemas(),
        results=agent.results({}),
        raw=agent.results({one.call_id: one.tokens for one in results}),
        all_matches=agent.results({one.call_id: one.all_matches for one in results}),
        others=sum(other.whole() for other in prompts.values()),
    )


def _listen(app: App) -> dict[ModelRole, Prompts]:
    prompts = {role: Prompts() for role in ModelRole}
    for role, handler in prompts.items():
        app.runner.deps.models[role].model.callbacks = [handler]
    return prompts


async def _ready(app: App, run_id: RunId) -> list[CanonicalRecord]:
    records = await app.records.stores.canonical.records(run_id)
    return [record for record in records if record.status is InvocationStatus.READY]


async def _raw_result(app: App, record: CanonicalRecord) -> _Raw:
    raw = await app.records.stores.canonical.raw(record.run_id, record.tool_call_id) or ""
    return _Raw(record.tool_call_id, text_tokens(raw), max(text_tokens(raw), _unsampled(record)))


def _unsampled(record: CanonicalRecord) -> int:
    """Tokens of all matches, if those not shown are as long as those shown; 0 where nothing was left out."""
    projection = parse_projection(record.projection_json)
    if projection is None or not projection.total_matches:
        return 0
    shown = [text_tokens(item.text) for item in projection.items if item.item_id.startswith("log:")]
    return round(mean(shown) * projection.total_matches) if shown else 0
