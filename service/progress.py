"""Public status events as sentences in plain words. No I/O; events may come from any version: all is optional."""

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


class Teller:
    """Words the events of one run in order. A gain is told after the next search, so it names what it is about."""

    def __init__(self, say: Speech, zone: tzinfo) -> None:
        self._say = say
        self._zone = zone
        self._found = ""
        """What the last search that found something searched."""
        self._judged = ""
        """The same when the agent last made up its mind: what it may have assessed."""

    def tell(self, event: Mapping[str, object]) -> Told | None:
        """The sentence; None for an event that people need not see."""
        payload = event.get("payload")
        if not isinstance(payload, Mapping):
            return None
        if event.get("type") == "metadata":
            return Told(self._say(texts.STARTED, run_id=payload.get("run_id", "")), is_ongoing=False)
        if event.get("type") != "status":
            return None
        self._remember(payload)
        return self._happened(payload) or _ongoing(payload, self._say)

    def _remember(self, payload: Mapping[str, object]) -> None:
        if payload.get("evidence_status") == EvidenceStatus.EVIDENCE_FOUND:
            self._found = _what(payload, self._say)
        if "round" in payload:
            self._judged = self._found

    def _happened(self, payload: Mapping[str, object]) -> Told | None:
        say = self._say
        if payload.get("stop_reason") in StopReason.__members__:
            why = say(STOP[StopReason(str(payload["stop_reason"]))])
            return Told(say(texts.STOPPED, why=why), is_ongoing=False)
        if payload.get("gain") in InformationGain.__members__:
            what = self._judged or say(texts.LAST_SEARCH)
            return Told(say(texts.GAIN[InformationGain(str(payload["gain"]))], what=what), is_ongoing=False)
        if payload.get("evidence_status") in EvidenceStatus.__members__:
            return Told(_searched(payload, say, self._zone), is_ongoing=False)
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
