"""open_run: fixes everything about the run that later nodes may not choose, and opens its row and lease."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from langgraph.runtime import Runtime

from config.limits import MAX_QUERY_CHARS
from guards.budget import lower
from nodes.deps import Deps, Step
from nodes.held import unrecorded
from nodes.masking import masked
from nodes.reading import FIRST_WINDOW
from nodes.taping import record_tools
from nodes.telling import offer, trace
from state.model.diagnosis import DiagnosisState, RunOptions
from state.model.enums import ModelRole, RedactionPolicy, TraceEventType
from state.model.errors import InvalidQuery, RunRefused
from state.model.evidence import Window
from state.model.ids import SESSION_ID, RunId, SessionId, derive_run_id, digest8, is_uuid
from state.model.language import Bilingual, detect_language
from state.model.limits import RunLimits
from state.model.progress import ProgressSnapshot
from state.model.redaction import redact_text
from state.model.run import Lease, NewRun, PublicEventType, RunFacts
from state.model.timewords import parse_instant, parse_since, resolve_window
from state.model.tool_call import Transcript

EMPTY = Bilingual(
    en="The question is empty. Ask what broke, where and since when.",
    zh="问题为空。请说明哪里出了问题、从什么时候开始。",
)
TOO_LONG = Bilingual(
    en="The question has {count} characters; at most {most} are allowed. Shorten it.",
    zh="问题有 {count} 个字符，最多允许 {most} 个，请缩短。",
)
NUL = Bilingual(en="The question holds a NUL character. Remove it.", zh="问题中含有 NUL 字符，请删除。")
NOT_TEXT = Bilingual(
    en="The question holds half of a surrogate pair, which is no text. Remove it.",
    zh="问题中含有不成对的代理字符，不是有效文本，请删除。",
)
SINCE_OR_WINDOW = Bilingual(
    en="Give either since or the start and end of a window, not both.",
    zh="since 与窗口的开始和结束时间只能二选一。",
)
NO_UUID = Bilingual(
    en="run_id must be a UUID in lower case. Leave it out to have one made.",
    zh="run_id 必须是小写的 UUID；省略它则自动生成。",
)
NO_THREAD = Bilingual(en="A run needs a run_id or a serving thread.", zh="运行需要 run_id 或承载它的线程。")
BAD_SESSION = Bilingual(
    en="A session id has 1 to 64 letters, digits, dots, dashes or underscores and starts with a letter or digit.",
    zh="会话 ID 由 1 到 64 个字母、数字、点、短横线或下划线组成，并以字母或数字开头。",
)
BAD_SINCE = Bilingual(
    en="{given!r} is no length of time. Write one such as 30m, 2h or 1d.",
    zh="{given!r} 不是时间长度，请写成 30m、2h 或 1d。",
)
BAD_INSTANT = Bilingual(
    en="{given!r} is no time. Write one such as 2026-03-01T14:05 or 2026-03-01T14:05+08:00.",
    zh="{given!r} 不是时间，请写成 2026-03-01T14:05 或 2026-03-01T14:05+08:00。",
)
EMPTY_WINDOW = Bilingual(
    en="The time window is empty: its start is not before its end, or lies in the future.",
    zh="时间窗口为空：开始时间不早于结束时间，或在将来。",
)


def check_query(query: str | None) -> str:
    """The question without surrounding white space; 1 to 4000 characters.

    Raises:
        InvalidQuery: it is empty, too long, or holds a NUL or half a surrogate pair.
    """
    text = (query or "").strip()
    if not text:
        raise InvalidQuery(EMPTY)
    if len(text) > MAX_QUERY_CHARS:
        raise InvalidQuery(TOO_LONG.filled(count=len(text), most=MAX_QUERY_CHARS))
    if "\x00" in text:
        raise InvalidQuery(NUL)
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise InvalidQuery(NOT_TEXT)
    return text


def check_request(query: str, session_id: str | None, options: RunOptions) -> None:
    """Whatever of a request can be judged before a source is open: all but whether its window is empty.

    Raises:
        InvalidQuery: the question, the session id or a time of the options cannot open a run.
    """
    check_query(query)
    if session_id is not None:
        _session_id(session_id, RunId(""))
    if options.since is not None:
        _check_one_window(options)
        _length(options.since)
    for given in (options.window_start, options.window_end):
        if given:
            _instant(given, "UTC")


@dataclass(frozen=True)
class OpenRun:
    """The node ``open_run``."""

    deps: Deps

    async def __call__(self, state: DiagnosisState, *, runtime: Runtime[RunOptions]) -> DiagnosisState:
        """Every field of the state, set for this run.

        Raises:
            InvalidQuery: the question, the session id or an option cannot open a run.
            RunRefused: the run is over or another's, its session is another key's, or its parent is not there.
        """
        with unrecorded():
            return await self._open(state, runtime)

    async def _open(self, state: DiagnosisState, runtime: Runtime[RunOptions]) -> DiagnosisState:
        deps, options = self.deps, runtime.context or RunOptions()
        query = check_query(state.get("query"))
        thread_id, run_id = identify(state, runtime)
        facts = deps.replayed or await self._facts(state, query, run_id, options)
        new = NewRun(facts=facts, thread_id=thread_id, model=deps.models[ModelRole.AGENT].name, world=deps.sources.name)
        asked_at = deps.clock.monotonic()
        lease = await deps.keeper.adopt(await deps.control.open_run(new, deps.keeper.owner), asked_at=asked_at)
        facts = await self._fixed(lease, facts)
        step = Step(deps=deps, lease=lease, options=options, wake=runtime.stream_writer)
        masked = await masked_facts(step, facts)
        await record_tools(step)
        await tell_opened(step, facts)
        return initial_state(state["query"], masked)

    async def _facts(self, state: DiagnosisState, query: str, run_id: RunId, options: RunOptions) -> RunFacts:
        deps, owner_key = self.deps, self.deps.owners.of(run_id)
        session_id = _session_id(state.get("session_id"), run_id)
        now = deps.sources.now or deps.clock.now()
        language = options.language or deps.policy.language or detect_language(query)
        follow_up_of = state.get("follow_up_of")
        return RunFacts(
            run_id=run_id,
            session_id=session_id,
            owner_key=owner_key,
            query=redact_text(query),
            language=language,
            now=now,
            time_zone=deps.sources.time_zone,
            window=_window(query, options, deps),
            redaction=deps.policy.redaction,
            mask_identifiers=masks_identifiers(deps),
            limits=lowered(deps.policy.limits, options),
            follow_up_of=redact_text(check_query(follow_up_of)) if follow_up_of else None,
            previous_turn=await deps.control.previous_turn(session_id, owner_key),
            parent_run_id=await self._parent(state, run_id),
            notices=tuple(notice.text(language) for notice in deps.sources.notices),
            alert=deps.owners.alert_of(run_id),
        )

    async def _fixed(self, lease: Lease, facts: RunFacts) -> RunFacts:
        """The facts on the row: a process that died while opening may have fixed them, by its options and its time."""
        if lease.epoch == 1:
            return facts
        row = await self.deps.control.get_run(lease.run_id)
        return row.facts if row is not None else facts

    async def _parent(self, state: DiagnosisState, run_id: RunId) -> RunId | None:
        """The earlier run that the input names, if it names one: of the same key, or nobody is told that it is there.

        Raises:
            RunRefused: there is no such run.
        """
        named = state.get("parent_run_id")
        if not named:
            return None
        row = await self.deps.control.get_run(RunId(named))
        if row is None or row.owner_key != self.deps.owners.of(run_id):
            raise RunRefused(run_id, "the run it names as its parent does not exist")
        return row.run_id


async def masked_facts(step: Step, facts: RunFacts) -> RunFacts:
    """The facts with identifiers in the question replaced, where the policy asks for it."""
    if not facts.mask_identifiers:
        return facts
    return facts.model_copy(update={"query": str(await masked(step, facts.query))})


def identify(state: DiagnosisState, runtime: Runtime[RunOptions]) -> tuple[str, RunId]:
    """Thread and run id: the id that came with the input, else derived from the serving thread and run.

    A run id that an earlier run left in the same thread's state is not input.

    Raises:
        InvalidQuery: the id is no UUID, or there is nothing to derive one from.
    """
    info = runtime.execution_info
    thread_id = (info.thread_id if info else None) or ""
    given = state.get("run_id")
    if given and given != _left_over(state.get("run")):
        if not is_uuid(given):
            raise InvalidQuery(NO_UUID)
        return thread_id or given, RunId(given)
    serving = (info.run_id or info.checkpoint_id) if info else None
    if not thread_id or not serving:
        raise InvalidQuery(NO_THREAD)
    return thread_id, derive_run_id(thread_id, serving)


def _left_over(run: RunFacts | Mapping[str, object] | None) -> object:
    """Id of the run that used the thread before; a serving checkpointer may give back its facts unread."""
    return run.get("run_id") if isinstance(run, Mapping) else run and run.run_id


def _session_id(given: str | None, run_id: RunId) -> SessionId:
    """The given id, or one derived from the run.

    Raises:
        InvalidQuery: the given id is not legal.
    """
    if given is None:
        return SessionId(f"s-{digest8(run_id)}")
    if not SESSION_ID.fullmatch(given):
        raise InvalidQuery(BAD_SESSION)
    return SessionId(given)


def _window(query: str, options: RunOptions, deps: Deps) -> Window | None:
    """What the caller or the question asked for; None if neither named a time."""
    now, zone = deps.sources.now or deps.clock.now(), deps.sources.time_zone
    if options.since is not None:
        _check_one_window(options)
        return _ordered(now - _length(options.since), now)
    if options.window_start is not None or options.window_end is not None:
        end = min(now, _instant(options.window_end, zone)) if options.window_end else now
        start = _instant(options.window_start, zone) if options.window_start else end - FIRST_WINDOW
        return _ordered(start, end)
    return resolve_window(query, now, zone)


def _check_one_window(options: RunOptions) -> None:
    """Return if ``since`` stands alone.

    Raises:
        InvalidQuery: a window is given besides.
    """
    if options.window_start is not None or options.window_end is not None:
        raise InvalidQuery(SINCE_OR_WINDOW)


def _length(text: str) -> timedelta:
    """The length of time.

    Raises:
        InvalidQuery: the text is none.
    """
    try:
        return parse_since(text)
    except ValueError as error:
        raise InvalidQuery(BAD_SINCE.filled(given=text)) from error


def _instant(text: str, zone: str) -> datetime:
    """The UTC instant.

    Raises:
        InvalidQuery: the text is none.
    """
    try:
        return parse_instant(text, zone)
    except ValueError as error:
        raise InvalidQuery(BAD_INSTANT.filled(given=text)) from error


def _ordered(start: datetime, end: datetime) -> Window:
    """The window.

    Raises:
        InvalidQuery: it is empty.
    """
    if start >= end:
        raise InvalidQuery(EMPTY_WINDOW)
    return Window(start=start, end=end)


def lowered(limits: RunLimits, options: RunOptions) -> RunLimits:
    """The limits as the options lower them."""
    return lower(
        limits,
        deadline_s=options.deadline_s,
        max_model_calls=options.max_model_calls,
        max_tool_calls=options.max_tool_calls,
        max_total_tokens=options.max_total_tokens,
    )


def masks_identifiers(deps: Deps) -> bool:
    """True if the models of this process may not see names and addresses as they are."""
    match deps.policy.redaction:
        case RedactionPolicy.NEVER:
            return False
        case RedactionPolicy.ALWAYS:
            return True
        case RedactionPolicy.EXTERNAL_MODELS:
            return deps.models.any_external


async def tell_opened(step: Step, facts: RunFacts) -> None:
    """Say outside that the run is there; again it changes nothing."""
    named: dict[str, object] = {"session_id": facts.session_id, "run_id": facts.run_id}
    await offer(step, "metadata", PublicEventType.METADATA, named)
    await trace(
        step,
        "run:started",
        TraceEventType.RUN_STARTED,
        "open_run",
        model=step.deps.models[ModelRole.AGENT].name,
        language=facts.language.value,
        tools=len(step.deps.tool_names),
        follow_up=facts.follow_up_of is not None,
    )


def initial_state(query: str, facts: RunFacts) -> DiagnosisState:
    """Every field as a run begins with it."""
    return {
        "query": query,
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
