"""Which source a call means, and the scope it was searched in. Pure."""

from collections.abc import Mapping

from state.model.enums import ToolCode
from state.model.errors import InvalidToolInput
from state.model.evidence import Scope


def chosen_source(known: Mapping[str, object], name: str | None) -> str:
    """The name of the source; it may be left out if there is only one.

    Raises:
        InvalidToolInput: INVALID_REQUEST: there is none of that name.
    """
    return next(iter(known)) if not name and len(known) == 1 else known_source(known, name)


def known_source(known: Mapping[str, object], name: str | None) -> str:
    """The name, which must be given.

    Raises:
        InvalidToolInput: INVALID_REQUEST: there is none of that name.
    """
    if name is None or name not in known:
        names = ", ".join(known)[:200]
        raise InvalidToolInput(ToolCode.INVALID_REQUEST, f"source: unknown; the sources are {names}")
    return name


def scope_in(payload: Mapping[str, object], source: str) -> Scope:
    """The scope that ``execute`` put into the payload, so that it was cleaned and masked with it."""
    searched = payload["scope"]
    assert isinstance(searched, dict), "execute puts an object there"
    return Scope.model_validate({"source": source, **searched})
