"""The draft: the one shape in which an agent may hand in a diagnosis, and its strict parser. Pure.

The schema refuses what is not a draft (unknown fields, duplicate keys, wrong types, over-long text).
What is a draft but not good enough (an empty id, a missing reference) is the evidence guard's to name.
"""

import re
from collections.abc import Iterator

from pydantic import Field, ValidationError

from state.model.base import Value
from state.model.enums import AnalysisKind, ConclusionKind, DerivedOp, DraftProblem, HypothesisStatus
from state.model.strict_json import JsonProblem, parse_json_object

MAX_DRAFT_BYTES = 32 * 1024
MAX_TEXT_CHARS = 1000
_UNSHOWABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Control characters but tab and line feed, and those that turn the direction of what follows."""


class Quote(Value):
    """Words of one item, verbatim."""

    tool_call_id: str = Field(max_length=64)
    item_id: str = Field(max_length=300)
    text: str = Field(max_length=MAX_TEXT_CHARS)


class FieldRef(Value):
    """One field of one item; ``field`` empty means the item itself (for ``count``)."""

    tool_call_id: str = Field(max_length=64)
    item_id: str = Field(max_length=300)
    field: str = Field("", max_length=200)


class Derived(Value):
    """A number computed from cited fields, recomputed by the evidence guard."""

    op: DerivedOp
    inputs: tuple[FieldRef, ...] = Field(max_length=50)
    value: float
    """Seconds for ``duration``, per cent for ``percent``."""
    rounding: int | None = Field(None, ge=-6, le=9)
    """Decimal places the value is rounded to; None = exact."""


class Analysis(Value):
    """One statement with the results it rests on."""

    analysis_id: str = Field("", max_length=64)
    kind: AnalysisKind | None = None
    text: str = Field("", max_length=MAX_TEXT_CHARS)
    tool_call_ids: tuple[str, ...] = Field((), max_length=12)
    quotes: tuple[Quote, ...] = Field((), max_length=12)
    derived: tuple[Derived, ...] = Field((), max_length=12)


class Conclusion(Value):
    """The answer. Resting on analyses, never on results directly."""

    kind: ConclusionKind
    text: str = Field("", max_length=MAX_TEXT_CHARS)
    based_on_analysis_ids: tuple[str, ...] = Field((), max_length=12)


class Action(Value):
    """A step a person may take."""

    action: str = Field("", max_length=MAX_TEXT_CHARS)
    based_on_analysis_ids: tuple[str, ...] = Field((), max_length=12)
    requires_human_confirmation: bool = True


class Recommendation(Value):
    """Advice that is not a step against this incident."""

    text: str = Field("", max_length=MAX_TEXT_CHARS)
    based_on_analysis_ids: tuple[str, ...] = Field((), max_length=12)


class Hypothesis(Value):
    """A cause that was considered."""

    text: str = Field("", max_length=MAX_TEXT_CHARS)
    status: HypothesisStatus
    based_on_analysis_ids: tuple[str, ...] = Field((), max_length=12)


class Limitations(Value):
    """What the draft covers and what it lacks."""

    scope: str = Field("", max_length=MAX_TEXT_CHARS)
    missing_info: tuple[str, ...] = Field((), max_length=20)
    next_check: str | None = Field(None, max_length=MAX_TEXT_CHARS)


class Draft(Value):
    """A complete hand-in. ``conclusion`` null is a legal, complete result."""

    conclusion: Conclusion | None = None
    analysis: tuple[Analysis, ...] = Field((), max_length=12)
    action_plan: tuple[Action, ...] = Field((), max_length=12)
    recommendations: tuple[Recommendation, ...] = Field((), max_length=12)
    hypotheses: tuple[Hypothesis, ...] = Field((), max_length=6)
    limitations: Limitations = Limitations()


class InvalidDraft(Value):
    """Why a submitted text is not a draft, and where."""

    problem: DraftProblem
    place: str = ""
    """Path of the first fault, such as ``analysis.0.kind``; empty for the whole text."""
    why: str = ""
    """One bounded sentence for the author; holds no text of the draft."""


def parse_draft(text: str) -> Draft | InvalidDraft:
    """The draft, or what is wrong with it. Strict: nothing is guessed, repaired or cut out of prose."""
    if not text.strip():
        return InvalidDraft(problem=DraftProblem.EMPTY_DRAFT, why="the draft is empty")
    if len(text.encode("utf-8", "surrogatepass")) > MAX_DRAFT_BYTES:
        why = f"the draft is larger than {MAX_DRAFT_BYTES} bytes"
        return InvalidDraft(problem=DraftProblem.SCHEMA_INVALID, why=why)
    parsed = parse_json_object(text)
    if isinstance(parsed, JsonProblem):
        return InvalidDraft(problem=DraftProblem.INVALID_JSON, why=parsed.why)
    try:
        draft = Draft.model_validate_json(text, strict=True)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])[:200]
        return InvalidDraft(problem=DraftProblem.SCHEMA_INVALID, place=place, why=str(first["msg"])[:200])
    hidden = next((place for place, words in shown_texts(draft) if _UNSHOWABLE.search(words)), None)
    if hidden is not None:
        why = "the text holds a control character or one that changes the direction of text"
        return InvalidDraft(problem=DraftProblem.SCHEMA_INVALID, place=hidden, why=why)
    return draft


def shown_texts(draft: Draft) -> Iterator[tuple[str, str]]:
    """Every text of the author's own that a person will see, with its path; quotes are the evidence's words."""
    if draft.conclusion:
        yield "conclusion.text", draft.conclusion.text
    yield from ((f"analysis.{index}.text", one.text) for index, one in enumerate(draft.analysis))
    yield from ((f"action_plan.{index}.action", one.action) for index, one in enumerate(draft.action_plan))
    yield from ((f"recommendations.{index}.text", one.text) for index, one in enumerate(draft.recommendations))
    yield from ((f"hypotheses.{index}.text", one.text) for index, one in enumerate(draft.hypotheses))
    yield "limitations.scope", draft.limitations.scope
    yield from ((f"limitations.missing_info.{index}", one) for index, one in enumerate(draft.limitations.missing_info))
    yield "limitations.next_check", draft.limitations.next_check or ""
