"""Drafts whose every word is in the evidence and that are wrong all the same: relations, blame, scope, rivals."""

import re
from collections.abc import Iterator

from eval.adversary.operators.editing import Edit, Edits, one_edit, only
from eval.adversary.operators.identifiers import mentions, services
from eval.adversary.operators.kinds import other_causes
from eval.adversary.operators.numbers import known_numbers
from eval.adversary.operators.operator import Mutate, Mutation, MutationClass, Operator
from eval.adversary.operators.scene import Place, Scene, with_text
from eval.adversary.operators.stock import fold, stock_of
from eval.adversary.operators.times import in_form, known_times
from state.model.draft import MAX_TEXT_CHARS, Action, Analysis, Draft, Quote
from state.model.enums import AnalysisKind, ConclusionKind, EvidenceKind
from worlds.generate.dice import Dice

_BECAUSE = re.compile(
    r"^(?P<effect>.{12,}?),? (?:because|since|after) (?P<cause>.{12,}?)(?P<rest>[.;:].*|)$", re.DOTALL
)
_LED_TO = re.compile(
    r"^(?P<cause>[^。；;由被]{6,}?)(?P<joint>，?(?:导致|使得|造成|引发)|,? (?:caused|led to|made|exhausted|blocked) )"
    r"(?P<effect>[^。；;]{6,}?)(?P<rest>[。.;；].*|)$",
    re.DOTALL,
)
_PLAYED = re.compile(
    r"^(?P<head>.*?)(?:, because |。依据：)(?P<proof>.*?)(?P<joint>\. As a consequence |。由此，)"
    r"(?P<effect>.*?)(?P<end>[.。])$",
    re.DOTALL,
)
_QUOTED = re.compile(r"“[^”]{10,}”")


def _is_cause(scene: Scene) -> bool:
    return scene.draft.conclusion is not None and scene.draft.conclusion.kind is ConclusionKind.ROOT_CAUSE


def _root_cause(edits: Edits) -> Mutate:
    """One of the edits of the text of a root cause."""

    def mutate(scene: Scene, dice: Dice) -> Mutation | None:
        if scene.draft.conclusion is None or not _is_cause(scene):
            return None
        text = scene.draft.conclusion.text
        texts = dict.fromkeys(one.apply(text) for one in edits(scene, Place("conclusion.text", text), dice))
        fitting = [one for one in texts if one != text and len(one) <= MAX_TEXT_CHARS]
        return Mutation(with_text(scene.draft, "conclusion.text", dice.choice(fitting))) if fitting else None

    return mutate


def _cause_and_effect(_: Scene, place: Place, __: Dice) -> Iterator[Edit]:
    """What came of it is named as the cause, and the cause as what came of it."""
    whole = (0, len(place.text))
    played = _PLAYED.match(place.text)
    if played:
        head = place.text[: played.start("proof")]
        yield Edit(*whole, f"{head}{played['effect']}{played['joint']}{played['proof']}{played['end']}")
        return
    because = _BECAUSE.match(place.text)
    if because:
        yield Edit(*whole, f"{_upper(because['cause'])} because {_lower(because['effect'])}{because['rest']}")
    led = _LED_TO.match(place.text)
    if led:
        yield Edit(*whole, f"{_upper(led['effect'])}{led['joint']}{_lower(led['cause'])}{led['rest']}")


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:] if text[:1].isascii() and "-" not in text.split(" ")[0] else text


def _lower(text: str) -> str:
    first = text.split(" ")[0]
    return text[:1].lower() + text[1:] if first[1:].islower() and "-" not in first else text


def _blamed(scene: Scene, place: Place, _: Dice) -> Iterator[Edit]:
    """The service named first becomes another one that the cited evidence knows."""
    near = scene.stock_at(place.path)
    found = sorted(mentions(place.text, services(scene)), key=lambda one: one.start())
    for other in sorted(services(scene)):
        if found and other != found[0].group() and near.holds_word(other):
            yield Edit(found[0].start(), found[0].end(), other)


