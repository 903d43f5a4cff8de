"""Statements of another kind than their evidence allows: a runbook told as an event, a cause in a narrow answer."""

import re
from collections.abc import Iterator

from eval.adversary.operators.citations import with_analysis
from eval.adversary.operators.editing import Edit, Edits, added, sentence_after
from eval.adversary.operators.identifiers import services
from eval.adversary.operators.operator import Mutate, Mutation, MutationClass, Operator
from eval.adversary.operators.scene import Place, Scene, with_text
from state.model.draft import MAX_TEXT_CHARS, Analysis, Draft, Hypothesis, Quote, shown_texts
from state.model.enums import AnalysisKind, ConclusionKind, EvidenceKind, HypothesisStatus
from state.model.evidence import Item, Projection
from worlds.generate.dice import Dice

_SENTENCE = re.compile(r"[^.。；;\n]{24,160}[.。；;\n]")
_ADVICE = re.compile(
    r"\b(?:add|use|check|should|set|raise|remedy|action|end|look|compare|restart|roll|ask|if|when|every|before|never)\b"
    r"|修复|处置|回滚|检查|应|建议|如果|若|确认|人工|恢复",
    re.IGNORECASE,
)
"""Not a statement that could have happened here."""
_CAUSE = re.compile(r"(?:Cause: |原因：)([^\n]{4,90})")
_SETTING = re.compile(r"`([A-Za-z][A-Za-z0-9_.-]{4,40})`")
_CAUSAL = {
    False: (
        "because the pool was too small",
        "which was caused by a deployment",
        "due to a slow query",
        "triggered by a failover",
    ),
    True: ("原因是连接池太小", "由发布导致", "因为查询太慢", "由主备切换引发"),
}
_HERE = {False: "Here exactly this happened: ", True: "本次事件中："}


def documents(scene: Scene) -> Iterator[tuple[Projection, Item]]:
    """Every passage the run looked up."""
    return ((result, item) for result in scene.results for item in result.items if item.kind is EvidenceKind.KNOWLEDGE)


def _sayings(scene: Scene) -> Iterator[tuple[Projection, Item, str]]:
    """Sentences of passages that no correct draft cites: what they tell of is not what happened here."""
    for result, item in documents(scene):
        for found in _SENTENCE.finditer(item.text if item.item_id not in scene.origin.spoken_of else ""):
            words = found.group().strip(" \n.。；;*#-|")
            if words and not words.startswith(("`", "|")) and not _ADVICE.search(words):
                yield result, item, words


def other_causes(scene: Scene) -> Iterator[tuple[Projection, Item, str]]:
    """Causes that passages of the run name in a heading and the draft does not speak of."""
    told = " ".join(text for _, text in shown_texts(scene.draft))
    for result, item in documents(scene):
        for found in _CAUSE.finditer(item.text):
            if found.group(1).strip() not in told:
                yield result, item, found.group(1).strip()


def _conclusion(edits: Edits, kind: ConclusionKind) -> Mutate:
    """Edits of the text of a conclusion of that kind."""

    def mutate(scene: Scene, dice: Dice) -> Mutation | None:
        conclusion = scene.draft.conclusion
        if conclusion is None or conclusion.kind is not kind:
            return None
        place = Place("conclusion.text", conclusion.text)
        texts = [one.apply(conclusion.text) for one in edits(scene, place, dice)]
        fitting = [one for one in texts if len(one) <= MAX_TEXT_CHARS]
        return Mutation(with_text(scene.draft, place.path, dice.choice(fitting))) if fitting else None

    return mutate


def _told_as_event(scene: Scene, dice: Dice) -> Mutation | None:
    """A finding that quotes telemetry goes on with a sentence of a runbook."""
    sayings = [words for _, _, words in _sayings(scene)]
    findings = [
        at for at, one in enumerate(scene.draft.analysis) if one.quotes and not scene.is_told(f"analysis.{at}.text")
    ]
    if not sayings or not findings:
        return None
    at, words = dice.choice(findings), dice.choice(sayings)
    text = sentence_after(scene.draft.analysis[at].text, f"{_HERE[scene.is_zh]}{words}", is_zh=scene.is_zh).apply(
        scene.draft.analysis[at].text
    )
    if len(text) > MAX_TEXT_CHARS:
        return None
    return Mutation(with_analysis(scene.draft, at, scene.draft.analysis[at].model_copy(update={"text": text})))


