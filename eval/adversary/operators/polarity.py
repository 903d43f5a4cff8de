"""Statements turned into their opposite. Word pairs are data, in both languages."""

import re
from collections.abc import Iterator, Sequence

from eval.adversary.operators.editing import Edit, Edits, one_edit, only
from eval.adversary.operators.operator import MutationClass, Operator
from eval.adversary.operators.scene import Place, Scene
from worlds.generate.dice import Dice

Pair = tuple[str, str]
"""What stands there, as a regular expression, and its opposite."""

_MOVES: Sequence[Pair] = (
    (r"\brose\b", "fell"),
    (r"\bfell\b", "rose"),
    (r"\bincreased\b", "decreased"),
    (r"\bdecreased\b", "increased"),
    (r"\bclimbed\b", "dropped"),
    (r"\bdropped(?= (?:from|to|by)\b)", "climbed"),
    (r"\bgrew\b", "shrank"),
    (r"\bhigher\b", "lower"),
    (r"\blower\b", "higher"),
    (r"\babove\b", "below"),
    (r"\bbelow\b", "above"),
    (r"\bat most\b", "at least"),
    (r"\bat least\b", "at most"),
    (r"\bmore than\b", "less than"),
    ("上升|升高|升到|升至|涨到", "降到"),
    ("下降|降低|降到|降至|降为", "升到"),
    ("增加|增长|增至", "减少"),
    ("减少", "增加"),
    ("高于|超过", "低于"),
    ("低于", "高于"),
)
_ORDER: Sequence[Pair] = (
    (r"(?<!as )\bbefore\b", "after"),
    (r"\bafter\b", "before"),
    (r"\bfirst\b", "last"),
    (r"\blast\b", "first"),
    (r"\bearlier\b", "later"),
    (r"\blater\b", "earlier"),
    (r"\buntil\b", "since"),
    (r"\bsince\b", "until"),
    (r"\bbegan\b|\bstarted\b", "stopped"),
    (r"\bstopped\b|\bended\b", "started"),
    ("之前|以前", "之后"),
    ("之后|以后", "之前"),
    ("早于", "晚于"),
    ("晚于", "早于"),
    ("随后|然后", "在此之前"),
    ("首次", "末次"),
    ("开始", "停止"),
    ("停止", "开始"),
)
_STATES: Sequence[Pair] = (
    (r"\bexhausted\b", "available"),
    (r"\bunavailable\b|\bnot available\b", "available"),
    (r"\bfailed\b", "succeeded"),
    (r"\bfails?\b", "works"),
    (r"\bfailures?\b|\berrors\b", "successes"),
    (r"\brefused\b|\brejected\b", "accepted"),
    (r"\btimed out\b", "answered in time"),
    (r"\bfull\b", "empty"),
    (r"\bsaturated\b", "idle"),
    (r"\bblocked\b", "let through"),
    (r"\bslow(?:er)?\b", "fast"),
    (r"\bexpired\b", "valid"),
    (r"\bopen\b", "closed"),
    (r"\bwithout\b", "with"),
    ("耗尽", "充足"),
    ("占满|写满|打满", "空闲"),
    ("失败", "成功"),
    ("超时", "按时返回"),
    ("拒绝", "接受"),
    ("不可用", "可用"),
    ("过期", "有效"),
    ("变慢|缓慢", "变快"),
)
_AMOUNTS: Sequence[Pair] = (
    (r"\bnone of\b|\bnot one\b", "some of"),
    (r"\bno (?=[a-z])", "some "),
    (r"\bnothing\b", "something"),
    (r"\bNothing\b", "Something"),
    (r"\ball\b", "none"),
    (r"\bboth\b", "neither"),
    (r"\bevery (?=[a-z])", "no "),
    ("都没有|均未|均无", "都有"),
    ("全部是|都是", "都不是"),
    ("没有任何", "有一些"),
)
_DROPPED: Sequence[Pair] = (
    (r"\b(did|does|was|were|is|are|could|can|had|has|would) not\b", r"\1"),
    (r"\bcannot\b", "can"),
    (r"\b(could|did|was|does|is)n't\b", r"\1"),
    (r"\bnever\b", "often"),
    (r"\bno longer\b", "still"),
    (r"\bnot (?=[a-z])", ""),
    (r"\bnot\b", "indeed"),
    ("并未|从未|尚未|没有能|未能", "已"),
    ("无法", "可以"),
    ("没有(?=[\u4e00-\u9fff])", "有"),
    ("未(?=[归检发出收完找])", "已"),
    ("不(?=[会能再是够])", ""),
)
_ADDED: Sequence[Pair] = (
    (r"\b(was|were|is|are|had|has|could|can|did)\b(?! not)", r"\1 not"),
    (r"\brecorded\b", "never recorded"),
    (r"\blogged\b", "did not log"),
    (r"\b(holds|shows|reports|names|says)\b", r"never \1"),
    (r"\b(waited|queued|failed|stopped|evicted|crashed|expired|blocked)\b", r"never \1"),
    ("记录了", "没有记录"),
    ("(?<!不)(?<!没)是(?!否)", "不是"),
    ("(?<!没)出现", "没有出现"),
    ("(?<!没)导致", "没有导致"),
    ("中有(?=[一匹 \\d])", "中没有"),
    ("触发", "未触发"),
    ("返回", "没有返回"),
)

