"""Derived values that the guard must recompute: added to an analysis right (the twin) and wrong."""

from collections.abc import Callable, Iterator

from eval.adversary.operators.citations import with_analysis
from eval.adversary.operators.operator import Mutate, Mutation, MutationClass, Operator
from eval.adversary.operators.scene import Scene
from state.model.draft import Derived, FieldRef
from state.model.enums import DerivedOp, EvidenceKind
from worlds.generate.dice import Dice

Wrong = Callable[[Derived], Iterator[Derived]]


def _derived(wrong: Wrong) -> Mutate:
    def mutate(scene: Scene, dice: Dice) -> Mutation | None:
        order = list(range(len(scene.draft.analysis)))
        dice.shuffle(order)
        for at in order:
            for right in _right(scene, at):
                found = list(wrong(right))
                if found:
                    return _added(scene, at, right, dice.choice(found))
        return None

    return mutate


def _added(scene: Scene, at: int, right: Derived, wrong: Derived) -> Mutation:
    analysis = scene.draft.analysis[at]

    def plus(one: Derived) -> Mutation:
        derived = (*analysis.derived, one)
        return Mutation(with_analysis(scene.draft, at, analysis.model_copy(update={"derived": derived})))

    return Mutation(plus(wrong).draft, twin=plus(right).draft)


def _right(scene: Scene, at: int) -> Iterator[Derived]:
    """Exact values over what the analysis quotes already."""
    pairs = scene.cited(f"analysis.{at}.text")
    shown = [(result, item) for result, item in pairs if item.kind is EvidenceKind.TELEMETRY and not result.truncated]
    refs = [
        (FieldRef(tool_call_id=result.tool_call_id, item_id=item.item_id, field=name), value)
        for result, item in shown
        for name, value in item.fields.items()
        if isinstance(value, int) and not isinstance(value, bool) and value > 1
    ]
    if refs:
        biggest = max(refs, key=lambda pair: pair[1])
        yield Derived(op=DerivedOp.MAX, inputs=tuple(ref for ref, _ in refs), value=float(biggest[1]))
    if len(refs) >= 2:
        (one, first), (other, second) = refs[:2]
        yield Derived(op=DerivedOp.DIFF, inputs=(one, other), value=float(first - second))
        yield Derived(op=DerivedOp.SUM, inputs=(one, other), value=float(first + second))
    items = tuple(FieldRef(tool_call_id=result.tool_call_id, item_id=item.item_id) for result, item in shown)
    if len(items) >= 2:
        yield Derived(op=DerivedOp.COUNT, inputs=items, value=float(len(items)))


def _off_by_one(right: Derived) -> Iterator[Derived]:
    yield right.model_copy(update={"value": right.value + 1})
    yield right.model_copy(update={"value": right.value - 1})


def _other_sign(right: Derived) -> Iterator[Derived]:
    if right.value:
        yield right.model_copy(update={"value": -right.value})


def _other_op(right: Derived) -> Iterator[Derived]:
    for op in (DerivedOp.SUM, DerivedOp.RATIO, DerivedOp.PERCENT):
        if op is not right.op and len(right.inputs) == 2 and right.op is not DerivedOp.COUNT and right.value > 2:
            yield right.model_copy(update={"op": op})


def _unknown_field(right: Derived) -> Iterator[Derived]:
    if right.inputs[0].field:
        inputs = (right.inputs[0].model_copy(update={"field": "not_a_field"}), *right.inputs[1:])
        yield right.model_copy(update={"inputs": inputs})


def _input_twice(right: Derived) -> Iterator[Derived]:
    if right.op in {DerivedOp.SUM, DerivedOp.COUNT}:
        yield right.model_copy(update={"inputs": (*right.inputs, right.inputs[0])})


def _hidden_rounding(right: Derived) -> Iterator[Derived]:
    if right.value >= 100:
        yield right.model_copy(update={"value": float(round(right.value * 1.2, -1)), "rounding": -2})


def _operator(name: str, sentence: str, wrong: Wrong) -> Operator:
    return Operator(f"derived {name}", MutationClass.CITATION, sentence, _derived(wrong))


COMPUTED_OPERATORS = (
    _operator("off by one", "A derived value is one more or less.", _off_by_one),
    _operator("of the other sign", "A derived value has the other sign.", _other_sign),
    _operator("by another operation", "A derived value names an operation that does not give it.", _other_op),
    _operator("of no field", "An input of a derived value does not exist.", _unknown_field),
    _operator("input twice", "An input is counted twice.", _input_twice),
    _operator("badly rounded", "A derived value is called a rounding that it is not.", _hidden_rounding),
)