def _two_swapped(scene: Scene, place: Place, _: Dice) -> Iterator[Edit]:
    """Two services of one sentence change places, wherever they stand in it."""
    found = sorted(mentions(place.text, services(scene)), key=lambda one: one.start())
    names = list(dict.fromkeys(one.group() for one in found))
    yield from (Edit(0, len(place.text), _exchanged(place.text, *pair)) for pair in zip(names, names[1:], strict=False))


def _exchanged(text: str, one: str, other: str) -> str:
    both = re.compile(f"(?<![A-Za-z0-9_.-])(?:{re.escape(one)}|{re.escape(other)})(?![A-Za-z0-9_-])")
    return both.sub(lambda found: other if found.group() == one else one, text)


def _everywhere(scene: Scene, place: Place, _: Dice) -> Iterator[Edit]:
    """One service becomes all of them."""
    words = ("所有服务", "整个系统") if scene.is_zh else ("every service", "the whole platform")
    for found in mentions(place.text, services(scene)):
        yield from (Edit(found.start(), found.end(), one) for one in words)


def _rival(scene: Scene, dice: Dice) -> Mutation | None:
    """The conclusion names another cause of the runbooks, and an analysis quotes the passage that describes it."""
    conclusion = scene.draft.conclusion
    phrase = _phrase(scene)
    rivals = list(other_causes(scene))
    if conclusion is None or not phrase or not rivals:
        return None
    result, item, other = dice.choice(rivals)
    text = conclusion.text.replace(phrase, other)
    if text == conclusion.text or len(text) > MAX_TEXT_CHARS:
        return None
    quote = Quote(tool_call_id=result.tool_call_id, item_id=item.item_id, text=other)
    told = Analysis(
        analysis_id="R1", kind=AnalysisKind.NORMAL, text=other, tool_call_ids=(result.tool_call_id,), quotes=(quote,)
    )
    kept = tuple(one for at, one in enumerate(scene.draft.analysis) if not scene.is_told(f"analysis.{at}.text"))
    basis = tuple(one.analysis_id for one in kept if one.analysis_id in conclusion.based_on_analysis_ids)
    changed = conclusion.model_copy(update={"text": text, "based_on_analysis_ids": (*basis, "R1")})
    return Mutation(Draft(conclusion=changed, analysis=(*kept, told), limitations=scene.draft.limitations))


def _phrase(scene: Scene) -> str:
    """The cause as a heading of a cited passage names it and the conclusion repeats it; empty for none."""
    told = scene.draft.conclusion.text if scene.draft.conclusion else ""
    headings = (
        found
        for result in scene.results
        for item in result.items
        if item.kind is EvidenceKind.KNOWLEDGE
        for found in re.findall(r"(?:Cause: |原因：)([^\n]{4,90})", item.text)
    )
    return next((one.strip() for one in headings if one.strip() in told), "")


def _symptom(scene: Scene, _: Dice) -> Mutation | None:
    """The last thing that was seen is presented as the root cause, and everything before it is left out."""
    conclusion = scene.draft.conclusion
    if conclusion is None or not _is_cause(scene):
        return None
    played = _PLAYED.match(conclusion.text)
    effect = played["effect"] if played else ""
    if not effect:
        return None
    text = f"根因：{effect}。" if scene.is_zh else f"Root cause: {effect}."
    holders = tuple(one.analysis_id for one in scene.draft.analysis if effect[:60] in one.text)
    if not holders:
        return None
    changed = conclusion.model_copy(update={"text": text, "based_on_analysis_ids": holders})
    return Mutation(scene.draft.model_copy(update={"conclusion": changed, "hypotheses": ()}))


def _other_number(scene: Scene, place: Place, dice: Dice) -> Iterator[Edit]:
    """A number of the cited evidence in the place of another one of it."""
    near = scene.stock_at(place.path)
    numbers = sorted({one.number for one in known_numbers(scene, place)} | _field_numbers(scene, place))
    for mention in known_numbers(scene, place):
        for other in dice.sample(numbers, min(6, len(numbers))):
            is_other = fold(other) != fold(mention.number) and other not in place.text and near.holds_exactly(other)
            if is_other and len(other) > 1:
                yield Edit(mention.start, mention.end, other)


def _field_numbers(scene: Scene, place: Place) -> set[str]:
    values = (value for _, item in scene.cited(place.path) for value in item.fields.values())
    return {str(value) for value in values if isinstance(value, int) and not isinstance(value, bool) and value > 9}


