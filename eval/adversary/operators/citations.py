"""Right words with references that do not carry them."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from eval.adversary.operators.decoys import Decoy, decoy_id
from eval.adversary.operators.operator import Mutate, Mutation, MutationClass, Operator
from eval.adversary.operators.scene import Scene
from state.model.draft import Analysis, Draft, FieldRef, Quote
from state.model.enums import AnalysisKind, EvidenceStatus
from worlds.generate.dice import Dice

_Ref = TypeVar("_Ref", Quote, FieldRef)

Others = Callable[[Scene, Analysis, Dice], Iterator[Analysis]]
"""The analysis with wrong references, in as many ways as there are."""


def with_analysis(draft: Draft, at: int, analysis: Analysis) -> Draft:
    """The draft with another analysis at that index."""
    parts = list(draft.analysis)
    parts[at] = analysis
    return draft.model_copy(update={"analysis": tuple(parts)})


def _one_analysis(others: Others) -> Mutate:
    def mutate(scene: Scene, dice: Dice) -> Mutation | None:
        order = list(range(len(scene.draft.analysis)))
        dice.shuffle(order)
        for at in order:
            found = [one for one in others(scene, scene.draft.analysis[at], dice) if one != scene.draft.analysis[at]]
            if found:
                return Mutation(with_analysis(scene.draft, at, dice.choice(found)))
        return None

    return mutate


def _cites(analysis: Analysis, call_id: str, other: str) -> Analysis:
    """The analysis with every reference to one call pointing to another."""
    derived = tuple(
        one.model_copy(update={"inputs": tuple(_moved(ref, call_id, other) for ref in one.inputs)})
        for one in analysis.derived
    )
    return analysis.model_copy(
        update={
            "tool_call_ids": tuple(dict.fromkeys(other if one == call_id else one for one in analysis.tool_call_ids)),
            "quotes": tuple(_moved(one, call_id, other) for one in analysis.quotes),
            "derived": derived,
        }
    )


def _moved(ref: _Ref, call_id: str, other: str) -> _Ref:
    return ref.model_copy(update={"tool_call_id": other}) if ref.tool_call_id == call_id else ref


def _decoy(decoy: Decoy) -> Others:
    def others(_: Scene, analysis: Analysis, __: Dice) -> Iterator[Analysis]:
        for call_id in analysis.tool_call_ids:
            yield _cites(analysis, call_id, decoy_id(decoy, call_id))

    return others


def _invented_call(_: Scene, analysis: Analysis, dice: Dice) -> Iterator[Analysis]:
    for call_id in analysis.tool_call_ids:
        yield _cites(analysis, call_id, f"call_{dice.randrange(500, 999)}")


def _partial_nothing(_: Scene, analysis: Analysis, __: Dice) -> Iterator[Analysis]:
    if analysis.kind is AnalysisKind.NEGATIVE_OBSERVATION:
        for call_id in analysis.tool_call_ids:
            yield _cites(analysis, call_id, decoy_id(Decoy.PARTIAL_NOTHING, call_id))


def _quotes(change: Callable[[Scene, Quote, Dice], Iterator[Quote]]) -> Others:
    """Analyses with one quote changed."""

    def others(scene: Scene, analysis: Analysis, dice: Dice) -> Iterator[Analysis]:
        for at, quote in enumerate(analysis.quotes):
            for other in change(scene, quote, dice):
                quotes = (*analysis.quotes[:at], other, *analysis.quotes[at + 1 :])
                yield analysis.model_copy(update={"quotes": quotes})

    return others


def _wrong_item(scene: Scene, quote: Quote, _: Dice) -> Iterator[Quote]:
    """Another item of the same result that does not hold the words."""
    for result in scene.results:
        for item in result.items if result.tool_call_id == quote.tool_call_id else ():
            if quote.text not in item.text:
                yield quote.model_copy(update={"item_id": item.item_id})


def _invented_item(_: Scene, quote: Quote, dice: Dice) -> Iterator[Quote]:
    yield quote.model_copy(update={"item_id": f"{quote.item_id[:-1]}{dice.choice('ghijk')}"})


def _one_char(scene: Scene, quote: Quote, dice: Dice) -> Iterator[Quote]:
    """One letter or digit of the quote differs from the item."""
    places = [at for at, char in enumerate(quote.text) if char.isalnum()]
    for at in dice.sample(places, min(4, len(places))):
        char = quote.text[at]
        other = (
            str((int(char) + 3) % 10) if char.isdecimal() else "的" if char > "\u2e80" else "q" if char != "q" else "x"
        )
        yield from _if_not_held(scene, quote, quote.text[:at] + other + quote.text[at + 1 :])


def _other_case(scene: Scene, quote: Quote, _: Dice) -> Iterator[Quote]:
    yield from _if_not_held(scene, quote, quote.text.swapcase())


def _word_dropped(scene: Scene, quote: Quote, dice: Dice) -> Iterator[Quote]:
    words = quote.text.split(" ")
    if len(words) >= 4:
        at = dice.randrange(1, len(words) - 1)
        yield from _if_not_held(scene, quote, " ".join((*words[:at], *words[at + 1 :])))


def _spliced(scene: Scene, quote: Quote, _: Dice) -> Iterator[Quote]:
    """Beginning and end of the item put together as one quote."""
    found = scene.find(quote.tool_call_id, quote.item_id)
    if found and len(found[1].text) > 60:
        text = found[1].text
        yield from _if_not_held(scene, quote, f"{text[:20]} {text[-20:]}")
        yield from _if_not_held(scene, quote, f"{text[:20]}...{text[-20:]}")


def _foreign_words(scene: Scene, quote: Quote, dice: Dice) -> Iterator[Quote]:
    """Words of another item of the run under this item's id."""
    texts = [item.text[:80].strip() for result in scene.results for item in result.items]
    for text in dice.sample(texts, min(4, len(texts))):
        yield from _if_not_held(scene, quote, text)


