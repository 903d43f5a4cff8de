"""A public status event as one sentence in plain words. Pure; events may come from any version, so all is optional."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo

from service.speech import Speech
from service.texts import progress as texts
from service.texts.codes import STOP, TOOL, TOOL_CODE
from service.times import span
from state.model.enums import EvidenceStatus, InformationGain, Stage, StopReason, ToolCode
from state.model.evidence import Window


@dataclass(frozen=True)
class Told:
    """One sentence of progress."""

    text: str
    is_ongoing: bool
    """True while it goes on: a spinner's text, replaced by the next sentence."""


def tell(event: Mapping[str, object], say: Speech, zone: tzinfo) -> Told | None:
    """The sentence; None for an event that people need not see."""
    payload = event.get("payload")
    if not isinstance(payload, Mapping):
        return None
    if event.get("type") == "metadata":
        return Told(say(texts.STARTED, run_id=payload.get("run_id", "")), is_ongoing=False)
    if event.get("type") != "status":
        return None
    return _happened(payload, say, zone) or _ongoing(payload, say)


def _happened(payload: Mapping[str, object], say: Speech, zone: tzinfo) -> Told | None:
    if payload.get("stop_reason") in StopReason.__members__:
        why = say(STOP[StopReason(str(payload["stop_reason"]))])
        return Told(say(texts.STOPPED, why=why), is_ongoing=False)
    if payload.get("gain") in InformationGain.__members__:
        return Told(say(texts.GAIN[InformationGain(str(payload["gain"]))]), is_ongoing=False)
    if payload.get("evidence_status") in EvidenceStatus.__members__:
        return Told(_searched(payload, say, zone), is_ongoing=False)
    return None


def _ongoing(payload: Mapping[str, object], say: Speech) -> Told | None:
    if "tool" in payload:
        return Told(say(texts.SEARCHING, what=_what(payload, say)), is_ongoing=True)
    if "round" in payload:
        return Told(say(texts.STEP, n=payload["round"]), is_ongoing=True)
    stage = payload.get("stage")
    return Told(say(texts.STAGE[Stage(str(stage))]), is_ongoing=True) if stage in Stage.__members__ else None


def _searched(payload: Mapping[str, object], say: Speech, zone: tzinfo) -> str:
    where = [str(payload[key]) for key in ("source", "service") if payload.get(key)]
    window = _window(payload)
    where += [span(window, zone)] if window else []
    what, found = _what(payload, say), _found(payload, say)
    if not where:
        return say(texts.SEARCHED_BARE, what=what, found=found)
    return say(texts.SEARCHED, what=what, where=say(texts.JOIN).join(where), found=found)


def _found(payload: Mapping[str, object], say: Speech) -> str:
    code = payload.get("code")
    if code in ToolCode.__members__:
        return say(texts.FAILED, why=say(TOOL_CODE[ToolCode(str(code))]))
    return say(texts.FOUND[EvidenceStatus(str(payload["evidence_status"]))])


def _what(payload: Mapping[str, object], say: Speech) -> str:
    tool = str(payload.get("tool", ""))
    return say(TOOL[tool]) if tool in TOOL else f" {tool} " if say.language == "zh" else tool


def _window(payload: Mapping[str, object]) -> Window | None:
    try:
        start, end = (datetime.fromisoformat(str(payload[key])) for key in ("window_start", "window_end"))
    except (KeyError, ValueError):
        return None
    return Window(start=start, end=end)
