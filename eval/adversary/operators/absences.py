"""Absences that say more than the search they rest on. The right one is the twin."""

from collections.abc import Callable, Iterator

from eval.adversary.operators.decoys import Decoy, decoy_id
from eval.adversary.operators.operator import Mutate, Mutation, MutationClass, Operator
from eval.adversary.operators.scene import Scene
from state.model.draft import MAX_TEXT_CHARS, Analysis, Draft
from state.model.enums import AnalysisKind, EvidenceStatus
from state.model.evidence import Projection
from worlds.generate.dice import Dice

_TELLABLE = frozenset({"query_logs", "list_alerts"})
"""Tools whose searches a sentence with source, window and filters tells completely."""
_ADDED_ID = "N1"
Widened = Callable[[Scene, Projection, Dice], Iterator[str]]
"""Sentences that claim more than that empty result shows."""


def _is_told(result: Projection) -> bool:
    return result.tool in _TELLABLE and not result.scope.query


def _searched(scene: Scene, result: Projection) -> str:
    """A sentence that keeps to source, window and filters of the empty result."""
    scope = result.scope
    filters = ", ".join(f"{name}={value}" for name, value in sorted(scope.filters.items()))
    times = [edge.isoformat() for edge in (scope.window.start, scope.window.end)] if scope.window else []
    if scene.is_zh:
        span = f"，时间 {times[0]} 至 {times[1]}" if times else ""
        return f"在 {scope.source} 中未找到记录{span}{f'，条件 {filters}' if filters else ''}。"
    span = f" between {times[0]} and {times[1]}" if times else ""
    return f"Nothing was found in {scope.source}{span}{f' with {filters}' if filters else ''}."


def _absence(widened: Widened) -> Mutate:
    """A negative observation added on an empty result of telemetry, or put in place of the one that stands there."""

    def mutate(scene: Scene, dice: Dice) -> Mutation | None:
        empty = [one for one in scene.results if one.evidence_status is EvidenceStatus.NO_EVIDENCE and _is_told(one)]
        dice.shuffle(empty)
        for result in empty:
            texts = [one for one in widened(scene, result, dice) if len(one) <= MAX_TEXT_CHARS]
            if texts:
                right = _stated(scene.draft, result, _searched(scene, result))
                return Mutation(_stated(scene.draft, result, dice.choice(texts)), twin=right)
        return None

    return mutate


def _stated(draft: Draft, result: Projection, text: str) -> Draft:
    """The draft with that negative observation; a sentence of its own on the same result is replaced."""
    own = [
        at
        for at, one in enumerate(draft.analysis)
        if one.kind is AnalysisKind.NEGATIVE_OBSERVATION and one.tool_call_ids == (result.tool_call_id,)
    ]
    parts = list(draft.analysis)
    if own:
        parts[own[0]] = parts[own[0]].model_copy(update={"text": text})
    else:
        added = Analysis(
            analysis_id=_ADDED_ID,
            kind=AnalysisKind.NEGATIVE_OBSERVATION,
            text=text,
            tool_call_ids=(result.tool_call_id,),
        )
        parts.append(added)
    return draft.model_copy(update={"analysis": tuple(parts)})


def _wider_source(scene: Scene, result: Projection, _: Dice) -> Iterator[str]:
    own = result.scope.source
    right = _searched(scene, result)
    for other in sorted({one.scope.source for one in scene.results} - {own}):
        yield right.replace(own, f"{own} 和 {other}" if scene.is_zh else f"{own} and {other}", 1)
    yield right.replace(own, "所有来源" if scene.is_zh else "any of the sources", 1)


def _wider_window(scene: Scene, result: Projection, dice: Dice) -> Iterator[str]:
    window = result.scope.window
    right = _searched(scene, result)
    if window is None:
        return
    for hours in dice.sample((1, 2, 5), 3):
        start = window.start.isoformat()
        yield right.replace(
            start, start.replace(f"T{window.start.hour:02d}", f"T{(window.start.hour - hours) % 24:02d}"), 1
        )
    span = right[
        right.index(window.start.isoformat()) : right.index(window.end.isoformat()) + len(window.end.isoformat())
    ]
    yield right.replace(span, "全天" if scene.is_zh else "the start of the day and its end", 1)
    yield right.replace(span, "任何时候" if scene.is_zh else "any two times that day", 1)