def _no_words(_: Scene, quote: Quote, __: Dice) -> Iterator[Quote]:
    for text in ("", " ", "e", "=", "。"):
        yield quote.model_copy(update={"text": text})


def _negation_cut(scene: Scene, quote: Quote, _: Dice) -> Iterator[Quote]:
    """The words behind a negation of the item, without it."""
    found = scene.find(quote.tool_call_id, quote.item_id)
    for mark in (" not ", " no ", "无法", "没有", "未", "不能"):
        rest = (found[1].text if found else "").partition(mark)[2]
        if len(rest.strip()) >= 4:
            yield quote.model_copy(update={"text": rest.strip()[:40].strip()})


def _if_not_held(scene: Scene, quote: Quote, text: str) -> Iterator[Quote]:
    found = scene.find(quote.tool_call_id, quote.item_id)
    if found and text not in found[1].text:
        yield quote.model_copy(update={"text": text})


def _no_quotes(_: Scene, analysis: Analysis, __: Dice) -> Iterator[Analysis]:
    if analysis.kind is AnalysisKind.NORMAL and not analysis.derived:
        yield analysis.model_copy(update={"quotes": ()})


def _unlisted_call(scene: Scene, analysis: Analysis, _: Dice) -> Iterator[Analysis]:
    """A quote stays, the call it comes from is no longer listed."""
    others = [one.tool_call_id for one in scene.results if one.tool_call_id not in analysis.tool_call_ids and one.items]
    if analysis.quotes and others:
        yield analysis.model_copy(update={"tool_call_ids": (others[0],)})


def _no_calls(_: Scene, analysis: Analysis, __: Dice) -> Iterator[Analysis]:
    yield analysis.model_copy(update={"tool_call_ids": ()})