_END = re.compile(r"[.;!?](?=\s|$)|[。；！？，,]")
_NEGATION = re.compile(
    r"\b(?:not|no|nothing|never|none|neither|nor|cannot|without)\b|n't\b|[没未不无非]", re.IGNORECASE
)


def _opposite(pairs: Sequence[Pair]) -> Edits:
    def edits(_: Scene, place: Place, __: Dice) -> Iterator[Edit]:
        for pattern, other in pairs:
            for found in re.finditer(pattern, place.text):
                yield Edit(*found.span(), found.expand(other))

    return edits


def _denied(scene: Scene, place: Place, dice: Dice) -> Iterator[Edit]:
    """Negations, only into sentences that have none: two may say the same as none."""
    for edit in _opposite(_ADDED)(scene, place, dice):
        start = max((found.end() for found in _END.finditer(place.text, 0, edit.start)), default=0)
        following = _END.search(place.text, edit.end)
        if not _NEGATION.search(place.text, start, following.start() if following else len(place.text)):
            yield edit


def _states(scene: Scene, place: Place) -> bool:
    """What a document says to do is not turned here, nor what was searched."""
    return not place.path.startswith(("action_plan", "recommendations", "limitations")) and not scene.is_told(
        place.path
    )


def _is_told(scene: Scene, place: Place) -> bool:
    return place.path.startswith("analysis") and scene.is_told(place.path)


_EVERYTHING = (*_MOVES, *_ORDER, *_STATES, *_AMOUNTS, *_DROPPED)


def _operator(name: str, sentence: str, edits: Edits) -> Operator:
    return Operator(f"polarity {name}", MutationClass.POLARITY, sentence, one_edit(only(edits, _states)))


POLARITY_OPERATORS = (
    _operator("direction", "What rose is said to fall, what is above to be below.", _opposite(_MOVES)),
    _operator("order", "Before becomes after, began becomes stopped.", _opposite(_ORDER)),
    _operator("state", "Exhausted becomes available, failed succeeded.", _opposite(_STATES)),
    _operator("amount", "None becomes some, all becomes none.", _opposite(_AMOUNTS)),
    _operator("negation dropped", "A negation is left out.", _opposite(_DROPPED)),
    _operator("negation added", "A finding is denied.", _denied),
    Operator(
        "polarity of a document",
        MutationClass.POLARITY,
        "A runbook is said to state the opposite.",
        one_edit(only(_opposite(_EVERYTHING), _is_told)),
    ),
)
