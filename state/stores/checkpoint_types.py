"""Which of our types a checkpoint may bring back: those that annotations of the graph state name. Pure."""

from collections.abc import Iterator
from enum import Enum
from typing import Any, NewType, get_args, get_type_hints

from pydantic import BaseModel
from typing_extensions import is_typeddict

from state.model.diagnosis import DiagnosisState, RunInput, RunOutput


def state_types() -> tuple[type, ...]:
    """Every model and enumeration reachable from the graph's state, input and output; in order of discovery."""
    found: dict[type, None] = {}
    for schema in (DiagnosisState, RunInput, RunOutput):
        _walk(schema, found)
    return tuple(found)


def _walk(annotation: Any, found: dict[type, None]) -> None:  # noqa: ANN401 - an annotation has no narrower type
    if annotation in found:
        return
    if isinstance(annotation, type) and issubclass(annotation, BaseModel | Enum):
        found[annotation] = None
    for part in _parts(annotation):
        _walk(part, found)


def _parts(annotation: Any) -> Iterator[Any]:  # noqa: ANN401 - as above
    if isinstance(annotation, NewType):
        yield annotation.__supertype__
    elif is_typeddict(annotation):
        yield from get_type_hints(annotation).values()
    elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield from (field.annotation for field in annotation.model_fields.values())
    else:
        yield from get_args(annotation)