def _other_time(scene: Scene, place: Place, _: Dice) -> Iterator[Edit]:
    """A time of a cited item that knows nothing of the time in its place."""
    if scene.is_negative(place.path):
        return
    stocks = [
        stock_of((result.model_copy(update={"items": (item,)}),), scene.zone)
        for result, item in scene.cited(place.path)
    ]
    shown = fold(place.text)
    for mention in known_times(scene, place):
        own = [one for one in stocks if one.holds_clock(*mention.parts)]
        for at in (at for one in stocks if one not in own for at in one.instants if own):
            words = in_form(scene, mention, at)
            is_edge = any(at in span for span in scene.stock.spans)
            if not is_edge and fold(words)[:19] not in shown and not any(one.holds_instant(at) for one in own):
                yield Edit(mention.start, mention.end, words)


def _quotes_swapped(_: Scene, place: Place, __: Dice) -> Iterator[Edit]:
    """Two quoted records change places, so that each is said of the other's service and time."""
    quoted = list(_QUOTED.finditer(place.text))
    for one, other in zip(quoted, quoted[1:], strict=False):
        if one.group() != other.group():
            text = f"{other.group()}{place.text[one.end() : other.start()]}{one.group()}"
            yield Edit(one.start(), other.end(), text)


def _action(scene: Scene, dice: Dice) -> Mutation | None:
    """A step is added that no document of the run names; it must not be shown as verified."""
    told = [one.analysis_id for at, one in enumerate(scene.draft.analysis) if scene.is_told(f"analysis.{at}.text")]
    basis = told or [one.analysis_id for one in scene.draft.analysis[:1]]
    if scene.is_zh:
        steps = ("清空数据库并重启所有节点。", "关闭审计日志后重新部署。", "把全部流量切到备用机房。")
    else:
        steps = (
            "Truncate the tables and restart every node.",
            "Switch off auditing and deploy again.",
            "Move all traffic to another region.",
        )
    action = Action(action=dice.choice(steps), based_on_analysis_ids=tuple(basis))
    plan = (*scene.draft.action_plan, action)
    return Mutation(scene.draft.model_copy(update={"action_plan": plan}), wrong_action=len(plan) - 1)


def _action_reversed(scene: Scene, _: Dice) -> Mutation | None:
    """A step of a document is turned into its opposite; it must not be shown as verified."""
    for at, action in enumerate(scene.draft.action_plan):
        text = (
            f"不要{action.action}" if scene.is_zh and not action.action.isascii() else f"Do not {_lower(action.action)}"
        )
        plan = list(scene.draft.action_plan)
        plan[at] = action.model_copy(update={"action": text})
        return Mutation(scene.draft.model_copy(update={"action_plan": tuple(plan)}), wrong_action=at)
    return None


def _operator(name: str, sentence: str, mutate: Mutate) -> Operator:
    return Operator(f"meaning {name}", MutationClass.SEMANTIC, sentence, mutate)


def _of_conclusion(scene: Scene, place: Place) -> bool:
    return _is_cause(scene) and place.path.startswith(("conclusion", "analysis")) and not scene.is_told(place.path)


MEANING_OPERATORS = (
    _operator("cause and effect", "Cause and effect change places.", _root_cause(_cause_and_effect)),
    _operator("blame", "Another service of the cited evidence is blamed.", _root_cause(_blamed)),
    _operator("subject and object", "Two services change places.", one_edit(only(_two_swapped, _of_conclusion))),
    _operator("everywhere", "One service becomes all of them.", _root_cause(_everywhere)),
    _operator("rival cause", "Another cause of the runbooks is named, and its passage quoted.", _rival),
    _operator("symptom as cause", "The last link of the chain is presented as its beginning.", _symptom),
    _operator("number of another thing", "A cited number is said of something else.", one_edit(_other_number)),
    _operator("time of another thing", "A cited time is said of something else.", one_edit(_other_time)),
    _operator("quotes swapped", "Two quoted records change places.", _root_cause(_quotes_swapped)),
    _operator("action of nowhere", "A step that no document names would be shown as verified.", _action),
    _operator("action reversed", "The opposite of a step would be shown as verified.", _action_reversed),
)
