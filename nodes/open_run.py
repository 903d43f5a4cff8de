"""open_run: fixes everything about the run that later nodes may not choose, and opens its row and lease."""

from dataclasses import dataclass
from datetime import datetime

from langgraph.runtime import Runtime

from guards.budget import lower
from nodes.deps import Deps, Step
from nodes.telling import offer, trace
from state.model.diagnosis import DiagnosisState, RunOptions
from state.model.enums import RedactionPolicy, TraceEventType
from state.model.errors import InvalidQuery
from state.model.evidence import Window
from state.model.ids import SESSION_ID, RunId, SessionId, derive_run_id, digest8, is_uuid
from state.model.language import detect_language
from state.model.limits import RunLimits
from state.model.progress import ProgressSnapshot
from state.model.redaction import PlaceholderMap, mask_text, redact_text
from state.model.run import NewRun, PublicEventType, RunFacts
from state.model.timewords import parse_instant, parse_since, resolve_window
from state.model.tool_call import Transcript

MAX_QUERY_CHARS = 4000
LOCAL_OWNER = "local"


def check_query(query: str | None) -> str:
    """The question without surrounding white space; 1–4000 characters.

    Raises:
        InvalidQuery: it is empty, too long, or holds a NUL.
    """
    text = (query or "").strip()
    if not text:
        raise InvalidQuery("The question is empty. Ask what broke, where and since when.")
    if len(text) > MAX_QUERY_CHARS:
        raise InvalidQuery(
            f"The question has {len(text)} characters; at most {MAX_QUERY_CHARS} are allowed. Shorten it."
        )
    if "\x00" in text:
        raise InvalidQuery("The question holds a NUL character. Remove it.")
    return text


@dataclass(frozen=True)
class OpenRun:
    """The node ``open_run``."""

    deps: Deps

    async def __call__(self, state: DiagnosisState, *, runtime: Runtime[RunOptions]) -> DiagnosisState:
        """Every field of the state, set for this run.

        Raises:
            InvalidQuery: the question, the session id or an option cannot open a run.
        """
        deps, options = self.deps, runtime.context or RunOptions()
        query = check_query(state.get("query"))
        thread_id, run_id = _identify(state, runtime)
        facts = deps.replayed or await self._facts(state, query, run_id, options)
        new = NewRun(facts=facts, thread_id=thread_id, model=deps.models.name, world=deps.sources.name)
        lease = await deps.keeper.adopt(await deps.control.open_run(new, deps.keeper.owner))
        step = Step(deps=deps, lease=lease, options=options, wake=runtime.stream_writer)
        masked = await self._masked(step, facts)
        await offer(
            step,
            "metadata",
            PublicEventType.METADATA,
            {"session_id": facts.session_id, "run_id": facts.run_id},
        )
        await trace(
            step,
            "run:started",
            TraceEventType.RUN_STARTED,
            "open_run",
            model=deps.models.name,
            language=facts.language.value,
            tools=len(deps.tool_names),
            follow_up=facts.follow_up_of is not None,
        )
        return _initial(state, masked)

    async def _facts(self, state: DiagnosisState, query: str, run_id: RunId, options: RunOptions) -> RunFacts:
        deps = self.deps
        session_id = _session_id(state.get("session_id"), run_id)
        now = deps.sources.now or deps.clock.now()
        language = options.language or deps.policy.language or detect_language(query)
        follow_up_of = state.get("follow_up_of")
        return RunFacts(
            run_id=run_id,
            session_id=session_id,
            query=redact_text(query),
            language=language,
            now=now,
            time_zone=deps.sources.time_zone,
            window=_window(query, options, deps),
            redaction=deps.policy.redaction,
            mask_identifiers=_masks(deps),
            limits=_limits(deps.policy.limits, options),
            follow_up_of=redact_text(check_query(follow_up_of)) if follow_up_of else None,
            previous_turn=await deps.control.previous_turn(session_id, LOCAL_OWNER),
            parent_run_id=RunId(parent) if (parent := state.get("parent_run_id")) else None,
            notices=deps.sources.notices,
        )

    async def _masked(self, step: Step, facts: RunFacts) -> RunFacts:
        """The facts with identifiers in the question replaced, where the policy asks for it."""
        if not facts.mask_identifiers:
            return facts
        known = PlaceholderMap(entries=await self.deps.canonical.placeholders(facts.run_id))
        query, added = mask_text(facts.query, known)
        if added:
            await self.deps.canonical.add_placeholders(step.lease, added)
        return facts.model_copy(update={"query": query})