def _other_status(scene: Scene, analysis: Analysis, _: Dice) -> Iterator[Analysis]:
    """Found results cited for an absence, and empty ones for a finding."""
    wants_found = analysis.kind is AnalysisKind.NEGATIVE_OBSERVATION
    wanted = EvidenceStatus.EVIDENCE_FOUND if wants_found else EvidenceStatus.NO_EVIDENCE
    for result in scene.results:
        if result.evidence_status is wanted:
            yield analysis.model_copy(update={"tool_call_ids": (result.tool_call_id,), "quotes": ()})
    flipped = AnalysisKind.NORMAL if wants_found else AnalysisKind.NEGATIVE_OBSERVATION
    yield analysis.model_copy(update={"kind": flipped})


def _on_unknown_analysis(scene: Scene, dice: Dice) -> Mutation | None:
    conclusion = scene.draft.conclusion
    if conclusion is None:
        return None
    basis = (*conclusion.based_on_analysis_ids[:-1], f"A{dice.randrange(60, 99)}")
    return Mutation(
        scene.draft.model_copy(update={"conclusion": conclusion.model_copy(update={"based_on_analysis_ids": basis})})
    )


def _on_documents_only(scene: Scene, _: Dice) -> Mutation | None:
    conclusion = scene.draft.conclusion
    told = [one.analysis_id for at, one in enumerate(scene.draft.analysis) if scene.is_told(f"analysis.{at}.text")]
    if conclusion is None or not told:
        return None
    return Mutation(
        scene.draft.model_copy(
            update={"conclusion": conclusion.model_copy(update={"based_on_analysis_ids": tuple(told)})}
        )
    )


def _operator(name: str, sentence: str, mutate: Mutate) -> Operator:
    return Operator(f"citation {name}", MutationClass.CITATION, sentence, mutate)


CITATION_OPERATORS = (
    _operator("invented call", "The call cited was never made.", _one_analysis(_invented_call)),
    _operator("of another run", "The record cited belongs to another run.", _one_analysis(_decoy(Decoy.FOREIGN))),
    _operator("of a failed call", "The call cited ended with an error.", _one_analysis(_decoy(Decoy.FAILED))),
    _operator(
        "of an unfinished call", "The record cited is still being written.", _one_analysis(_decoy(Decoy.PROJECTING))
    ),
    _operator("expired", "The record cited has expired.", _one_analysis(_decoy(Decoy.EXPIRED))),
    _operator(
        "of changed bytes", "The record cited is not the one that was sealed.", _one_analysis(_decoy(Decoy.TAMPERED))
    ),
    _operator(
        "of an incomplete nothing", "An empty result of an incomplete search is cited.", _one_analysis(_partial_nothing)
    ),
    _operator("wrong item", "The words are in another item of the result.", _one_analysis(_quotes(_wrong_item))),
    _operator("invented item", "The item cited does not exist.", _one_analysis(_quotes(_invented_item))),
    _operator("quote altered", "One character of a quote differs.", _one_analysis(_quotes(_one_char))),
    _operator("quote in other case", "Letters of a quote change case.", _one_analysis(_quotes(_other_case))),
    _operator("quote without a word", "A word inside a quote is left out.", _one_analysis(_quotes(_word_dropped))),
    _operator("quote spliced", "Two ends of an item are joined to one quote.", _one_analysis(_quotes(_spliced))),
    _operator("quote of another item", "The quote is from another item.", _one_analysis(_quotes(_foreign_words))),
    _operator("quote of nothing", "A quote is empty or a single mark.", _one_analysis(_quotes(_no_words))),
    _operator(
        "quote without its negation", "A quote begins behind the negation.", _one_analysis(_quotes(_negation_cut))
    ),
    _operator("quotes dropped", "A finding has no quote.", _one_analysis(_no_quotes)),
    _operator(
        "call not listed", "A quote is of a call that the analysis does not list.", _one_analysis(_unlisted_call)
    ),
    _operator("calls dropped", "An analysis lists no call.", _one_analysis(_no_calls)),
    _operator("of the other status", "An absence cites what was found, or the reverse.", _one_analysis(_other_status)),
    _operator("unknown analysis", "The conclusion rests on an analysis that does not exist.", _on_unknown_analysis),
    _operator("documents only", "The conclusion rests on documents alone.", _on_documents_only),
)
