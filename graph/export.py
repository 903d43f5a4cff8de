"""One ended run as one file: its row and its recording, so that another machine can execute it again without any call.

What is read back comes from anywhere: it is bounded, checked against its own digest, and every part of it is parsed
before anything is executed. Nothing of the machine that executed the run is in it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field, ValidationError

from config.settings import Settings
from graph.replay import Replay, replay_recorded
from graph.stores import Stores
from nodes.taping import CARDS_STEP, FORK_STEP, TapedFork, TapedReply, TapedResult, ToolCards
from state.model.base import Value
from state.model.enums import RunState
from state.model.errors import RunRefused
from state.model.ids import SESSION_ID, RunId, digest, is_uuid
from state.model.language import Bilingual
from state.model.run import BudgetKind, RunRow
from tools.regular_file import read_regular

MAX_EXPORT_BYTES = 64 * 1024 * 1024
MAX_REPLIES = 5000
FORMAT, VERSION = "rootproof-run", 1
TOOL = "tool:"

NOT_READABLE = Bilingual(en="{path} cannot be read: {reason}.", zh="无法读取 {path}：{reason}。")
TOO_LARGE = Bilingual(
    en="{path} is larger than {mib} MiB; no exported run is.", zh="{path} 大于 {mib} MiB，不是导出的运行文件。"
)
NO_EXPORT = Bilingual(en="{path} is no exported run.", zh="{path} 不是导出的运行文件。")
OTHER_VERSION = Bilingual(
    en="{path} is an exported run of format version {version}; this program reads version {known}.",
    zh="{path} 是格式版本 {version} 的导出运行文件；本程序只能读取版本 {known}。",
)
BROKEN_PART = Bilingual(
    en="{path} is an exported run, but its part {place} cannot be used.",
    zh="{path} 是导出的运行文件，但其中的 {place} 部分无法使用。",
)
DAMAGED = Bilingual(en="{path} was changed or damaged after it was exported.", zh="{path} 在导出之后被改动或已损坏。")
NO_RECORDING = Bilingual(
    en="{path} holds no recording (RECORDING_EXPIRED).", zh="{path} 中没有录制内容（RECORDING_EXPIRED）。"
)


class UnreadableExport(Exception):
    """The person must give another file: this one is no exported run, or not whole."""

    def __init__(self, why: Bilingual, **values: object) -> None:
        super().__init__(why.en)
        self.why = why
        """Names ``{path}``, which the caller fills in, and ``values``."""
        self.values = values


class RecordedReply(Value):
    """One reply of a model, one result of a tool, the tools as they were shown, or what a fork began with."""

    step: str = Field(max_length=200)
    request_sha256: str = Field(pattern="^[0-9a-f]{64}$")
    reply_json: str


class ExportedRun(Value):
    """The file."""

    format: Literal["rootproof-run"] = "rootproof-run"
    version: Literal[1] = 1
    run: RunRow
    recording: tuple[RecordedReply, ...] = Field(max_length=MAX_REPLIES)
    sha256: str
    """Of run and recording: shows damage, not forgery."""


@dataclass(frozen=True)
class FileRecording:
    """The recording of an exported run as the port ``Recording``; keeps nothing further."""

    run_id: RunId
    replies: Mapping[str, RecordedReply]

    async def put(self, run_id: RunId, step: str, request_sha256: str, reply_json: str) -> None:
        """Nothing: a replay is not recorded."""

    async def get(self, run_id: RunId, step: str) -> tuple[str, str] | None:
        """See the port."""
        found = self.replies.get(step) if run_id == self.run_id else None
        return (found.request_sha256, found.reply_json) if found else None


async def export_run(stores: Stores, run_id: RunId) -> ExportedRun | None:
    """The ended run as one object; None if its recording is gone, or recording was off.

    A reply that was lost is missing in it; a replay names its step.

    Raises:
        RunRefused: the run is unknown or has not ended.
        TruthUnavailable: a store cannot be read.
    """
    row = await stores.control.get_run(run_id)
    if row is None:
        raise RunRefused(run_id, "there is no such run")
    if row.run_state is RunState.RUNNING:
        raise RunRefused(run_id, "it has not ended; resume it first")
    if await stores.recording.get(run_id, CARDS_STEP) is None:
        return None
    replies = []
    for step in await _steps(stores, run_id):
        found = await stores.recording.get(run_id, step)
        if found is not None:
            replies.append(RecordedReply(step=step, request_sha256=found[0], reply_json=found[1]))
    run, recording = _without_machine(row), tuple(replies)
    return ExportedRun(run=run, recording=recording, sha256=_sealed(run, recording))


def read_export(path: Path) -> ExportedRun:
    """The exported run in the file. Blocking.

    Raises:
        UnreadableExport: it cannot be read, is too large, is no exported run, is of another version, or is not whole.
    """
    try:
        content = read_regular(path, max_bytes=MAX_EXPORT_BYTES)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no regular file"
        raise UnreadableExport(NOT_READABLE, reason=reason) from error
    if len(content) > MAX_EXPORT_BYTES:
        raise UnreadableExport(TOO_LARGE, mib=MAX_EXPORT_BYTES // 1024**2)
    return parse_export(content)


def parse_export(content: bytes) -> ExportedRun:
    """The exported run. Pure.

    Raises:
        UnreadableExport: it is none, is of another version, or is not whole.
    """
    _check_kind(content)
    try:
        exported = ExportedRun.model_validate_json(content)
    except ValidationError as error:
        raise UnreadableExport(BROKEN_PART, place=_place(error)) from error
    if exported.sha256 != _sealed(exported.run, exported.recording):
        raise UnreadableExport(DAMAGED)
    _check_run(exported.run)
    _check_recording(exported)
    return exported


async def replay_export(settings: Settings, exported: ExportedRun) -> Replay:
    """The exported run executed again, compared with what it published. Calls nothing outside.

    Raises:
        RunRefused: it holds no recording.
    """
    replies = {reply.step: reply for reply in exported.recording}
    return await replay_recorded(settings, FileRecording(exported.run.run_id, replies), exported.run)


async def _steps(stores: Stores, run_id: RunId) -> list[str]:
    """Every step that may have left a reply: ledger first, then refused requests, of which only the audit knows."""
    entries = await stores.control.entries(run_id)
    models = [entry.key for entry in entries if entry.kind is BudgetKind.MODEL_CALL]
    tools = [entry.key for entry in entries if entry.kind is BudgetKind.TOOL_CALL]
    asked = [stored.event.details.get("tool_call_id") for stored in await stores.audit.events(run_id)]
    tools += [call_id for call_id in asked if isinstance(call_id, str)]
    return [CARDS_STEP, FORK_STEP, *models, *(f"{TOOL}{call_id}" for call_id in dict.fromkeys(tools))]


def _without_machine(row: RunRow) -> RunRow:
    """The row without the name of the process that executed it and the folder it searched."""
    return row.model_copy(update={"owner": "", "world": Path(row.world).name if row.world else None})


def _sealed(run: RunRow, recording: tuple[RecordedReply, ...]) -> str:
    return digest("\n".join([run.model_dump_json(), *(reply.model_dump_json() for reply in recording)]))


def _check_kind(content: bytes) -> None:
    """Return if it is an exported run of this version.

    Raises:
        UnreadableExport: it is none.
    """
    try:
        head = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise UnreadableExport(NO_EXPORT) from error
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise UnreadableExport(NO_EXPORT)
    version = head.get("version")
    if version != VERSION or isinstance(version, bool):
        raise UnreadableExport(OTHER_VERSION, version=str(version)[:20], known=VERSION)


def _check_run(run: RunRow) -> None:
    """Return if the run is one that ended, and its parts are of one run.

    Raises:
        UnreadableExport: they are not.
    """
    if run.run_state is RunState.RUNNING:
        raise UnreadableExport(BROKEN_PART, place="run.run_state")
    if not is_uuid(run.run_id) or run.facts.run_id != run.run_id:
        raise UnreadableExport(BROKEN_PART, place="run.run_id")
    if not SESSION_ID.fullmatch(run.session_id) or run.facts.session_id != run.session_id:
        raise UnreadableExport(BROKEN_PART, place="run.session_id")
    twice = ("query", "owner_key", "language", "parent_run_id")
    if differing := next((name for name in twice if getattr(run, name) != getattr(run.facts, name)), None):
        raise UnreadableExport(BROKEN_PART, place=f"run.{differing}")


def _check_recording(exported: ExportedRun) -> None:
    """Return if every reply is what its step says.

    Raises:
        UnreadableExport: one is not, a step is there twice, or there is no recording.
    """
    steps = [reply.step for reply in exported.recording]
    if CARDS_STEP not in steps:
        raise UnreadableExport(NO_RECORDING)
    for number, reply in enumerate(exported.recording):
        try:
            _kind_of(reply.step).model_validate_json(reply.reply_json)
        except ValidationError as error:
            raise UnreadableExport(BROKEN_PART, place=f"recording.{number}") from error
    if len(set(steps)) != len(steps):
        raise UnreadableExport(BROKEN_PART, place="recording")


def _kind_of(step: str) -> type[BaseModel]:
    if step == CARDS_STEP:
        return ToolCards
    if step == FORK_STEP:
        return TapedFork
    return TapedResult if step.startswith(TOOL) else TapedReply


def _place(error: ValidationError) -> str:
    """The first part that is wrong; names of fields, bounded."""
    first = error.errors(include_input=False, include_url=False)[0]
    return ".".join(str(part) for part in first["loc"])[:100] or "run"