def _identify(state: DiagnosisState, runtime: Runtime[RunOptions]) -> tuple[str, RunId]:
    """Thread and run id: the id that came with the input, else derived from the serving thread and run.

    A run id that an earlier run left in the same thread's state is not input.

    Raises:
        InvalidQuery: the id is no UUID, or there is nothing to derive one from.
    """
    info = runtime.execution_info
    thread_id = (info.thread_id if info else None) or ""
    given = state.get("run_id")
    earlier = state.get("run")
    if given and not (earlier is not None and earlier.run_id == given):
        if not is_uuid(given):
            raise InvalidQuery("run_id must be a UUID in lower case. Leave it out to have one made.")
        return thread_id or given, RunId(given)
    serving = (info.run_id or info.checkpoint_id) if info else None
    if not thread_id or not serving:
        raise InvalidQuery("A run needs a run_id or a serving thread.")
    return thread_id, derive_run_id(thread_id, serving)


def _session_id(given: str | None, run_id: RunId) -> SessionId:
    """The given id, or one derived from the run.

    Raises:
        InvalidQuery: the given id is not legal.
    """
    if given is None:
        return SessionId(f"s-{digest8(run_id)}")
    if not SESSION_ID.fullmatch(given):
        raise InvalidQuery(
            "A session id has 1 to 64 letters, digits, dots, dashes or underscores and starts with a letter or digit."
        )
    return SessionId(given)


def _window(query: str, options: RunOptions, deps: Deps) -> Window | None:
    """What the caller or the question asked for; None if neither named a time.

    Raises:
        InvalidQuery: an option is no time, or the window is empty.
    """
    now = deps.sources.now or deps.clock.now()
    try:
        if options.since is not None:
            return Window(start=now - parse_since(options.since), end=now)
        if options.window_start is not None:
            zone = deps.sources.time_zone
            start = parse_instant(options.window_start, zone)
            end = parse_instant(options.window_end, zone) if options.window_end else now
            return _ordered(start, min(end, now))
    except ValueError as error:
        raise InvalidQuery(str(error)) from error
    return resolve_window(query, now, deps.sources.time_zone)


def _ordered(start: datetime, end: datetime) -> Window:
    """The window.

    Raises:
        ValueError: it is empty.
    """
    if start >= end:
        raise ValueError("The window is empty: its start is not before its end (or lies in the future).")
    return Window(start=start, end=end)


def _limits(limits: RunLimits, options: RunOptions) -> RunLimits:
    return lower(
        limits,
        deadline_s=options.deadline_s,
        max_model_calls=options.max_model_calls,
        max_tool_calls=options.max_tool_calls,
        max_total_tokens=options.max_total_tokens,
    )


def _masks(deps: Deps) -> bool:
    match deps.policy.redaction:
        case RedactionPolicy.NEVER:
            return False
        case RedactionPolicy.ALWAYS:
            return True
        case RedactionPolicy.EXTERNAL_MODELS:
            return deps.models.is_external


def _initial(state: DiagnosisState, facts: RunFacts) -> DiagnosisState:
    return {
        "query": state["query"],
        "session_id": facts.session_id,
        "run_id": facts.run_id,
        "follow_up_of": facts.follow_up_of,
        "parent_run_id": facts.parent_run_id,
        "run": facts,
        "intent": None,
        "transcript": Transcript(),
        "progress": ProgressSnapshot(),
        "move": None,
        "gate": None,
        "draft": None,
        "repairs": 0,
        "evidence": None,
        "review": None,
        "decision": None,
        "failure": None,
        "result": None,
    }