def _document_about_here(scene: Scene, dice: Dice) -> Mutation | None:
    """A runbook analysis says of a service of the run what the runbook says in general."""
    sayings = list(_sayings(scene))
    names = sorted(services(scene))
    dice.shuffle(sayings)
    for result, item, words in sayings:
        fitting = [name for name in names if name not in item.text]
        if fitting:
            name = dice.choice(fitting)
            right = _quoting(result, item, words, words)
            wrong = _quoting(result, item, words, f"{name}：{words}" if scene.is_zh else f"On {name}: {words}")
            return Mutation(_with(scene.draft, wrong), twin=_with(scene.draft, right))
    return None


def _quoting(result: Projection, item: Item, words: str, text: str) -> Analysis:
    return Analysis(
        analysis_id="K1",
        kind=AnalysisKind.NORMAL,
        text=text,
        tool_call_ids=(result.tool_call_id,),
        quotes=(Quote(tool_call_id=result.tool_call_id, item_id=item.item_id, text=words),),
    )


def _with(draft: Draft, analysis: Analysis) -> Draft:
    return draft.model_copy(update={"analysis": (*draft.analysis, analysis)})


def _setting(scene: Scene, place: Place, _: Dice) -> Iterator[Edit]:
    """The conclusion names a setting or code that only a document mentions."""
    shown = " ".join(
        f"{item.text} {item.fields}"
        for result in scene.results
        for item in result.items
        if item.kind is EvidenceKind.TELEMETRY
    )
    for item in (item for _, item in documents(scene)):
        for name in _SETTING.findall(item.text):
            if name.casefold() not in shown.casefold() and re.search(r"[a-z][A-Z]|_|\d|[A-Z]{6}", name):
                words = f"同时 {name} 设置有误" if scene.is_zh else f"and {name} was set wrongly"
                yield added(place.text, words, is_zh=scene.is_zh)


def _cause(scene: Scene, place: Place, _: Dice) -> Iterator[Edit]:
    yield from (added(place.text, words, is_zh=scene.is_zh) for words in _CAUSAL[scene.is_zh])


def _widened(scene: Scene, place: Place, _: Dice) -> Iterator[Edit]:
    """A narrow answer also says what nobody asked or searched."""
    if scene.is_zh:
        said = ("其他服务一切正常。", "除此之外没有任何故障。", "全天都是如此。")
    else:
        said = ("Every other service was healthy.", "Nothing else went wrong.", "The whole platform was unaffected.")
    yield from (sentence_after(place.text, words, is_zh=scene.is_zh) for words in said)


def _hypothesis_settled(status: HypothesisStatus) -> Mutate:
    """A cause that only a document knows is called supported, or excluded, on an empty result or on nothing."""

    def mutate(scene: Scene, dice: Dice) -> Mutation | None:
        empty = [one.analysis_id for one in scene.draft.analysis if one.kind is AnalysisKind.NEGATIVE_OBSERVATION]
        phrases = [phrase for _, _, phrase in other_causes(scene)]
        if len(scene.draft.hypotheses) >= 6 or not phrases:
            return None
        text = dice.choice(phrases)
        right = Hypothesis(text=text, status=HypothesisStatus.OPEN)
        wrong = Hypothesis(text=text, status=status, based_on_analysis_ids=tuple(empty[:1]))

        def plus(one: Hypothesis) -> Draft:
            return scene.draft.model_copy(update={"hypotheses": (*scene.draft.hypotheses, one)})

        return Mutation(plus(wrong), twin=plus(right))

    return mutate


def _operator(name: str, sentence: str, mutate: Mutate) -> Operator:
    return Operator(f"kind {name}", MutationClass.KIND, sentence, mutate)


KIND_OPERATORS = (
    _operator("runbook as event", "A finding goes on with what a runbook says, as if seen here.", _told_as_event),
    _operator(
        "runbook about a service",
        "What a runbook says in general is said of a service of the run.",
        _document_about_here,
    ),
    _operator(
        "runbook name as cause",
        "The cause names a setting that only a runbook mentions.",
        _conclusion(_setting, ConclusionKind.ROOT_CAUSE),
    ),
    _operator(
        "cause in an observation",
        "The answer to a narrow question names a cause.",
        _conclusion(_cause, ConclusionKind.OBSERVATION),
    ),
    _operator(
        "narrow question widened",
        "The answer to a narrow question speaks about everything else.",
        _conclusion(_widened, ConclusionKind.OBSERVATION),
    ),
    _operator(
        "hypothesis supported by nothing",
        "A cause of a runbook that nothing here shows is called supported.",
        _hypothesis_settled(HypothesisStatus.SUPPORTED),
    ),
    _operator(
        "hypothesis excluded by nothing",
        "A cause of a runbook is called excluded on an empty result, or on nothing.",
        _hypothesis_settled(HypothesisStatus.EXCLUDED),
    ),
)