def _filter_dropped(scene: Scene, result: Projection, _: Dice) -> Iterator[str]:
    """Nothing was found with a filter becomes: nothing was found."""
    for name in sorted(result.scope.filters):
        filters = {key: value for key, value in result.scope.filters.items() if key != name}
        yield _searched(
            scene, result.model_copy(update={"scope": result.scope.model_copy(update={"filters": filters})})
        )


def _other_filter(scene: Scene, result: Projection, _: Dice) -> Iterator[str]:
    right = _searched(scene, result)
    for name, value in sorted(result.scope.filters.items()):
        for other in ("StackOverflowError", "ECONNREFUSED", "FATAL"):
            if not scene.stock.holds_word(other):
                yield right.replace(f"{name}={value}", f"{name}={other}", 1)


def _healthy(scene: Scene, result: Projection, _: Dice) -> Iterator[str]:
    who = result.scope.filters.get("service", result.scope.source)
    right = _searched(scene, result)
    said = (
        (f"{who} 运行正常。", f"{who} 是健康的。", "该服务没有问题。")
        if scene.is_zh
        else (f"{who} is healthy.", f"{who} worked as expected.", f"{who} was fine.")
    )
    yield from (f"{right}{'' if scene.is_zh else ' '}{one}" for one in said)


def _ruled_out(scene: Scene, result: Projection, _: Dice) -> Iterator[str]:
    right = _searched(scene, result)
    said = (
        ("因此可以排除该原因。", "该故障从未发生。", "与此无关。")
        if scene.is_zh
        else ("So this cause is ruled out.", "It never happened.", "That is not the cause.")
    )
    yield from (f"{right}{'' if scene.is_zh else ' '}{one}" for one in said)


def _universal(scene: Scene, result: Projection, _: Dice) -> Iterator[str]:
    who = result.scope.filters.get("service", result.scope.source)
    if scene.is_zh:
        yield from (f"{who} 没有任何错误。", f"{who} 没有出过任何错。", "哪里都没有出现错误。")
    else:
        yield from (f"{who} had no errors.", f"There were no failures of {who}.", f"{who} logged nothing at all.")


def _on_error(scene: Scene, _: Dice) -> Mutation | None:
    """A failed call is cited as an absence."""
    cited = [call_id for one in scene.draft.analysis for call_id in one.tool_call_ids]
    result = next((one for one in scene.results if one.tool_call_id in cited and _is_told(one)), None)
    if result is None:
        return None
    failed = result.model_copy(update={"tool_call_id": decoy_id(Decoy.FAILED, result.tool_call_id)})
    return Mutation(_stated(scene.draft, failed, _searched(scene, result)))


def _operator(name: str, sentence: str, mutate: Mutate) -> Operator:
    return Operator(f"absence {name}", MutationClass.ABSENCE, sentence, mutate)


ABSENCE_OPERATORS = (
    _operator("in more sources", "Nothing in one source becomes nothing in several.", _absence(_wider_source)),
    _operator("over more time", "Nothing in a window becomes nothing in a wider one.", _absence(_wider_window)),
    _operator("without its filter", "Nothing of one kind becomes nothing.", _absence(_filter_dropped)),
    _operator("of something else", "Nothing of one kind becomes nothing of another.", _absence(_other_filter)),
    _operator("as health", "An empty result becomes a proof of health.", _absence(_healthy)),
    _operator("as exclusion", "An empty result rules a cause out.", _absence(_ruled_out)),
    _operator("of everything", "An empty result becomes no errors at all.", _absence(_universal)),
    _operator("from an error", "A failed search becomes an absence.", _on_error),
)
